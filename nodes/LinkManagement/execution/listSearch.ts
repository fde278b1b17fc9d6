import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { ApiError } from '../api/apiError';
import { connect, type Connection } from '../api/connection';
import { ListReader, readList, type ListAccess } from '../api/list';
import { toNodeError } from '../api/nodeError';
import { LARGEST_SIZE } from '../api/pageSizing';
import { sendRequest, type ServiceRequest } from '../api/sendRequest';

/** An entry of a dropdown; `url` is where the editor's link next to it leads, if it is an address. */
export interface Entry {
	name: string;
	value: number | string;
	url?: unknown;
}

/** Asks the service something. Undefined where it says that there is no such thing. */
export type Ask = (path: string, query: IDataObject) => Promise<IDataObject | undefined>;

/** A list endpoint as a dropdown shows it. */
export interface ListSource extends Pick<ListAccess, 'path' | 'collection'> {
	/** The query parameter with which the service searches by itself, where it has one. */
	searchParameter?: string;
	/** Undefined for a record that can't be chosen. */
	entry(record: IDataObject): Entry | undefined;
	/** The record that a pasted text names, where it names one: asked for before the list is searched. */
	find?(text: string, ask: Ask): Promise<IDataObject | undefined>;
}

/** Entries that the editor gets at a time. */
const MOST_ENTRIES = 100;
/** How many pages one call reads to find matches, where the service can't search by itself. */
const PAGES_A_SEARCH = 5;

/** A place in the lists, and the page size there, as the token that the editor hands back for more. */
function readToken(token: string | undefined): { list: number; begin: number; size: number } {
	const [list, begin, size] = (token ?? `0:0:${LARGEST_SIZE}`).split(':').map(Number);
	return { list, begin, size };
}

/** Sends the requests of a dropdown: somebody waits for them, and all of one call are one caller's. */
class Session {
	private connection?: Connection;

	constructor(private readonly context: ILoadOptionsFunctions) {}

	async access({ path, collection }: ListSource, query: IDataObject): Promise<ListAccess> {
		const { address } = (this.connection ??= await connect(this.context));
		return { path, collection, query, address, send: async (request) => await this.send(request) };
	}

	readonly ask: Ask = async (path, query) => {
		const answer = await this.send({ method: 'GET', path, query }).catch((error: unknown) => {
			if (!(error instanceof ApiError && isNotFound(error))) throw error;
			return undefined;
		});
		return answer?.body as IDataObject | undefined;
	};

	private async send(request: ServiceRequest) {
		this.connection ??= await connect(this.context);
		return await sendRequest(this.context, this.connection, request, { caller: this, interactive: true });
	}
}

/** The service got the question and says no: neither a key problem, nor the rate limit, nor a failure of the service. */
function isNotFound({ kind, statusCode = 200 }: ApiError): boolean {
	return kind === 'rejected' && statusCode !== 401 && statusCode !== 403 && statusCode < 500;
}

/**
 * Makes the list-search method of a searchable dropdown: it pages, it searches, and when the service fails it shows the
 * service's message: a look-up that was refused is not an empty list.
 *
 * @param lists one after the other; a function gives entries that are there without asking the service
 */
export function listSearch(...lists: Array<ListSource | (() => Entry[])>) {
	return async function (
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const wanted = filter?.trim() ?? '';
		const session = new Session(this);
		const results: INodeListSearchItems[] = [];
		const keep = (entries: Array<Entry | undefined>, isSearched: boolean) => {
			for (const entry of entries) {
				if (entry === undefined) continue;
				const { url, ...item } = entry;
				if (!isSearched && !item.name.toLowerCase().includes(wanted.toLowerCase())) continue;
				results.push(typeof url === 'string' ? { ...item, url } : item);
			}
		};
		const start = readToken(paginationToken);
		try {
			for (let { list, begin } = start, pages = 0; list < lists.length; list++, begin = 0) {
				const source = lists[list];
				if (typeof source === 'function') {
					keep(source(), false);
					continue;
				}
				const { searchParameter, entry, find } = source;
				const named = wanted === '' || begin > 0 ? undefined : await find?.(wanted, session.ask);
				if (named !== undefined) {
					keep([entry(named)], true);
					continue;
				}
				const isSearched = wanted !== '' && searchParameter !== undefined;
				const access = await session.access(source, isSearched ? { [searchParameter]: wanted } : {});
				// Where the list is looked through here, large pages find more with one request.
				const most = wanted === '' || isSearched ? MOST_ENTRIES : LARGEST_SIZE;
				const largest = begin > 0 ? Math.min(most, start.size) : most;
				const reader = new ListReader(access, Infinity, { begin, largest });
				while (reader.place !== undefined) {
					if (pages === PAGES_A_SEARCH || (pages > 0 && results.length > 0)) {
						return { results, paginationToken: [list, reader.place, reader.size ?? largest].join(':') };
					}
					const records = await reader.next();
					pages++;
					keep((records ?? []).map(entry), isSearched || wanted === '');
				}
			}
			return { results };
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	};
}

/** Entries of a field that takes several, at most: the editor reads such a list whole. */
const MOST_OPTIONS = 1000;

/** Makes the load-options method of a field that takes several records of a list. */
export function listOptions(source: ListSource) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		try {
			const records = await readList(await new Session(this).access(source, {}), MOST_OPTIONS);
			return records.flatMap((record) => {
				const entry = source.entry(record);
				return entry === undefined ? [] : [{ name: entry.name, value: entry.value }];
			});
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	};
}

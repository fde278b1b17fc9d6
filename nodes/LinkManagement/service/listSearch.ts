import type { IDataObject, ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';

import { connect, type Connection } from './connection';
import { listPage, type Page } from './listing';
import { toNodeError } from './nodeError';

/** An entry of a dropdown; `url` is where the editor's link next to it leads, if it is an address. */
export interface Entry {
	name: string;
	value: number | string;
	url?: unknown;
}

/** A list endpoint as a dropdown shows it. */
export interface ListSource {
	/** Spec, "Endpoints". */
	path: string;
	collection: string;
	/** The query parameter with which the service searches by itself, where it has one. */
	searchParameter?: string;
	entry(record: IDataObject): Entry;
}

/** Entries that one call of the editor asks the service for. */
const PAGE_SIZE = 100;
/** How many pages one call reads to find matches, where the service can't search by itself. */
const PAGES_A_SEARCH = 5;

function isLast({ records, result, perpage, maxpage }: Page, page: number): boolean {
	if (records.length === 0) return true;
	if (result === undefined && maxpage === undefined) return records.length < PAGE_SIZE;
	return page >= Math.max(maxpage ?? 0, Math.ceil((result ?? 0) / (perpage ?? PAGE_SIZE)));
}

/** A list and a page of it, as the token that the editor hands back for more. */
function readToken(token: string | undefined): { list: number; page: number } {
	const [list, page] = (token ?? '0:1').split(':').map(Number);
	return { list, page };
}

/**
 * Makes the list-search method of a searchable dropdown: it pages, it searches, and when the service fails it shows the
 * service's message. Its requests take their turns in the rate limit like all others.
 *
 * @param lists one after the other; an array is entries that are there without asking the service
 */
export function listSearch(...lists: Array<ListSource | Entry[]>) {
	return async function (
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const wanted = filter?.trim() ?? '';
		const caller = {};
		const results: INodeListSearchItems[] = [];
		const keep = (entries: Entry[], isSearched: boolean) => {
			for (const { url, ...item } of entries) {
				if (!isSearched && !item.name.toLowerCase().includes(wanted.toLowerCase())) continue;
				results.push(typeof url === 'string' ? { ...item, url } : item);
			}
		};
		let { list, page } = readToken(paginationToken);
		let connection: Connection | undefined;
		try {
			for (let pages = 0; list < lists.length; ) {
				const source = lists[list];
				if (Array.isArray(source)) {
					keep(source, false);
					list++;
					continue;
				}
				if (pages === PAGES_A_SEARCH || (pages > 0 && results.length > 0)) {
					return { results, paginationToken: `${list}:${page}` };
				}
				const { path, collection, searchParameter, entry } = source;
				const query = wanted === '' || searchParameter === undefined ? {} : { [searchParameter]: wanted };
				connection ??= await connect(this);
				const read = await listPage(this, connection, { path, collection, page, limit: PAGE_SIZE, query }, { caller });
				pages++;
				keep(read.records.map(entry), searchParameter !== undefined);
				[list, page] = isLast(read, page) ? [list + 1, 1] : [list, page + 1];
			}
			return { results };
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	};
}

import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { withConnection } from '../service/connection';
import { ListReader, readList, type ListSource } from '../service/listReader';
import type { PageCursor } from '../service/pagination';
import { interactiveOptions, HttpServiceClient, type ServiceClient } from '../service/serviceClient';

/** An entry of a dropdown; `url` is where the editor's link next to it leads. */
export type Option = Pick<INodeListSearchItems, 'name' | 'value' | 'url'>;

/** A list endpoint as a dropdown shows it. */
export interface Choices extends ListSource {
	/** The query parameter with which the service searches by itself, where it has one. */
	searchParameter?: string;
	entry(record: IDataObject): Option | undefined;
	/** What the service is asked for where this was entered; that itself, unless stated. */
	askedFor?(entered: string): string;
	/** Whether a record is the one whose address was entered: then it alone is meant. */
	isAt?(entered: string, record: IDataObject): boolean;
}

const MOST_ENTRIES = 100;
const PAGES_A_SEARCH = 5;
/** Entries of a field that takes several, at most: the editor reads such a list whole. */
const MOST_OPTIONS = 1000;

/** Asks the service for what a dropdown shows: what leaves for the editor, and the error that it shows, are without the key. */
async function onScreen<T>(context: ILoadOptionsFunctions, work: (client: ServiceClient) => Promise<T>): Promise<T> {
	return await withConnection(context, async (connection) => {
		const client = new HttpServiceClient(context, connection, interactiveOptions());
		return connection.redact.data(await work(client));
	});
}

/** A position in the lists of a dropdown. The editor hands it back, as JSON, for more. */
interface Token {
	list: number;
	cursor?: PageCursor;
}

export function withoutScheme(address: string): string {
	return address.replace(/^https?:\/\//i, '');
}

function isAmong(word: string, text: string): boolean {
	return text.toLowerCase().includes(word.toLowerCase());
}

/** The entry of a record that has all words; none else. */
function entriesFor(record: IDataObject, { entry: entryOf, searchParameter }: Choices, words: string): Option[] {
	const entry = entryOf(record);
	if (entry === undefined) return [];
	// Some services ignore what is searched for. One that searches looks at more than the entry shows.
	const text = searchParameter === undefined ? entry.name : JSON.stringify(Object.values(record));
	return words.split(/\s+/).every((word) => isAmong(word, text)) ? [entry] : [];
}

/** Reads the lists from the token on, up to what one call of a searchable dropdown gives. */
async function search(
	client: ServiceClient,
	lists: Array<Choices | Option[]>,
	entered: string,
	{ list: first, cursor: begin }: Token,
): Promise<INodeListSearchResult> {
	const results: Option[] = [];
	let pages = 0;
	for (let list = first; list < lists.length; list++) {
		const source = lists[list];
		if (Array.isArray(source)) {
			results.push(...source.filter(({ name }) => isAmong(entered, name)));
			continue;
		}
		const words = withoutScheme(entered);
		const asked = source.askedFor?.(entered) ?? entered;
		const query = asked !== '' && source.searchParameter !== undefined ? { [source.searchParameter]: asked } : {};
		// Where the list is looked through here, large pages find more with one request.
		const largest = words === '' || source.searchParameter !== undefined ? MOST_ENTRIES : undefined;
		const from = { cursor: list === first ? begin : undefined, largest };
		const reader = new ListReader(client, { ...source, query, mayBeEmpty: words !== '' }, from);
		for (; reader.cursor !== undefined; pages++) {
			const isEnough = pages === PAGES_A_SEARCH || (pages > 0 && results.length > 0);
			if (isEnough) return { results, paginationToken: JSON.stringify({ list, cursor: reader.cursor }) };
			const records = (await reader.next()) ?? [];
			const exact = records.filter((record) => source.isAt?.(entered, record));
			if (exact.length > 0) return { results: exact.flatMap((record) => entriesFor(record, source, '')) };
			results.push(...records.flatMap((record) => entriesFor(record, source, words)));
		}
	}
	return { results };
}

/**
 * Makes the list-search method of a searchable dropdown: it pages, it searches, and when the service fails it shows the
 * service's message: a look-up that was refused is not an empty list.
 *
 * @param lists one after the other; an array holds entries that are there without asking the service
 */
export function listSearch(...lists: Array<Choices | Option[]>) {
	return async function (
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const token = paginationToken ? (JSON.parse(paginationToken) as Token) : { list: 0 };
		return await onScreen(this, async (client) => await search(client, lists, filter?.trim() ?? '', token));
	};
}

/** Makes the load-options method of a field that takes several records of a list. */
export function listOptions(source: Choices, query: IDataObject = {}) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return await onScreen(this, async (client) => {
			const records = await readList(client, { ...source, query }, MOST_OPTIONS);
			return records.flatMap((record) => source.entry(record) ?? []);
		});
	};
}

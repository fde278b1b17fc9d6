import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { withConnection } from '../service/connection';
import { ApiError } from '../service/answer/errors';
import type { ListEndpoint, PageRequest } from '../service/lists/page';
import { ListReader, readRecords } from '../service/lists/listReader';
import { type SendOptions, ServiceClient } from '../service/send/serviceClient';

/** Longest time (ms) of all requests together while somebody waits at a screen. */
const LONGEST_ON_SCREEN = 20_000;

/** The options of a dropdown or of a credential's test: all requests as one caller's, ahead of others. */
export function interactiveOptions(): SendOptions {
	const signal = AbortSignal.timeout(LONGEST_ON_SCREEN);
	const deadline = Date.now() + LONGEST_ON_SCREEN;
	return { caller: {}, priority: 'people', signal, deadline };
}

/** An entry of a dropdown; the editor shows a link to `url` next to it. */
export type Option = Pick<INodeListSearchItems, 'name' | 'value' | 'url'>;

/** The address of an entry: a web address, or none. The editor opens what it gets. */
export function entryUrl(address: unknown): { url?: string } {
	return typeof address === 'string' && /^https?:\/\//i.test(address) ? { url: address } : {};
}

/** A list endpoint as a dropdown shows it. */
export interface Choices extends ListEndpoint {
	/** What its records are called, where a dropdown has several lists. */
	nouns?: string;
	/** The query parameter of the service's own search, if it has one. */
	searchParameter?: string;
	entry(record: IDataObject): Option | undefined;
	/** What the service is asked for; by default, what was entered. */
	askedFor?(entered: string): string;
	/** Whether the address of this record was entered: then only this record is shown. */
	isAt?(entered: string, record: IDataObject): boolean;
}

const MOST_ENTRIES = 100;
const PAGES_A_SEARCH = 5;
/** Most entries of a field for several records: the editor loads all of them. */
const MOST_OPTIONS = 1000;

/** Runs `work` for a dropdown. Neither the result nor an error holds the key. */
async function onScreen<T>(context: ILoadOptionsFunctions, work: (client: ServiceClient) => Promise<T>): Promise<T> {
	return await withConnection(context, async (connection) => {
		const client = new ServiceClient(context, connection, interactiveOptions());
		return connection.redact.data(await work(client));
	});
}

/** A position in the lists of a dropdown. The editor hands it back, as JSON, for more. */
interface Token {
	list: number;
	from?: PageRequest;
	/** The first record of the page before: a service that shows it again shows nothing else. */
	top?: unknown;
}

export function withoutScheme(address: string): string {
	return address.replace(/^https?:\/\//i, '');
}

function isAmong(word: string, text: string): boolean {
	return text.toLowerCase().includes(word.toLowerCase());
}

/** The entry of a record, if it has all words. */
function entriesFor(record: IDataObject, { entry: entryOf, searchParameter }: Choices, words: string): Option[] {
	const entry = entryOf(record);
	if (entry === undefined) return [];
	// Some services ignore the search. Those that search look at more than the entry shows.
	const text = searchParameter === undefined ? entry.name : JSON.stringify(Object.values(record));
	return words.split(/\s+/).every((word) => isAmong(word, text)) ? [entry] : [];
}

/** Reads the lists from the token on, up to what one call of a searchable dropdown gives. */
async function search(
	client: ServiceClient,
	lists: Array<Choices | Option[]>,
	entered: string,
	{ list: first, from, top }: Token,
): Promise<INodeListSearchResult> {
	const results: Option[] = [];
	let pages = 0;
	for (let list = first; list < lists.length; list++) {
		const choices = lists[list];
		if (Array.isArray(choices)) {
			results.push(...choices.filter(({ name }) => isAmong(entered, name)));
			continue;
		}
		const words = withoutScheme(entered);
		const asked = choices.askedFor?.(entered) ?? entered;
		const query = asked !== '' && choices.searchParameter !== undefined ? { [choices.searchParameter]: asked } : {};
		// If the list is searched here, large pages find more with one request.
		const largest = words === '' || choices.searchParameter !== undefined ? MOST_ENTRIES : undefined;
		const reader = new ListReader(
			client,
			{ ...choices, query, mayBeEmpty: words !== '' },
			{ largest, from: list === first ? from : undefined, ifShort: 'readOnce' },
		);
		for (; !reader.isOver; pages++) {
			const isEnough = pages === PAGES_A_SEARCH || (pages > 0 && results.length > 0);
			if (isEnough) return { results, paginationToken: JSON.stringify({ list, from: reader.nextPage, top }) };
			const records = await reader.next().catch((error: unknown) => {
				// A list that does not answer hides no other.
				const isOfList = error instanceof ApiError && ['endpoint', 'row'].includes(error.affects);
				if (lists.length === 1 || !isOfList) throw error;
				results.push({ name: `(${choices.nouns ?? 'Others'} are not listed: ${error.message})`, value: '' });
				return undefined;
			});
			if (records === undefined || (top !== undefined && records[0]?.id === top)) break;
			top = records[0]?.id;
			const exact = records.filter((record) => choices.isAt?.(entered, record));
			if (exact.length > 0) return { results: exact.flatMap((record) => entriesFor(record, choices, '')) };
			results.push(...records.flatMap((record) => entriesFor(record, choices, words)));
		}
	}
	return { results };
}

/**
 * Makes the list-search method of a searchable dropdown: it pages and searches, and shows the service's message when that fails,
 * instead of an empty list.
 *
 * @param lists one after the other; an array holds fixed entries
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
export function listOptions(choices: Choices, query: IDataObject = {}) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return await onScreen(this, async (client) => {
			const list = new ListReader(client, { ...choices, query }, { most: MOST_OPTIONS, ifShort: 'readOnce' });
			return (await readRecords(list)).slice(0, MOST_OPTIONS).flatMap((record) => choices.entry(record) ?? []);
		});
	};
}

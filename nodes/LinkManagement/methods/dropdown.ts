import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { withConnection } from '../service/connection';
import { ApiError, messageOfError } from '../service/answer/errors';
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
}

const MOST_SHOWN = 100;
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

export function withoutScheme(address: string): string {
	return address.replace(/^https?:\/\//i, '');
}

const isAmong = (word: string, text: string) => text.toLowerCase().includes(word.toLowerCase());

/** The entry of a record, if it has all words. */
function entriesFor(record: IDataObject, { entry: entryOf, searchParameter }: Choices, words: string): Option[] {
	const entry = entryOf(record);
	if (entry === undefined) return [];
	// Some services ignore the search. Those that search look at more than the entry shows.
	const text = searchParameter === undefined ? entry.name : JSON.stringify(Object.values(record));
	return words.split(/\s+/).every((word) => isAmong(word, text)) ? [entry] : [];
}

/**
 * Makes the list-search method of a searchable dropdown: it pages and searches, and shows the service's message when that fails,
 * instead of an empty list. The editor hands the page behind, as JSON, back for more.
 */
export function listSearch(choices: Choices) {
	return async function (this: ILoadOptionsFunctions, filter = '', behind?: string): Promise<INodeListSearchResult> {
		return await onScreen(this, async (client) => {
			const entered = filter.trim();
			const { searchParameter } = choices;
			const query = entered !== '' && searchParameter !== undefined ? { [searchParameter]: entered } : {};
			// If the list is searched here, large pages find more with one request.
			const largest = entered === '' || searchParameter !== undefined ? MOST_SHOWN : undefined;
			const from = behind ? (JSON.parse(behind) as PageRequest) : undefined;
			const reader = new ListReader(client, { ...choices, query }, { largest, from, ifShort: 'readOnce' });
			const results: Option[] = [];
			for (let pages = 0; !reader.isOver; pages++) {
				const isEnough = pages === PAGES_A_SEARCH || results.length > 0;
				if (isEnough) return { results, paginationToken: JSON.stringify(reader.nextPage) };
				for (const record of (await reader.next()) ?? [])
					results.push(...entriesFor(record, choices, withoutScheme(entered)));
			}
			return { results };
		});
	};
}

async function allEntries(client: ServiceClient, choices: Choices, query: IDataObject = {}): Promise<Option[]> {
	const list = new ListReader(client, { ...choices, query }, { most: MOST_OPTIONS, ifShort: 'readOnce' });
	return (await readRecords(list)).slice(0, MOST_OPTIONS).flatMap((record) => choices.entry(record) ?? []);
}

/** Makes the same of several short lists. One that does not answer hides no other. @param fixed entries that come first */
export function listsSearch(fixed: Option[], ...lists: Choices[]) {
	return async function (this: ILoadOptionsFunctions, filter = ''): Promise<INodeListSearchResult> {
		return await onScreen(this, async (client) => {
			const isWanted = ({ name }: Option) => isAmong(filter.trim(), name);
			const results = fixed.filter(isWanted);
			for (const choices of lists) {
				const options = await allEntries(client, choices).catch((error: unknown) => {
					if (!(error instanceof ApiError) || !['endpoint', 'row'].includes(error.affects)) throw error;
					results.push({ name: `(${choices.nouns} are not listed: ${messageOfError(error)})`, value: '' });
					return [];
				});
				results.push(...options.filter(isWanted));
			}
			return { results };
		});
	};
}

/** Makes the load-options method of a field that takes several records of a list. */
export function listOptions(choices: Choices, query?: IDataObject) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return await onScreen(this, async (client) => await allEntries(client, choices, query));
	};
}

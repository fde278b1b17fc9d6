import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { connect, type Connection } from '../service/connection';
import { ListReader, readList, type ListSource } from '../service/list';
import { toNodeError } from '../service/errors';
import type { ListPlace } from '../service/listReading';
import { mannerOfScreen, tooLate } from '../service/retry';
import { speakerOf, type Speaker } from '../service/sendRequest';

/** An entry of a dropdown; `url` is where the editor's link next to it leads, if it is an address. */
export interface Entry {
	name: string;
	value: number | string;
	url?: unknown;
}

/** A list endpoint as a dropdown shows it. */
export interface Choices extends ListSource {
	/** The query parameter with which the service searches by itself, where it has one. */
	searchParameter?: string;
	/** Undefined for a record that can't be chosen. */
	entry(record: IDataObject): Entry | undefined;
	/** The record that a pasted text names, where it names one: asked for before the list is searched. */
	find?(text: string, speaker: Speaker): Promise<IDataObject | undefined>;
}

/** Entries that the editor gets at a time. */
const MOST_ENTRIES = 100;
/** How many pages one call reads to find matches. */
const PAGES_A_SEARCH = 5;
/** Entries of a field that takes several, at most: the editor reads such a list whole. */
const MOST_OPTIONS = 1000;

/** Asks the service for what a dropdown shows: what leaves for the editor, and the error that it shows, are without the key. */
async function onScreen<T>(context: ILoadOptionsFunctions, work: (speaker: Speaker) => Promise<T>): Promise<T> {
	const manner = mannerOfScreen();
	let connection: Connection | undefined;
	try {
		connection = await connect(context);
		return connection.redact.data(await work(speakerOf(context, connection, manner)));
	} catch (error) {
		throw toNodeError(context.getNode(), tooLate(error), connection?.redact);
	}
}

/** A place in the lists of a dropdown. The editor hands it back, as JSON, for more. */
interface Token {
	list: number;
	place?: ListPlace;
}

function isAmong(words: string, text: string): boolean {
	return text.toLowerCase().includes(words.toLowerCase());
}

/** One call of a searchable dropdown. */
class Search {
	private readonly results: INodeListSearchItems[] = [];
	private pages = 0;

	constructor(
		private readonly speaker: Speaker,
		private readonly wanted: string,
	) {}

	/** Reads the lists from the place of the token on, up to what one call gives. */
	async through(lists: Array<Choices | Entry[]>, { list: first, place: begin }: Token): Promise<INodeListSearchResult> {
		for (let list = first; list < lists.length; list++) {
			const source = lists[list];
			if (Array.isArray(source)) {
				this.keep(source.filter(({ name }) => isAmong(this.wanted, name)));
				continue;
			}
			const place = await this.read(source, list === first ? begin : undefined);
			if (place !== undefined) return { results: this.results, paginationToken: JSON.stringify({ list, place }) };
		}
		return { results: this.results };
	}

	/** @returns the place of what is left of the list for another call; undefined at its end */
	private async read(source: Choices, begin: ListPlace | undefined): Promise<ListPlace | undefined> {
		const { speaker, wanted } = this;
		const { searchParameter, find } = source;
		const named = wanted === '' || begin !== undefined ? undefined : await find?.(wanted, speaker);
		if (named !== undefined) {
			this.keep([source.entry(named)]);
			return undefined;
		}
		const isSearched = wanted !== '' && searchParameter !== undefined;
		const query = isSearched ? { [searchParameter]: wanted } : {};
		// Where the list is looked through here, large pages find more with one request.
		const largest = wanted === '' || isSearched ? MOST_ENTRIES : undefined;
		const reader = new ListReader(speaker, { ...source, query }, { place: begin, largest });
		for (;;) {
			const { place } = reader;
			const isEnough = this.pages === PAGES_A_SEARCH || (this.pages > 0 && this.results.length > 0);
			if (place === undefined || isEnough) return place;
			for (const record of (await reader.next()) ?? []) {
				const entry = source.entry(record);
				// Some services ignore what is searched for. One that searches looks at more than the entry shows.
				const text = isSearched ? JSON.stringify(Object.values(record)) : (entry?.name ?? '');
				if (wanted.split(/\s+/).every((word) => isAmong(word, text))) this.keep([entry]);
			}
			this.pages++;
		}
	}

	private keep(entries: Array<Entry | undefined>): void {
		for (const entry of entries) {
			if (entry === undefined) continue;
			const { url, ...item } = entry;
			this.results.push(typeof url === 'string' ? { ...item, url } : item);
		}
	}
}

/**
 * Makes the list-search method of a searchable dropdown: it pages, it searches, and when the service fails it shows the
 * service's message: a look-up that was refused is not an empty list.
 *
 * @param lists one after the other; an array holds entries that are there without asking the service
 */
export function listSearch(...lists: Array<Choices | Entry[]>) {
	return async function (
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const wanted = filter?.trim() ?? '';
		const token = paginationToken ? (JSON.parse(paginationToken) as Token) : { list: 0 };
		return await onScreen(this, async (speaker) => await new Search(speaker, wanted).through(lists, token));
	};
}

/**
 * Makes the load-options method of a field that takes several records of a list.
 *
 * @param query that the list is asked for with
 */
export function listOptions(source: Choices, query: IDataObject = {}) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return await onScreen(this, async (speaker) => {
			const records = await readList(speaker, { ...source, query }, MOST_OPTIONS);
			return records.flatMap((record) => {
				const entry = source.entry(record);
				return entry === undefined ? [] : [{ name: entry.name, value: entry.value }];
			});
		});
	};
}

import {
	NodeOperationError,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	type INodeListSearchResult,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { messageOf } from '../api/answer';
import { ApiError } from '../api/apiError';
import { connect, type Connection } from '../api/connection';
import { ListReader, readList, type ListSource } from '../api/list';
import { toNodeError } from '../api/nodeError';
import { LARGEST_SIZE } from '../api/pageSizing';
import { idOf } from '../api/records';
import { mannerOfScreen, tooLate } from '../api/screen';
import { speakerOf, type Speaker } from '../api/sendRequest';

/** An entry of a dropdown; `url` is where the editor's link next to it leads, if it is an address. */
interface Entry {
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

/** Entries of records that are chosen by their ID, unless `show` gives another value; without an ID they can't be chosen. */
export function byId(show: (record: IDataObject, id: number) => Partial<Entry> & { name: string }): Choices['entry'] {
	return (record) => {
		const value = idOf(record);
		return value === undefined ? undefined : { value, ...show(record, value) };
	};
}

/** Entries that the editor gets at a time. */
const MOST_ENTRIES = 100;
/** How many pages one call reads to find matches, where the service can't search by itself. */
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

/** A place in the lists, and the page size there, as the token that the editor hands back for more. */
function readToken(token: string | undefined): { list: number; begin: number; size: number } {
	const [list, begin, size] = (token ?? `0:0:${LARGEST_SIZE}`).split(':').map(Number);
	return { list, begin, size };
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
	async through(lists: Array<Choices | (() => Entry[])>, token?: string): Promise<INodeListSearchResult> {
		const start = readToken(token);
		for (let { list, begin } = start; list < lists.length; list++, begin = 0) {
			const source = lists[list];
			if (typeof source === 'function') this.keep(source(), false);
			else {
				const more = await this.read(source, begin, start.size);
				if (more !== undefined) return { results: this.results, paginationToken: `${list}:${more}` };
			}
		}
		return { results: this.results };
	}

	/** @returns the place of what is left of the list for another call; undefined at its end */
	private async read(source: Choices, begin: number, size: number): Promise<string | undefined> {
		const { speaker, wanted } = this;
		const { searchParameter, entry, find } = source;
		const named = wanted === '' || begin > 0 ? undefined : await find?.(wanted, speaker);
		if (named !== undefined) {
			this.keep([entry(named)], true);
			return undefined;
		}
		const isSearched = wanted !== '' && searchParameter !== undefined;
		const query = isSearched ? { [searchParameter]: wanted } : {};
		// Where the list is looked through here, large pages find more with one request.
		const most = wanted === '' || isSearched ? MOST_ENTRIES : LARGEST_SIZE;
		// Where the service says nothing of its pages, they are as large as before, also where that is more than was asked for.
		const granted = begin > 0 ? size : undefined;
		const largest = granted ?? most;
		const reader = new ListReader(speaker, { ...source, query }, Infinity, { begin, largest, granted });
		while (reader.place !== undefined) {
			if (this.pages === PAGES_A_SEARCH || (this.pages > 0 && this.results.length > 0)) {
				return `${reader.place}:${reader.granted ?? largest}`;
			}
			const records = await reader.next();
			this.pages++;
			this.keep((records ?? []).map(entry), isSearched);
		}
		return undefined;
	}

	private keep(entries: Array<Entry | undefined>, isSearched: boolean): void {
		for (const entry of entries) {
			if (entry === undefined) continue;
			const { url, ...item } = entry;
			if (!isSearched && !item.name.toLowerCase().includes(this.wanted.toLowerCase())) continue;
			this.results.push(typeof url === 'string' ? { ...item, url } : item);
		}
	}
}

/**
 * Makes the list-search method of a searchable dropdown: it pages, it searches, and when the service fails it shows the
 * service's message: a look-up that was refused is not an empty list.
 *
 * @param lists one after the other; a function gives entries that are there without asking the service
 */
export function listSearch(...lists: Array<Choices | (() => Entry[])>) {
	return async function (
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		const wanted = filter?.trim() ?? '';
		return await onScreen(this, async (speaker) => await new Search(speaker, wanted).through(lists, paginationToken));
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

/** A record that can be created from the dropdown that does not list it yet. */
interface ListCreation {
	/** As it is called in a sentence. */
	noun: string;
	/** Spec, "Endpoints". */
	path: string;
	/** The body of the creation: the name unless stated. Undefined when nothing can be made of what was typed. */
	body?(typed: string): IDataObject | undefined;
	/** What to type, for the error that says so. */
	example: string;
	/** What the dropdown chooses then, in place of the new record's ID: what it shows unless stated. */
	value?(body: IDataObject): string | undefined;
}

/**
 * The name, for what can be given by its name: n8n shows what is chosen here as it is, and an ID says nothing. A name that
 * would be read as an ID is left to the ID.
 */
function shownName({ name }: IDataObject): string | undefined {
	return /^[-+]?\d[\d.,]*$/.test(String(name)) ? undefined : String(name);
}

/**
 * Makes the handler with which a dropdown creates what was typed into its search. n8n calls it for the entry that
 * `allowNewResource` adds, and chooses what it returns; engines that don't know that show no such entry.
 *
 * @returns a method for `methods.actionHandler`; it throws the service's message when the record is refused
 */
export function listCreation({
	noun,
	path,
	body: bodyOf = (name) => ({ name }),
	example,
	value = shownName,
}: ListCreation) {
	return async function (
		this: ILoadOptionsFunctions,
		payload: IDataObject | string | undefined,
	): Promise<number | string> {
		const typed = String((typeof payload === 'object' ? payload.name : payload) ?? '').trim();
		const body = typed === '' ? undefined : bodyOf(typed);
		if (body === undefined) {
			throw new NodeOperationError(this.getNode(), `There is no name for the new ${noun}`, {
				description: `Type it into the search first, for example ${example}.`,
			});
		}
		return await onScreen(this, async ({ send }) => {
			const made = await send({ method: 'POST', path, body });
			const id = idOf(made);
			if (id === undefined) {
				throw new ApiError(
					'refused',
					messageOf(made) || `The service did not say that it made the ${noun}`,
					'Look for it in the list, or at the service.',
				);
			}
			return value(body) ?? id;
		});
	};
}

import type { Behavior } from './dialect';
import { ServiceError, type Call } from './operation';
import { Random, type Collection } from './records';

type Json = Record<string, unknown>;

/** Of a page without a limit. */
const DEFAULT_SIZE = 15;

/** The paged list envelope. */
export class Pages {
	/** The collection of the page that the last call answered with, if it did. */
	shown: string | undefined;

	constructor(private readonly behavior: Behavior) {}

	/** A page of a collection, greatest first. @param uncounted stands after the last page's own, and `result` does not count it */
	list<T extends { id: number }>(
		name: string,
		collection: Collection<T>,
		order: string,
		call: Call,
		record: (entry: T) => Json,
		uncounted: Json[] = [],
	): Json {
		const { ties } = this.behavior;
		const slice = (offset: number, size: number): Json[] => {
			if (ties === 0) return collection.descending(order, offset, size).map(record);
			const sorted = (by: string) => collection.descending(by, 0, collection.size);
			const [all, byDate] = [sorted(order), sorted(order === 'click' ? 'date' : order)];
			return inTheOrderOf(offset * 10_007 + size, all, order, ties)
				.slice(offset, offset + size)
				.map((entry) => withDateOfTie(record(entry), byDate, byDate.indexOf(entry), ties));
		};
		return this.page(name, call, collection.size, slice, uncounted);
	}

	/** A page of all these. */
	all<T>(name: string, entries: T[], call: Call, record: (entry: T) => Json): Json {
		const slice = (offset: number, size: number) => entries.slice(offset, offset + size).map(record);
		return this.page(name, call, entries.length, slice);
	}

	private page(
		name: string,
		call: Call,
		result: number,
		slice: (offset: number, size: number) => Json[],
		uncounted: Json[] = [],
	): Json {
		const { pageCap, toldPageSize, pageTooMany } = this.behavior;
		const asked = Number(call.query.limit ?? DEFAULT_SIZE);
		const perpage = Math.max(1, Math.min(asked, pageCap ?? Infinity));
		const currentpage = Math.max(1, Number(call.query.page ?? 1));
		const pages = (count: number) => Math.max(1, Math.ceil(count / perpage));
		const lastPage = pages(result);
		if (pageTooMany && currentpage > lastPage) throw new ServiceError('No results found.', 'notFound');
		const maxpage = lastPage + (pageTooMany ? 1 : 0);
		const records = slice((currentpage - 1) * perpage, perpage);
		this.shown = name;
		if (currentpage === lastPage) records.push(...uncounted);
		return {
			error: '0',
			data: {
				result,
				perpage: toldPageSize === 'asked' ? asked : perpage,
				currentpage,
				nextpage: currentpage < maxpage ? currentpage + 1 : null,
				maxpage,
				[name]: records,
			},
		};
	}
}

/** The list, in which records that are equal in what it is sorted by stand in an order that was drawn. */
function inTheOrderOf<T extends { id: number }>(seed: number, all: readonly T[], order: string, ties: number): T[] {
	const random = new Random(seed);
	const clicks = (entry: T) => (entry as { clicks?: number }).clicks;
	// Ties of a date are counted from the end, where nothing is added.
	const tieOf = (entry: T, at: number) =>
		order === 'click' ? clicks(entry) : Math.floor((all.length - 1 - at) / ties);
	const drawn = all.map((entry, at) => ({ entry, at, tie: tieOf(entry, at), key: random.next() }));
	drawn.sort((one, other) => (one.tie === other.tie ? one.key - other.key : one.at - other.at));
	return drawn.map(({ entry }) => entry);
}

/** A record with the date that it shares with others. @param at its place in the list by date */
function withDateOfTie(record: Json, byDate: readonly object[], at: number, ties: number): Json {
	const oldest = byDate[byDate.length - 1 - Math.floor((byDate.length - 1 - at) / ties) * ties];
	return 'date' in record && 'date' in oldest ? { ...record, date: oldest.date } : record;
}

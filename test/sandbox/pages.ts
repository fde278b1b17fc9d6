import type { Behaviour } from './dialect';
import type { Call } from './operation';
import type { Collection } from './records';

/** One page of a list, as far as others need to know of it. */
export interface ShownPage {
	collection: string;
	page: number;
}

type Json = Record<string, unknown>;

/** Of a page without a limit. */
const DEFAULT_SIZE = 15;

/** The paged list envelope. */
export class Pages {
	/** The page that the last call answered with, if it did. */
	shown: ShownPage | undefined;

	constructor(private readonly behaviour: Behaviour) {}

	/** A page of a collection, greatest first. @param uncounted stands after the last page's own, and `result` does not count it */
	list<T extends { id: number }>(
		name: string,
		collection: Collection<T>,
		order: string,
		call: Call,
		record: (entry: T) => Json,
		uncounted: Json[] = [],
	): Json {
		const slice = (offset: number, size: number) => collection.descending(order, offset, size).map(record);
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
		const { pageCap, pageFloor, toldPageSize, emptyCollection } = this.behaviour;
		const asked = Number(call.query.limit ?? DEFAULT_SIZE);
		const perpage = Math.max(1, pageFloor, Math.min(asked, pageCap ?? Infinity));
		const currentpage = Math.max(1, Number(call.query.page ?? 1));
		const maxpage = Math.max(1, Math.ceil(result / perpage));
		const records = slice((currentpage - 1) * perpage, perpage);
		this.shown = { collection: name, page: currentpage };
		if (currentpage === maxpage) records.push(...uncounted);
		return {
			error: '0',
			data: {
				result,
				perpage: toldPageSize === 'asked' ? asked : perpage,
				currentpage,
				nextpage: currentpage < maxpage ? currentpage + 1 : null,
				maxpage,
				...(emptyCollection === 'missing' && result === 0 && records.length === 0 ? {} : { [name]: records }),
			},
		};
	}
}

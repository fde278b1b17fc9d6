import type { Behaviour } from './dialect';
import { ServiceError, type Call } from './operation';
import type { Collection } from './records';

/** One page of a list, as far as page hooks, faults and the gateway need it. */
export interface ShownPage {
	collection: string;
	page: number;
	ids: number[];
}

type Json = Record<string, unknown>;

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
		const { pageCap, pageFloor, toldPageSize, defaultPageSize, lastNextPage, lastPage, emptyCollection } =
			this.behaviour;
		const asked = Number(call.query.limit ?? defaultPageSize);
		const perpage = Math.max(1, pageFloor, Math.min(asked, pageCap ?? Infinity));
		const currentpage = Math.max(1, Number(call.query.page ?? 1));
		const maxpage = Math.max(1, Math.ceil(result / perpage));
		if (currentpage > maxpage && this.behaviour.beyondLastPage === 'error')
			throw new ServiceError('No results found.', 'notFound');
		const told = { asked: Math.max(1, Math.ceil(result / asked)), oneTooMany: maxpage + 1, one: 1, zero: 0 };
		const atEnd = { null: null, same: currentpage, plusOne: currentpage + 1 }[lastNextPage];
		const records = slice((currentpage - 1) * perpage, perpage);
		this.shown = { collection: name, page: currentpage, ids: records.map(({ id }) => Number(id)) };
		if (currentpage === maxpage) records.push(...uncounted);
		return {
			error: '0',
			data: {
				result,
				perpage: toldPageSize === 'asked' ? asked : perpage,
				currentpage,
				nextpage: currentpage < maxpage ? currentpage + 1 : atEnd,
				maxpage: { ...told, right: maxpage, missing: maxpage }[lastPage],
				...(emptyCollection === 'missing' && result === 0 && records.length === 0 ? {} : { [name]: records }),
			},
		};
	}
}

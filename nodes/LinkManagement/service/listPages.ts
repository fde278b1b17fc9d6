import type { IDataObject } from 'n8n-workflow';

import { asText, type figuresIn } from './records';

/** A page, by its number and the number of its records. */
export interface PageRequest {
	page: number;
	limit: number;
}

/** One page of a list (spec, "Paged list envelope"). A figure that the service leaves out or garbles is undefined. */
export interface Page extends ReturnType<typeof figuresIn> {
	records: IDataObject[];
}

/**
 * What a page means: its records that no page has shown, and whether the list ends with it. `whole`: as many records were shown as
 * `result` says. `short`: the pages hold fewer. `stale`: they only repeat what is known, and may do so for ever.
 */
interface Taken {
	fresh: IDataObject[];
	end?: 'whole' | 'short' | 'stale';
}

/** How often reading goes back after the list became shorter: a total that goes up and down must not be followed for ever. */
const MOST_RETURNS = 50;

/** How many pages in a row may bring nothing new, besides as many as there are records: a total alone makes nobody read on for ever. */
const MOST_STALE = 50;

function hasId({ id }: IDataObject): boolean {
	return id !== undefined && id !== null;
}

/** A key of a record: its ID, with its type where items of several types share a list; without an ID, all that it holds. */
function identity(record: IDataObject): string {
	return hasId(record) ? `${asText(record.type ?? '')}/${asText(record.id)}` : JSON.stringify(record);
}

/**
 * Which page of a list comes next, and what the pages say. It sends nothing.
 *
 * `result` is the judge of where the list ends. Without it, the end is a page that brings nothing new. When `result` falls, records have
 * moved up, and reading goes back by as many positions. Records without an ID don't count: services add them (shared domains).
 */
export class ListPages {
	/** The number of records in the list, if the service gives it. */
	total?: number;
	/** Key of a record → the last lap that showed it. Each start at the top, and each step back, begins a lap. */
	protected readonly seen = new Map<string, number>();
	/** How many different records with an ID were read. */
	protected counted = 0;
	/** The smallest total since the last start at the top: later records need not be read. */
	private least = Infinity;
	private lap = 0;
	private returns = 0;
	/** Pages in a row that brought nothing new. */
	private stale = 0;
	/** The last page: what it showed, and whether that was what the one before it has shown. */
	private shown = { page: 0, keys: '', isRepeated: false };
	/** The page that brought nothing new, or failed, and is asked for once more. */
	protected doubted?: number;
	/** The last page was as large as the first one, or as was asked for; and it announced more. */
	protected last = { isFull: true, isAsAsked: true, announcesMore: false };

	/** @param position all above it was read */
	constructor(
		protected size: number,
		protected position = 0,
	) {}

	/** The next page in the list's order. */
	get nextPage(): PageRequest {
		return { page: Math.floor(this.position / this.size) + 1, limit: this.size };
	}

	/** Most pages that are left; undefined if the service gives no total. */
	get pagesLeft(): number | undefined {
		const { total, position, size } = this;
		return total === undefined ? undefined : Math.ceil(Math.max(0, total - position) / size);
	}

	/** How many records the service says there are, beyond those that were read. */
	get missing(): number {
		return this.total === undefined ? 0 : Math.max(0, Math.min(this.least, this.total) - this.counted);
	}

	/** Starts again at the top. Records that were read stay known. */
	protected restart(size: number): void {
		[this.size, this.position, this.least] = [size, 0, Infinity];
		this.doubted = undefined;
		this.stale = 0;
		this.lap++;
	}

	/** Takes a page. @param isEndAt whether a page that brings nothing new is the end, by where it begins; else it is asked for again */
	protected take(
		{ page, limit }: PageRequest,
		{ records, result, nextpage = 0, maxpage = 0 }: Page,
		isEndAt: (begin: number, announcesMore: boolean) => boolean,
	): Taken {
		const count = records.filter(hasId).length || records.length;
		if (count > this.size || (count > 0 && page === 1)) this.size = count;
		const begin = (page - 1) * this.size;
		const end = begin + count;
		const { fresh, hasNews } = this.note(records);
		const fallen = this.noteTotal(result, end, count);
		const announcesMore = Math.max(nextpage, maxpage) > page;
		// Some services count the page.
		const isOfPage = announcesMore && (result ?? Infinity) <= count;
		// Some show the last page again beyond it.
		const isOwn = !this.repeats(page, records, fallen < 0) && !isOfPage;
		const isWhole = isOwn && begin < (this.total ?? 0) && end >= (this.total ?? 0);
		const isDoubtful = !hasNews && fallen <= 0 && !isEndAt(begin, announcesMore);
		this.stale = hasNews ? 0 : this.stale + 1;
		if (isDoubtful && this.doubted !== page) {
			this.doubted = page;
			return { fresh };
		}
		this.doubted = undefined;
		// Others were created meanwhile and have moved known records here, or those of equal date stand in another order.
		const isAmid = isDoubtful && isOwn && count > 0 && end < (this.total ?? 0);
		this.last = { isFull: count >= this.size, isAsAsked: count >= limit, announcesMore };
		// The next page, also if this one is not full.
		this.position = fallen > 0 ? Math.max(0, begin - fallen) : begin + (count > 0 ? this.size : 0);
		if (fallen > 0) this.lap++;
		if (this.stale >= MOST_STALE + this.seen.size) return { fresh, end: 'stale' };
		if (fallen > 0 || isAmid || (hasNews && !isWhole)) return { fresh };
		return { fresh, end: isWhole ? 'whole' : 'short' };
	}

	/** Whether a page shows what the one before it has shown, although nothing was created meanwhile. */
	private repeats(page: number, records: IDataObject[], hasGrown: boolean): boolean {
		const { shown } = this;
		const keys = JSON.stringify(records.map(identity));
		const isRepeated = page === shown.page ? shown.isRepeated : !hasGrown && page > shown.page && keys === shown.keys;
		this.shown = { page, keys, isRepeated };
		return isRepeated;
	}

	/** Notes the records of a page. @returns those that no page has shown, and whether any was not shown in this lap */
	private note(records: IDataObject[]): { fresh: IDataObject[]; hasNews: boolean } {
		let hasNews = false;
		const fresh = records.filter((record) => {
			const key = identity(record);
			const lap = this.seen.get(key);
			hasNews ||= lap !== this.lap;
			this.seen.set(key, this.lap);
			return lap === undefined;
		});
		this.counted += fresh.filter(hasId).length;
		return { fresh, hasNews };
	}

	/** Notes the total of a page. @returns by how much it has fallen; less than 0 if it has grown */
	private noteTotal(result: number | undefined, end: number, count: number): number {
		// A smaller number than what was just read counts something else.
		if (result === undefined || result === 0 || (count > 0 && result < end)) return 0;
		const fallen = (this.total ?? result) - result;
		this.total = result;
		this.least = Math.min(this.least, result);
		return fallen > 0 && this.returns++ >= MOST_RETURNS ? 0 : fallen;
	}
}

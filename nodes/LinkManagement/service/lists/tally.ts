import type { IDataObject } from 'n8n-workflow';

import { asText } from '../records';
import type { Page } from './page';
import type { Shown, Taken } from './verdict';

const hasId = ({ id }: IDataObject) => id !== undefined && id !== null;

/** A key of a record: its ID, with its type where items of several types share a list; without an ID, all that it holds. */
function recordKey(record: IDataObject): string {
	return hasId(record) ? `${asText(record.type ?? '')}/${asText(record.id)}` : JSON.stringify(record);
}

/** What the pages of a list have shown, in all readings of it. */
export class Tally implements Shown {
	total?: number;
	hasFallen = false;
	stale = 0;
	readings = 1;
	alike = 0;
	/** The records that were returned, each once. */
	private readonly returned = new Set<string>();
	/** Those with an ID, which a total counts, since it last fell; and all of this reading. */
	private readonly seen = new Set<string>();
	private readonly shown = new Set<string>();
	/** This reading has shown a record that no other has shown, and one twice: so it may have left out another one. */
	private hasNew = false;
	private hasDoubles = false;
	/** The smallest total of this reading: what is created meanwhile need not be read. */
	private leastTotal = Infinity;
	private lastPage = '';

	get size(): number {
		return this.returned.size;
	}

	get counted(): number {
		return this.seen.size;
	}

	get least(): number {
		return this.total === undefined ? 0 : Math.min(this.leastTotal, this.total);
	}

	/** Takes a page. @param number from 1 @param begin the place of its first record, from 0 */
	take(page: Page, number: number, begin: number): Taken & { fresh: IDataObject[] } {
		const { records, result = 0, nextpage = 0, maxpage = 0 } = page;
		const keys = records.map(recordKey);
		const counted = keys.filter((_key, at) => hasId(records[at]));
		const count = counted.length || keys.length;
		const isRepeated = this.repeats(keys, result);
		// A page that is repeated stands in another place, so its place says nothing of the total.
		if (!isRepeated) this.noteTotal(result, begin, count);
		this.noteKeys(keys, counted, isRepeated);
		const fresh = records.filter((_record, at) => !this.returned.has(keys[at]) && this.returned.add(keys[at]));
		const isOfPage = Math.max(nextpage, maxpage) > number && result <= count;
		return { fresh, count, end: begin + count, isOfPage, isRepeated };
	}

	/** Whether a page shows what the one before it has shown, though the list has not grown. */
	private repeats(keys: readonly string[], result: number): boolean {
		const before = this.lastPage;
		this.lastPage = keys.join();
		return keys.length > 0 && this.lastPage === before && result <= (this.total ?? result);
	}

	/** A total of 0, or below what was just read, counts something else. */
	private noteTotal(result: number, begin: number, count: number): void {
		const isBelow = count > 0 && result < begin + count;
		if (result === 0 || isBelow) {
			if (isBelow) this.total = undefined;
			return;
		}
		if (result < (this.total ?? 0)) {
			// What was deleted must not stand for what was not shown.
			this.seen.clear();
			this.hasFallen = begin > 0;
		}
		this.total = result;
		this.leastTotal = Math.min(this.leastTotal, result);
	}

	private noteKeys(keys: readonly string[], counted: readonly string[], isRepeated: boolean): void {
		this.hasDoubles ||= !isRepeated && counted.some((key) => this.shown.has(key));
		this.hasNew ||= counted.some((key) => !this.seen.has(key));
		this.stale = keys.some((key) => !this.shown.has(key)) ? 0 : this.stale + 1;
		for (const key of keys) this.shown.add(key);
		for (const key of counted) this.seen.add(key);
	}

	/** The reading has ended. */
	endReading(): void {
		const counted = [...this.seen].filter((key) => this.shown.has(key)).length;
		const isAlike = counted > 0 && counted === this.seen.size && !this.hasDoubles;
		this.alike = isAlike ? (this.hasNew ? 1 : this.alike + 1) : 0;
	}

	/** Begins at the list's top. @param isReading it is another reading, and not the same one in other pages */
	restart(isReading: boolean): void {
		if (isReading) this.readings++;
		this.shown.clear();
		[this.hasNew, this.hasDoubles, this.hasFallen] = [false, false, false];
		[this.leastTotal, this.lastPage, this.stale] = [Infinity, '', 0];
	}
}

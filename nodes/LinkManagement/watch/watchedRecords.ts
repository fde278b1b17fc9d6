import { idOf } from '../service/records';
import type { ServiceRecord } from './changes';
import type { CountState, Listing, RecordSource, Watch } from './watchState';

/**
 * Reads all records, or the selected ones: from the listing, or one by one where that takes fewer requests than the listing has pages
 * left.
 */
export class WatchedRecords {
	isOver = false;
	private listing?: Listing;
	/** The selected records that are still to be read. */
	private readonly left?: Set<number>;
	private isSingle: boolean;

	/** @param way `single`: the listing was long, and none was on its first page; `list`: this service does not show them one by one */
	constructor(
		private readonly watch: Watch,
		public way?: CountState['way'],
	) {
		this.left = watch.selected && new Set(watch.selected);
		this.isSingle = way === 'single';
	}

	/** Reads on. @returns the watched records of a page, or a single one; undefined when the poll's time is up */
	async next(source: RecordSource): Promise<ServiceRecord[] | undefined> {
		return this.isSingle ? await this.single(source, this.left!) : await this.page(source);
	}

	private async page(source: RecordSource): Promise<ServiceRecord[] | undefined> {
		const isFirst = this.listing === undefined;
		const listing = (this.listing ??= source.list());
		const records = await source.page(listing);
		if (records === undefined) return undefined;
		const { left, watch, way } = this;
		const watched = left === undefined ? records : records.filter((record) => left.delete(idOf(record)!));
		this.isOver = listing.isOver || left?.size === 0;
		const isLong = left !== undefined && left.size < (listing.pagesLeft ?? 0);
		this.isSingle = isLong && !this.isOver && watch.hasSingles === true && way !== 'list';
		if (this.isSingle && isFirst && watched.length === 0) this.way = 'single';
		return watched;
	}

	private async single(source: RecordSource, left: Set<number>): Promise<ServiceRecord[] | undefined> {
		const [id] = left;
		const record = await source.record(id);
		if (record === undefined) return undefined;
		if (record === 'unknown') {
			this.isSingle = false;
			this.way = 'list';
			return [];
		}
		left.delete(id);
		this.isOver = left.size === 0;
		return record === 'gone' ? [] : [record];
	}
}

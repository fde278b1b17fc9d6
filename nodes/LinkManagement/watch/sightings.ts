import { idOf, type ServiceRecord } from './changes';

/** A listing that shows this many pages and this many records in a row, all of them seen before, repeats itself. */
const REPEATED_PAGES = 3;
const REPEATED_RECORDS = 100;

/** The records that a pass over a listing has met. */
export class Sightings {
	private readonly ids = new Set<number>();

	private pages = 0;

	private records = 0;

	/** Takes a page. */
	add(records: ServiceRecord[]): void {
		const before = this.ids.size;
		for (const record of records) {
			const id = idOf(record);
			if (id !== undefined) this.ids.add(id);
		}
		const isStale = this.ids.size === before;
		this.pages = isStale ? this.pages + 1 : 0;
		this.records = isStale ? this.records + records.length : 0;
	}

	get size(): number {
		return this.ids.size;
	}

	has(id: number): boolean {
		return this.ids.has(id);
	}

	/** Whether the latest pages held nothing new: the end of a listing that does not say how long it is. */
	get stale(): boolean {
		return this.pages >= REPEATED_PAGES;
	}

	/** Whether the listing repeats itself: it has no end of its own. */
	get repeat(): boolean {
		return this.stale && this.records >= REPEATED_RECORDS;
	}
}

import {
	baseline,
	dateOf,
	idOf,
	passedThresholds,
	wholeNumber,
	type Change,
	type Listing,
	type Question,
	type ServiceRecord,
	type Wanted,
} from './changes';
import { Sightings } from './sightings';
import { decodeCounts, encodeCounts, type StateFields } from './state';

export interface CensusSettings {
	question: Question;
	/** The field that holds the count. */
	countField: string;
	/** Only these records are watched; undefined: all of them. */
	selected?: readonly number[];
	/**
	 * The listing has the highest counts first, so reading ends below the threshold.
	 * Only for the question `reached`.
	 */
	highestFirst?: boolean;
}

/**
 * What one poll may hand to the next within a process, beside the state: costs nothing to lose.
 * It belongs to exactly one state, which `text` and `page` name.
 */
export interface CensusMemory {
	text: string;
	known: Map<number, number>;
	page: number;
	seen: Sightings;
}

/** Records that a pass did not meet and that are asked for singly, at most, in one poll. */
const MOST_CHECKS = 10;

/** How often one poll goes back because records before the reader vanished. */
const MOST_STEPS_BACK = 5;

/** Passes that a baseline over a listing in order of counts may take, at most. */
const MOST_BASELINE_PASSES = 3;

/**
 * Watches a listing by reading it from its first page to its end, over as many polls as that takes.
 *
 * Known are the IDs seen, each with the count reported last (or set as baseline). A record that turns up
 * later began at zero. That makes a lost state harmless as long as it is lost whole: a record that is
 * unknown and one known with zero are the same. It also forbids to forget a record that still exists: pages
 * shift while they are read, so one that a pass did not meet is asked for singly before it is forgotten.
 */
export class Census {
	private readonly question: Question;

	private readonly known: Map<number, number>;

	private readonly selected: ReadonlySet<number> | undefined;

	private readonly found = new Set<number>();

	private readonly changes: Change[] = [];

	private readonly text: string;

	private dirty = false;

	/** True until the first pass is through: what it meets was there before. */
	private settingBaseline: boolean;

	/** What was there before is reported all the same. */
	private readonly reportsBaseline: boolean;

	/**
	 * Records with IDs up to this, dated up to `floorDate`, may have been there before the baseline and escaped
	 * it while pages shifted: their first sight is their baseline. 0 where none can have escaped.
	 */
	private floor: number;

	private floorDate: string;

	/** The newest date that the baseline met so far. */
	private newestDate: string;

	/** Passes that the baseline took already (listings in order of counts). */
	private passes: number;

	/** A listing in order of counts showed a record at the threshold that was not known. */
	private metUnknown: boolean;

	private page: number;

	private paging = true;

	/** Page size that the listing grants. */
	private size: number | undefined;

	/** Pages that the listing had last, to decide which way takes fewer requests. */
	private pages: number | undefined;

	/** Records to ask for singly. */
	private queue: number[] = [];

	private lastAsked = 0;

	private answered = 0;

	/** Every selected record that was asked for is missing: one page has to prove that the service answers at all. */
	private proving = false;

	/** How many records the listing had at the page before. */
	private total: number | undefined;

	private stepsBack = 0;

	private seen: Sightings;

	/** `seen` holds everything that this pass met, also in earlier polls. */
	private readonly seenAll: boolean;

	/**
	 * @param fields the state that the last poll left; undefined starts a baseline
	 * @param memory what the last poll handed on; used where it belongs to that state. It is used up.
	 */
	constructor(
		private readonly settings: CensusSettings,
		fields?: StateFields,
		memory?: CensusMemory,
	) {
		this.question = settings.question;
		this.selected = settings.selected && new Set(settings.selected);
		this.text = String(fields?.known ?? '');
		this.settingBaseline = fields === undefined || fields.baseline === true;
		this.reportsBaseline =
			fields === undefined
				? this.question.kind === 'created' && this.question.includeExisting
				: fields.report === true;
		this.floor = Number(fields?.floor ?? 0);
		this.floorDate = String(fields?.floorDate ?? '');
		this.newestDate = String(fields?.newest ?? '');
		this.passes = Number(fields?.passes ?? 0);
		this.pages = fields?.pages === undefined ? undefined : Number(fields.pages);
		this.page = Number(fields?.page ?? 1);
		this.size = fields?.size === undefined ? undefined : Number(fields.size);
		this.total = fields?.total === undefined ? undefined : Number(fields.total);

		const resumed = this.page > 1;
		const own = memory?.text === this.text ? memory : undefined;
		this.known = own?.known ?? decodeCounts(this.text);
		this.metUnknown = resumed;
		const pass = resumed && own?.page === this.page ? own : undefined;
		this.seenAll = !resumed || pass !== undefined;
		this.seen = pass?.seen ?? new Sightings();

		if (this.selected && this.pages !== undefined && this.selected.size < this.pages) {
			const asked = Number(fields?.asked ?? 0);
			this.askSingly([...this.selected].filter((id) => id > asked));
		}
	}

	/** What to read next; undefined when this poll has nothing left to read. May be left unanswered: `finish` then keeps the place. */
	next(): Wanted | undefined {
		if (this.queue.length > 0) return { id: this.queue[0] };
		if (!this.paging) return undefined;
		return this.page === 1 || this.size === undefined ? { page: this.page } : { page: this.page, size: this.size };
	}

	/** Takes the page that `next` asked for. */
	readPage(listing: Listing): void {
		const { records, result } = listing;
		this.seen.add(records);
		const counts: number[] = [];
		for (const record of records) {
			const id = idOf(record);
			if (id === undefined) continue;
			this.observe(id, record);
			if (this.settingBaseline && dateOf(record) > this.newestDate) this.newestDate = dateOf(record);
			counts.push(wholeNumber(record[this.settings.countField]) ?? 0);
		}

		this.size = listing.perpage ?? this.size;
		const size = this.size ?? records.length;
		const vanished = (this.total ?? 0) - (result ?? this.total ?? 0);
		this.total = result ?? this.total;
		if (vanished > 0 && this.page > 1 && this.stepsBack < MOST_STEPS_BACK && !this.settings.highestFirst) {
			// Records that were ahead of the reader may have slid up past it.
			this.stepsBack++;
			this.page = Math.max(1, this.page - Math.ceil(vanished / Math.max(1, size)));
			return;
		}

		const lastPage =
			listing.maxpage ??
			(result === undefined ? undefined : Math.max(1, Math.ceil(result / Math.max(1, size))));
		const ended =
			records.length === 0 ||
			this.proving ||
			this.seen.repeat ||
			(lastPage === undefined ? records.length < size || this.seen.stale : this.page >= lastPage) ||
			this.isBelowThreshold(counts) ||
			this.found.size === this.selected?.size;
		if (ended) {
			this.endPass(lastPage);
			return;
		}
		if (this.selected && !this.settings.highestFirst && lastPage !== undefined) {
			const missing = [...this.selected].filter((id) => !this.found.has(id));
			if (missing.length < lastPage - this.page) {
				this.pages = lastPage;
				this.settingBaseline = false;
				this.askSingly(missing);
				return;
			}
		}
		this.page++;
	}

	/** Takes the record that `next` asked for by its ID; undefined when the service no longer has it. */
	readRecord(id: number, record: ServiceRecord | undefined): void {
		this.queue.shift();
		this.lastAsked = id;
		if (record !== undefined) {
			this.answered++;
			this.observe(id, record);
		} else if (this.selected === undefined) {
			this.known.delete(id);
			this.dirty = true;
		}
		if (this.selected && this.queue.length === 0 && this.answered + this.found.size === 0) {
			this.proving = true;
			this.paging = true;
		}
	}

	/**
	 * Ends the poll, wherever it stands.
	 *
	 * @returns what there is to report, the state for the next poll, and what that poll may reuse in this process
	 */
	finish(): { changes: Change[]; fields: StateFields; memory: CensusMemory } {
		const fields: StateFields = { known: this.dirty ? encodeCounts(this.known) : this.text };
		if (this.settingBaseline) {
			fields.baseline = true;
			if (this.reportsBaseline) fields.report = true;
			if (this.newestDate !== '') fields.newest = this.newestDate;
		}
		if (this.floor > 0) fields.floor = this.floor;
		if (this.floorDate !== '') fields.floorDate = this.floorDate;
		if (this.settingBaseline && this.passes > 0) fields.passes = this.passes;
		if (this.pages !== undefined) fields.pages = this.pages;
		if (this.paging && this.page > 1) {
			fields.page = this.page;
			if (this.size !== undefined) fields.size = this.size;
			if (this.total !== undefined) fields.total = this.total;
		}
		if (this.selected && this.queue.length > 0) fields.asked = this.lastAsked;
		const { known, page, seen } = this;
		return {
			changes: this.changes,
			fields,
			memory: { text: String(fields.known), known, page: this.paging ? page : 1, seen },
		};
	}

	private askSingly(ids: number[]): void {
		this.queue = ids.sort((a, b) => a - b);
		this.paging = false;
	}

	private observe(id: number, record: ServiceRecord): void {
		if (this.selected && !this.selected.has(id)) return;
		this.found.add(id);
		if (this.question.kind === 'created') {
			if (this.known.has(id)) return;
			const wasThere = this.settingBaseline ? !this.reportsBaseline : this.mayBeOld(id, record);
			if (!wasThere) this.changes.push({ record });
			this.keep(id, 0);
			return;
		}
		const count = wholeNumber(record[this.settings.countField]);
		if (count === undefined) return;
		const previous = this.known.get(id);
		if (previous === undefined && this.isFirstSight(id, record)) {
			if (this.question.kind === 'reached' && count >= this.question.threshold) this.metUnknown = true;
			this.keep(id, count);
			return;
		}
		const from = baseline(previous ?? 0, count);
		if (this.question.kind === 'grown') {
			if (count - from < this.question.minimumIncrease || count === from) {
				this.keep(id, from);
				return;
			}
			this.changes.push({ record, previous: from, count });
		} else {
			const { threshold, mode } = this.question;
			for (const passed of passedThresholds(from, count, threshold, mode)) {
				this.changes.push({ record, previous: from, count, threshold: passed });
			}
		}
		this.keep(id, count);
	}

	/** Whether the first sight of a record sets its baseline, rather than counting from zero. */
	private isFirstSight(id: number, record: ServiceRecord): boolean {
		if (this.settingBaseline || this.mayBeOld(id, record)) return true;
		// Someone picked it, so it was there. In order of counts, though, it may have stood below the threshold, unread.
		return this.selected !== undefined && !this.settings.highestFirst;
	}

	private mayBeOld(id: number, record: ServiceRecord): boolean {
		return id <= this.floor && dateOf(record) <= this.floorDate;
	}

	private keep(id: number, count: number): void {
		if (this.known.get(id) === count) return;
		this.known.set(id, count);
		this.dirty = true;
	}

	/** Whether a page in order of counts goes below the threshold. A page that is not in that order can't tell. */
	private isBelowThreshold(counts: number[]): boolean {
		if (!this.settings.highestFirst || this.question.kind !== 'reached') return false;
		const { threshold } = this.question;
		return counts.every((count, i) => i === 0 || count <= counts[i - 1]) && (counts.at(-1) ?? 0) < threshold;
	}

	private endPass(lastPage: number | undefined): void {
		this.paging = false;
		if (this.proving) return;
		const pagesRead = this.page;
		if (this.selected) this.pages = this.settings.highestFirst ? pagesRead : lastPage;
		if (this.settingBaseline && this.settings.highestFirst) {
			// Counts that change while pages are read move records past the reader: once more, until nothing is new.
			this.passes++;
			if (pagesRead > 1 && this.metUnknown && this.passes < MOST_BASELINE_PASSES) {
				this.page = 1;
				this.total = undefined;
				this.seen = new Sightings();
				this.metUnknown = false;
				this.paging = true;
				return;
			}
		} else if (this.settingBaseline) {
			if (pagesRead > 1 && !this.reportsBaseline) {
				this.floor = highest(this.known.keys());
				this.floorDate = this.newestDate;
			}
		}
		this.settingBaseline = false;
		if (this.selected === undefined && this.seenAll) this.checkUnseen();
	}

	private checkUnseen(): void {
		for (const [id, count] of this.known) {
			if (this.seen.has(id)) continue;
			if (this.question.kind === 'reached' && this.settings.highestFirst && count < this.question.threshold) {
				this.known.delete(id);
				this.dirty = true;
			} else if (this.queue.length < MOST_CHECKS) {
				this.queue.push(id);
			}
		}
	}
}

function highest(numbers: Iterable<number>): number {
	let top = 0;
	for (const number of numbers) if (number > top) top = number;
	return top;
}

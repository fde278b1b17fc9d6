import { dateOf, idOf, type Change, type Listing, type ServiceRecord, type Wanted } from './changes';
import { Sightings } from './sightings';
import { decodeCounts, encodeCounts, type StateFields } from './state';

/** How often one poll goes back because records above the reader vanished. */
const MOST_STEPS_BACK = 5;


/** Records that are read, at most, to get through one second: an import can put thousands into it. */
const MOST_OF_A_SECOND = 1000;

/** Later than every date: stands for the oldest date of a head without dates, so that no date makes a record new. */
const NEVER = '~';

/**
 * Watches for new records in a listing that has the newest first: reads until a page holds nothing new, and
 * through the second that was the newest at the last poll, for within a second the order is anyone's guess.
 *
 * Known are only the IDs at the head of the listing. A record is new when it is not among them and is dated
 * after the oldest second of that head; so records that slide up because others were deleted are not. The
 * total tells whether more was created than that shows (dated back, or in that very second): then records with
 * IDs above all that were seen before make up the number, and reading goes on below the head until they are
 * found. What doesn't fit in one poll goes on in the next, after the head.
 */
export class Newest {
	private readonly known: Set<number>;

	/** IDs reported since reading last came to an end: below them there may be more that is new. */
	private readonly reported: Set<number>;

	/** Records dated up to this second were there before; '' when every record is known. */
	private readonly after: string;

	/** The highest ID seen when the last poll ended. */
	private readonly top: number;

	/** The total that the listing had at the last poll. */
	private readonly lastTotal: number | undefined;

	/** The newest date at the last poll. */
	private readonly lastNewest: string;

	/** That date was the newest for two polls, so no record can join it any more. */
	private readonly calm: boolean;

	/** The newest date when reading last came to an end: a page below the head within that second is no end either. */
	private readonly since: string;

	private readonly settingBaseline: boolean;

	/** Read to the end of the listing, whatever is new: existing records are reported. */
	private readonly readAll: boolean;

	/** The page at which an earlier poll stopped, and the total at that moment. */
	private readonly pendingPage: number | undefined;

	private readonly pendingTotal: number;

	private page = 1;

	private part: 'head' | 'below' | 'done' = 'head';

	/** After a step back: the page up to which reading has to go again. */
	private reach = 1;

	private started = false;

	/** New records that the total speaks of and that have not been met. */
	private missing: number;

	/** By how many the total has grown since the last poll. */
	private added = 0;

	private total: number | undefined;

	private pageTotal: number | undefined;

	private size = 1;

	/** Page size that the listing grants, where it says so. */
	private granted: number | undefined;

	private stepsBack = 0;

	private readonly seen = new Sightings();

	private readonly head = new Set<number>();

	private pagesRead = 0;

	private oldestInHead = '';

	/** The head reached the end of the listing. */
	private headIsAll = false;

	private newestSeen = '';

	/** The newest date on the first page that this poll read. */
	private newestAtFirst = '';

	/** Records reported that came after that page was read. */
	private late = 0;

	private highestSeen = 0;

	/** Unknown records in the head that are not dated as new, but have an ID as new. */
	private readonly suspects: ServiceRecord[] = [];

	private firstSuspectPage = Infinity;

	private readonly reportedNow = new Set<number>();

	private readonly changes: Change[] = [];

	/**
	 * @param includeExisting a baseline reports what is there
	 * @param fields the state that the last poll left; undefined starts a baseline
	 */
	constructor(includeExisting: boolean, fields?: StateFields) {
		const begins = fields === undefined;
		this.settingBaseline = begins && !includeExisting;
		this.readAll = begins ? includeExisting : fields.all === true;
		this.known = new Set(decodeCounts(String(fields?.known ?? '')).keys());
		this.reported = new Set(decodeCounts(String(fields?.reported ?? '')).keys());
		this.after = String(fields?.after ?? '');
		this.top = Number(fields?.top ?? 0);
		this.lastNewest = String(fields?.newest ?? '');
		this.calm = fields?.calm === true;
		this.since = String(fields?.since ?? (this.calm ? '' : this.lastNewest));
		this.lastTotal = fields?.total === undefined ? undefined : Number(fields.total);
		this.missing = Number(fields?.missing ?? 0);
		this.pendingTotal = Number(fields?.pageTotal ?? 0);
		this.pendingPage = fields?.page === undefined ? undefined : Number(fields.page);
	}

	/** The page to read next; undefined when this poll has nothing left to read. May be left unanswered: `finish` then keeps the place. */
	next(): Wanted | undefined {
		if (this.part === 'done') return undefined;
		return this.page === 1 || this.granted === undefined ? { page: this.page } : { page: this.page, size: this.granted };
	}

	/** Takes the page that `next` asked for. */
	readPage(listing: Listing): void {
		const { records, result } = listing;
		this.granted = listing.perpage ?? this.granted;
		this.size = Math.max(1, this.granted ?? records.length);
		if (!this.started) this.startFrom(result);
		const found = this.collect(records);

		const vanished = (this.pageTotal ?? 0) - (result ?? this.pageTotal ?? 0);
		this.pageTotal = result ?? this.pageTotal;
		const ended = records.length === 0 || this.seen.repeat || this.isLastPage(listing);
		const goesOn =
			found > 0 ||
			this.isAllReported(records) ||
			this.isWithinNewestSecond(records) ||
			this.page < this.reach ||
			(this.part === 'below' && (this.readAll || this.missing > 0));

		if (vanished > 0 && this.page > 1 && this.stepsBack < MOST_STEPS_BACK) {
			// Records slid up past the reader.
			this.stepsBack++;
			this.reach = goesOn && !ended ? this.page + 1 : this.page;
			this.page = Math.max(1, this.page - Math.ceil(vanished / this.size));
		} else if (ended) {
			if (this.part === 'head') this.endHead();
			this.headIsAll = this.part === 'head' && !this.seen.repeat;
			this.part = 'done';
		} else if (goesOn) {
			this.page++;
		} else if (this.part === 'head') {
			this.endHead();
			const goBelow = this.readAll || this.pendingPage !== undefined || this.missing > 0;
			this.part = goBelow ? 'below' : 'done';
			this.page = Math.max(this.page + 1, this.resumeAt());
		} else {
			this.part = 'done';
		}
	}

	/** This watch asks for no single record. */
	readRecord(): void {}

	/**
	 * Ends the poll, wherever it stands.
	 *
	 * @returns what there is to report, oldest first, and the state for the next poll
	 */
	finish(): { changes: Change[]; fields: StateFields } {
		const fields: StateFields = {};
		let { after } = this;
		if (this.part === 'done' || this.settingBaseline) {
			const oldest = this.headIsAll ? '' : this.oldestInHead || NEVER;
			if (oldest > after) after = oldest;
			// Pages can shift between two reads, within a page nothing does: only a single page stands for itself.
			fields.known = encodeIds(
				this.pagesRead > 1 ? [...this.known, ...this.reported, ...this.head] : this.head,
			);
			fields.top = Math.max(this.top, this.highestSeen);
			if (this.newestSeen !== '') fields.newest = this.newestSeen;
			if (this.newestSeen === this.lastNewest && !this.seen.repeat) fields.calm = true;
		} else {
			// Unfinished: what is old must stay as it was, or the rest of the new would pass for old.
			fields.known = encodeIds(this.known);
			if (this.reported.size > 0) fields.reported = encodeIds(this.reported);
			fields.top = this.top;
			fields.newest = this.newestSeen > this.lastNewest ? this.newestSeen : this.lastNewest;
			if (this.since !== fields.newest) fields.since = this.since;
			fields.page =
				this.part === 'head'
					? Math.min(this.page, this.pendingPage ?? Infinity, this.missing > 0 ? this.firstSuspectPage : Infinity)
					: this.page;
			// The place may be an earlier poll's: records that vanished since then count, too.
			fields.pageTotal = Math.max(this.pageTotal ?? 0, this.part === 'head' ? this.pendingTotal : 0);
			if (this.missing > 0) fields.missing = this.missing;
			if (this.readAll) fields.all = true;
		}
		if (after !== '') fields.after = after;
		const total = this.total ?? this.lastTotal;
		if (total !== undefined) fields.total = total + this.late;
		this.changes.sort((a, b) => {
			const [first, second] = [dateOf(a.record), dateOf(b.record)];
			if (first !== second) return first < second ? -1 : 1;
			return (idOf(a.record) ?? 0) - (idOf(b.record) ?? 0);
		});
		return { changes: this.changes, fields };
	}

	private startFrom(total: number | undefined): void {
		this.started = true;
		this.total = total;
		this.pageTotal = total;
		if (total !== undefined && this.lastTotal !== undefined && total > this.lastTotal) {
			this.added = total - this.lastTotal;
			this.missing += this.added;
		}
	}

	/** Takes the records of a page; returns how many of them are new. */
	private collect(records: ServiceRecord[]): number {
		const before = this.changes.length;
		this.seen.add(records);
		this.pagesRead++;
		for (const record of records) {
			const id = idOf(record);
			if (id === undefined) continue;
			const date = dateOf(record);
			this.highestSeen = Math.max(this.highestSeen, id);
			if (this.part === 'head') {
				this.head.add(id);
				if (date > this.newestSeen) this.newestSeen = date;
				if (date !== '' && (this.oldestInHead === '' || date < this.oldestInHead)) this.oldestInHead = date;
			}
			if (this.settingBaseline || this.isKnown(id)) continue;
			if (this.after === '' || date > this.after) this.report(id, record);
			else if (id <= this.top) continue;
			else if (this.part === 'head') {
				this.suspects.push(record);
				this.firstSuspectPage = Math.min(this.firstSuspectPage, this.page);
			} else if (this.missing > 0) this.report(id, record);
		}
		if (this.pagesRead === 1) this.newestAtFirst = this.newestSeen;
		return this.changes.length - before;
	}

	/** Whether a page ends within the second in which a record may have joined those that were seen. */
	private isWithinNewestSecond(records: ServiceRecord[]): boolean {
		if (this.seen.size >= MOST_OF_A_SECOND) return false;
		const inHead = this.settingBaseline ? this.newestSeen : this.calm ? '' : this.lastNewest;
		const second = this.part === 'head' ? inHead : this.since;
		const last = records.at(-1);
		return second !== '' && last !== undefined && dateOf(last) >= second;
	}

	private isKnown(id: number): boolean {
		return this.known.has(id) || this.reported.has(id);
	}

	/** Whether a page shows nothing but what was just reported: new records pushed those down, and more may follow. */
	private isAllReported(records: ServiceRecord[]): boolean {
		const reported = this.part === 'head' ? this.reportedNow : this.reported;
		return records.every((record) => reported.has(idOf(record) ?? 0));
	}

	private report(id: number, record: ServiceRecord): void {
		this.changes.push({ record });
		this.reported.add(id);
		this.reportedNow.add(id);
		// Created while this poll was reading: the total that it began with does not count it.
		if (this.pagesRead > 1 && dateOf(record) > this.newestAtFirst) this.late++;
		else this.missing = Math.max(0, this.missing - 1);
	}

	/** The head is read: where the total speaks of more new records than are dated as new, the highest IDs are those. */
	private endHead(): void {
		this.suspects.sort((a, b) => (idOf(b) ?? 0) - (idOf(a) ?? 0));
		for (const record of this.suspects) {
			const id = idOf(record) ?? 0;
			if (this.missing > 0 && !this.isKnown(id)) this.report(id, record);
		}
	}

	private isLastPage({ records, result, maxpage }: Listing): boolean {
		if (maxpage !== undefined) return this.page >= maxpage;
		return result === undefined ? records.length < this.size : this.page * this.size >= result;
	}

	/**
	 * The page at which reading goes on below the head: where the last poll stopped, less what has slid up since.
	 * With more added than the head shows, it may stand anywhere below.
	 */
	private resumeAt(): number {
		if (this.pendingPage === undefined || this.added > this.reportedNow.size - this.late) return 1;
		const vanished = Math.max(0, this.pendingTotal - (this.pageTotal ?? 0));
		return this.pendingPage - Math.ceil(vanished / this.size);
	}
}

function encodeIds(ids: Iterable<number>): string {
	return encodeCounts(new Map([...ids].map((id) => [id, 0])));
}

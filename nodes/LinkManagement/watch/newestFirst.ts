import { dateOf, highest, idOf, type Change, type Question, type ServiceRecord } from './changes';
import { askPage, MORE, parsePlace, TOP, writePlace } from './poll';
import type { Listing, Outcome, Part, Place, Poll, WantedPage } from './poll';
import { decodeIds, encodeIds, type StateFields } from './state';
import { wholeList } from './wholeList';

type CreatedQuestion = Extract<Question, { kind: 'created' }>;

/** Records that are read, at most, to get through one second: an import can put thousands into it. */
const MOST_OF_A_SECOND = 1000;

/** Later than every date. */
const NEVER = '~';

const READS_ALL =
	'The service does not show that it lists the newest records first, with a date in each, so every poll reads the whole list.';

/** What lasts from poll to poll: what the last pass found, which came to its end. */
interface NewestFirstState {
	/** The IDs at the head of the listing. */
	readonly known: ReadonlySet<number>;
	/** Records dated up to this second were there before; '' when every record is known. */
	readonly oldUpTo: string;
	/** The highest ID seen. */
	readonly highestId: number;
	/** The highest seen in passes that a single poll made: what is not known and has a lower one was there before them. */
	readonly topId: number;
	/** The newest date. */
	readonly newestDate: string;
	/** That date was the newest in two passes, so no record can join it any more. */
	readonly isNewestComplete: boolean;
	/** How many records the listing had. */
	readonly total?: number;
	/** The listing was shown to be in order of dates. */
	readonly isOrdered: boolean;
	/** A pass that has not come to its end. */
	readonly unfinished?: Unfinished;
}

interface Unfinished {
	/** Where the next poll goes on. */
	readonly place: Place;
	/** The IDs that it has reported. */
	readonly reported: ReadonlySet<number>;
	/** The newest date when it began, and the total then, with those that came later and were reported. */
	readonly newestDate: string;
	readonly total?: number;
	/** New records that the total speaks of and that have not been met. */
	readonly missing: number;
}

function parseState(fields: StateFields = {}): NewestFirstState {
	const { known, oldUpTo, highestId, topId, newestDate, isNewestComplete, total, isOrdered } = fields;
	const { reported, newestNow, totalNow, missing } = fields;
	const numberOf = (value: unknown) => (value === undefined ? undefined : Number(value));
	return {
		known: decodeIds(known),
		oldUpTo: String(oldUpTo ?? ''),
		highestId: Number(highestId ?? 0),
		topId: Number(topId ?? highestId ?? 0),
		newestDate: String(newestDate ?? ''),
		isNewestComplete: isNewestComplete === true,
		total: numberOf(total),
		isOrdered: isOrdered === true,
		...(reported !== undefined && {
			unfinished: {
				place: parsePlace(fields),
				reported: decodeIds(reported),
				newestDate: String(newestNow),
				total: numberOf(totalNow),
				missing: Number(missing),
			},
		}),
	};
}

function writeState({ known, total, unfinished, ...rest }: NewestFirstState): StateFields {
	return {
		...rest,
		known: encodeIds(known),
		...(total !== undefined && { total }),
		...(unfinished && {
			...writePlace(unfinished.place),
			reported: encodeIds(unfinished.reported),
			newestNow: unfinished.newestDate,
			...(unfinished.total !== undefined && { totalNow: unfinished.total }),
			missing: unfinished.missing,
		}),
	};
}

/**
 * Watches for new records in a listing that has the newest first: reads until a page holds nothing new, and through the second
 * that was the newest at the last poll, for within a second the order is anyone's guess. What doesn't fit in one poll goes on
 * in the next.
 *
 * Known are only the IDs at the head of the listing. A record is new when it is not among them and is dated
 * after the oldest second of that head; so records that slide up because others were deleted are not. The
 * total tells whether more was created than that shows (dated back, or in that very second): then records with
 * IDs above all that were seen before make up the number, and reading goes on until they are found.
 *
 * That rests on dates in falling order. A listing that does not show them is read whole, from then on.
 *
 * @param fields the state that the last poll left; undefined starts a baseline
 */
export function* newestFirst(question: CreatedQuestion, fields?: StateFields): Poll {
	if (fields?.isWhole === true) return yield* readWhole(question, fields);
	const last = parseState(fields);
	const pass = new Pass(last, fields === undefined && !question.includeExisting);
	const ended = yield* pass.read();
	if (pass.isInOrder(ended)) return pass.outcome(ended);
	const outcome = yield* readWhole(question, fields && handOver(last));
	return { ...outcome, notice: READS_ALL };
}

function* readWhole(question: CreatedQuestion, fields?: StateFields): Poll {
	const outcome = yield* wholeList({ question, countField: '' }, fields);
	return { ...outcome, fields: { ...outcome.fields, isWhole: true } };
}

/** The state from which the whole listing is watched. What is not known of it is new by its ID alone. */
function handOver({ known, oldUpTo, topId, unfinished }: NewestFirstState): StateFields {
	return {
		known: encodeIds([...known, ...(unfinished?.reported ?? [])]),
		...(oldUpTo !== '' && { missedId: topId, missedDate: NEVER }),
	};
}

/** How a poll ended: told to stop, at the end of the listing, or where no more that is new follows. */
type Ended = 'stop' | 'listing' | 'part';

/** A pass from the newest record down to what is known, as far as it has come. */
class Pass {
	private readonly changes: Change[] = [];
	private readonly reported: Set<number>;
	private place: Place;
	/** The newest date on its first page; undefined before it. */
	private newestDate?: string;
	private total?: number;
	private missing: number;

	/** The pages with something new, and the first without: their IDs and their oldest date. */
	private isHead = true;
	private readonly head = new Set<number>();
	private oldestDate = '';
	private highestId: number;
	private topId: number;
	/** The dates of the head fall, and not all of them are the same. */
	private isFalling = true;
	private hasStep = false;
	private latestDate?: string;

	private isOnePage: boolean;
	private recordsRead = 0;
	private isEndless = false;

	constructor(
		private readonly last: NewestFirstState,
		private readonly isBaseline: boolean,
	) {
		const { unfinished, highestId, topId } = last;
		this.reported = new Set(unfinished?.reported);
		this.place = unfinished?.place ?? TOP;
		this.newestDate = unfinished?.newestDate;
		this.total = unfinished?.total;
		this.missing = unfinished?.missing ?? 0;
		this.highestId = highest(this.reported, highestId);
		this.topId = topId;
		this.isOnePage = unfinished === undefined;
	}

	/** Reads pages as long as more that is new may follow. */
	*read(): Part<Ended> {
		/** Where reading has got to, before records vanished and it went back. */
		let reach = this.place.position;
		for (let wanted: WantedPage = { from: this.place }; ; wanted = MORE) {
			const listing = yield* askPage(wanted);
			if (listing === undefined) return 'stop';
			const begin = this.place.position;
			const news = this.meetPage(listing);
			if (listing.place === undefined) return 'listing';
			this.place = listing.place;
			if (!this.isFalling) return 'part';
			if (listing.place.position > reach && !this.mayGoOn(listing, news)) return 'part';
			reach = Math.max(reach, begin);
			this.isOnePage = false;
		}
	}

	/** Whether the listing shows the order that this rests on; one of a single page needs none. */
	isInOrder(ended: Ended): boolean {
		if (ended === 'listing' && !this.isEndless) return this.isFalling || this.isOnePage;
		return this.isFalling && (this.hasStep || this.last.isOrdered || ended === 'stop');
	}

	outcome(ended: Ended): Outcome {
		const { changes } = this;
		const next = ended === 'stop' && !this.isBaseline ? this.unfinished() : this.finished(ended);
		changes.sort(({ record: a }, { record: b }) => {
			if (dateOf(a) !== dateOf(b)) return dateOf(a) < dateOf(b) ? -1 : 1;
			return (idOf(a) ?? 0) - (idOf(b) ?? 0);
		});
		return { changes, fields: writeState(next) };
	}

	/** Takes a page. @returns how many of its records are new */
	private meetPage({ records, total, isEndless = false }: Listing): number {
		const { last } = this;
		this.recordsRead += records.length;
		this.isEndless ||= isEndless;
		if (this.newestDate === undefined) {
			this.newestDate = records.map(dateOf).reduce((newest, date) => (date > newest ? date : newest), '');
			this.total = total ?? last.total;
			this.missing = Math.max(0, (total ?? 0) - (last.total ?? total ?? 0));
		}
		const before = this.changes.length;
		const others: ServiceRecord[] = [];
		for (const record of records) {
			if (this.isHead) this.noteDate(dateOf(record));
			const id = idOf(record);
			if (id === undefined) continue;
			this.highestId = Math.max(this.highestId, id);
			// Beside one that was created later there may be others that this pass does not meet.
			if (!last.unfinished && dateOf(record) <= this.newestDate) this.topId = Math.max(this.topId, id);
			if (this.isHead) this.head.add(id);
			if (this.isBaseline || last.known.has(id) || this.reported.has(id)) continue;
			if (last.oldUpTo === '' || dateOf(record) > last.oldUpTo) this.report(id, record);
			else if (id > last.highestId) others.push(record);
		}
		// Where the total speaks of more new records than are dated as new, those with the highest IDs are new.
		for (const record of others.sort((a, b) => (idOf(b) ?? 0) - (idOf(a) ?? 0))) {
			if (this.missing > 0) this.report(idOf(record) ?? 0, record);
		}
		return this.changes.length - before;
	}

	private report(id: number, record: ServiceRecord): void {
		this.changes.push({ record });
		this.reported.add(id);
		// Created while this pass was reading: the total that it began with does not count it.
		const isLater = dateOf(record) > (this.newestDate ?? '');
		if (!isLater) this.missing = Math.max(0, this.missing - 1);
		else if (this.total !== undefined) this.total++;
	}

	private noteDate(date: string): void {
		const { latestDate = date } = this;
		if (date === '' || date > latestDate) this.isFalling = false;
		if (date < latestDate) this.hasStep = true;
		this.latestDate = date;
		if (date !== '' && (this.oldestDate === '' || date < this.oldestDate)) this.oldestDate = date;
	}

	/** Whether more that is new may follow a page: it shows new records, or such as push others down, or goes on within a second. */
	private mayGoOn({ records }: Listing, news: number): boolean {
		const { last, missing, reported } = this;
		if (news > 0 || records.every((record) => reported.has(idOf(record) ?? 0))) return true;
		const second = this.isBaseline ? this.newestDate : last.isNewestComplete ? '' : last.newestDate;
		const isWithin = second !== '' && dateOf(records[records.length - 1]) >= (second ?? '');
		if (isWithin && this.recordsRead < MOST_OF_A_SECOND) return true;
		this.isHead = false;
		// Of a listing of which nothing is known, all is new.
		return missing > 0 || (!this.isBaseline && last.known.size === 0 && last.oldUpTo === '');
	}

	private get isOrdered(): boolean {
		return this.isFalling && (this.hasStep || this.last.isOrdered);
	}

	private finished(ended: Ended): NewestFirstState {
		const { last, head, isOrdered, isEndless, highestId, topId, newestDate = '', total } = this;
		const isAll = ended === 'listing' && !isEndless;
		return {
			// Pages can shift between two reads, within a page nothing does: only a single page stands for itself.
			known: this.isOnePage ? head : new Set([...last.known, ...this.reported, ...head]),
			oldUpTo: !isAll && this.oldestDate > last.oldUpTo ? this.oldestDate : last.oldUpTo,
			highestId,
			topId,
			newestDate,
			isNewestComplete: newestDate === last.newestDate && !isEndless,
			total,
			isOrdered,
		};
	}

	/** What is old must stay as it was, or the rest of the new would pass for old. */
	private unfinished(): NewestFirstState {
		const { last, place, reported, newestDate = '', total, missing, isOrdered } = this;
		return { ...last, isOrdered, unfinished: { place, reported, newestDate, total, missing } };
	}
}

import { idOf } from '../api/records';
import { byAge, dateOf, highest, reportsExisting, type Change, type ServiceRecord } from './changes';
import { askPage, MORE, placeIn, writePlace } from './poll';
import type { Listing, Outcome, Part, Place, Poll, WantedPage, WatchSettings } from './poll';
import { decodeIds, encodeIds, type StateFields } from './state';
import { wholeList } from './wholeList';

/** Records that are read, at most, to get through one second: an import can put thousands into it. */
const MOST_OF_A_SECOND = 1000;

/** Later than every date. */
const NEVER = '~';

const READS_ALL =
	'The service does not show that it lists the newest records first, with a date in each, so every poll reads the whole list.';

/** What lasts from poll to poll: what the last pass found that came to its end. Many IDs stand there as text. */
interface NewestFirstState {
	/** The IDs at the head of the listing. */
	readonly known: string;
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

	/** Of a pass that has not come to its end: the IDs that it has reported; undefined where there is none. */
	readonly reported?: string;
	/** The newest date when it began, and the total then, with those that came later and were reported. */
	readonly newestNow?: string;
	readonly totalNow?: number;
	/** New records that the total speaks of and that have not been met. */
	readonly missing?: number;
}

const FIRST: NewestFirstState = {
	known: '',
	oldUpTo: '',
	highestId: 0,
	topId: 0,
	newestDate: '',
	isNewestComplete: false,
	isOrdered: false,
};

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
export function* newestFirst(settings: WatchSettings, fields?: StateFields): Poll {
	if (fields?.isWhole === true) return yield* readWhole(settings, fields);
	const last: NewestFirstState = { ...FIRST, ...fields };
	const pass = new Pass(last, placeIn(fields), fields === undefined && !reportsExisting(settings.question));
	const ended = yield* pass.read();
	if (pass.isInOrder(ended)) return pass.outcome(ended);
	const outcome = yield* readWhole(settings, fields && handOver(last));
	return { ...outcome, notice: READS_ALL };
}

function* readWhole(settings: WatchSettings, fields?: StateFields): Poll {
	const outcome = yield* wholeList(settings, fields);
	return { ...outcome, fields: { ...outcome.fields, isWhole: true } };
}

/** The state from which the whole listing is watched. What is not known of it is new by its ID alone. */
function handOver({ known, oldUpTo, topId, reported = '' }: NewestFirstState): StateFields {
	return {
		known: encodeIds([...decodeIds(known), ...decodeIds(reported)]),
		...(oldUpTo !== '' && { missedId: topId, missedDate: NEVER }),
	};
}

/** How a poll ended: told to stop, at the end of the listing, where no more that is new follows, or where the listing repeats itself. */
type Ended = 'stop' | 'all' | 'part' | 'endless';

/** A pass from the newest record down to what is known, as far as it has come. */
class Pass {
	private readonly changes: Change[] = [];
	private readonly known: ReadonlySet<number>;
	private readonly reported: Set<number>;
	/** The newest date on its first page; undefined before it. */
	private newestDate?: string;
	private total?: number;
	private missing: number;

	/** The pages with something new, and the first without: their IDs. */
	private isHead = true;
	private readonly head = new Set<number>();
	private highestId: number;
	private topId: number;
	/** The dates of the head fall, and not all of them are the same. */
	private isFalling = true;
	private hasStep = false;
	private latestDate?: string;

	private isOnePage: boolean;
	private recordsRead = 0;

	constructor(
		private readonly last: NewestFirstState,
		private place: Place,
		private readonly isBaseline: boolean,
	) {
		const { known, reported = '', newestNow, totalNow, missing = 0, highestId, topId } = last;
		this.known = decodeIds(known);
		this.reported = decodeIds(reported);
		this.newestDate = newestNow;
		this.total = totalNow;
		this.missing = missing;
		this.highestId = highest(this.reported, highestId);
		this.topId = topId;
		this.isOnePage = !this.goesOn;
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
			if (listing.place === undefined) return listing.isEndless ? 'endless' : 'all';
			this.place = listing.place;
			if (!this.isFalling) return 'part';
			if (listing.place.position > reach && !this.mayGoOn(listing, news)) return 'part';
			reach = Math.max(reach, begin);
			this.isOnePage = false;
		}
	}

	/** Whether the listing shows the order that this rests on; one of a single page needs none. */
	isInOrder(ended: Ended): boolean {
		if (ended === 'all' && this.isOnePage) return true;
		return this.isOrdered || (this.isFalling && (ended === 'all' || ended === 'stop'));
	}

	outcome(ended: Ended): Outcome {
		const next = ended === 'stop' && !this.isBaseline ? this.unfinished() : this.finished(ended);
		return { changes: this.changes.sort((a, b) => byAge(a.record, b.record)), fields: next };
	}

	/** It began in an earlier poll. */
	private get goesOn(): boolean {
		return this.last.reported !== undefined;
	}

	/** Takes a page. @returns how many of its records are new */
	private meetPage({ records, total }: Listing): number {
		const { last } = this;
		this.recordsRead += records.length;
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
			if (!this.goesOn && dateOf(record) <= this.newestDate) this.topId = Math.max(this.topId, id);
			if (this.isHead) this.head.add(id);
			if (this.isBaseline || this.known.has(id) || this.reported.has(id)) continue;
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
		return missing > 0 || (!this.isBaseline && this.known.size === 0 && last.oldUpTo === '');
	}

	private get isOrdered(): boolean {
		return this.isFalling && (this.hasStep || this.last.isOrdered);
	}

	private finished(ended: Ended): StateFields {
		const { last, head, isOrdered, highestId, topId, newestDate = '', total, latestDate = '' } = this;
		return {
			// Pages can shift between two reads, within a page nothing does: only a single page stands for itself.
			known: encodeIds(this.isOnePage ? head : [...this.known, ...this.reported, ...head]),
			oldUpTo: ended !== 'all' && latestDate > last.oldUpTo ? latestDate : last.oldUpTo,
			highestId,
			topId,
			newestDate,
			isNewestComplete: newestDate === last.newestDate && ended !== 'endless',
			total,
			isOrdered,
		};
	}

	/** What is old must stay as it was, or the rest of the new would pass for old. */
	private unfinished(): StateFields {
		const { last, place, newestDate: newestNow = '', total: totalNow, missing, isOrdered } = this;
		const reported = encodeIds(this.reported);
		return { ...last, isOrdered, ...writePlace(place), reported, newestNow, totalNow, missing };
	}
}

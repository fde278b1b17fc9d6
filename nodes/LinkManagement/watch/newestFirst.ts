import { vanished } from '../api/paging';
import { dateOf, idOf, type Change, type Listing, type ServiceRecord } from './changes';
import {
	at,
	FIRST_PAGE,
	MOST_STEPS_BACK,
	nextPage,
	positionOf,
	stepBack,
	wantedAt,
	withFigures,
	type Cursor,
} from './cursor';
import { askPage, type Part, type Poll } from './poll';
import { Sightings } from './sightings';
import { decodeCounts, encodeCounts, type StateFields } from './state';

/** Records that are read, at most, to get through one second: an import can put thousands into it. */
const MOST_OF_A_SECOND = 1000;

/** Later than every date: stands for the oldest date of a head without dates, so that no date makes a record new. */
const NEVER = '~';

/** What lasts from poll to poll. */
interface NewestFirstState {
	/** The IDs at the head of the listing. */
	readonly known: ReadonlySet<number>;
	/** Records dated up to this second were there before; '' when every record is known. */
	readonly oldUpTo: string;
	/** The highest ID seen when the last poll ended. */
	readonly highestId: number;
	/** The newest date at the last poll. */
	readonly newestDate: string;
	/** That date was the newest for two polls, so no record can join it any more. */
	readonly isNewestComplete: boolean;
	/** How many records the listing had. */
	readonly total?: number;
	/** Where reading has not come to its end. */
	readonly unfinished?: {
		/** IDs reported since it did: below them there may be more that is new. */
		readonly reported: ReadonlySet<number>;
		/** The newest date when it did: a page below the head within that second is no end either. */
		readonly openSecond: string;
		/** How many records stood before the page at which it stopped, and how many the listing had then. */
		readonly position: number;
		readonly total: number;
		/** New records that the total speaks of and that have not been met. */
		readonly missing: number;
		/** Read to the end of the listing, whatever is new: existing records are reported. */
		readonly readsAll: boolean;
	};
}

/** How reading pages ended: told to stop, at the end of the listing, or where no more that is new follows. */
interface Read {
	ended: 'stop' | 'listing' | 'part';
	cursor: Cursor;
}

function parseState(fields: StateFields | undefined): NewestFirstState {
	const ids = (name: string) => new Set(decodeCounts(String(fields?.[name] ?? '')).keys());
	const newestDate = String(fields?.newestDate ?? '');
	return {
		known: ids('known'),
		oldUpTo: String(fields?.oldUpTo ?? ''),
		highestId: Number(fields?.highestId ?? 0),
		newestDate,
		isNewestComplete: fields?.isNewestComplete === true,
		total: fields?.total === undefined ? undefined : Number(fields.total),
		...(fields?.position !== undefined && {
			unfinished: {
				reported: ids('reported'),
				openSecond: String(fields.openSecond ?? newestDate),
				position: Number(fields.position),
				total: Number(fields.totalThen ?? 0),
				missing: Number(fields.missing ?? 0),
				readsAll: fields.readsAll === true,
			},
		}),
	};
}

function writeState(state: NewestFirstState): StateFields {
	const { oldUpTo, highestId, newestDate, total, unfinished } = state;
	return {
		known: encodeIds(state.known),
		highestId,
		...(newestDate !== '' && { newestDate }),
		...(state.isNewestComplete && { isNewestComplete: true }),
		...(oldUpTo !== '' && { oldUpTo }),
		...(total !== undefined && { total }),
		...(unfinished && { position: unfinished.position, totalThen: unfinished.total }),
		...(unfinished && unfinished.reported.size > 0 && { reported: encodeIds(unfinished.reported) }),
		...(unfinished && unfinished.openSecond !== newestDate && { openSecond: unfinished.openSecond }),
		...(unfinished && unfinished.missing > 0 && { missing: unfinished.missing }),
		...(unfinished?.readsAll && { readsAll: true }),
	};
}

function encodeIds(ids: Iterable<number>): string {
	return encodeCounts(new Map([...ids].map((id) => [id, 0])));
}

/**
 * Watches for new records in a listing that has the newest first: reads until a page holds nothing new, and
 * through the second that was the newest at the last poll, for within a second the order is anyone's guess.
 *
 * Known are only the IDs at the head of the listing. A record is new when it is not among them and is dated
 * after the oldest second of that head; so records that slide up because others were deleted are not. The
 * total tells whether more was created than that shows (dated back, or in that very second): then records with
 * IDs above all that were seen before make up the number, and reading goes on below the head until they are
 * found. What doesn't fit in one poll goes on in the next, after the head.
 *
 * @param includeExisting a baseline reports what is there
 * @param fields the state that the last poll left; undefined starts a baseline
 */
export function* newestFirst(includeExisting: boolean, fields?: StateFields): Poll {
	const last = parseState(fields);
	const pending = last.unfinished;
	const isBaseline = fields === undefined && !includeExisting;
	const readsAll = fields === undefined ? includeExisting : (pending?.readsAll ?? false);
	/** The newest date when reading last came to its end, unless no record can join that second any more. */
	const openSecond = pending?.openSecond ?? (last.isNewestComplete ? '' : last.newestDate);

	const changes: Change[] = [];
	const seen = new Sightings();
	/** What was reported in this poll, and since reading last came to its end. */
	const reportedNow = new Set<number>();
	const reported = new Set(pending?.reported);
	/** The head: its IDs, the dates that it spans, and unknown records in it that have an ID as new, but no such date. */
	const head = new Set<number>();
	let newestInHead = '';
	let oldestInHead = '';
	const suspects: ServiceRecord[] = [];
	let firstSuspectPage = Infinity;

	let pagesRead = 0;
	let stepsBack = 0;
	let highestId = last.highestId;
	let total: number | undefined;
	/** By how many the total has grown since the last poll. */
	let added = 0;
	let missing = pending?.missing ?? 0;
	/** The newest date on the first page that this poll read, and how many records with later ones were reported. */
	let newestAtFirst = '';
	let reportedLater = 0;

	const isKnown = (id: number) => last.known.has(id) || reported.has(id);

	function report(id: number, record: ServiceRecord): void {
		changes.push({ record });
		reported.add(id);
		reportedNow.add(id);
		// Created while this poll was reading: the total that it began with does not count it.
		if (pagesRead > 1 && dateOf(record) > newestAtFirst) reportedLater++;
		else missing = Math.max(0, missing - 1);
	}

	/** Takes a page. @returns how many of its records are new */
	function meetPage(listing: Listing, page: number, isHead: boolean): number {
		if (pagesRead === 0) {
			total = listing.total;
			added = Math.max(0, (total ?? 0) - (last.total ?? total ?? 0));
			missing += added;
		}
		const before = changes.length;
		seen.add(listing.records);
		pagesRead++;
		for (const record of listing.records) {
			const id = idOf(record);
			if (id === undefined) continue;
			const date = dateOf(record);
			highestId = Math.max(highestId, id);
			if (isHead) {
				head.add(id);
				if (date > newestInHead) newestInHead = date;
				if (date !== '' && (oldestInHead === '' || date < oldestInHead)) oldestInHead = date;
			}
			if (isBaseline || isKnown(id)) continue;
			if (last.oldUpTo === '' || date > last.oldUpTo) report(id, record);
			else if (id <= last.highestId) continue;
			else if (isHead) {
				suspects.push(record);
				firstSuspectPage = Math.min(firstSuspectPage, page);
			} else if (missing > 0) report(id, record);
		}
		if (pagesRead === 1) newestAtFirst = newestInHead;
		return changes.length - before;
	}

	/** Whether more that is new may follow a page: it shows new records, or such as push others down, or goes on within a second. */
	function mayGoOn({ records }: Listing, news: number, isHead: boolean): boolean {
		const justReported = isHead ? reportedNow : reported;
		if (news > 0 || records.every((record) => justReported.has(idOf(record) ?? 0))) return true;
		if (!isHead && (readsAll || missing > 0)) return true;
		const second = !isHead ? openSecond : isBaseline ? newestInHead : last.isNewestComplete ? '' : last.newestDate;
		const oldest = records.at(-1);
		return seen.size < MOST_OF_A_SECOND && second !== '' && oldest !== undefined && dateOf(oldest) >= second;
	}

	/** Reads pages as long as more may follow. */
	function* readPages(from: Cursor, isHead: boolean): Part<Read> {
		/** After a step back: the page up to which reading has to go again. */
		let reach = from.page;
		for (let cursor = from; ;) {
			const listing = yield* askPage(wantedAt(cursor));
			if (listing === undefined) return { ended: 'stop', cursor };
			const news = meetPage(listing, cursor.page, isHead);
			const gone = vanished(cursor.total, listing.total);
			cursor = withFigures(cursor, listing);
			const isEnd = listing.isLast || seen.repeat;
			const goesOn = cursor.page < reach || mayGoOn(listing, news, isHead);
			if (gone > 0 && cursor.page > 1 && stepsBack < MOST_STEPS_BACK) {
				stepsBack++;
				reach = goesOn && !isEnd ? cursor.page + 1 : cursor.page;
				cursor = stepBack(cursor, gone);
			} else if (isEnd) {
				return { ended: 'listing', cursor };
			} else if (goesOn) {
				cursor = nextPage(cursor);
			} else {
				return { ended: 'part', cursor };
			}
		}
	}

	/** Where the total speaks of more new records than are dated as new, those with the highest IDs are new. */
	function reportSuspects(): void {
		for (const record of suspects.sort((a, b) => (idOf(b) ?? 0) - (idOf(a) ?? 0))) {
			const id = idOf(record) ?? 0;
			if (missing > 0 && !isKnown(id)) report(id, record);
		}
	}

	/**
	 * The place at which reading goes on below the head: where the last poll stopped, less what has slid up since. With more
	 * added than the head shows, it may stand anywhere below.
	 */
	function belowHead({ cursor }: Read): Cursor {
		const follows = nextPage(cursor);
		if (pending === undefined || added > reportedNow.size - reportedLater) return follows;
		const gone = vanished(pending.total, cursor.total ?? 0);
		return { ...follows, page: Math.max(follows.page, at(pending.position - gone, cursor).page) };
	}

	const atHead = yield* readPages(FIRST_PAGE, true);
	if (atHead.ended !== 'stop') reportSuspects();
	const goesBelow = atHead.ended === 'part' && (readsAll || pending !== undefined || missing > 0);
	const below = goesBelow ? yield* readPages(belowHead(atHead), false) : undefined;
	const { ended, cursor } = below ?? atHead;

	const isAll = atHead.ended === 'listing' && !seen.repeat;
	const oldest = isAll ? '' : oldestInHead || NEVER;
	const totalBefore = total ?? last.total;
	const totalNow = totalBefore === undefined ? undefined : totalBefore + reportedLater;
	let next: NewestFirstState;
	if (ended !== 'stop' || isBaseline) {
		next = {
			// Pages can shift between two reads, within a page nothing does: only a single page stands for itself.
			known: pagesRead > 1 ? new Set([...last.known, ...reported, ...head]) : head,
			oldUpTo: oldest > last.oldUpTo ? oldest : last.oldUpTo,
			highestId,
			newestDate: newestInHead,
			isNewestComplete: newestInHead === last.newestDate && !seen.repeat,
			total: totalNow,
		};
	} else {
		// Unfinished: what is old must stay as it was, or the rest of the new would pass for old.
		const page = below || missing === 0 ? cursor.page : Math.min(cursor.page, firstSuspectPage);
		const position = positionOf(page, cursor);
		next = {
			known: last.known,
			oldUpTo: last.oldUpTo,
			highestId: last.highestId,
			newestDate: newestInHead > last.newestDate ? newestInHead : last.newestDate,
			isNewestComplete: false,
			total: totalNow,
			unfinished: {
				reported,
				openSecond,
				position: below ? position : Math.min(position, pending?.position ?? Infinity),
				// The place may be an earlier poll's: records that vanished since then count, too.
				total: Math.max(cursor.total ?? 0, below ? 0 : (pending?.total ?? 0)),
				missing,
				readsAll,
			},
		};
	}
	changes.sort(({ record: a }, { record: b }) => {
		if (dateOf(a) !== dateOf(b)) return dateOf(a) < dateOf(b) ? -1 : 1;
		return (idOf(a) ?? 0) - (idOf(b) ?? 0);
	});
	return { changes, fields: writeState(next) };
}

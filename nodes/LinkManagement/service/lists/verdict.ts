/** What a list's reading does next: after a page, after a reading, and after a page that failed. */
import type { ApiError } from '../answer/errors';
import { type Cursor, SIZES } from './cursor';

/** Most pages in a row that bring nothing new: a list may have grown, but a total alone makes nobody read on for ever. */
const MOST_STALE = 20;
/** Most readings of a list that is short: each finds more, and three of them still left out a tenth of 450 links of one second. */
const MOST_READINGS = 6;
/** So many readings, each in pages of another size, that showed the very same records are believed. */
const BELIEVED_READINGS = 3;

/** What a page has shown. */
export interface Taken {
	/** How many records it has, and how many stand up to its end, by their places. */
	readonly count: number;
	readonly end: number;
	/** The total may be that of the page alone: it is no more, and further pages are announced. */
	readonly isOfPage: boolean;
	/** It shows what the page before it has shown. */
	readonly isRepeated: boolean;
}

/** What all pages have shown until now. */
export interface Shown {
	/** The list's total, if the service gives one. */
	readonly total?: number;
	/** How many records have to be seen, and were seen, as far as the total counts them. */
	readonly least: number;
	readonly counted: number;
	/** The total has fallen in this reading: other records have moved up, perhaps unseen. */
	readonly hasFallen: boolean;
	/** Pages in a row that showed nothing that this reading has not shown. */
	readonly stale: number;
	/** Readings of the list, with this one; and how many of them, in pages of different sizes, showed the very same. */
	readonly readings: number;
	readonly alike: number;
}

function isWhole({ counted, least, hasFallen }: Shown): boolean {
	return counted >= least && !hasFallen;
}

/** Whether a reading is at its end. */
function isAtEnd({ count, end, isOfPage, isRepeated }: Taken, shown: Shown): boolean {
	if (count === 0 || isRepeated || shown.stale > MOST_STALE) return true;
	const isLast = shown.total !== undefined && end >= shown.total && !isOfPage;
	return isLast || (shown.readings > 1 && isWhole(shown));
}

/**
 * What is next: the following page, the same one again, or no more in this reading.
 *
 * @param mayAskAgain services give odd answers: a page that is empty, or that of before, is asked for again if no total says that the list
 * ends there
 */
export function afterPage(page: Taken, shown: Shown, mayAskAgain: boolean): 'page' | 'samePage' | 'end' {
	if (!isAtEnd(page, shown)) return 'page';
	const mayBeOdd = page.count === 0 || page.isRepeated;
	return mayBeOdd && shown.total === undefined && mayAskAgain ? 'samePage' : 'end';
}

/** What a list is that was read to its end: `again`: it is read once more, in pages of another size; `short`: it stays short of its total. */
export function afterReading(shown: Shown): 'whole' | 'again' | 'short' {
	if (isWhole(shown) || shown.alike >= BELIEVED_READINGS) return 'whole';
	return shown.readings < MOST_READINGS ? 'again' : 'short';
}

/** Statuses with which services refuse the size of a page. */
const SIZE_REFUSALS = [400, 413, 422];
/** Failures of pages that may be too large. */
const MAY_BE_OF_SIZE = ['serverError', 'badGateway', 'unreadable', 'unreachable'];

/** Whether a page may have failed since it is too large. @param isSlow the service had time enough for it: the caller's time may be shorter */
function mayBeOfSize({ kind, failure, statusCode = 200 }: ApiError, page: number, isSlow: boolean): boolean {
	if (page === 1 && SIZE_REFUSALS.includes(statusCode)) return true;
	if (failure === undefined || !MAY_BE_OF_SIZE.includes(kind)) return false;
	if (failure.kind !== 'unreachable') return true;
	return !failure.neverSent && (failure.code !== 'ETIMEDOUT' || isSlow);
}

/**
 * What becomes of a reading whose page has failed, at every try: `smaller`: the list is read in smaller pages, from the top; `end`: there
 * is no such page.
 */
export function afterFailure(error: ApiError, { page, size }: Cursor, isSlow: boolean): 'smaller' | 'end' | 'fail' {
	const { kind, failure } = error;
	const isPage = failure !== undefined && 'why' in failure && failure.why !== undefined;
	// Some services refuse a page beyond the last one, in JSON: a web page does not mean that.
	if (page > 1 && ['refused', 'missingEndpoint'].includes(kind) && !isPage) return 'end';
	return size > SIZES.smallest && mayBeOfSize(error, page, isSlow) ? 'smaller' : 'fail';
}

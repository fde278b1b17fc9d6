/** How large a page to ask for: what a page that came, failed or was refused teaches about the next one. Plain data and arithmetic. */
import { DEFAULT_SIZE } from './paging';

/** Statuses with which services refuse the size of a page instead of granting less. */
const SIZE_REFUSALS = new Set([400, 413, 422]);

/**
 * Whether an answer may mean that the page was too large for the service's taste, so that it is worth asking for its own size.
 * Sizes below what everybody grants are not refused: there the request itself is wrong.
 */
export function isSizeRefusal(statusCode: number | undefined, limit: number | undefined): boolean {
	return statusCode !== undefined && SIZE_REFUSALS.has(statusCode) && (limit ?? 0) >= FIRST_SIZE;
}

/** What an unknown service is asked for at most. */
const FIRST_SIZE = 100;
/** The largest page that is ever asked for: more gains little, and the whole page is lost when the line breaks. */
export const LARGEST_SIZE = 1000;
/** Below this, slowness is not the page's fault. Only failures make pages smaller. */
const SMALLEST_SLOW_SIZE = 50;
const SIZES = [10, 25, 50, 100, 200, 500, LARGEST_SIZE];
/** A page that takes longer (ms) is slow. */
const SLOW = 2000;
/** What a page should take at most (ms), a little less, for pages differ. */
const FITTING = 1800;
/** A failure of a larger page is forgiven once, when a smaller one is this many times quicker than it had to be. */
const FORGIVING = 4;
/** How many times larger a page may be than the one that its time was reckoned from. */
const MOST_GROWTH_AT_ONCE = 10;

/** What is known about the page sizes of a list at a service. */
export interface PageSizing {
	/** What to ask for next. */
	readonly size: number;
	/** The largest size that was asked for and granted. */
	readonly worked: number;
	/** The service grants no more than this. */
	readonly most?: number;
	/** The service grants no less than this. */
	readonly least?: number;
	/**
	 * The last size at which the service failed, although it never answered one as large, and how many times that happened (sizes
	 * that failed one after the other count as one time).
	 */
	readonly failed?: { readonly size: number; readonly times: number; readonly isForgiven?: boolean };
	/** The page before failed. */
	readonly isFailing?: boolean;
	/** The service refused to be asked for more than `most`, instead of granting less. */
	readonly isRefused?: boolean;
}

/** A service that nobody has asked yet. */
export const UNKNOWN_SIZING: PageSizing = { size: FIRST_SIZE, worked: 0 };

/**
 * What to ask for at the top of a list: a service that has granted less than what an unknown one is asked for may have changed its
 * mind, and there it costs nothing to see.
 */
export function sizeAtTop({ size, most = Infinity, isRefused }: PageSizing): number {
	return most < FIRST_SIZE && !isRefused ? Math.max(size, FIRST_SIZE) : size;
}

/** The largest of the sizes that is not above `most`. */
function sizeUpTo(most: number): number {
	return SIZES.filter((size) => size <= most).at(-1) ?? SIZES[0];
}

/**
 * Learns from a page that was answered: pages grow as long as the service makes them quickly (field notes, "A page costs the
 * service time for each record"), and shrink when they take long.
 *
 * @param asked size that was asked for
 * @param granted size that was granted; the same as `asked` where the page can't tell
 * @param records how many came
 * @param milliseconds from sending the request to the answer
 */
export function afterPage(
	sizing: PageSizing,
	{ asked, granted, records, milliseconds }: { asked: number; granted: number; records: number; milliseconds: number },
): PageSizing {
	const worked = Math.max(sizing.worked, Math.min(asked, granted));
	let { size, failed, most, least } = sizing;
	if (granted < asked) [most, least] = [granted, undefined];
	else if (asked > (most ?? asked)) [size, most] = [Math.max(size, asked), undefined];
	else if (granted > asked && granted <= LARGEST_SIZE) least = granted;
	const fitting = (records * FITTING) / Math.max(1, milliseconds);
	if (milliseconds > SLOW && asked > SMALLEST_SLOW_SIZE) {
		size = Math.max(SMALLEST_SLOW_SIZE, Math.min(sizeUpTo(fitting), sizeUpTo(asked - 1)));
	} else if (records >= Math.min(asked, granted)) {
		if (failed?.times === 1 && fitting >= FORGIVING * failed.size) failed = { ...failed, isForgiven: true };
		const ceiling = failed === undefined || failed.isForgiven ? LARGEST_SIZE : sizeUpTo(failed.size - 1);
		size = Math.max(size, sizeUpTo(Math.min(fitting, ceiling, MOST_GROWTH_AT_ONCE * asked)));
	}
	return {
		size: Math.max(Math.min(size, most ?? size), least ?? 0),
		worked,
		...(most === undefined ? {} : { most }),
		...(least === undefined ? {} : { least }),
		...(failed === undefined ? {} : { failed }),
		...(sizing.isRefused && { isRefused: true }),
	};
}

/**
 * Learns from a page that did not come: a time-out, a 5xx, an answer that was cut off. A size that has worked before is tried
 * once more; then the pages become smaller.
 *
 * @param asked size that was asked for
 */
export function afterFailure(sizing: PageSizing, asked: number): PageSizing {
	const { worked, failed, isFailing, most = 0, least = 0 } = sizing;
	if (asked <= worked && !isFailing) return { ...sizing, size: asked, isFailing: true };
	// Small pages of the service's own choice are not too large for it, and it may know no other size.
	const floor = Math.max(least, most <= SMALLEST_SLOW_SIZE ? most : 0);
	const size = Math.min(asked, Math.max(sizeUpTo(asked - 1), floor));
	// What once worked works no more; failures one after the other count once.
	const isOne = isFailing && failed !== undefined && asked <= failed.size;
	const times = (failed?.times ?? 0) + (isOne ? 0 : 1);
	return { ...sizing, size, worked: Math.min(worked, size), failed: { size: asked, times }, isFailing: true };
}

/** Learns from a page whose size was refused: never again more than what has worked. */
export function afterRefusal(sizing: PageSizing, asked: number): PageSizing {
	const most = sizing.worked > 0 && sizing.worked < asked ? sizing.worked : Math.min(DEFAULT_SIZE, asked);
	return { size: most, worked: Math.min(sizing.worked, most), most, isRefused: true };
}

import { idOf } from '../service/records';
import { reportsExisting, type Change } from './changes';
import { askPage, type Found, type Listing, type Poll, type WatchSettings } from './conversation';
import type { SeenState } from './state';

/** So many of the highest IDs are known: what has a lower one was there before, or has returned. */
const MOST_KNOWN = 200;
/** So many IDs in falling order are no chance, nor are so many of the highest among twice as many records. */
const ENOUGH = 10;

/**
 * Watches for new records: new is what has an ID that was not seen, above the lowest of the highest IDs that were ever seen. So
 * what vanishes for a while and returns is not new.
 *
 * A listing that shows its newest records first is read down to a page that holds nothing new, and on while its total has grown by
 * more than was found. Any other is read whole. What doesn't fit in one poll goes on in the next.
 *
 * @param last the state that the last poll left; undefined starts a baseline
 */
export function* newRecords(
	settings: WatchSettings,
	last: SeenState = { isBaseline: !reportsExisting(settings.question), ids: [], tail: 0 },
): Poll {
	const { isBaseline, tail } = last;
	const known = new Set(last.ids);
	// The IDs that this reading has found, in earlier polls too.
	const met = new Set(last.met);
	const changes: Change[] = [];
	let { place, total, isFalling = false, missing = 0 } = last;
	let hasRead = false;
	for (let isDown = false; !isDown; isDown ||= place === undefined) {
		const listing = yield* askPage(place);
		if (listing === undefined) {
			// What is known must stay as it was, or the rest of the new would pass for known.
			const read = isBaseline ? { ids: highest(known, met) } : { ids: last.ids, met: [...met] };
			return found(changes, { isBaseline, tail, total, place, isFalling, missing, ...read });
		}
		if (!hasRead && last.place === undefined && listing.records.length > 0) {
			isFalling = settings.isNewestFirst === true && hasNewestFirst(listing, last);
			total = listing.total;
			missing = (total ?? 0) - (last.total ?? total ?? 0);
		}
		let [hasOld, hasNew] = [false, false];
		for (const record of listing.records) {
			hasRead = true;
			const id = idOf(record);
			if (id === undefined || met.has(id)) continue;
			if (id <= tail || known.has(id)) hasOld = true;
			else {
				hasNew = true;
				met.add(id);
				missing--;
				if (!isBaseline) changes.push({ record });
			}
		}
		place = listing.place;
		isDown = isFalling && (isBaseline || (hasOld && !hasNew && missing <= 0));
	}
	const ids = highest(known, met);
	// Below what was read, a baseline that ends early leaves records that were there before.
	const isFull = ids.length === MOST_KNOWN || (isBaseline && place !== undefined);
	return found(changes, { isBaseline: false, ids, tail: isFull ? Math.max(tail, ids[ids.length - 1]) : tail, total });
}

function found(changes: Change[], fields: SeenState): Found {
	return { changes: changes.sort((a, b) => (idOf(a.record) ?? 0) - (idOf(b.record) ?? 0)), fields };
}

function highest(known: ReadonlySet<number>, met: ReadonlySet<number>): number[] {
	return [...known, ...met].sort((a, b) => b - a).slice(0, MOST_KNOWN);
}

/**
 * Whether a first page shows that its listing has the newest records first: IDs that fall; or, since records of one second come
 * in any order, the highest and none but those that are among the highest, of a list that has far more.
 */
function hasNewestFirst({ records, total = 0 }: Listing, { ids: known, tail }: SeenState): boolean {
	const ids = records.flatMap((record) => idOf(record) ?? []);
	if (ids.length < ENOUGH) return false;
	if (ids.every((id, at) => at === 0 || id < ids[at - 1])) return true;
	const isLong = known.length === MOST_KNOWN && total >= 2 * MOST_KNOWN;
	return isLong && ids.some((id) => id >= known[0]) && ids.every((id) => id > tail);
}

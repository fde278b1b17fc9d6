import { idOf } from '../api/records';
import type { ServiceRecord } from './changes';
import { CountedList } from './countedList';
import { askPage, askRecord, TOP, type Part, type Poll, type WatchSettings } from './poll';
import type { StateFields } from './state';

/** What lasts from poll to poll, besides the list. */
interface ChosenState {
	/** The first round is not through yet: what it meets was there before. */
	readonly baseline: boolean;
	/** Requests that it takes to find the records in the listing: fewer records than these are asked for one by one. */
	readonly pages: number;
	/** The service does not show some of them one by one: they are looked for in the listing. */
	readonly isByList: boolean;
	/** The record that was asked for last: the next poll goes on after it. */
	readonly asked: number;
}

/**
 * Watches a few records: asks for them one by one, or looks for them in the listing, whichever takes fewer requests.
 *
 * @param fields the state that the last poll left; by default, a baseline is started
 */
export function* chosenRecords(settings: WatchSettings, fields: StateFields = { baseline: true }): Poll {
	const state: ChosenState = { baseline: false, pages: 0, isByList: false, asked: 0, ...fields };
	const { selected = [] } = settings;
	const list = new CountedList(settings, fields);
	const left = new Set(selected);
	const meet = (record: ServiceRecord) => {
		const id = idOf(record);
		if (id === undefined || !left.delete(id)) return;
		// Somebody chose it, so it was there. In order of counts, though, it may have stood below the threshold, unread.
		list.ledger.compare(id, record, state.baseline || list.floor === 0);
	};
	const round: Round = { list, left, meet };
	const isSingly = !state.isByList && selected.length < state.pages;
	const next = isSingly ? yield* askSingly(round, state) : yield* readListing(round, state);
	// All of them are missing: does the service answer at all?
	const isInDoubt = isSingly && left.size === selected.length;
	if (isInDoubt && (yield* askPage({ from: TOP })) === undefined) return { changes: [], fields };
	return { changes: list.ledger.changes, fields: { ...next, ...list.write() } };
}

/** A round over the chosen records. */
interface Round {
	readonly list: CountedList;
	/** Those that this poll has not met. */
	readonly left: ReadonlySet<number>;
	meet(record: ServiceRecord): void;
}

/** The round has come to its end: the next one begins. */
const AT_END = { baseline: false, asked: 0 };

/** Looks for the records in the listing, as long as that promises to take fewer requests than asking for those that are left. */
function* readListing(round: Round, state: ChosenState): Part<ChosenState> {
	const { list, left, meet } = round;
	const isFromTop = list.place.position === 0;
	for (let pages = 1; ; pages++) {
		const listing = yield* list.read();
		if (listing === undefined) return state;
		listing.records.forEach(meet);
		if (left.size === 0 || (yield* list.endsWith(listing))) {
			list.toTop();
			return { ...state, ...AT_END, isByList: false, ...(isFromTop && { pages }) };
		}
		if (!state.isByList && left.size < listing.pagesLeft && listing.pagesLeft < Infinity) {
			list.toTop();
			return yield* askSingly(round, { ...state, pages: pages + listing.pagesLeft });
		}
	}
}

/** Asks for the records that are left one by one. */
function* askSingly({ list, left, meet }: Round, state: ChosenState): Part<ChosenState> {
	let { asked } = state;
	let isByList = false;
	for (const id of [...left].filter((one) => one > asked).sort((a, b) => a - b)) {
		const record = yield* askRecord(id);
		if (record === undefined) return { ...state, asked };
		asked = id;
		if (record === 'unknown') isByList = true;
		else if (record !== 'gone') meet(record);
	}
	list.toTop();
	return { ...state, ...AT_END, isByList };
}

import { idOf, type ServiceRecord } from './changes';
import { CountOrder } from './countOrder';
import { Ledger } from './ledger';
import {
	askPage,
	askRecord,
	MORE,
	parsePlace,
	TOP,
	writePlace,
	type Listing,
	type Part,
	type Place,
	type Poll,
	type WantedPage,
} from './poll';
import type { StateFields } from './state';
import type { WholeListSettings } from './wholeList';

export interface ChosenSettings extends WholeListSettings {
	/** Only these records are watched. */
	selected: readonly number[];
}

/** What lasts from poll to poll, besides the ledger. */
interface ChosenState {
	/** The first round is not through yet: what it meets was there before. */
	readonly isBaseline: boolean;
	/** Requests that it takes to find the records in the listing: fewer records than these are asked for one by one. */
	readonly pages: number;
	/** The service does not show some of them one by one: they are looked for in the listing. */
	readonly isByList: boolean;
	/** The listing was shown to be in order of counts. */
	readonly isOrdered: boolean;
	/** Where the next poll goes on: in the listing, or after the record that was asked for last. */
	readonly place: Place;
	readonly asked: number;
}

function parseState(fields: StateFields = { baseline: true }): ChosenState {
	const { baseline, pages, isByList, isOrdered, asked } = fields;
	return {
		isBaseline: baseline === true,
		pages: Number(pages ?? 0),
		isByList: isByList === true,
		isOrdered: isOrdered === true,
		place: parsePlace(fields),
		asked: Number(asked ?? 0),
	};
}

function writeState({ isBaseline, place, ...rest }: ChosenState): StateFields {
	return { ...rest, ...(isBaseline && { baseline: true }), ...writePlace(place) };
}

/**
 * Watches a few records: asks for them one by one, or looks for them in the listing, whichever takes fewer requests.
 *
 * @param fields the state that the last poll left; undefined starts a baseline
 */
export function* chosenRecords(settings: ChosenSettings, fields?: StateFields): Poll {
	const { question, countField, highestFirst = false, selected } = settings;
	const state = parseState(fields);
	const ledger = new Ledger(question, countField, fields);
	const order = new CountOrder(question, highestFirst, state.isOrdered);
	const isSingly = !state.isByList && selected.length < state.pages;
	const left = new Set(selected);
	const meet = (id: number, record: ServiceRecord) => {
		left.delete(id);
		// Somebody chose it, so it was there. In order of counts, though, it may have stood below the threshold, unread.
		ledger.compare(id, record, state.isBaseline || !highestFirst);
	};
	const round: Round = { ledger, order, left, meet };
	let next = isSingly ? yield* askSingly(round, state) : yield* readListing(round, state);
	// All of them are missing: does the service answer at all?
	const isInDoubt = isSingly && left.size === selected.length;
	if (isInDoubt && (yield* askPage({ from: TOP })) === undefined) next = state;
	const written = writeState({ ...next, isOrdered: order.isProven });
	return { changes: ledger.changes, fields: { ...ledger.write(), ...written } };
}

/** A round over the chosen records. */
interface Round {
	readonly ledger: Ledger;
	readonly order: CountOrder;
	/** Those that this poll has not met. */
	readonly left: ReadonlySet<number>;
	meet(id: number, record: ServiceRecord): void;
}

/** The round has come to its end: the next one begins. */
const AT_END = { isBaseline: false, place: TOP, asked: 0 };

/** Looks for the records in the listing, as long as that promises to take fewer requests than asking for those that are left. */
function* readListing(round: Round, state: ChosenState): Part<ChosenState> {
	const { ledger, order, left } = round;
	const isFromTop = state.place.position === 0;
	let { place } = state;
	let pages = 0;
	for (let wanted: WantedPage = { from: place }; ; wanted = MORE) {
		const listing: Listing | undefined = yield* askPage(wanted);
		if (listing === undefined) return { ...state, place };
		pages++;
		order.meet(listing, ledger, place.position === 0);
		for (const record of listing.records) {
			const id = idOf(record);
			if (id !== undefined && left.has(id)) round.meet(id, record);
		}
		const isThrough = listing.place === undefined || left.size === 0;
		if (isThrough || (yield* order.endsBelow(listing, ledger))) {
			return { ...state, ...AT_END, isByList: false, ...(isFromTop && { pages }) };
		}
		if (!state.isByList && left.size < listing.pagesLeft && listing.pagesLeft < Infinity) {
			return yield* askSingly(round, { ...state, pages: pages + listing.pagesLeft, place: TOP });
		}
		place = listing.place ?? TOP;
	}
}

/** Asks for the records that are left one by one. */
function* askSingly({ left, meet }: Round, state: ChosenState): Part<ChosenState> {
	let { asked } = state;
	let isByList = false;
	for (const id of [...left].filter((one) => one > asked).sort((a, b) => a - b)) {
		const record = yield* askRecord(id);
		if (record === undefined) return { ...state, asked };
		asked = id;
		if (record === 'unknown') isByList = true;
		else if (record !== 'gone') meet(id, record);
	}
	return { ...state, ...AT_END, isByList };
}

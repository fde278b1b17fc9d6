/**
 * Places in a window that slides: each comes free one window after it was taken. Clients that know nothing of each other
 * would all rush at each place that comes free, and all but one be refused. A client that waits for the places that it had
 * itself, and leaves to the others what they had, meets nobody. That takes no more than the rate-limit headers: how many
 * places are taken, less those that are ours, are theirs.
 *
 * All times are local and in milliseconds.
 */

/** What is known of the places of a window that slides. */
export interface Places {
	/** When requests of ours were granted, oldest first: each has a place until one window later. */
	readonly ours: readonly number[];
	/** The length of the window. */
	readonly length: number;
	/** Whether others had places when the service was heard last. */
	readonly othersHaveSome: boolean;
	/** How many they had at most, since then and in the like time before. */
	readonly othersAtMost: { readonly since: number; readonly now: number; readonly before: number };
}

export const NO_PLACES: Places = {
	ours: [],
	length: 0,
	othersHaveSome: false,
	othersAtMost: { since: -Infinity, now: 0, before: 0 },
};

/** What an answer says of the places. */
export interface PlacesHeard {
	readonly isGranted: boolean;
	/** Places in a window. */
	readonly limit: number | undefined;
	/** How many are left. */
	readonly remaining: number | undefined;
	/** When the next place comes free. */
	readonly resetAt: number | undefined;
	/** Our requests that are still on the way. */
	readonly inFlight: number;
	/** How long an answer takes to come. */
	readonly roundTrip: number;
}

/** A place of ours that came free stays ours for so long; then others take it for one that nobody uses. */
const OURS_FOR = 500;
/** A place that stays free for this part of a window, and for longer than somebody needs to come back to it, is nobody's. */
const NOBODYS_AFTER = 1 / 20;
/** This part of the places is left to nobody: who comes a little too early, or finds a place of theirs taken, finds one there. */
const SPARE = 1 / 30;
/** A client that has less than this part of all places has few. */
const FEW = 10;
/** In windows with more places than this nobody keeps count of them. */
const MOST_PLACES = 300;

function taken({ ours, length }: Places, now: number): number {
	return ours.filter((at) => at + length > now).length;
}

/** How many places of ours have come free, and are still ours. */
export function freed({ ours, length }: Places, now: number): number {
	return ours.filter((at) => at + length <= now && now < at + length + OURS_FOR).length;
}

/** When the next place of ours comes free; Infinity when we have none. */
export function nextFreedAt({ ours, length }: Places, now: number): number {
	return (ours.find((at) => at + length > now) ?? Infinity) + length;
}

/** Whether we have so few that we try for those of others, now and then: who comes late shall not wait for all of them to end. */
export function hasFewPlaces({ ours }: Places, limit: number): boolean {
	return ours.length <= limit / FEW;
}

function settling({ length }: Places): number {
	return Math.max(2 * OURS_FOR, length * NOBODYS_AFTER);
}

/** How many places may be taken that nobody seems to use, and from when on, unless they are used until then. */
export function unused(places: Places, limit: number, now: number): { count: number; from: number } {
	const { since, now: others, before } = places.othersAtMost;
	const count = limit - Math.floor(limit * SPARE) - taken(places, now) - others;
	if (count <= 0) return { count: 0, from: Infinity };
	return { count, from: before >= others + count ? since + settling(places) : since };
}

/** Takes in an answer: its request has used up a place of ours that was free, if there was one. */
export function withAnswer(before: Places, heard: PlacesHeard, now: number): Places {
	const { isGranted, limit, remaining, inFlight } = heard;
	if (limit === undefined || limit > MOST_PLACES) return { ...NO_PLACES, length: before.length };
	const places = isTooEarly(before, heard, now)
		? longer(before, heard.resetAt)
		: oursAfter(before, isGranted, limit, now);
	if (isGranted && remaining === undefined) return places;
	const used = limit - (isGranted ? (remaining ?? 0) : 0);
	const others = used - taken(places, now);
	const { since, now: atMost, before: atMostBefore } = before.othersAtMost;
	const othersAtMost =
		now - since > settling(places)
			? { since: now, now: others, before: atMost }
			: { since, now: Math.max(atMost, others), before: atMostBefore };
	return { ...places, othersHaveSome: others > inFlight, othersAtMost };
}

function longer(places: Places, resetAt = 0): Places {
	return { ...places, length: Math.max(places.length, resetAt - places.ours[0]) };
}

function oursAfter(places: Places, isGranted: boolean, limit: number, now: number): Places {
	const ours = places.ours.filter((at) => now < at + places.length + OURS_FOR);
	const wasOurs = freed(places, now) > 0;
	const left = wasOurs ? ours.slice(1) : ours;
	if (isGranted) return { ...places, ours: [...left, now].slice(-limit) };
	// Somebody else was quicker, who needs places: who has more than half of them gives half of those up.
	const isGreedy = wasOurs && left.length > limit / 2;
	return { ...places, ours: isGreedy ? left.filter((at) => left.indexOf(at) % 2 === 0) : left };
}

/** A place of ours comes free a little later than was thought: the window is that much longer. */
function isTooEarly(places: Places, { isGranted, resetAt, roundTrip }: PlacesHeard, now: number): boolean {
	if (isGranted || resetAt === undefined || freed(places, now) === 0) return false;
	return resetAt - now < Math.min(2 * roundTrip, places.length / 40);
}

import { createHash } from 'crypto';

import { UNKNOWN_SIZING, type PageSizing } from './pageSizing';

/** So many lists are remembered at most. */
export const MOST_LISTS = 500;
/** How long (ms) what was learned holds: services change their machines and their minds. */
const HOLDS = 60 * 60_000;

/** What each list of each service has taught about its page sizes, in this process. The latest learned is last. */
const lists = new Map<string, { sizing: PageSizing; until: number }>();

function idOf(address: string, path: string): string {
	return createHash('sha256').update(`${address}\n${path}`).digest('base64');
}

/**
 * What is known about the page sizes of a list.
 *
 * @param address what `serviceAddress` returned
 * @param path of the list endpoint, below the base URL
 */
export function pageSizing(address: string, path: string): PageSizing {
	const known = lists.get(idOf(address, path));
	return known === undefined || known.until < Date.now() ? UNKNOWN_SIZING : known.sizing;
}

/** Remembers what a reading has taught, for the next one, whichever node, dropdown or poll that is. */
export function rememberPageSizing(address: string, path: string, sizing: PageSizing): void {
	const id = idOf(address, path);
	const until = lists.get(id)?.until ?? 0;
	lists.delete(id);
	// Not prolonged by being used: a service that once failed at a size gets another chance.
	lists.set(id, { sizing, until: until > Date.now() ? until : Date.now() + HOLDS });
	for (const oldest of lists.keys()) {
		if (lists.size <= MOST_LISTS) break;
		lists.delete(oldest);
	}
}

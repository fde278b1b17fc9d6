/**
 * The state that a watch leaves for the next poll: small, plain JSON, sealed with a checksum so that a
 * damaged one is recognised instead of being believed.
 */

/** The fields of a state; which ones stand there is the matter of the watch that wrote them. */
export type StateFields = Record<string, string | number | boolean | undefined>;

/** What a state belongs to: what it says holds for these settings and this account, and for no others. */
export interface Owner {
	/** The settings of the watch. */
	settings: string;
	/** The account at the service. */
	account: string;
	/** The way to that account: as long as it is the same, so is the account. */
	access: string;
}

/** What is stored: `v` the version of this layout, `sum` the checksum over all the rest. */
export interface StoredState extends Owner {
	v: number;
	sum: string;
	fields: StateFields;
}

/** Why there is no state to go on from. */
export type Unusable = 'none' | 'otherVersion' | 'damaged';

const VERSION = 1;

/** FNV-1a over UTF-16 units: tells texts apart and finds accidental damage, fast enough for a state of some megabytes. */
export function fingerprint(text: string): string {
	let hash = 0x811c9dc5;
	for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	return (hash >>> 0).toString(36);
}

function checksum({ settings, account, access }: Owner, fields: StateFields): string {
	// Sorted, because a database may give the keys of a JSON value back in another order.
	const lines = Object.keys(fields)
		.filter((key) => fields[key] !== undefined)
		.sort()
		.map((key) => `${key}=${JSON.stringify(fields[key])}`);
	return fingerprint([...lines, settings, account, access].join('\n'));
}

/** Seals the fields of a watch's state. */
export function sealState({ settings, account, access }: Owner, fields: StateFields): StoredState {
	const owner = { settings, account, access };
	return { v: VERSION, ...owner, sum: checksum(owner, fields), fields };
}

/**
 * Opens a stored state.
 *
 * @returns the state as it was sealed, or why it can't be used; never throws, whatever was stored
 */
export function openState(stored: unknown): StoredState | Unusable {
	if (stored === undefined || stored === null) return 'none';
	if (typeof stored !== 'object') return 'damaged';
	const { v, settings, account, access, sum, fields } = stored as Partial<StoredState>;
	if (typeof v === 'number' && v !== VERSION) return 'otherVersion';
	const isWhole = [settings, account, access].every((part) => typeof part === 'string');
	if (v !== VERSION || !isWhole || typeof fields !== 'object' || fields === null) return 'damaged';
	const owner = { settings, account, access } as Owner;
	return sum === checksum(owner, fields) ? { v, ...owner, sum, fields } : 'damaged';
}

/**
 * Writes IDs and their counts as short text: IDs in rising order as differences, counts after a dot,
 * both in base 36, no count where it is 0. A hundred thousand records with counts take a few hundred kilobytes.
 */
export function encodeCounts(counts: ReadonlyMap<number, number>): string {
	const ids = [...counts.keys()].sort((a, b) => a - b);
	let last = 0;
	return ids
		.map((id) => {
			const count = counts.get(id) ?? 0;
			const step = (id - last).toString(36);
			last = id;
			return count === 0 ? step : `${step}.${count.toString(36)}`;
		})
		.join(',');
}

/** Reads what {@link encodeCounts} wrote. */
export function decodeCounts(text: string): Map<number, number> {
	const counts = new Map<number, number>();
	let id = 0;
	for (const entry of text === '' ? [] : text.split(',')) {
		const dot = entry.indexOf('.');
		id += parseInt(entry, 36);
		counts.set(id, dot === -1 ? 0 : parseInt(entry.slice(dot + 1), 36));
	}
	return counts;
}

/** Writes IDs alone, as {@link encodeCounts} does. */
export function encodeIds(ids: Iterable<number>): string {
	return encodeCounts(new Map([...ids].map((id) => [id, 0])));
}

/** Reads what {@link encodeIds} wrote. */
export function decodeIds(text: string): Set<number> {
	return new Set(decodeCounts(text).keys());
}

/**
 * The state that a watch leaves for the next poll: small, plain JSON, sealed with a checksum so that a
 * damaged one is recognised instead of being believed.
 */

/** The fields of a state; which ones stand there is the matter of the watch that wrote them. */
export type StateFields = Record<string, string | number | boolean>;

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

/** FNV-1a over UTF-16 units: finds accidental damage, fast enough for a state of some megabytes. */
function checksum({ settings, account, access }: Owner, fields: StateFields): string {
	let hash = 0x811c9dc5;
	// Sorted, because a database may give the keys of a JSON value back in another order.
	const text = Object.keys(fields)
		.sort()
		.map((key) => `${key}=${JSON.stringify(fields[key])}`)
		.concat(settings, account, access)
		.join('\n');
	for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	return (hash >>> 0).toString(36);
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

const [COMMA, DOT, NINE, LETTERS] = [44, 46, 57, 87];

/** Reads what {@link encodeCounts} wrote: digit by digit, for there may be a million of them. */
export function decodeCounts(text: string): Map<number, number> {
	const counts = new Map<number, number>();
	if (text === '') return counts;
	let id = 0;
	let number = 0;
	let isCount = false;
	for (let i = 0; i <= text.length; i++) {
		const code = i === text.length ? COMMA : text.charCodeAt(i);
		if (code === COMMA) {
			if (!isCount) id += number;
			counts.set(id, isCount ? number : 0);
			number = 0;
			isCount = false;
		} else if (code === DOT) {
			id += number;
			number = 0;
			isCount = true;
		} else {
			number = number * 36 + (code <= NINE ? code - 48 : code - LETTERS);
		}
	}
	return counts;
}

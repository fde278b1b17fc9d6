/**
 * The state that a watch leaves for the next poll: small, plain JSON, sealed with a checksum so that a
 * damaged one is recognised instead of being believed.
 */

/** The fields of a state; which ones stand there is the matter of the watch that wrote them. */
export type StateFields = Record<string, string | number | boolean>;

/** What is stored: `v` the version of this layout, `of` what the state belongs to, `sum` the checksum over all the rest. */
export interface StoredState {
	v: number;
	of: string;
	sum: string;
	fields: StateFields;
}

/** Why there is no state to go on from. */
export type Unusable = 'none' | 'otherSettings' | 'otherVersion' | 'damaged';

const VERSION = 1;

/** FNV-1a over UTF-16 units: finds accidental damage, fast enough for a state of some megabytes. */
function checksum(of: string, fields: StateFields): string {
	let hash = 0x811c9dc5;
	// Sorted, because a database may give the keys of a JSON value back in another order.
	const text = Object.keys(fields)
		.sort()
		.map((key) => `${key}=${JSON.stringify(fields[key])}`)
		.concat(of)
		.join('\n');
	for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	return (hash >>> 0).toString(36);
}

/** Seals the fields of a watch's state. @param of what the state belongs to: the settings and the account watched */
export function sealState(of: string, fields: StateFields): StoredState {
	return { v: VERSION, of, sum: checksum(of, fields), fields };
}

/**
 * Opens a stored state.
 *
 * @param of what the state must belong to; a state of other settings says nothing about these
 * @returns its fields, or why they can't be used; never throws, whatever was stored
 */
export function openState(stored: unknown, of: string): StateFields | Unusable {
	if (stored === undefined || stored === null) return 'none';
	if (typeof stored !== 'object') return 'damaged';
	const { v, of: owner, sum, fields } = stored as Partial<StoredState>;
	if (typeof v === 'number' && v !== VERSION) return 'otherVersion';
	if (v !== VERSION || typeof owner !== 'string' || typeof fields !== 'object' || fields === null) return 'damaged';
	if (sum !== checksum(owner, fields)) return 'damaged';
	return owner === of ? fields : 'otherSettings';
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
	if (text === '') return counts;
	let id = 0;
	for (const token of text.split(',')) {
		const dot = token.indexOf('.');
		id += parseInt(dot < 0 ? token : token.slice(0, dot), 36);
		counts.set(id, dot < 0 ? 0 : parseInt(token.slice(dot + 1), 36));
	}
	return counts;
}

/** A campaign or channel, as it is chosen by its name. */
export interface Named {
	id: number;
	name: string;
}

/** What came of looking for records by their names. */
export interface Found {
	/** Name as it was asked for → ID. */
	ids: Map<string, number>;
	/** Names that no record has, in the order in which they were asked for, each with the nearest that there are. */
	unknown: Array<{ name: string; nearest: string[] }>;
	/** Names that several records have, with their IDs. */
	ambiguous: Array<{ name: string; ids: number[] }>;
}

/** How many similar names are told. */
const MOST_NEAREST = 3;

/** Names are the same whatever their case; services write the first letter as a capital by themselves. */
export function nameKey(name: string): string {
	return name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** How many letters have to be put in, taken out, changed, or swapped with the next to make one text of another. */
export function editDistance(one: string, other: string): number {
	const [a, b] = [[...one], [...other]];
	let before: number[] = [];
	let last = b.map((_, at) => at).concat(b.length);
	for (let i = 1; i <= a.length; i++) {
		const row = [i];
		for (let j = 1; j <= b.length; j++) {
			const isSame = a[i - 1] === b[j - 1];
			let least = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (isSame ? 0 : 1));
			if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2] + 1);
			row.push(least);
		}
		[before, last] = [last, row];
	}
	return last[b.length];
}

/** The names that somebody who wrote this one may have meant, the likeliest first. */
function nearest(key: string, records: Array<{ key: string; name: string }>): string[] {
	const bound = Math.max(2, Math.floor(key.length / 3));
	return records
		.filter((record) => Math.abs(record.key.length - key.length) <= bound || record.key.includes(key))
		.map((record) => ({
			name: record.name,
			distance: record.key.includes(key) ? 1 : editDistance(key.slice(0, 100), record.key.slice(0, 100)),
		}))
		.filter(({ distance }) => distance <= bound)
		.sort((one, other) => one.distance - other.distance || (one.name < other.name ? -1 : 1))
		.slice(0, MOST_NEAREST)
		.map(({ name }) => name);
}

/**
 * Finds records by their names, whatever the case. A name that is spelled exactly so goes before others that differ in case.
 *
 * @param names as they were asked for; each may occur many times
 * @param records all there are
 */
export function findByName(names: Iterable<string>, records: readonly Named[]): Found {
	const keyed = records.map(({ id, name }) => ({ id, name, key: nameKey(name) }));
	const byKey = new Map<string, typeof keyed>();
	for (const record of keyed) byKey.set(record.key, [...(byKey.get(record.key) ?? []), record]);
	const found: Found = { ids: new Map(), unknown: [], ambiguous: [] };
	for (const name of new Set(names)) {
		const key = nameKey(name);
		const all = byKey.get(key) ?? [];
		const exact = all.filter((record) => record.name === name.trim());
		const meant = exact.length > 0 ? exact : all;
		if (meant.length === 1) found.ids.set(name, meant[0].id);
		else if (meant.length > 1) found.ambiguous.push({ name, ids: meant.map(({ id }) => id) });
		else found.unknown.push({ name, nearest: nearest(key, keyed) });
	}
	return found;
}

function listed(parts: string[]): string {
	return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
}

/**
 * What is wrong with the names that were asked for, all of them in one text.
 *
 * @param kind what the records are, in the singular: campaign, channel
 * @returns undefined when every name is known
 */
export function nameProblem({ unknown, ambiguous }: Found, kind: string): string | undefined {
	const problems = [
		...unknown.map(({ name, nearest: near }) =>
			near.length === 0 ? `"${name}"` : `"${name}" (did you mean ${listed(near.map((one) => `"${one}"`))}?)`,
		),
	];
	const parts = [
		...(problems.length === 0
			? []
			: [`There is no ${kind} named ${problems.length === 1 ? problems[0] : listed(problems)}`]),
		...ambiguous.map(
			({ name, ids }) => `There are ${ids.length} ${kind}s named "${name}" (IDs ${listed(ids.map(String))})`,
		),
	];
	return parts.length === 0 ? undefined : parts.join('. ');
}

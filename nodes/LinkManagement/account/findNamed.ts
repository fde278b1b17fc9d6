import type { IDataObject } from 'n8n-workflow';

import { isBlank } from '../api/records';
import { inTurns } from '../engine/slices';

/** A campaign or channel, as it is chosen by its name. */
export interface Named {
	id: number;
	name: string;
}

/** A name that was asked for. */
interface NameAsked {
	name: string;
	/** The ID that is meant where no record has the name: a number in a column may be either. */
	id?: number;
}

/** What came of looking for a record by its name. */
type NamedAnswer = { id: number } | 'none' | { several: readonly Named[] };

/** Where the name stands. Of campaigns services differ, and so do their lists and answers (spec, "Campaign"; field notes, "Resources"). */
const NAME_FIELDS = ['name', 'campaign', 'domain'] as const;

export function nameFieldOf(record: IDataObject): (typeof NAME_FIELDS)[number] | undefined {
	return NAME_FIELDS.find((field) => !isBlank(record[field]));
}

/** The name of a campaign or channel, wherever it stands; undefined where it has none. */
export function nameIn(record: IDataObject): unknown {
	const field = nameFieldOf(record);
	return field && record[field];
}

/** How many similar names are told. */
const MOST_NEAREST = 3;
/** How many names an error tells at most. */
const MOST_TOLD = 3;
/** For how many names that nobody has similar ones are looked for: each of them is compared with all there are. */
const MOST_SOUGHT = 20;
/** Longer names are compared by their beginnings. */
const LONGEST_COMPARED = 30;

/** Names are the same whatever their case; services write the first letter as a capital by themselves. */
export function nameKey(name: string): string {
	return name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/**
 * How many letters have to be put in, taken out, changed, or swapped with the next to make one text of another.
 *
 * @param bound more are not counted: then it is anything above
 */
export function editDistance(one: string, other: string, bound = Infinity): number {
	const length = other.length;
	let before = new Uint16Array(length + 1);
	let last = Uint16Array.from({ length: length + 1 }, (_, at) => at);
	let row = new Uint16Array(length + 1);
	for (let i = 1; i <= one.length; i++) {
		row[0] = i;
		let leastOfRow = i;
		for (let j = 1; j <= length; j++) {
			const cost = one[i - 1] === other[j - 1] ? 0 : 1;
			let least = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost);
			const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
			if (isSwapped) least = Math.min(least, before[j - 2] + 1);
			row[j] = least;
			if (least < leastOfRow) leastOfRow = least;
		}
		if (leastOfRow > bound) return leastOfRow;
		[before, last, row] = [last, row, before];
	}
	return last[length];
}

function listed(parts: string[]): string {
	return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
}

/** All campaigns or channels of an account, by name. */
export class NamedRecords {
	private readonly byKey = new Map<string, Named[]>();
	private readonly names = new Map<number, string>();
	/** The names that are like one that nobody has, as far as they were looked for. */
	private readonly near = new Map<string, string[]>();

	/**
	 * @param kind what the records are, in the singular: campaign, channel
	 * @param records all there are
	 */
	constructor(
		readonly kind: string,
		records: readonly Named[],
	) {
		for (const record of records) this.add(record);
	}

	/** Takes in a record that was made. */
	add(record: Named): void {
		this.names.set(record.id, record.name);
		const key = nameKey(record.name);
		const same = this.byKey.get(key);
		if (same === undefined) this.byKey.set(key, [record]);
		else same.push(record);
	}

	/** A record was given another name. Rows that ask for it were prepared by the one before, and find it by that one still. */
	rename(id: number, name: string): void {
		this.names.set(id, name);
	}

	/** The name of the record with this ID. */
	nameOf(id: number): string | undefined {
		return this.names.get(id);
	}

	/**
	 * Finds the record that a name means: the one that is spelled exactly so, else the only one that differs in its case alone,
	 * else the one whose ID it is.
	 */
	find({ name, id }: NameAsked): NamedAnswer {
		const all = this.byKey.get(nameKey(name)) ?? [];
		const exact = all.filter((record) => record.name.trim() === name.trim());
		const meant = exact.length > 0 ? exact : all;
		if (meant.length === 1) return { id: meant[0].id };
		if (meant.length > 1) return { several: meant };
		return id === undefined ? 'none' : { id };
	}

	/** The names that somebody who wrote this one may have meant, the likeliest first. */
	private async nearest(name: string): Promise<string[]> {
		const key = nameKey(name).slice(0, LONGEST_COMPARED);
		const before = this.near.get(key);
		if (before !== undefined || this.near.size >= MOST_SOUGHT) return before ?? [];
		let bound = Math.max(2, Math.floor(key.length / 3));
		let near: Array<{ name: string; distance: number }> = [];
		for await (const [other, [record]] of inTurns(this.byKey)) {
			const isPart = other.includes(key);
			if (!isPart && Math.abs(other.length - key.length) > bound) continue;
			const distance = isPart ? 1 : editDistance(key, other.slice(0, LONGEST_COMPARED), bound);
			if (distance > bound) continue;
			near.push({ name: record.name, distance });
			near.sort((one, next) => one.distance - next.distance || (one.name < next.name ? -1 : 1));
			near = near.slice(0, MOST_NEAREST);
			if (near.length === MOST_NEAREST) bound = near[MOST_NEAREST - 1].distance;
		}
		const names = near.map((one) => one.name);
		this.near.set(key, names);
		return names;
	}

	/**
	 * What is wrong with names, all of them in one text: similar names for the first of them, and how many more there are.
	 *
	 * @param names as they were asked for
	 * @returns undefined when every name is known
	 */
	async problem(names: Iterable<NameAsked>): Promise<string | undefined> {
		const unknown = new Set<string>();
		const ambiguous = new Map<string, readonly Named[]>();
		for (const asked of names) {
			const answer = this.find(asked);
			if (answer === 'none') unknown.add(asked.name);
			else if ('several' in answer) ambiguous.set(asked.name, answer.several);
		}
		const told: string[] = [];
		for (const name of [...unknown].slice(0, MOST_TOLD)) {
			const near = (await this.nearest(name)).map((one) => `"${one}"`);
			told.push(near.length === 0 ? `"${name}"` : `"${name}" (did you mean ${listed(near)}?)`);
		}
		if (unknown.size > MOST_TOLD) told.push(`${unknown.size - MOST_TOLD} more`);
		const parts = told.length === 0 ? [] : [`There is no ${this.kind} named ${listed(told)}`];
		for (const [name, several] of [...ambiguous].slice(0, MOST_TOLD)) {
			const ids = several.map((one) => `${one.id} "${one.name}"`);
			parts.push(`There are ${several.length} ${this.kind}s named "${name}" (${listed(ids)})`);
		}
		return parts.length === 0 ? undefined : parts.join('. ');
	}
}

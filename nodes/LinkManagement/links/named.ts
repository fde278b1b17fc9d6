import type { IDataObject } from 'n8n-workflow';

import { isBlank } from '../service/records';

/** A campaign, channel or pixel, as it is chosen by its name. */
export interface Named {
	id: number;
	name: string;
}

/** What came of looking for a record by its name. */
type Found = { id: number } | 'none' | { several: readonly Named[] };

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

/** How many similar names an error shows. */
const MOST_SIMILAR = 3;

/** Names are the same whatever their case; services write the first letter as a capital by themselves. */
export function nameKey(name: string): string {
	return name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

function listed(parts: string[]): string {
	return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
}

/** How many letters, in their order, two names have in common from their beginning and from their end. */
function common(one: string, other: string): number {
	const most = Math.min(one.length, other.length);
	let start = 0;
	while (start < most && one[start] === other[start]) start++;
	let end = 0;
	while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
	return start + end;
}

/** All campaigns, channels or pixels of an account, by name. */
export class NamedRecords {
	private readonly byKey = new Map<string, Named[]>();
	private readonly names = new Map<number, string>();

	/** @param kind what the records are, in the singular: campaign, channel, pixel */
	constructor(
		private readonly kind: string,
		records: readonly Named[],
	) {
		for (const record of records) this.add(record);
	}

	/** Takes in a record that was created. */
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
	find({ name, id }: { name: string; id?: number }): Found {
		const all = this.byKey.get(nameKey(name)) ?? [];
		const exact = all.filter((record) => record.name.trim() === name.trim());
		const meant = exact.length > 0 ? exact : all;
		if (meant.length === 1) return { id: meant[0].id };
		if (meant.length > 1) return { several: meant };
		return id === undefined ? 'none' : { id };
	}

	/** What is wrong with names that mean no record, or several. */
	problem(wrong: ReadonlyArray<{ name: string; id?: number }>): string {
		const parts = wrong.map((one) => {
			const answer = this.find(one);
			if (answer === 'none') return `There is no ${this.kind} named "${one.name}"${this.similarTo(one.name)}`;
			const ids = 'several' in answer ? answer.several.map(({ id, name }) => `${id} "${name}"`) : [];
			return `There are ${ids.length} ${this.kind}s named "${one.name}" (${listed(ids)})`;
		});
		return parts.join('. ');
	}

	/** The names that somebody who wrote this one may have meant: those that have most letters in common with it. */
	private similarTo(name: string): string {
		const key = nameKey(name);
		const least = Math.max(2, Math.ceil(key.length / 2));
		const near: Array<{ name: string; letters: number }> = [];
		for (const [other, [record]] of this.byKey) {
			const letters = other.includes(key) ? key.length : common(key, other);
			if (letters >= least) near.push({ name: record.name, letters });
		}
		near.sort((one, other) => other.letters - one.letters || (one.name < other.name ? -1 : 1));
		const names = near.slice(0, MOST_SIMILAR).map((one) => `"${one.name}"`);
		return names.length === 0 ? '' : ` (did you mean ${listed(names)}?)`;
	}
}

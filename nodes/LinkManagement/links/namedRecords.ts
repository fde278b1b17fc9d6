/** The records of one kind in an account, by their names. */
import { listed } from '../service/errors';
import { inQuotes } from '../service/failures';
import { type NamedKind, nameKey, type NameReference, NOUNS } from './reference';
import { hostOf } from './url';

type NamedRecord = { id: number; name: string };

const MOST_SIMILAR = 3;
const MOST_LISTED = 30;

/** The number of letters that two names share at their beginning and end. */
function common(one: string, other: string): number {
	const most = Math.min(one.length, other.length);
	let start = 0;
	while (start < most && one[start] === other[start]) start++;
	let end = 0;
	while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
	return start + end;
}

export class NamedRecords {
	private readonly byKey = new Map<string, NamedRecord[]>();
	private readonly names = new Map<number, string>();

	constructor(private readonly kind: NamedKind) {}

	private keyOf(name: string): string {
		return (this.kind === 'domain' ? hostOf(name) : undefined) ?? nameKey(name);
	}

	add(record: NamedRecord): void {
		this.names.set(record.id, record.name);
		const key = this.keyOf(record.name);
		const same = this.byKey.get(key);
		if (same === undefined) this.byKey.set(key, [record]);
		else same.push(record);
	}

	/** Notes a new name. Other rows of the run still find the record by its old one, by which they were prepared. */
	rename(id: number, name: string): void {
		this.names.set(id, name);
	}

	nameOf(id: number): string | undefined {
		return this.names.get(id);
	}

	/** The ID of the record with a name, or else with a number, which may be an ID. */
	idOf(name: string, number?: number): number | undefined {
		const found = this.find(name);
		if (found.length > 0) return found.length === 1 ? found[0].id : undefined;
		return number !== undefined && this.names.has(number) ? number : undefined;
	}

	/** The records that a name may mean: those with exactly this name, or else those that differ only in case. */
	find(name: string): readonly NamedRecord[] {
		const all = this.byKey.get(this.keyOf(name)) ?? [];
		const exact = all.filter((record) => record.name.trim() === name.trim());
		return exact.length > 0 ? exact : all;
	}

	/** The problem with a number that is the name of one record, and the ID of another. */
	twofold({ name, id }: NameReference): string | undefined {
		const others = this.find(name).filter((record) => record.id !== id);
		if (id === undefined || !this.names.has(id) || others.length === 0) return undefined;
		const those = [{ id, name: this.names.get(id) }, ...others].map((one) => `${inQuotes(one.name)} (ID ${one.id})`);
		return `"${name}" is the ID of one ${NOUNS[this.kind]}, and the name of another: ${those.join(', ')}`;
	}

	/** The problem with a name that means no record, or several. */
	problem(wrong: string): string {
		const found = this.find(wrong);
		const noun = NOUNS[this.kind];
		if (found.length === 0) return `There is no ${noun} named "${wrong}"${this.similarTo(wrong)}`;
		const those = found.map(({ id, name }) => `${id} ${inQuotes(name)}`);
		return `There are ${found.length} ${noun}s named "${wrong}" (${those.join(', ')})`;
	}

	/** All names, for a model that has to choose one. */
	get inWords(): string {
		const names = [...this.names.values()];
		const noun = NOUNS[this.kind];
		return names.length === 0 ? `There is no ${noun} yet.` : `There are: ${listed(names.map(inQuotes), MOST_LISTED)}.`;
	}

	/** Suggests the names that share most letters with a wrong one. */
	private similarTo(name: string): string {
		const key = this.keyOf(name);
		const least = Math.max(2, Math.ceil(key.length / 2));
		const all = [...this.byKey].map(([other, [{ name: known }]]) => ({ known, letters: common(key, other) }));
		const near = all.filter(({ letters }) => letters >= least);
		near.sort((one, other) => other.letters - one.letters || (one.known < other.known ? -1 : 1));
		const names = near.slice(0, MOST_SIMILAR).map(({ known }) => inQuotes(known));
		return names.length === 0 ? '' : ` (did you mean ${names.join(', ')}?)`;
	}
}

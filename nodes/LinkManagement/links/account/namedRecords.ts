/** The records of one kind in an account, by their names. */
import { listed } from '../../service/answer/errors';
import { inQuotes } from '../../service/answer/failures';
import { type NamedKind, nameKey, type NameReference, NOUNS } from '../reference';
import { hostOf } from '../url';

type NamedRecord = { id: number; name: string };

const MOST_LISTED = 30;

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

	nameOf(id: number): string | undefined {
		return this.names.get(id);
	}

	/** The ID of the record with a name, or else with a number, which may be an ID; undefined if there is none, or several. */
	idOf({ name, id }: NameReference): number | undefined {
		const found = this.find(name);
		if (found.length > 0) return found.length === 1 ? found[0].id : undefined;
		return id !== undefined && this.names.has(id) ? id : undefined;
	}

	/** The records that a name may mean: those with exactly this name, or else those that differ only in case. */
	private find(name: string): readonly NamedRecord[] {
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

	problem({ name }: NameReference): string {
		const found = this.find(name);
		const noun = NOUNS[this.kind];
		if (found.length === 0) return `There is no ${noun} named "${name}"`;
		const those = found.map(({ id, name: known }) => `${id} ${inQuotes(known)}`);
		return `There are ${found.length} ${noun}s named "${name}" (${those.join(', ')})`;
	}

	get inWords(): string {
		const names = [...this.names.values()];
		const noun = NOUNS[this.kind];
		return names.length === 0 ? `There is no ${noun} yet.` : `There are: ${listed(names.map(inQuotes), MOST_LISTED)}.`;
	}
}

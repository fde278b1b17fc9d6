/** What was found out about a service, in the words of the sandbox's table. */
import { DEVIATION_NAMES, DOCUMENT, type Behaviour, type DeviationName } from '../../test/sandbox/dialect';
import { isJson, type Json } from './visit';

export class Findings {
	readonly seen: Partial<Behaviour> = {};

	/** What the service offers, and what it does not. */
	readonly offers: Record<string, boolean> = {};

	/** What the key has no right for. */
	readonly lacksRights: string[] = [];

	/** What the table has no words for; no value of the account's is ever among it. */
	readonly unknown: string[] = [];

	/** The forms of `error` on success and on failure, in the order in which they came. */
	readonly flags = { single: [] as unknown[], list: [] as unknown[], failure: [] as unknown[] };

	/** Enters what a deviation is at this service, if that shows. What was seen first counts. */
	see<Name extends DeviationName>(name: Name, value: Behaviour[Name] | undefined): void {
		if (value !== undefined && !(name in this.seen)) Object.assign(this.seen, { [name]: value });
	}

	wonder(what: string): void {
		if (!this.unknown.includes(what)) this.unknown.push(what);
	}

	/** What deviates from the document. */
	deviations(): Array<[DeviationName, Behaviour[DeviationName]]> {
		return DEVIATION_NAMES.filter((name) => name in this.seen && this.seen[name] !== DOCUMENT[name]).map((name) => [
			name,
			this.seen[name] as Behaviour[DeviationName],
		]);
	}
}

/** A list as it came: its records, whatever holds them, and its figures. */
export interface Listed {
	records: Json[];
	/** The name of the collection; undefined when there is none. */
	name?: string;
	/** What holds the collection and the figures. */
	holder: Json;
	isTop: boolean;
	isObject: boolean;
}

/** Finds the records of a list under one of these names. */
export function listIn(body: Json, names: readonly string[]): Listed {
	const isTop = !isJson(body.data);
	const holder = isJson(body.data) ? body.data : body;
	const name = names.find((entry) => typeof holder[entry] === 'object' && holder[entry] !== null);
	const found = name === undefined ? [] : holder[name];
	const records = (Array.isArray(found) ? found : Object.values(found as Json)).filter(isJson);
	return { records, ...(name === undefined ? {} : { name }), holder, isTop, isObject: !Array.isArray(found) };
}

/** One form, or several in turn. */
export function formOf<T extends string>(flags: unknown[], formOfOne: (flag: unknown) => T): T | 'inTurn' | undefined {
	const forms = new Set(flags.map(formOfOne));
	if (forms.size > 1) return 'inTurn';
	return [...forms][0];
}

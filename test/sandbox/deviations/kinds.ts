/**
 * How a client sees a deviation: by reading what is there, by records of its own, or never. Some show in certain accounts
 * alone: what a hit looks like takes a link.
 */
export type Sight = 'reading' | 'writing' | `never: ${string}`;

/** One thing in which services differ, and its value in each dialect. */
export interface Deviation<T> {
	says: string;
	document: T;
	field: T;
	seen: Sight;
	/** Values that a service may have; all of them where there are few. */
	choices: readonly T[];
	/** What each value means, where there is a choice of words. */
	values?: Record<string, string>;
	/** Reads the value from the command line. @throws Error when it is none */
	read(text: string): T;
}

/** What does not follow from the other columns. */
interface Columns<T> {
	document?: T;
	/** The document's where it is left out. */
	field?: T;
	seen: Sight;
}

export function yesOrNo(
	says: string,
	{ document = false, field = document, seen }: Columns<boolean>,
): Deviation<boolean> {
	const read = (text: string) => choice(text, ['true', 'false']) === 'true';
	return { says, document, field, seen, choices: [false, true], read };
}

export function oneOf<T extends string>(
	says: string,
	{ document, field = document, seen }: Columns<NoInfer<T>> & { document: NoInfer<T> },
	values: Record<T, string>,
): Deviation<T> {
	const choices = Object.keys(values) as T[];
	return { says, document, field, seen, choices, values, read: (text) => choice(text, choices) };
}

export function wholeNumber(
	says: string,
	columns: Columns<number> & { document: number; choices: readonly number[] },
): Deviation<number>;
export function wholeNumber(
	says: string,
	columns: Columns<number | null> & { document: number | null; choices: ReadonlyArray<number | null> },
): Deviation<number | null>;
export function wholeNumber(
	says: string,
	{
		document,
		field = document,
		seen,
		choices,
	}: Columns<number | null> & { document: number | null; choices: ReadonlyArray<number | null> },
) {
	const read = (text: string) => {
		if (text === 'none') return null;
		if (!/^\d+$/.test(text)) throw new Error('must be a whole number, or none');
		return Number(text);
	};
	return { says, document, field, seen, choices, read };
}

function choice<T extends string>(text: string, choices: readonly T[]): T {
	const found = choices.find((entry) => entry === text);
	if (found === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
	return found;
}

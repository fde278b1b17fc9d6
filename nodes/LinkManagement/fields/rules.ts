/**
 * Checks for single values: each takes what the user entered (or an expression gave) and returns the form that the service
 * wants, or says what is wrong. An empty cell reaches a rule as undefined and is not sent.
 */
import { asText, isBlank, isRecord, trimmed, wholeNumber } from '../service/records';
import { named, valueOf, type Rule, type Source } from '../run/request';
import { ValueError } from '../service/errors';

/** Any value as text: JSON where it is an object, for an expression may give objects that can't be made into text otherwise. */
export function spelled(value: unknown): string {
	const text = asText(value).replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '');
	return text.replace(/[\u00a0\u202f]/g, ' ').trim();
}

/** A value as an error quotes it: short, on one line. Of lists and objects it says what they are: nobody entered their JSON. */
export function quoted(value: unknown): string {
	if (Array.isArray(value)) return `a list of ${value.length}`;
	if (value instanceof Date || (isRecord(value) && 'toISO' in value)) return 'a date that does not exist';
	if (typeof value === 'object' && value !== null) {
		const names = Object.keys(value);
		return names.length === 0 ? 'an empty object' : `an object with ${quoted(names.slice(0, 5).join(', '))}`;
	}
	const text = String(value);
	const start = text.slice(0, 80).replace(/\s+/g, ' ');
	return `"${start}${text.length > 80 ? '…' : ''}"`;
}

/** What a spreadsheet puts in place of a value that it can't work out. */
const SHEET_ERROR = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|ERROR!)$/i;

/** A rule for one value, which may be left out, or stand in a list by itself. @param isExact what nobody sees is part of it */
export function single(check: (value: unknown, source: Source) => unknown, isExact = false): Rule {
	return (given, source) => {
		const value: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
		if (isBlank(value) && !Array.isArray(value)) return undefined;
		if (typeof value !== 'string') return check(value, source);
		const text = trimmed(value);
		if (SHEET_ERROR.test(text)) {
			throw new ValueError(`has ${text} of the spreadsheet in place of a value`, 'Correct the formula of the cell.');
		}
		// Within text, what joins letters and emojis stays.
		const plain = text.replace(/[\u200b\u2060\ufeff]/g, '').replace(/[\u00a0\u202f]/g, ' ');
		return check(isExact ? value : plain, source);
	};
}

function textOr(quotation: (value: unknown) => string): (value: unknown) => string {
	return (value) => {
		// Spreadsheets make numbers, and true and false, of what looks like one.
		if (['string', 'number', 'bigint', 'boolean'].includes(typeof value)) return String(value);
		throw new ValueError(`is not text${quotation(value)}`, 'Enter text, or use an expression that gives text.');
	};
}

/** Text. */
export const text: Rule = single(textOr((value) => `: ${quoted(value)}`));

/** Text that no error may quote, to the letter. */
export const secret: Rule = single(
	textOr(() => ''),
	true,
);

/** A positive whole number, given as a number or in digits; anything else is undefined. */
export function asId(value: unknown): number | undefined {
	const digits = typeof value === 'number' ? String(value) : typeof value === 'string' ? spelled(value) : '';
	return /^[1-9]\d{0,15}$/.test(digits) && Number.isSafeInteger(Number(digits)) ? Number(digits) : undefined;
}

/** An ID (spec, "Common conventions": path parameters are integers). */
export const id: Rule = single((value) => {
	const given = asId(value);
	if (given !== undefined) return given;
	throw new ValueError(
		`is not an ID: ${quoted(value)}`,
		'An ID is a positive whole number, such as 12. Choose from the list, or use the "id" of an earlier item.',
	);
});

/** How many records are wanted. */
export const count: Rule = single((value) => {
	const wanted = wholeNumber(typeof value === 'string' ? spelled(value) : value, 1);
	if (wanted !== undefined) return wanted;
	throw new ValueError(
		'is not a whole number of at least 1',
		'Enter how many records you want, or turn on Return All.',
	);
});

const FLAGS = new Map([
	...['true', '1', 'yes'].map((word): [string, boolean] => [word, true]),
	...['false', '0', 'no'].map((word): [string, boolean] => [word, false]),
]);

/** Yes or no, also as text. */
export const flag: Rule = single((value) => {
	const isOn = FLAGS.get(spelled(value).toLowerCase());
	if (isOn !== undefined) return isOn;
	throw new ValueError(`is neither true nor false: ${quoted(value)}`, 'Enter true or false.');
});

/** A choice as it is offered: the name that the editor shows, and the value that goes out. */
type Choice = { name: string; value: unknown };

/** The choice that a value or a name means, in any case. */
export function chosen(choices: readonly Choice[], given: unknown): string | undefined {
	const word = spelled(given).toLowerCase();
	const isMeant = (text: unknown) => String(text).toLowerCase() === word;
	const choice = choices.find(({ value }) => isMeant(value)) ?? choices.find(({ name }) => isMeant(name));
	return choice && String(choice.value);
}

/** One of a few values. */
export function oneOf(choices: readonly Choice[]): Rule {
	const all = choices.map(({ value }) => String(value)).join(', ');
	return single((given) => {
		const value = chosen(choices, given);
		if (value !== undefined) return value;
		throw new ValueError(`is ${quoted(given)}, which is not one of ${all}`, `Choose one of ${all}.`);
	});
}

/** The entries of a list: an array, or text with commas between them. */
export function entriesIn(value: unknown): unknown[] {
	return (Array.isArray(value) ? value : spelled(value).split(',')).filter((entry) => !isBlank(entry));
}

/** A rule for lists, by the rule of an entry; an empty list is none. */
export function listOf(rule: Rule): Rule {
	return (value, source) => {
		const entries = value === undefined ? [] : entriesIn(value).map((entry) => rule(entry, source));
		return entries.length === 0 ? undefined : entries;
	};
}

/** JSON, as text or as what an expression gave. */
export const json: Rule = (value) => {
	if (typeof value !== 'string') return value;
	let reason: string;
	try {
		return JSON.parse(trimmed(value)) as unknown;
	} catch (error) {
		reason = error instanceof Error ? error.message : '';
	}
	throw new ValueError(`is not valid JSON: ${reason}`, 'Check quotes, commas and brackets.');
};

/** A row of a fixed collection, each of its fields checked. */
function checkedRow(
	entry: Record<string, unknown>,
	label: string,
	fields: Record<string, Rule>,
	labels: Record<string, string>,
	source: Source,
): Record<string, unknown> {
	const cells = Object.entries(fields).map(([name, rule]) =>
		named(`${label} → ${labels[name]}`, () => {
			const given = valueOf(entry[name]);
			const value = isBlank(given) ? undefined : rule(given, source);
			if (value === undefined) throw new ValueError('is empty', 'Enter a value, or remove the row.');
			return [name, value];
		}),
	);
	return Object.fromEntries(cells) as Record<string, unknown>;
}

/**
 * The rows of a fixed collection (`{ values: [...] }`), or an array that an expression gave: each row an object with these
 * fields, all of them filled. A row in which nothing was entered is left out.
 *
 * @param labels field name → the name the editor shows
 * @param leftOutWithout a row without a value in this field is left out as well
 */
export function rows(fields: Record<string, Rule>, labels: Record<string, string>, leftOutWithout?: string): Rule {
	return (value, source) => {
		const entries: unknown = isRecord(value) ? value.values : value;
		if (isBlank(entries)) return undefined;
		if (!Array.isArray(entries) || !entries.every(isRecord)) {
			throw new ValueError('is not a list of rows', 'Add rows, or use an expression that gives an array of objects.');
		}
		const result = entries.flatMap((entry, index) => {
			const isMissing = (name: string) => isBlank(valueOf(entry[name]));
			const isEmpty = Object.keys(fields).every(isMissing);
			if (isEmpty || (leftOutWithout !== undefined && isMissing(leftOutWithout))) return [];
			return [checkedRow(entry, `→ row ${index + 1}`, fields, labels, source)];
		});
		return result.length === 0 ? undefined : result;
	};
}

/** Rows of a name and a value. Those without a value, such as an empty cell of a spreadsheet, are left out. */
export const nameValueRows = rows({ name: text, value: text }, { name: 'Name', value: 'Value' }, 'value');

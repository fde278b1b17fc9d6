/**
 * Parsers for single values: each takes what the user entered, or an expression gave, and returns the form that the service accepts, or
 * throws what is wrong. An empty cell is undefined and is not sent.
 */
import type { IDataObject } from 'n8n-workflow';

import { labelled, type ParsedField, type Parser, type ValueContext, valueOf } from '../run/request';
import { type Advice, inEditor, together } from '../service/answer/advice';
import { listed, ValueError } from '../service/answer/errors';
import { asFlag, asId, isNothing, isRecord, LONGEST_TEXT, trimmed, wholeNumber } from '../service/records';

/**
 * Greatest lengths (characters) of values: of addresses what browsers and servers bear, of others what services take. What is longer is
 * refused before anything looks into it.
 */
export const LONGEST = { address: 8000, alias: 255, text: LONGEST_TEXT };
/** Most entries of a list. */
const MOST_ENTRIES = 1000;

/** @throws ValueError if a text is too long */
function checkLength({ length }: string, longest: number): void {
	if (length <= longest) return;
	throw new ValueError(`has ${length} characters, and takes at most ${longest}`, 'Shorten it.');
}

/** @throws ValueError if a list has too many entries */
export function checkCount({ length }: readonly unknown[], what = 'entries'): void {
	if (length <= MOST_ENTRIES) return;
	throw new ValueError(`has ${length} ${what}, and takes at most ${MOST_ENTRIES}`, 'Leave some out.');
}

/** Invisible characters that web pages and spreadsheets leave in text; except those that join letters and emojis. */
const INVISIBLE = /[\u200b\u2060\ufeff]/g;

/** A value as visible text; that of an object is empty. */
export function visibleText(value: unknown): string {
	return typeof value === 'object' ? '' : trimmed(String(value)).replace(INVISIBLE, '');
}

/** A value as an error quotes it: short, on one line. Objects are not quoted: nobody entered their JSON. */
export function quoted(value: unknown): string {
	if (typeof value === 'object' && value !== null) return 'an object';
	const text = String(value);
	const start = text.slice(0, 80).replace(/\s+/g, ' ');
	return `"${start}${text.length > 80 ? '…' : ''}"`;
}

/** Error values of spreadsheets, in any language. */
const SHEET_ERROR =
	/^(?:#[\p{Lu}\u00a1\u00bf][\p{Lu}\d_./\u00a1\u00bf]*[!?]|#(?:N\/A|n\/a|N\/D|N\/B|NV|YOK)|Loading(?:\.\.\.|\u2026))$/u;

/** How a value is cleaned before it is checked. */
interface Cleaning {
	/** The field of a cell's object that counts before the others. */
	word?: string;
	/** Cleans a text; by default, removes invisible characters. */
	clean?(text: string): string;
	/** Errors must not quote it. */
	isSecret?: true;
	/** Most characters of the text, once it is cleaned. */
	longest?: number;
}

const CORRECT = { editor: 'Correct the formula of the cell.', model: 'Pass the value itself.' };

/** The fields that hold what a cell of a database says: of a record its name, of a period its start, of a file or button its address. */
const WORDS = ['name', 'value', 'title', 'Title', 'display_value', 'start', 'url'];
/** A list of an object of a list of a value: no database nests deeper. */
const DEEPEST_CELL = 4;

/** What a cell says, which databases may give as a list or an object. @throws ValueError if it is an error, or several values */
function saidBy(cell: unknown, cleaning: Cleaning, depth = DEEPEST_CELL): unknown {
	if (depth === 0) return cell;
	if (Array.isArray(cell)) {
		if (cell.length <= 1) return saidBy(cell[0], cleaning, depth - 1);
		const named = cell.slice(0, 4).map((one) => quoted(saidBy(one, {}, 1) ?? ''));
		const values = cleaning.isSecret ? '' : `: ${listed(named, 3)}`;
		throw new ValueError(`takes one value, but has ${cell.length}${values}`, 'Keep one of them.');
	}
	if (!isRecord(cell)) return cell;
	const { error = cell.specialValue } = cell;
	if (typeof error === 'string') throw new ValueError(`has ${quoted(error)} instead of a value`, CORRECT);
	const all = Object.values(cell);
	if (all.length > 0 && all.every(isNothing)) return undefined;
	const name = [cleaning.word ?? 'name', ...WORDS].find((one) => !isNothing(cell[one]));
	return name === undefined ? cell : saidBy(cell[name], cleaning, depth - 1);
}

/** Checks that a text was decoded correctly. @throws ValueError */
export function checkEncoding(read: string): void {
	if (!read.includes('\ufffd')) return;
	throw new ValueError(
		'has the sign \ufffd instead of a letter: the file was read in the wrong encoding',
		inEditor('Set the encoding of the file in the node that reads it: Latin1 for most files of Excel.'),
	);
}

/**
 * Makes a parser for one optional value, which may be alone in a list or an object.
 *
 * @param check gets cleaned text, or any other value as it is
 */
export function valueParser<T>(
	check: (value: unknown, origin: ValueContext) => T | undefined,
	cleaning: Cleaning = {},
): Parser<T> {
	const { clean = visibleText, isSecret, longest = LONGEST.text } = cleaning;
	return (given, origin) => {
		const value = saidBy(given, cleaning);
		if (typeof value === 'string') checkLength(value, LONGEST.text);
		if (isNothing(value)) return undefined;
		if (typeof value !== 'string' || isSecret) return check(value, origin);
		const word = visibleText(value);
		if (SHEET_ERROR.test(word)) throw new ValueError(`has ${word} from the spreadsheet instead of a value`, CORRECT);
		checkEncoding(value);
		const text = clean(value);
		checkLength(text, longest);
		return check(text, origin);
	};
}

/** Makes a parser for values that `read` understands or not. @param says what is wrong, before the value */
export function parserOf<T>(
	read: (value: unknown) => T | undefined,
	says: string,
	advice: Advice,
	cleaning?: Cleaning,
): Parser<T> {
	const check = (value: unknown) => {
		const result = read(value);
		if (result !== undefined) return result;
		throw new ValueError(`${says}: ${quoted(value)}`, advice);
	};
	return valueParser(check, cleaning);
}

/** A long number that a spreadsheet has shortened. */
const SHORTENED = /^[+-]?\d(?:[.,]\d{1,20})?E\+\d{2,3}$/;

const TEXT = { editor: 'Enter text, or use an expression that gives text.', model: 'Pass text.' };

/** A value as text: spreadsheets turn text into numbers, true and false. */
export function plainText(value: unknown): string {
	const isInexact =
		typeof value === 'number' ? Math.abs(value) > Number.MAX_SAFE_INTEGER : SHORTENED.test(visibleText(value));
	if (isInexact) {
		throw new ValueError(`is a number that is too long to be exact: ${quoted(value)}`, {
			editor: 'Format the column as text in the spreadsheet, and enter the value again.',
			model: 'Pass all of its digits, as text.',
		});
	}
	if (typeof value !== 'object') return String(value);
	throw new ValueError(`is not text: ${quoted(value)}`, TEXT);
}

export const text: Parser<string> = valueParser(plainText);

/** The commonest errors of spreadsheets, in English, German, French and Spanish. Anything else may be somebody's password. */
const ERROR_AS_SECRET =
	/^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NV|BEZUG!|WERT!|VALEUR!|NOM\?|\u00a1REF!|\u00a1VALOR!|\u00bfNOMBRE\?|\u00a1DIV\/0!)$/;

/** A secret, such as a password: it is taken as it is, and no error quotes it. */
export const secret: Parser<string> = valueParser(
	(value) => {
		if (typeof value === 'object') throw new ValueError('is not text', TEXT);
		const word = String(value);
		if (ERROR_AS_SECRET.test(word.trim()))
			throw new ValueError('has the sign of a spreadsheet for a wrong formula instead of a value', CORRECT);
		// A column with yes and no says which links have one.
		if (/^(?:no|false)$/i.test(word.trim())) return undefined;
		if (!/^(?:yes|true)$/i.test(word.trim())) return word;
		throw new ValueError('says that there is a password, but not which', 'Enter the password itself.');
	},
	{ isSecret: true },
);

/** An ID as it was entered: a number, or text with digits alone; anything else is undefined. */
export function enteredId(value: unknown): number | undefined {
	return asId(typeof value === 'string' ? visibleText(value) : value);
}

/** An ID (spec, "Common conventions": path parameters are integers). */
export const id = parserOf(
	enteredId,
	'is not an ID',
	together(
		'An ID is a positive whole number, such as 12.',
		inEditor('Choose from the list, or use the "id" of an earlier item.'),
	),
);

export const atLeastOne = (advice: Advice): Parser<number> =>
	parserOf((value) => wholeNumber(value, 1), 'is not a whole number of at least 1', advice);

export const count = atLeastOne({
	editor: 'Enter how many records you want, or turn on Return All.',
	model: 'Enter how many records you want.',
});

/** True or false, also as text. */
export const flag = parserOf(
	(value) => asFlag(visibleText(value)),
	'is neither true nor false',
	'Enter true or false.',
);

/** A choice: the name in the editor, and the value that is sent. */
type Choice = { name: string; value: unknown };

/** The choice with a value or name, in any case. */
export function chosen(choices: readonly Choice[], given: unknown): string | undefined {
	const word = visibleText(given).toLowerCase();
	const isMeant = (text: unknown) => String(text).toLowerCase() === word;
	const choice = choices.find(({ value }) => isMeant(value)) ?? choices.find(({ name }) => isMeant(name));
	return choice && String(choice.value);
}

export function oneOf(choices: readonly Choice[]): Parser<string> {
	const all = choices.map(({ value }) => String(value)).join(', ');
	return parserOf((given) => chosen(choices, given), `is none of ${all}`, `Choose one of ${all}.`);
}

/** The entries of a list: an array, comma-separated text, or a single value. @throws ValueError if there are too many */
function entriesIn(value: unknown): unknown[] {
	if (typeof value === 'string') checkLength(value, LONGEST.text);
	const entries = typeof value === 'string' ? value.split(',') : [value].flat();
	checkCount(entries);
	return entries.filter((entry) => !isNothing(entry));
}

/** Makes a parser for lists from one for entries; an empty list is undefined. */
export function listOf<T>(parser: Parser<T>): Parser<T[]> {
	return (value, origin) => {
		const parsed = entriesIn(value).map((entry) => parser(entry, origin));
		const entries = parsed.filter((entry) => entry !== undefined);
		return entries.length === 0 ? undefined : entries;
	};
}

/** The values of a group of fields, parsed; empty ones are left out. */
export function readGroup(group: IDataObject, fields: readonly ParsedField[], origin: ValueContext): IDataObject {
	const values: IDataObject = {};
	for (const { displayName, name, parser } of fields) {
		const given = valueOf(group[name]);
		const value = isNothing(given) ? undefined : labelled(`→ ${displayName}`, () => parser(given, origin));
		if (value !== undefined) values[name] = value;
	}
	return values;
}

/**
 * Makes a parser for the rows of a fixed collection (`{ values: [...] }`), or an array of objects or single object from an expression.
 * All fields must be filled; but rows whose last field is empty, such as empty cells of a spreadsheet, are left out.
 */
export function rowsOf(fields: readonly ParsedField[]): Parser<IDataObject[]> {
	const last = fields[fields.length - 1].name;
	return (value, origin) => {
		const entries: unknown[] = [isRecord(value) ? (value.values ?? value) : (value ?? [])].flat();
		checkCount(entries, 'rows');
		const isRow = (entry: unknown) =>
			isRecord(entry) && (Object.keys(entry).length === 0 || fields.some(({ name }) => name in entry));
		if (!entries.every(isRow)) {
			throw new ValueError('is not a list of rows', {
				editor: 'Add rows, or use an expression that gives an array of objects.',
				model: 'Pass an array of objects.',
			});
		}
		const result = (entries as IDataObject[]).flatMap((entry, index) => {
			if (isNothing(valueOf(entry[last]))) return [];
			return labelled(`→ row ${index + 1}`, () => {
				const row = readGroup(entry, fields, origin);
				const missing = fields.find(({ name }) => row[name] === undefined);
				if (missing === undefined) return [row];
				throw new ValueError(`→ ${missing.displayName} is empty`, 'Enter a value, or remove the row.');
			});
		});
		return result.length === 0 ? undefined : result;
	};
}

import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { isTool } from '../n8n/lifetimes';
import type { ItemRequest } from '../run/request';
import { isBlank } from '../service/records';

/** A field as an item's column may name it. */
export interface ColumnField {
	/** The service's own name, under which the value goes out. */
	name: string;
	/** The name that the editor shows. */
	label: string;
	/** The names that lists give the same thing (`longurl` for `url`). */
	listedAs?: readonly string[];
}

/** Column titles are the same whatever their case, spaces, hyphens and underscores. */
export function columnKey(title: string): string {
	return title
		.normalize('NFC')
		.toLowerCase()
		.replace(/[\s\-_\u2010-\u2015]+/g, '');
}

/** Titles that mean nothing, but are made of words for what a field is. */
const LOOKS_LIKE: Array<[pattern: RegExp, field: string]> = [
	[/^(?:url|uri|link|href|address|target|destination|landing|web|site|page|long|original|full|to)+$/, 'Long URL'],
	[/^(?:slug|backhalf|shortcode|shortname|keyword|ending|path|custom(?:slug|link|url|ending))$/, 'Alias'],
];

/** A title with the field that it may have been meant for. */
function withGuess(title: string): string {
	const [, field] = LOOKS_LIKE.find(([pattern]) => pattern.test(columnKey(title))) ?? [];
	return field === undefined ? title : `${title} (did you mean ${field}?)`;
}

/** Titles that a sentence names, at most, and characters of each. */
const MOST_TITLES = 12;
const LONGEST_TITLE = 40;

function inShort(parts: string[]): string {
	return parts.slice(0, MOST_TITLES).join(', ') + (parts.length > MOST_TITLES ? ', …' : '');
}

/**
 * Which columns of an item are taken for which field, and which are left alone.
 *
 * @returns undefined where every column has the name of its field
 */
export function columnsInWords(titles: readonly string[], fields: readonly ColumnField[]): string | undefined {
	const taken: string[] = [];
	const others: string[] = [];
	let isPlain = true;
	for (const title of titles) {
		const short = title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE)}…` : title;
		const isNamed = (names: readonly string[]) => names.some((name) => columnKey(name) === columnKey(title));
		const field = fields.find(({ name, label, listedAs = [] }) => isNamed([name, label, ...listedAs]));
		isPlain &&= field !== undefined && isNamed([field.name, field.label]);
		if (field === undefined) others.push(withGuess(short));
		else taken.push(isNamed([field.name, field.label]) ? short : `${short} (as ${field.label})`);
	}
	if (isPlain) return undefined;
	const inWords = (said: string, columns: string[]) => (columns.length === 0 ? [] : [`${said}: ${inShort(columns)}.`]);
	return [...inWords('Columns taken', taken), ...inWords('Columns left alone', others)].join(' ');
}

/** A column of an item, and what stands in it. */
export interface Cell {
	title: string;
	value: unknown;
}

/**
 * The columns of an item that mean each field. Those that mean nothing are left alone.
 *
 * @returns field name → its columns: the service's own name first, then the label, then the names of lists
 */
export function cellsOf(item: Readonly<Record<string, unknown>>, fields: readonly ColumnField[]): Map<string, Cell[]> {
	const byKey = new Map<string, Cell[]>();
	for (const [title, value] of Object.entries(item)) {
		const key = columnKey(title);
		byKey.set(key, [...(byKey.get(key) ?? []), { title, value }]);
	}
	const result = new Map<string, Cell[]>();
	for (const { name, label, listedAs = [] } of fields) {
		const keys = new Set([name, label, ...listedAs].map(columnKey));
		const cells = [...keys].flatMap((key) => byKey.get(key) ?? []);
		if (cells.length > 0) result.set(name, cells);
	}
	return result;
}

/** The number of its row, which spreadsheet nodes put beside the cells. */
const ROW_NUMBER = 'row_number';

/** Passes over an item that has cells, and nothing in any of them. */
export function skipEmptyItem(request: ItemRequest, context: IExecuteSingleFunctions): void {
	const { json } = context.getInputData();
	const titles = Object.keys(json);
	const isEmpty = titles.every((title) => title === ROW_NUMBER || isBlank(json[title]));
	if (titles.length > 0 && isEmpty && !isTool(context)) request.isBlank = true;
}

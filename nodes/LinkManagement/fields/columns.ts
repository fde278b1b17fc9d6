import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { itemsBeside } from '../n8n/items';
import { isTool, keptFor, runOf } from '../n8n/lifetimes';
import { ValueError } from '../service/errors';
import { isBlank } from '../service/records';

/** The number of its row, which spreadsheet nodes put beside the cells. */
const ROW_NUMBER = 'row_number';

/** A field as an item's column may name it. */
export interface ColumnField {
	/** The service's own name, under which the value goes out. */
	name: string;
	label: string;
	/** A name of its own that lists give the same thing (`title` for `metatitle`). */
	listedAs?: string;
}

type Titles = ReadonlyMap<string, ColumnField>;

/** Column titles are the same whatever their case, spaces, hyphens and underscores. */
export function columnKey(title: string): string {
	return title
		.normalize('NFC')
		.toLowerCase()
		.replace(/[\s\-_\u2010-\u2015]+/g, '');
}

export function titlesOf(fields: readonly ColumnField[]): Titles {
	const titles = new Map<string, ColumnField>();
	for (const field of fields) {
		const { name, label, listedAs = name } = field;
		for (const title of [name, label, listedAs]) titles.set(columnKey(title), field);
	}
	return titles;
}

/** Titles that mean nothing, but are made of words for what a field is. */
const LOOKS_LIKE: Array<[pattern: RegExp, field: string]> = [
	[/^(?:url|uri|link|href|address|target|destination|landing|web|site|page|long|original|full|to)+$/, 'Long URL'],
	[/^(?:slug|backhalf|shortcode|shortname|keyword|ending|path|custom(?:slug|link|url|ending))$/, 'Alias'],
];

/** The character between the titles of several columns that were read as one: the file has another delimiter than it was read with. */
function delimiterIn(title: string, titles: Titles): string | undefined {
	return [';', ',', '\t', '|'].find((delimiter) => {
		const parts = title.split(delimiter);
		return parts.length > 1 && parts.some((part) => titles.has(columnKey(part)));
	});
}

/** Why no column of an item means a field, and what to do. */
export function noColumns(columns: readonly string[], titles: Titles): ValueError {
	const ignored = ignoredColumns(columns, titles);
	const problem = ignored === undefined ? 'The input has no columns' : 'The input has no column that is recognized';
	const delimiter = columns.map((title) => delimiterIn(title, titles)).find((found) => found !== undefined);
	return new ValueError(
		`${problem}${ignored === undefined ? '' : `. ${ignored.replace(/\.$/, '')}`}`,
		delimiter === undefined
			? 'Name the columns "Long URL", "Alias" or "Short URL", or set Mapping Column Mode to Map Each Column Manually.'
			: `Set the delimiter ${delimiter === '\t' ? 'to a tab' : `"${delimiter}"`} in the node that reads the file.`,
	);
}

const MOST_TITLES = 12;

/** Says which columns of an item mean nothing; undefined where there are none. */
export function ignoredColumns(columns: readonly string[], titles: Titles): string | undefined {
	const ignored = columns.filter((column) => column !== ROW_NUMBER && !titles.has(columnKey(column)));
	const more = ignored.length > MOST_TITLES ? ', …' : '';
	const named = ignored.slice(0, MOST_TITLES).map((title) => {
		if (delimiterIn(title, titles) !== undefined) return `${title} (several columns in one)`;
		const [, field] = LOOKS_LIKE.find(([pattern]) => pattern.test(columnKey(title))) ?? [];
		return field === undefined ? title : `${title} (did you mean ${field}?)`;
	});
	return ignored.length === 0 ? undefined : `Columns ignored: ${named.join(', ')}${more}.`;
}

/** A column of an item, and what stands in it. */
export interface Cell {
	title: string;
	value: unknown;
}

/** The columns of an item that mean a field, by the field's name. */
export function cellsOf(item: Readonly<Record<string, unknown>>, titles: Titles): Map<string, Cell[]> {
	const cells = new Map<string, Cell[]>();
	for (const [title, value] of Object.entries(item)) {
		const field = titles.get(columnKey(title));
		if (field !== undefined) cells.set(field.name, [...(cells.get(field.name) ?? []), { title, value }]);
	}
	return cells;
}

/** Whether one of the items that came with this one has a column for which something holds. */
export function someColumn(context: IExecuteSingleFunctions, what: string, holds: (title: string) => boolean): boolean {
	return keptFor(runOf(context), `some column ${what}`, () => {
		// Rows have the same titles: each is looked at once.
		const others = new Set<string>();
		const isMet = (title: string) => !others.has(title) && (holds(title) || !others.add(title));
		return itemsBeside(context).some((item) => Object.keys(item).some(isMet));
	});
}

/** Whether an item has nothing in it. One without cells is a blank row where others have some: readers of files leave cells out. */
export function isEmptyItem(context: IExecuteSingleFunctions): boolean {
	const { json } = context.getInputData();
	const titles = Object.keys(json);
	const isEmpty = titles.every((title) => title === ROW_NUMBER || isBlank(json[title]));
	if (!isEmpty || isTool(context)) return false;
	return titles.length > 0 || someColumn(context, 'at all', (title) => title !== ROW_NUMBER);
}

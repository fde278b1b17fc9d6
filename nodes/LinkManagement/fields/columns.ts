import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { isTool } from '../n8n/lifetimes';
import type { ItemRequest } from '../run/request';
import { isBlank } from '../service/records';

/** The number of its row, which spreadsheet nodes put beside the cells. */
const ROW_NUMBER = 'row_number';

/** A field as an item's column may name it. */
export interface ColumnField {
	/** The service's own name, under which the value goes out. */
	name: string;
	/** The name that the editor shows. */
	label: string;
	/** A name of its own that lists give the same thing (`title` for `metatitle`). */
	listedAs?: string;
}

/** Fields by the keys of the titles that mean them. */
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

/** A sentence names so many titles at most. */
const MOST_TITLES = 12;

/** Says which columns of an item mean nothing; undefined where there are none. */
export function ignoredColumns(columns: readonly string[], titles: Titles): string | undefined {
	const ignored = columns.filter((column) => column !== ROW_NUMBER && !titles.has(columnKey(column)));
	const more = ignored.length > MOST_TITLES ? ', …' : '';
	const named = ignored.slice(0, MOST_TITLES).map((title) => {
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

/** Passes over an item that has cells, and nothing in any of them. */
export function skipEmptyItem(request: ItemRequest, context: IExecuteSingleFunctions): void {
	const { json } = context.getInputData();
	const titles = Object.keys(json);
	const isEmpty = titles.every((title) => title === ROW_NUMBER || isBlank(json[title]));
	if (titles.length > 0 && isEmpty && !isTool(context)) request.isBlank = true;
}

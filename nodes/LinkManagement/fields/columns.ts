import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { itemsBeside } from '../n8n/items';
import { isTool, keptFor, runOf } from '../n8n/lifetimes';
import { holdsExpression, readParameter, savedParameter } from '../n8n/parameter';
import { isBlank, isRecord } from '../service/records';

/** The number of its row, which spreadsheet nodes put beside the cells. */
const ROW_NUMBER = 'row_number';

/** A field as an item's column may name it. */
export interface ColumnField {
	/** The service's own name, under which the value goes out. */
	name: string;
	label: string;
	/** What else people and lists call it. */
	others?: readonly string[];
}

export type Titles = ReadonlyMap<string, ColumnField>;

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
		const { name, label, others = [] } = field;
		for (const title of [name, label, ...others]) titles.set(columnKey(title), field);
	}
	return titles;
}

/** The keys of titles that mean nothing by themselves, but are like what a field is called, by the label of that field. */
export const LIKE_FIELD: ReadonlyArray<[field: string, pattern: RegExp]> = [
	['Long URL', /^(?:ur[il]|link|href|address|target|destination|landing|web|site|page|long|original|full|to)+$/],
	['Alias', /^(?:keyword|ending|path|short(?:code|name)|custom(?:link|url|ending))$|slug|alias|backhalf/],
	['Short URL', /^(?:short|tiny|branded)(?:ened)?(?:ur[il]s?|links?|address)?$/],
	['Expiry', /expir|valid(?:un)?til|validto|^(?:until|end(?:s|date|son|sat)?)$/],
	['Campaign', /^(?!utm).*campaign/],
	['Channel', /^(?!utm).*channel/],
	['Domain', /domain/],
	['Meta Title', /title$/],
	['Description', /^(?!meta).*(?:descr|notes?$|comments?$)/],
	['Meta Image URL', /image|thumbnail/],
	['Password', /^pass|^pwd?$/],
	['Status', /^(?:link)?(?:status|visibility)$/],
];

/** The character between the titles of several columns that were read as one: the file has another delimiter than it was read with. */
export function delimiterIn(title: string, titles: Titles): string | undefined {
	return [';', ',', '\t', '|'].find((delimiter) => {
		const parts = title.split(delimiter);
		return parts.length > 1 && parts.some((part) => titles.has(columnKey(part)));
	});
}

const MOST_TITLES = 12;

/** Says which columns mean nothing, and which field each is like; undefined where there are none. */
export function ignoredColumns(columns: readonly string[], titles: Titles): string | undefined {
	const ignored = columns.filter((column) => column !== ROW_NUMBER && !titles.has(columnKey(column)));
	const more = ignored.length > MOST_TITLES ? ', …' : '';
	const named = ignored.slice(0, MOST_TITLES).map((title) => {
		if (delimiterIn(title, titles) !== undefined) return `${title} (several columns in one)`;
		const [field] = LIKE_FIELD.find(([, pattern]) => pattern.test(columnKey(title))) ?? [];
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

/** The titles of all columns of the items that came with this one: readers of files leave empty cells out. */
export function titlesBeside(context: IExecuteSingleFunctions): readonly string[] {
	return keptFor(runOf(context), 'titles', () => {
		const titles = new Set<string>();
		for (const item of itemsBeside(context)) for (const title of Object.keys(item)) titles.add(title);
		return [...titles];
	});
}

/** Whether an item has nothing in it. One without cells is a blank row where others have some: readers of files leave cells out. */
function isEmptyItem(context: IExecuteSingleFunctions): boolean {
	const { json } = context.getInputData();
	const titles = Object.keys(json);
	const isEmpty = titles.every((title) => title === ROW_NUMBER || isBlank(json[title]));
	if (!isEmpty || isTool(context)) return false;
	return titles.length > 0 || titlesBeside(context).some((title) => title !== ROW_NUMBER);
}

/**
 * Whether a row has nothing in it of which a record could be made: its item is empty, and so are the parameters that it should fill.
 * What is typed, or comes from another node, is made whatever the item holds.
 *
 * @param names the parameters without which no record is made
 */
export function isBlankRowOf(names: readonly string[]) {
	return (context: IExecuteSingleFunctions): boolean => {
		const filled = names.filter((name) => holdsExpression(savedParameter(context, name)));
		const isNothing = (value: unknown): boolean =>
			isBlank(value) || (isRecord(value) && Object.values(value).every(isNothing));
		return filled.length > 0 && isEmptyItem(context) && filled.every((name) => isNothing(readParameter(context, name)));
	};
}

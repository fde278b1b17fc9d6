import { isBlank } from '../api/records';

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
		if (field === undefined) others.push(short);
		else taken.push(isNamed([field.name, field.label]) ? short : `${short} (as ${field.label})`);
	}
	if (isPlain) return undefined;
	const inWords = (said: string, columns: string[]) => (columns.length === 0 ? [] : [`${said}: ${inShort(columns)}.`]);
	return [...inWords('Columns taken', taken), ...inWords('Columns left alone', others)].join(' ');
}

/**
 * The fields that an item's columns mean. Where several columns mean the same field, the service's own name goes before the
 * label, and the label before the names of lists; an empty cell gives way to one that is filled. Columns that mean nothing are
 * left alone.
 *
 * @returns field name → value as it stands in the item
 */
export function fieldsOf(
	item: Readonly<Record<string, unknown>>,
	fields: readonly ColumnField[],
): Record<string, unknown> {
	const columns = new Map<string, unknown[]>();
	for (const [title, value] of Object.entries(item)) {
		const key = columnKey(title);
		columns.set(key, [...(columns.get(key) ?? []), value]);
	}
	const result: Record<string, unknown> = {};
	for (const { name, label, listedAs = [] } of fields) {
		const values = [name, label, ...listedAs].flatMap((title) => columns.get(columnKey(title)) ?? []);
		const filled = values.find((value) => !isBlank(value));
		if (filled !== undefined) result[name] = filled;
	}
	return result;
}

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

function isBlank(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
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

/** Titles of columns: which field a title means. */
import { COMPANY_WORDS, HEADINGS, namesOf } from './headings';

/** The field that holds the row number, which spreadsheet nodes add. */
export const ROW_NUMBER = 'row_number';

/** A field that a column may mean. */
export interface ColumnField {
	/** The service's name, under which the value is sent. */
	name: string;
	label: string;
	/** Other names in the service's answers. */
	shownAs?: readonly string[];
}

/** Parts that titles are compared without: accents, zero-width characters, notes in brackets, and separators. */
const NO_PART = [
	/[\p{M}\p{Cf}]/gu,
	/\([^()]*\)|\[[^[\]]*\]/g,
	/[\s_*:"'`\u00b4\u2018-\u201e\u00ab\u00bb\u2010-\u2015-]/g,
];

/** The longest title of a field. */
const LONGEST_TITLE = 200;

/**
 * The key of a title: titles are compared without case, accents, spaces, hyphens, underscores, quotes, notes in brackets, and marks of
 * required fields.
 */
export function columnKey(title: string): string {
	const plain = title.slice(0, LONGEST_TITLE).normalize('NFKD').toLowerCase().replaceAll('\u0131', 'i');
	return NO_PART.reduce((key, pattern) => key.replace(pattern, ''), plain);
}

/**
 * The prefix that n8n's Notion node puts before the names of properties. Up to version 2.2 it drops letters with accents from them
 * (read in n8n-nodes-base 2.41.1): such keys are included, with the prefix.
 */
export const PROPERTY = 'property_';

/** Key of a title → its field. */
export type Titles = ReadonlyMap<string, ColumnField>;

/** Whether a title is the service's or the editor's name of the field, not one of other services. */
export function isOwnName(title: string, { name, label, shownAs = [] }: ColumnField): boolean {
	return [name, label, ...shownAs].some((own) => columnKey(own) === columnKey(title));
}

export function titlesOf(fields: readonly ColumnField[]): Titles {
	const titles = new Map<string, ColumnField>();
	for (const field of fields) {
		const { name, label, shownAs = [] } = field;
		const others = name in HEADINGS ? namesOf(HEADINGS[name]) : [];
		for (const title of [name, label, ...shownAs, ...others]) {
			titles.set(columnKey(title), field);
			titles.set(PROPERTY + columnKey(title.replace(/[^\x20-\x7e]/g, '')), field);
		}
	}
	return titles;
}

const COMPANY = COMPANY_WORDS.map(({ title, field, beside }) => ({
	key: columnKey(title),
	field,
	beside: beside.map((ones) => ones.map(columnKey)),
}));

/** The same, with words that mean a field only beside certain others. @param keys of all titles */
export function titlesAmong(keys: ReadonlySet<string>, titles: Titles): Titles {
	const found = COMPANY.filter(
		({ key, beside }) => keys.has(key) && beside.every((ones) => ones.some((one) => keys.has(one))),
	);
	if (found.length === 0) return titles;
	const fields = new Map([...titles.values()].map((field) => [field.name, field]));
	return new Map([...titles, ...found.map(({ key, field }) => [key, fields.get(field)!] as const)]);
}

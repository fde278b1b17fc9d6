/** What the columns of a sheet are called: which field a title means. */
import { COMPANY_WORDS, HEADINGS, namesOf } from './headings';

/** The number of its row, which spreadsheet nodes put beside the cells. */
export const ROW_NUMBER = 'row_number';

/** A field as an item's column may name it. */
export interface ColumnField {
	/** The service's own name, under which the value goes out. */
	name: string;
	label: string;
	/** What lists call it, where that is another name. */
	shownAs?: readonly string[];
}

/** What is no part of a title: accents and what has no width, notes in brackets, and what stands between words and around them. */
const NO_PART = [
	/[\p{M}\p{Cf}]/gu,
	/\([^()]*\)|\[[^[\]]*\]/g,
	/[\s_*:"'`\u00b4\u2018-\u201e\u00ab\u00bb\u2010-\u2015-]/g,
];

/** No title of a field is longer. */
const LONGEST_TITLE = 200;

/**
 * Column titles are the same whatever their case, accents, spaces, hyphens, underscores and quotes, and whatever stands in brackets, or
 * says that a form requires the field.
 */
export function columnKey(title: string): string {
	const plain = title.slice(0, LONGEST_TITLE).normalize('NFKD').toLowerCase().replaceAll('\u0131', 'i');
	return NO_PART.reduce((key, pattern) => key.replace(pattern, ''), plain);
}

/**
 * What n8n's Notion node puts before the names of a page's properties. Up to version 2.2 it leaves letters with accents out of them
 * (read in n8n-nodes-base 2.41.1): the keys of such titles stand among the others, with the word before them.
 */
export const PROPERTY = 'property_';

/** Fields by the keys of their titles. */
export type Titles = ReadonlyMap<string, ColumnField>;

/** Whether a title is what the service or the editor calls the field, and not only what others call it. */
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

/** The same, with the words that mean a field in the company of others. @param keys of all titles */
export function titlesAmong(keys: ReadonlySet<string>, titles: Titles): Titles {
	const found = COMPANY.filter(
		({ key, beside }) => keys.has(key) && beside.every((ones) => ones.some((one) => keys.has(one))),
	);
	if (found.length === 0) return titles;
	const fields = new Map([...titles.values()].map((field) => [field.name, field]));
	return new Map([...titles, ...found.map(({ key, field }) => [key, fields.get(field)!] as const)]);
}

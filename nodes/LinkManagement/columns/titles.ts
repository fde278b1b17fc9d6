/** What the titles of columns mean: the words of data/titles.json, which docs/columns.md lists. */
import type { Parser } from '../run/request';
import data from './data/titles.json';

/** The field that holds the row number, which spreadsheet nodes add. */
export const ROW_NUMBER = 'row_number';

/** A field that a column may hold, and its parser. */
export interface Column {
	/** The service's name, under which the value is sent. */
	name: string;
	label: string;
	/** Other names in the service's answers. */
	shownAs?: readonly string[];
	description: string;
	parser: Parser;
	/** It adds a parameter to the long URL of its row. */
	isUtm?: true;
}

/** What a title means. `isShared`: other sheets than those of links use it, too. */
export interface Meaning {
	column: Column;
	isShared: boolean;
}

/** Field → `own` or `shared` → language → titles. Those under `api` count as they are spelled: they are words of other sheets, too. */
export const TITLES = data.fields as Record<string, Partial<Record<'own' | 'shared', Record<string, string[]>>>>;

/** What titles are compared without: accents, invisible characters and separators. */
const NOT_COMPARED = /[\p{M}\p{Cf}\s_*:"'`\u00b4\u2018-\u201e\u00ab\u00bb\u2010-\u2015-]/gu;
/** The longest title of a field. */
const LONGEST_TITLE = 200;

/** The key of a title: titles are compared without case, accents, spaces, hyphens, underscores, quotes, `*` and `:`. */
export function columnKey(title: string): string {
	const plain = title.slice(0, LONGEST_TITLE).normalize('NFKD').toLowerCase();
	return plain.replaceAll('\u0131', 'i').replace(NOT_COMPARED, '');
}

const userKeys = new Set([...Object.values(data.users).flat()].map(columnKey));

/** Whether a title is that of a column for the names of users. */
export function isUser(title: string): boolean {
	return userKeys.has(columnKey(title));
}

/** The prefix that n8n's Notion node puts before the names of properties. */
export const PROPERTY = 'property_';

/** Whether a title is the service's or the editor's name of the field, not one of other services. */
export function isOwnName(title: string, { name, label, shownAs = [] }: Column): boolean {
	return [name, label, ...shownAs].some((own) => columnKey(own) === columnKey(title));
}

/** The meanings of all titles. */
export class Titles {
	private readonly byKey = new Map<string, Meaning>();
	private readonly exact = new Map<string, Meaning>();

	constructor(readonly columns: readonly Column[]) {
		for (const column of columns)
			for (const [kind, byLanguage] of Object.entries(TITLES[column.name])) {
				const meaning = { column, isShared: kind === 'shared' };
				const { api = [], ...languages } = byLanguage;
				for (const title of api) this.exact.set(title, meaning);
				for (const title of Object.values(languages).flat()) {
					this.byKey.set(columnKey(title), meaning);
					// Up to version 2.2, that node drops letters with accents from them (read in n8n-nodes-base 2.41.1).
					this.byKey.set(PROPERTY + columnKey(title.replace(/[^\x20-\x7e]/g, '')), meaning);
				}
			}
	}

	columnNamed(name: string): Column | undefined {
		return this.columns.find((column) => column.name === name);
	}

	meaningOf(title: string): Meaning | undefined {
		const isProperty = title.startsWith(PROPERTY);
		const own = isProperty ? title.slice(PROPERTY.length) : title;
		const key = columnKey(own);
		return this.exact.get(own) ?? this.byKey.get(key) ?? (isProperty ? this.byKey.get(PROPERTY + key) : undefined);
	}
}

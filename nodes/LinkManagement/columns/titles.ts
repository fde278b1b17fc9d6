/** What the titles of columns mean: the words of data/titles.json, in four grades (interface of Create or Update, docs/operations.md). */
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
	/** Of a choice: its values. */
	words?: readonly string[];
}

/**
 * How sure it is what a title means. `sure`: nothing else. `usual`: an address, in other sheets than those of links, too. `likely`: it
 * counts in a sheet of links. `other`: it may be meant, and is not read.
 */
export type Grade = 'sure' | 'usual' | 'likely' | 'other';

export interface Meaning {
	column: Column;
	grade: Grade;
}

/** Field → grade → language → titles. */
export const TITLES = data.fields as Record<string, Partial<Record<Grade, Record<string, string[]>>>>;

/** Titles of tools that build UTM parameters → the columns that they mean. */
export const UTM_BUILDERS: Readonly<Record<string, string>> = data.utmBuilders;

/** An export of another service. */
interface Export {
	service: string;
	/** With this word, columns that are all of the export are one, too. */
	word?: string;
	/** There is one title of each of these in it. */
	signature: string[][];
	/** Its titles, as it spells them → the fields that they mean; an empty name for none. */
	columns: Record<string, string>;
}

export const EXPORTS = data.exports as unknown as Export[];

/** Titles that people gave columns of users' names. */
export const USERS = data.users;

/** What titles are compared without: accents, invisible characters and separators. */
const NO_PART = [/[\p{M}\p{Cf}]/gu, /[\s_*:"'`\u00b4\u2018-\u201e\u00ab\u00bb\u2010-\u2015-]/g];

/** The longest title of a field. */
const LONGEST_TITLE = 200;

function plainKey(text: string): string {
	const plain = text.slice(0, LONGEST_TITLE).normalize('NFKD').toLowerCase().replaceAll('\u0131', 'i');
	return NO_PART.reduce((key, pattern) => key.replace(pattern, ''), plain);
}

const NOTES = new Set([...data.notes].map(plainKey));
/** A bracket at the end of a title. */
const BRACKET = /^([^()[\]]+)[([]([^()[\]]*)[)\]][\s*:]*$/;
const LONGEST_VALUE = /^max\.?\s?\d{1,4}\b/i;

/**
 * The key of a title: titles are compared without case, accents, spaces, hyphens, underscores, quotes, marks of required fields, and
 * notes about filling in. Any other bracket makes another title.
 */
export function columnKey(title: string): string {
	const [, before = '', note = ''] = BRACKET.exec(title.slice(0, LONGEST_TITLE).trim()) ?? [];
	return plainKey(NOTES.has(plainKey(note)) || LONGEST_VALUE.test(note.trim()) ? before : title);
}

/**
 * The prefix that n8n's Notion node puts before the names of properties. Up to version 2.2 it drops letters with accents from them
 * (read in n8n-nodes-base 2.41.1): such keys are included, with the prefix.
 */
export const PROPERTY = 'property_';

/** Whether a title is the service's or the editor's name of the field, not one of other services. */
export function isOwnName(title: string, { name, label, shownAs = [] }: Column): boolean {
	return [name, label, ...shownAs].some((own) => columnKey(own) === columnKey(title));
}

/** The meanings of all titles. */
export class Titles {
	/** The service's names count in their own spelling. */
	private readonly exact = new Map<string, Meaning>();
	private readonly byKey = new Map<string, Meaning>();
	private readonly byName: ReadonlyMap<string, Column>;

	constructor(readonly columns: readonly Column[]) {
		this.byName = new Map(columns.map((column) => [column.name, column]));
		for (const column of columns) {
			for (const [grade, byLanguage] of Object.entries(TITLES[column.name] ?? {}))
				for (const title of Object.values(byLanguage).flat()) this.add(title, { column, grade: grade as Grade });
			for (const title of [column.label, ...(column.shownAs ?? [])])
				if (!this.byKey.has(columnKey(title))) this.add(title, { column, grade: 'sure' });
			const own = this.byKey.get(columnKey(column.name));
			this.exact.set(column.name, { column, grade: own === undefined || own.grade === 'other' ? 'sure' : own.grade });
		}
	}

	private add(title: string, meaning: Meaning): void {
		this.byKey.set(columnKey(title), meaning);
		const plain = PROPERTY + columnKey(title.replace(/[^\x20-\x7e]/g, ''));
		if (meaning.grade !== 'other' && !this.byKey.has(plain)) this.byKey.set(plain, meaning);
	}

	columnNamed(name = ''): Column | undefined {
		return this.byName.get(name);
	}

	meaningOf(title: string): Meaning | undefined {
		const isProperty = title.startsWith(PROPERTY);
		const own = isProperty ? title.slice(PROPERTY.length) : title;
		const key = columnKey(own);
		return this.exact.get(own) ?? this.byKey.get(key) ?? (isProperty ? this.byKey.get(PROPERTY + key) : undefined);
	}

	/** Whether a title means a field by itself. */
	isKnown(title: string): boolean {
		const grade = this.meaningOf(title)?.grade;
		return grade === 'sure' || grade === 'usual';
	}
}

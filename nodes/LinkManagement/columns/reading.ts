/** Decides which columns of a sheet are read, and as what. */
import { type Column, columnKey, EXPORTS, type Meaning, ROW_NUMBER, type Titles, USERS, UTM_BUILDERS } from './titles';

/** The titles of a sheet, and what is known of their cells. */
export interface SheetTitles {
	all: readonly string[];
	/** Those with a cell that holds something. */
	filled: ReadonlySet<string>;
	/** Choices, with a cell that holds one of their words. */
	withWord: ReadonlySet<string>;
}

export interface Reading {
	/** Title → the field that it means. */
	read: ReadonlyMap<string, Column>;
	/** Likely titles that may mean something else here. */
	left: readonly string[];
	/** How these are read. */
	cures: readonly string[];
}

/** Columns that this package's items and examples write beside those of a sheet. */
const WRITTEN = new Set(['shorturl', 'result', 'action', 'error', 'id', 'existing', ROW_NUMBER].map(columnKey));

/** The fewest columns by which an export is recognized without its signature. */
const FEWEST = 3;

const userKeys = new Set([...USERS].map(columnKey));
const builders = new Map([...Object.entries(UTM_BUILDERS)].map(([title, name]) => [columnKey(title), name]));

/** The words of the export that a sheet is: by its signature, or since every filled column is one of that export's. */
export function exportWords({ all, filled }: Omit<SheetTitles, 'withWord'>): ReadonlyMap<string, string> {
	const own = all.filter((title) => filled.has(title) && !WRITTEN.has(columnKey(title)));
	const found = EXPORTS.find(({ word, signature, columns }) => {
		const isSigned = signature.every((ones) => ones.some((one) => all.includes(one)));
		const hasWord = word !== undefined && own.includes(word) && own.length >= FEWEST;
		return isSigned || (hasWord && own.every((title) => Object.hasOwn(columns, title)));
	});
	return new Map(Object.entries(found?.columns ?? {}));
}

/** What each title means in its sheet; those that mean nothing are left out. */
function meaningsOf(sheet: SheetTitles, titles: Titles): Array<[title: string, Meaning]> {
	const words = exportWords(sheet);
	const isBuilt = sheet.all.filter((title) => builders.has(columnKey(title))).length > 1;
	return sheet.all.flatMap((title) => {
		const own = words.get(title) ?? (isBuilt ? builders.get(columnKey(title)) : undefined);
		const column = titles.columnNamed(own);
		const meaning = own === undefined ? titles.meaningOf(title) : column && { column, grade: 'sure' as const };
		return meaning === undefined || meaning.grade === 'other' ? [] : [[title, meaning]];
	});
}

export function readingOf(sheet: SheetTitles, titles: Titles): Reading {
	const meanings = meaningsOf(sheet, titles);
	const makesLinks = ([, { column, grade }]: (typeof meanings)[number]) =>
		grade === 'sure' && (column.name === 'url' || column.name === 'custom');
	const isOfLinks = meanings.some(makesLinks);
	const user = sheet.all.find((title) => userKeys.has(columnKey(title)));
	const hasAddress = meanings.some(([title, { column }]) => column.name === 'url' && columnKey(title) !== 'url');
	const read = new Map<string, Column>();
	const doubtful: string[] = [];
	const besideUser: string[] = [];
	for (const [title, { column, grade }] of meanings) {
		const isWordless = column.words !== undefined && !sheet.withWord.has(title);
		// Another column with an address says more than a bare URL.
		if ((grade === 'likely' && isWordless) || (hasAddress && columnKey(title) === 'url')) continue;
		if (grade === 'likely' && column.name === 'password' && user !== undefined) besideUser.push(title);
		else if (grade === 'likely' && !isOfLinks) doubtful.push(title);
		else read.set(title, column);
	}
	const cures = [
		...(doubtful.length === 0
			? []
			: [
					`Left alone, since they may mean something else here: ${doubtful.join(', ')}. To have them read, name the column of addresses Long URL, or map the columns by hand.`,
				]),
		...besideUser.map((title) => `Left alone beside ${user}: ${title}. To have it read, map the columns by hand.`),
	];
	return { read, left: [...doubtful, ...besideUser], cures };
}

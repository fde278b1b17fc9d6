/** Finds the columns of a sheet in its items, and the fields that they mean. */
import type { IDataObject } from 'n8n-workflow';

import { type Column, type Meaning, PROPERTY, ROW_NUMBER, type Titles } from './titles';
import { LONGEST } from '../fields/lengths';
import { checkEncoding, quoted, visibleText } from '../fields/parsers';
import { labelled } from '../run/request';
import { listed, ValueError } from '../service/answer/errors';
import { isNothing, isRecord } from '../service/records';
import { exportWords, type Reading, readingOf } from './reading';
import { whyUnknown } from './unreadColumns';

/** The columns of an item; `from` is the name of the object that holds them, if it is not the item itself. */
interface Columns {
	cells: IDataObject;
	from?: string;
	/** No column means a field. */
	isUnknown?: true;
}

const rawPage = () =>
	new ValueError(
		'The item is a Notion page as Notion sends it',
		'Turn on Simplify in the Notion node: the properties of the page become columns then.',
	);

/** Fields of a Notion page itself. */
const OF_PAGE = ['id', 'name', 'url'];

/** An item without the fields of the Notion page itself. */
function ofNotion(item: IDataObject): IDataObject {
	if (item.url === undefined || !Object.keys(item).some((name) => name.startsWith(PROPERTY))) return item;
	return Object.fromEntries(Object.entries(item).filter(([name]) => !OF_PAGE.includes(name)));
}

/** The error of a title that was read in the wrong encoding, if there is one. */
function wrongTitle(titles: readonly string[]): ValueError | undefined {
	try {
		for (const title of titles) labelled(`The title ${quoted(title)}`, () => checkEncoding(title));
		return undefined;
	} catch (error) {
		return error as ValueError;
	}
}

/** Most columns of a sheet: what has more is no sheet, but data with its values as names. */
export const MOST_COLUMNS = 1000;

/** How many entries of a list are looked at for columns. */
const MOST_LOOKED_AT = 20;

const tooManyColumns = () =>
	new ValueError(
		`The input has more than ${MOST_COLUMNS} columns`,
		'Keep the columns of the links, with an Edit Fields node before this one.',
	);

/** The word in a cell of a choice. */
function wordIn(value: unknown): string {
	return visibleText(typeof value === 'string' ? value.slice(0, LONGEST.alias) : value).toLowerCase();
}

/** A cell: the title of its column, and its value. */
export interface Cell {
	title: string;
	value: unknown;
}

/** The columns of a run: those of all items together, since readers of files leave out empty cells. */
export class SheetColumns {
	/** Their titles. */
	readonly all: readonly string[];
	/** The names of the objects that hold them. */
	readonly from: readonly string[];
	/** Why the columns can't be read. */
	readonly problem?: ValueError;
	private wrong?: ValueError;
	private readonly reading: Reading;
	private readonly meanings = new Map<string, Meaning | undefined>();

	constructor(
		private readonly items: readonly IDataObject[],
		private readonly titles: Titles,
	) {
		const from = new Set<string>();
		const [known, unknown, filled, withWord] = Array.from({ length: 4 }, () => new Set<string>());
		for (const item of items) {
			// Each row reports its own problem.
			const columns = this.columnsOf(item);
			if (columns instanceof ValueError) {
				this.problem ??= columns;
				continue;
			}
			for (const [title, value] of Object.entries(columns.cells).slice(0, MOST_COLUMNS + 1)) {
				(columns.isUnknown ? unknown : known).add(title);
				if (!filled.has(title) && !isNothing(value)) filled.add(title);
				if (this.meaningOf(title)?.column.words?.includes(wordIn(value))) withWord.add(title);
			}
			if (columns.from !== undefined) from.add(columns.from);
			if (known.size + unknown.size <= MOST_COLUMNS) continue;
			this.wrong = tooManyColumns();
			break;
		}
		// If columns are one level down, fields beside their object are not columns.
		const all = from.size === 0 ? new Set([...known, ...unknown]) : known;
		all.delete(ROW_NUMBER);
		this.all = [...all];
		this.from = [...from];
		this.reading = readingOf({ all: this.all, filled, withWord }, titles);
		this.wrong ??= wrongTitle(this.all);
		this.problem ??= this.wrong;
	}

	/** Title → the field that it means, of those that are read. */
	get read(): ReadonlyMap<string, Column> {
		return this.reading.read;
	}

	/** How columns are read that may mean something else. */
	get cures(): readonly string[] {
		return this.reading.cures;
	}

	/**
	 * Name of a field → the cells of an item that mean it.
	 *
	 * @throws ValueError if two objects in the item have columns, or if its rows are in a list
	 */
	cellsOf(item: IDataObject): Map<string, Cell[]> {
		const columns = this.wrong ?? this.columnsOf(item);
		if (columns instanceof ValueError) throw columns;
		const byField = new Map<string, Cell[]>();
		for (const [title, value] of Object.entries(columns.cells)) {
			const name = this.read.get(title)?.name;
			if (name === undefined) continue;
			const cells = byField.get(name);
			if (cells === undefined) byField.set(name, [{ title, value }]);
			else cells.push({ title, value });
		}
		return byField;
	}

	/** Names the columns that are ignored, and the fields that they may mean; undefined if there are none. */
	ignored(): string | undefined {
		const { read, left } = this.reading;
		const offered = new Set(read.values());
		const ignored = this.all.filter((title) => !read.has(title) && !left.includes(title));
		const named = ignored.map((title) => {
			const { column, grade } = this.meaningOf(title) ?? {};
			if (column === undefined || offered.has(column)) return title;
			if (grade === 'other') return `${title} (did you mean ${column.label}?)`;
			return column.words === undefined ? title : `${title} (no cell says ${column.words.join(', ')})`;
		});
		return named.length === 0 ? undefined : `Columns ignored: ${listed(named, 12)}.`;
	}

	/** The error of a sheet in which no column means a field. */
	unknown(): ValueError {
		return whyUnknown(this.all, this.items, this.titles);
	}

	/** What a title means by itself. Kept, since each item repeats the titles. */
	private meaningOf(title: string): Meaning | undefined {
		if (!this.meanings.has(title)) this.meanings.set(title, this.titles.meaningOf(title));
		return this.meanings.get(title);
	}

	private isRecognized(cells: unknown): cells is IDataObject {
		if (!isRecord(cells)) return false;
		const titles = Object.keys(cells).slice(0, MOST_COLUMNS + 1);
		const isKnown = (title: string) => ['sure', 'usual'].includes(this.meaningOf(title)?.grade ?? '');
		return titles.some(isKnown) || exportWords({ all: titles, filled: new Set() }).size > 0;
	}

	/** The columns of an item: its own, or those of the one object in it that has some; or the error if they can't be told. */
	private columnsOf(item: IDataObject): Columns | ValueError {
		if (item.object === 'page' && isRecord(item.properties)) return rawPage();
		const own = ofNotion(item);
		if (this.isRecognized(own)) return { cells: own };
		const entries = Object.entries(item);
		const [first, second] = entries.filter(([, value]) => this.isRecognized(value));
		if (second !== undefined) {
			return new ValueError(
				`Both "${first[0]}" and "${second[0]}" hold columns that are recognized`,
				'Remove one of the two, or set Mapping Column Mode to Map Each Column Manually.',
			);
		}
		if (first !== undefined) return { cells: first[1] as IDataObject, from: first[0] };
		const list = entries.find(
			([, value]) =>
				Array.isArray(value) && value.slice(0, MOST_LOOKED_AT).some((one: unknown) => this.isRecognized(one)),
		);
		if (list === undefined) return { cells: own, isUnknown: true };
		return new ValueError(
			`The rows are in a list, in "${list[0]}"`,
			`Add a Split Out node before this one, with ${list[0]} under Fields To Split Out.`,
		);
	}
}

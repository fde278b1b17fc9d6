/** Finds the columns of a sheet in its items, and the fields that they mean, in three sentences (docs/columns.md). */
import type { IDataObject } from 'n8n-workflow';

import { checkEncoding, quoted } from '../fields/parsers';
import { labelled } from '../run/request';
import { listed, ValueError } from '../service/answer/errors';
import { isRecord } from '../service/records';
import { type Column, isUser, type Meaning, PROPERTY, ROW_NUMBER, type Titles } from './titles';

/** Most columns of a sheet: what has more is no sheet, but data with its values as names. */
const MOST_COLUMNS = 1000;

/** The objects in an item that may hold its columns: those of Airtable, FileMaker, webhooks and models. */
const HOLDERS = ['fields', 'fieldData', 'body', 'output'];

/** A cell: the title of its column, and its value. */
export interface Cell {
	title: string;
	value: unknown;
}

/** The cells of each field. @param fieldOf gives the name of the field that a cell means, if any */
export function cellsByField(
	cells: IDataObject,
	fieldOf: (title: string, value: unknown) => string | undefined,
): Map<string, Cell[]> {
	const byField = new Map<string, Cell[]>();
	for (const [title, value] of Object.entries(cells)) {
		const field = fieldOf(title, value);
		if (field !== undefined) byField.set(field, [...(byField.get(field) ?? []), { title, value }]);
	}
	return byField;
}

/** The columns of a run: those of all items together, since readers of files leave out empty cells. */
export class SheetColumns {
	/** The titles of the columns. */
	readonly all: readonly string[];
	/** The names of the objects that hold them. */
	readonly from: readonly string[];
	/** Title → the field that it means. */
	readonly read = new Map<string, Column>();
	/** Titles that mean a field in a sheet of links, and not in this one; passwords beside the names of users; titles that mean nothing. */
	readonly doubtful: string[] = [];
	readonly besideUser: string[] = [];
	readonly ignored: string[] = [];
	private readonly meanings = new Map<string, Meaning | undefined>();

	constructor(
		items: readonly IDataObject[],
		private readonly titles: Titles,
	) {
		const [all, from] = [new Set<string>(), new Set<string>()];
		for (const item of items) {
			const [cells, holder] = this.holderOf(item);
			for (const title of Object.keys(cells).slice(0, MOST_COLUMNS + 2)) all.add(title);
			if (holder !== undefined) from.add(holder);
			if (all.size > MOST_COLUMNS + 1) break;
		}
		all.delete(ROW_NUMBER);
		[this.all, this.from] = [[...all], [...from]];
		const hasUser = this.all.some(isUser);
		const meant = this.all.map((title): Partial<Meaning> & { title: string } => ({ title, ...this.meaningOf(title) }));
		const isOwn = (field: string) => meant.some(({ column, isShared }) => column?.name === field && !isShared);
		const isOfLinks = isOwn('url') || isOwn('custom');
		for (const { title, column, isShared } of meant) {
			if (column === undefined) this.ignored.push(title);
			else if (isShared && hasUser && column.name === 'password') this.besideUser.push(title);
			else if (isShared && !isOfLinks && column.name !== 'url') this.doubtful.push(title);
			else this.read.set(title, column);
		}
	}

	/** Name of a field → the cells of an item that mean it. @throws ValueError if the titles can't be read, or are too many */
	cellsOf(item: IDataObject): Map<string, Cell[]> {
		if (this.all.length > MOST_COLUMNS)
			throw new ValueError(
				`The input has more than ${MOST_COLUMNS} columns`,
				'Keep the columns of the links, with an Edit Fields node before this one.',
			);
		const broken = this.all.find((title) => title.includes('\ufffd'));
		if (broken !== undefined) labelled(`The title ${quoted(broken)}`, () => checkEncoding(broken));
		return cellsByField(this.holderOf(item)[0], (title) => this.read.get(title)?.name);
	}

	/** The error of a sheet of which no column is read. */
	get unread(): ValueError | undefined {
		if (this.read.size > 0) return undefined;
		const named = this.all.length === 0 ? 'has no columns' : `has no column that is read: ${listed(this.all, 12)}`;
		return new ValueError(
			`The input ${named}`,
			'Name the columns "Long URL", "Alias" or "Short URL", or set Mapping Column Mode to Map Each Column Manually. In the node that reads the file, set the header row and the delimiter. For rows in a list, add a Split Out node before this one. For pages of Notion, turn on Simplify in the Notion node.',
		);
	}

	/** What a title means by itself. Kept, since each item repeats the titles. */
	private meaningOf(title: string): Meaning | undefined {
		if (!this.meanings.has(title)) this.meanings.set(title, this.titles.meaningOf(title));
		return this.meanings.get(title);
	}

	/** The object that holds the columns of an item, and its name if it is not the item itself. */
	private holderOf(item: IDataObject): [cells: IDataObject, name?: string] {
		// A page of Notion has an address of its own beside its properties.
		const properties =
			item.url === undefined ? [] : Object.entries(item).filter(([title]) => title.startsWith(PROPERTY));
		if (properties.length > 0) return [Object.fromEntries(properties)];
		const name = this.hasColumns(item) ? undefined : HOLDERS.find((one) => this.hasColumns(item[one]));
		return name === undefined ? [item] : [item[name] as IDataObject, name];
	}

	private hasColumns(cells: unknown): boolean {
		return isRecord(cells) && Object.keys(cells).some((title) => this.meaningOf(title) !== undefined);
	}
}

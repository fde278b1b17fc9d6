/** Finds the columns of a sheet in its items, and the fields that they mean. */
import type { IDataObject } from 'n8n-workflow';

import { ValueError } from '../service/errors';
import { isRecord } from '../service/records';
import { columnKey, PROPERTY, ROW_NUMBER, titlesAmong, type ColumnField, type Titles } from './columnNames';
import { HEADINGS } from './headings';
import { delimiterIn, encodingOf, whyUnknown } from './unreadColumns';

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

/** Most ignored columns that are named. */
const MOST_TITLES = 12;

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
	private readonly brokenTitle?: ValueError;
	private readonly titles: Titles;
	private readonly keys = new Map<string, string>();

	constructor(
		private readonly items: readonly IDataObject[],
		private readonly own: Titles,
	) {
		this.titles = own;
		const all = new Set<string>();
		const from = new Set<string>();
		const unknown = new Set<string>();
		let before: string[] = [];
		for (const item of items) {
			// Each row reports its own problem.
			const columns = this.reading(item);
			if (columns instanceof ValueError) {
				this.problem ??= columns;
				continue;
			}
			const own = Object.keys(columns.cells);
			// Most rows have the columns of the one before.
			if (own.length !== before.length || own.some((title, at) => title !== before[at]))
				own.forEach((title) => all.add(title));
			before = own;
			if (columns.from !== undefined) from.add(columns.from);
			if (columns.isUnknown) for (const title of own) unknown.add(title);
		}
		// If columns are one level down, fields beside their object are not columns.
		const isColumn = (title: string) => title !== ROW_NUMBER && (from.size === 0 || !unknown.has(title));
		this.all = [...all].filter(isColumn);
		this.from = [...from];
		this.titles = titlesAmong(this.keysOf(this.all), own);
		this.brokenTitle = this.all.map(encodingOf).find((error) => error !== undefined);
		this.problem ??= this.brokenTitle;
	}

	/** No column means a field. */
	get areUnknown(): boolean {
		return this.fields.size === 0;
	}

	/** Title → the field that it means. */
	get fields(): Map<string, ColumnField> {
		return new Map(
			this.all.flatMap((title) => {
				const field = this.fieldOf(title);
				return field === undefined ? [] : [[title, field] as const];
			}),
		);
	}

	/** The field that a title means, if any. */
	fieldOf(title: string): ColumnField | undefined {
		const key = this.keyOf(title);
		return this.titles.get(key) ?? (title.startsWith(PROPERTY) ? this.titles.get(PROPERTY + key) : undefined);
	}

	/**
	 * Name of a field → the cells of an item that mean it.
	 *
	 * @throws ValueError if two objects in the item have columns, or if its rows are in a list
	 */
	cellsOf(item: IDataObject): Map<string, Cell[]> {
		if (this.brokenTitle !== undefined) throw this.brokenTitle;
		const columns = this.reading(item);
		if (columns instanceof ValueError) throw columns;
		const byField = new Map<string, Cell[]>();
		for (const [title, value] of Object.entries(columns.cells)) {
			const name = this.fieldOf(title)?.name;
			if (name !== undefined) byField.set(name, [...(byField.get(name) ?? []), { title, value }]);
		}
		return byField;
	}

	/** Names the columns that are ignored, and similar fields; undefined if there are none. */
	ignored(): string | undefined {
		const ignored = this.all.filter((title) => this.fieldOf(title) === undefined);
		const more = ignored.length > MOST_TITLES ? ', …' : '';
		const named = ignored.slice(0, MOST_TITLES).map((title) => {
			if (delimiterIn(title, this.titles) !== undefined) return `${title} (several columns in one)`;
			const like = this.likeField(title);
			return like === undefined ? title : `${title} (did you mean ${like}?)`;
		});
		return ignored.length === 0 ? undefined : `Columns ignored: ${named.join(', ')}${more}.`;
	}

	/** The error of a sheet in which no column means a field. */
	unknown(): ValueError {
		return whyUnknown(this.all, this.items, this.titles);
	}

	/** The field that a title resembles, unless a column means it already. */
	private likeField(title: string): string | undefined {
		const taken = new Set([...this.fields.values()].map(({ name }) => name));
		const key = this.keyOf(title);
		const isMeant = ({ name }: ColumnField) => !taken.has(name) && HEADINGS[name]?.like?.test(key) === true;
		return [...this.titles.values()].find(isMeant)?.label;
	}

	/** The key of a title, without the prefix of n8n's Notion node. Cached, since each item repeats the titles. */
	private keyOf(title: string): string {
		const known = this.keys.get(title);
		if (known !== undefined) return known;
		const key = columnKey(title.startsWith(PROPERTY) ? title.slice(PROPERTY.length) : title);
		this.keys.set(title, key);
		return key;
	}

	private keysOf(titles: readonly string[]): Set<string> {
		return new Set(titles.map((title) => this.keyOf(title)));
	}

	private isRecognized(cells: unknown): cells is IDataObject {
		if (!isRecord(cells)) return false;
		const titles = Object.keys(cells);
		if (titles.some((title) => this.fieldOf(title) !== undefined)) return true;
		const keys = this.keysOf(titles);
		return titlesAmong(keys, this.own) !== this.own;
	}

	/** The columns of an item: its own, or those of the one object in it that has some; or the error if they can't be told. */
	private reading(item: IDataObject): Columns | ValueError {
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
			([, value]) => Array.isArray(value) && value.some((one: unknown) => this.isRecognized(one)),
		);
		if (list === undefined) return { cells: own, isUnknown: true };
		return new ValueError(
			`The rows are in a list, in "${list[0]}"`,
			`Add a Split Out node before this one, with ${list[0]} under Fields To Split Out.`,
		);
	}
}

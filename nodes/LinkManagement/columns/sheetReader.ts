/** Reads the rows of a sheet, from their columns or from a mapping by hand. */
import type { IDataObject, IExecuteSingleFunctions, ILoadOptionsFunctions } from 'n8n-workflow';

import { howToLeaveOut, isReference } from '../links/reference';
import { hostOf } from '../links/url';
import { allInputItems } from '../n8n/entries';
import { isTool, keptFor, runOf } from '../n8n/lifetimes';
import { holdsExpression, readParameter, savedParameter } from '../n8n/parameter';
import { checked, type Parsed, type RowRequest } from '../run/request';
import { together } from '../service/answer/advice';
import { checkAll, listed, ValueError } from '../service/answer/errors';
import { asText, isNothing, isRecord } from '../service/records';
import { noticeOf, readingInWords } from './notice';
import { type Cell, SheetColumns } from './sheetColumns';
import { type Column, isOwnName, Titles } from './titles';
import { addUtm } from './utm';

/** The fields that say which link a row means. */
const NAMING = new Set(['url', 'custom', 'shorturl']);

/** The cells of a row, once for all who ask. */
interface RowCells {
	byField: ReadonlyMap<string, readonly Cell[]>;
	/** The fields that the row itself fills: in a mapping, those with an expression. */
	fromRow: readonly string[];
	/** Those of them whose cells hold nothing. */
	empty: readonly string[];
	isByHand: boolean;
}

/** The values of a mapping by hand; undefined if columns are mapped automatically. */
function mappedByHand(context: IExecuteSingleFunctions): IDataObject | undefined {
	const parameter = readParameter(context, 'columns');
	const { mappingMode, value } = isRecord(parameter) ? parameter : {};
	if (mappingMode === 'autoMapInputData' || parameter === undefined) return undefined;
	return isRecord(value) ? value : {};
}

/** A cell that was read. */
interface ReadCell {
	title: string;
	value: Parsed;
}

/** A form of a value in which values of the same meaning are equal. */
const formOf = (value: unknown) => (isReference(value) && value.kind === 'host' ? hostOf(value.name) : asText(value));

/** The value of a field in a row. @throws ValueError if two of its columns differ */
function meantBy(cells: readonly ReadCell[], { label }: Column): Parsed {
	const [first, ...more] = cells;
	const other = more.find(({ value }) => formOf(value) !== formOf(first.value));
	if (other === undefined) return first?.value;
	throw new ValueError(
		`The columns "${first.title}" and "${other.title}" both mean ${label}, and differ`,
		'Make them the same, or remove one of the two columns.',
	);
}

export class SheetReader {
	private readonly titles: Titles;
	private readonly ofUtm: ReadonlySet<string>;

	/**
	 * @param columns fields of links, and the short URL, which names the link of a row
	 * @param utm columns that add parameters to the long URL of their row
	 */
	constructor(columns: readonly Column[], utm: readonly Column[]) {
		this.titles = new Titles([...columns, ...utm]);
		this.ofUtm = new Set(utm.map(({ name }) => name));
	}

	/** What the editor says about the columns of the input; undefined without input. */
	notice(context: ILoadOptionsFunctions): string | undefined {
		return noticeOf(context, this.titles);
	}

	/** A remark on how the columns were read, and which were ignored. */
	readonly remark = (context: IExecuteSingleFunctions): string | undefined => {
		// As saved, because an expression of the mapping may fail.
		const saved = savedParameter(context, 'columns');
		const isByHand = isRecord(saved) && saved.mappingMode !== 'autoMapInputData';
		return isTool(context) || isByHand ? undefined : readingInWords(this.sheetOf(context)).join(' ') || undefined;
	};

	/** The error of a run in which all rows are blank. */
	readonly errorIfAllBlank = (context: IExecuteSingleFunctions): ValueError => {
		const { all } = this.sheetOf(context);
		const [what, advice] = this.cellsIn(context).isByHand
			? ['a field that is mapped', 'Check the expressions under Columns.']
			: ['a column that is read', 'Check that the node before this one gives the cells.'];
		const named = all.length === 0 ? 'There are none' : `These came in: ${listed(all)}`;
		return new ValueError(`No row has a value in ${what}`, `${advice} ${named}.`);
	};

	/**
	 * Whether a row is blank: its cells are empty, or it has none of the columns that others have (a heading, for example): readers of
	 * files leave out empty cells.
	 *
	 * @throws ValueError if no row has a column that is read
	 */
	readonly isBlank = (context: IExecuteSingleFunctions): boolean => {
		if (isTool(context)) return false;
		const { fromRow, empty, isByHand } = this.cellsIn(context);
		if (fromRow.length > 0) return empty.length === fromRow.length;
		if (isByHand) return false;
		const sheet = this.sheetOf(context);
		if (sheet.read.size > 0) return true;
		throw sheet.unread();
	};

	/** The fields that have a column in the row, and nothing in it. */
	readonly emptyFields = (context: IExecuteSingleFunctions): readonly string[] => this.cellsIn(context).empty;

	/**
	 * Reads and checks the columns of a row, and puts them into its request.
	 *
	 * @throws ValueError that names the columns
	 */
	readonly read = (request: RowRequest, context: IExecuteSingleFunctions): void => {
		const row = this.cellsIn(context);
		const utm = new Map<string, string>();
		const read = (column: Column) => () => {
			const value = meantBy(this.readCells(context, row, column), column);
			if (value === undefined) return;
			if (column.name === 'shorturl') request.shortUrl = asText(value);
			else if (this.ofUtm.has(column.name)) utm.set(column.name, asText(value));
			else request.body[column.name] = value;
		};
		checkAll(...this.titles.columns.map(read));
		this.checkNamed(request, context);
		addUtm(request, utm);
	};

	/** @throws ValueError for a row that names no link */
	private checkNamed({ body, shortUrl }: RowRequest, context: IExecuteSingleFunctions): void {
		if (body.url !== undefined || body.custom !== undefined || shortUrl !== undefined) return;
		const { isByHand } = this.cellsIn(context);
		if (isTool(context) && !isByHand)
			throw new ValueError('This tool has no arguments for columns', 'Only the owner of this tool can mend that.');
		const advice = isByHand
			? 'Map at least one of the two.'
			: 'Fill in at least one of the two, or name the columns of the sheet "Long URL" and "Alias".';
		throw isTool(context)
			? new ValueError(
					'Neither a long URL nor an alias was given',
					'Pass the long URL of a new link, or the alias of a link to update.',
				)
			: new ValueError('The row has neither a Long URL nor an Alias', advice);
	}

	/** The columns of the run. */
	private sheetOf(context: IExecuteSingleFunctions): SheetColumns {
		return keptFor(runOf(context), 'columns', () => new SheetColumns(allInputItems(context), this.titles));
	}

	private cellsIn(context: IExecuteSingleFunctions): RowCells {
		return keptFor(context, 'cells', () => {
			const mapped = mappedByHand(context);
			const byField =
				mapped === undefined ? this.sheetOf(context).cellsOf(context.getInputData().json) : this.mapped(mapped);
			const saved = savedParameter(context, 'columns');
			const expressions = isRecord(saved) && isRecord(saved.value) ? saved.value : {};
			const isFromRow = (cells: readonly Cell[]) =>
				mapped === undefined || cells.some(({ title }) => holdsExpression(expressions[title]));
			const fromRow = [...byField].flatMap(([name, cells]) => (isFromRow(cells) ? [name] : []));
			const isEmpty = (name: string) => byField.get(name)!.every((cell) => this.isEmptyCell(cell, name));
			return { byField, fromRow, empty: fromRow.filter(isEmpty), isByHand: mapped !== undefined };
		});
	}

	/** Whether a cell is empty, or says so. */
	private isEmptyCell({ value }: Cell, field: string): boolean {
		return this.titles.columnNamed(field)!.parser.isNothing?.(value) ?? isNothing(value);
	}

	/** The cells of a mapping by hand. @throws ValueError for a key that means no field */
	private mapped(values: IDataObject): Map<string, Cell[]> {
		const byField = new Map<string, Cell[]>();
		for (const [title, value] of Object.entries(values)) {
			const column = this.titles.columnNamed(title) ?? this.titles.meaningOf(title)?.column;
			if (column !== undefined) {
				const cells = byField.get(column.name) ?? [];
				cells.push({ title, value });
				byField.set(column.name, cells);
			} else if (value !== null)
				throw new ValueError(
					`Columns maps "${title}", which is no field`,
					`Use one of ${this.titles.columns.map(({ name }) => name).join(', ')}.`,
				);
		}
		return byField;
	}

	/** The parsed cells of a field. @throws ValueError */
	private readCells(context: IExecuteSingleFunctions, { byField, isByHand }: RowCells, column: Column): ReadCell[] {
		const { name, label, parser } = column;
		const filled = (byField.get(name) ?? []).filter((cell) => !this.isEmptyCell(cell, name));
		return filled.map(({ title, value }) => {
			const isOther = !isOwnName(title, column);
			const shown = isOther ? `${title} (${label})` : filled.length > 1 ? title : label;
			try {
				const origin = isByHand ? { mode: 'mapped' } : { mode: 'column', column: title };
				return { title, value: checked(context, shown, value, parser, origin) };
			} catch (error) {
				const isMeant = isByHand || (NAMING.has(name) && !isOther) || !(error instanceof ValueError);
				throw isMeant ? error : error.with({ advice: together(error.advice, howToLeaveOut(title)) });
			}
		});
	}
}

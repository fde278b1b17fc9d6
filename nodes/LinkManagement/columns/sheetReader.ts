/** Reads the rows of a sheet, from their columns or from a mapping by hand. */
import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { howToLeaveOut, isReference } from '../links/reference';
import { hostOf } from '../links/url';
import { allInputItems } from '../n8n/entries';
import { keptFor, runOf } from '../n8n/lifetimes';
import { holdsExpression, readParameter, savedParameter } from '../n8n/parameter';
import { checked, type Parsed, type RowRequest } from '../run/request';
import { checkAll, ValueError, withAdvice } from '../service/answer/errors';
import { asText, isRecord } from '../service/records';
import { readingInWords } from './notice';
import { type Cell, cellsByField, SheetColumns } from './sheetColumns';
import { type Column, isOwnName, Titles } from './titles';
import { addUtm } from './utm';

/** The fields that say which link a row means. */
const NAMING = new Set(['url', 'custom', 'shorturl']);

/** Whether columns are mapped by hand. @param columns the parameter */
const isByHand = (columns: unknown): columns is IDataObject =>
	isRecord(columns) && columns.mappingMode !== 'autoMapInputData';

/** A form of a value in which values of the same meaning are equal. */
const formOf = (value: unknown) => (isReference(value) && value.kind === 'host' ? hostOf(value.name) : asText(value));

/** What a cell says. @throws ValueError that also says how to leave out a column that may mean something else */
function readCell(context: IExecuteSingleFunctions, { title, value }: Cell, column: Column, isMapped: boolean): Parsed {
	const isOther = !isOwnName(title, column);
	try {
		const origin = isMapped ? { mode: 'mapped' } : { mode: 'column', column: title };
		return checked(context, isOther ? `${title} (${column.label})` : column.label, value, column.parser, origin);
	} catch (error) {
		const isMeant = isMapped || (NAMING.has(column.name) && !isOther);
		throw isMeant ? error : withAdvice(error, howToLeaveOut(title));
	}
}

/** The value of a field in a row. @throws ValueError if a cell can't be read, or two of its columns differ */
function meantBy(cells: readonly Cell[], { label }: Column, read: (cell: Cell) => Parsed): Parsed {
	const said = cells.map((cell) => ({ ...cell, value: read(cell) })).filter(({ value }) => value !== undefined);
	const other = said.find(({ value }) => formOf(value) !== formOf(said[0].value));
	if (other === undefined) return said[0]?.value;
	throw new ValueError(
		`The columns "${said[0].title}" and "${other.title}" both mean ${label}, and differ`,
		'Make them the same, or remove one of the two columns.',
	);
}

/** The error of a row that names no link. */
function namesNoLink(isMapped: boolean): ValueError {
	return new ValueError('There is neither a Long URL nor an Alias', {
		editor: `${isMapped ? 'Map' : 'Fill in'} at least one of the two.`,
		model: isMapped
			? 'Pass the long URL of a new link, or the alias of a link to update.'
			: 'This tool has no arguments for them: only its owner can mend that.',
	});
}

export class SheetReader {
	readonly titles: Titles;

	/** @param columns the fields of links, and the short URL, which names the link of a row */
	constructor(columns: readonly Column[]) {
		this.titles = new Titles(columns);
	}

	/** A remark on how the columns were read, and which were ignored. */
	readonly remark = (context: IExecuteSingleFunctions): string | undefined => {
		if (isByHand(savedParameter(context, 'columns'))) return undefined;
		return readingInWords(this.sheetOf(context)).join(' ') || undefined;
	};

	/**
	 * Puts what the columns of a row say into its request. A row is blank if all its cells are empty, or if it has none of the columns
	 * that others have (a heading, for example): readers of files leave out empty cells.
	 *
	 * @throws ValueError that names the columns
	 */
	readonly read = (request: RowRequest, context: IExecuteSingleFunctions): void => {
		const { byField, fromRow, isMapped } = this.cellsIn(context);
		const empty = new Set(fromRow);
		const utm = new Map<string, string>();
		const read = (column: Column) => () => {
			const cells = byField.get(column.name) ?? [];
			const value = meantBy(cells, column, (cell) => readCell(context, cell, column, isMapped));
			if (value === undefined) return;
			empty.delete(column.name);
			if (column.name === 'shorturl') request.shortUrl = asText(value);
			else if (column.isUtm) utm.set(column.name, asText(value));
			else request.body[column.name] = value;
		};
		checkAll(...this.titles.columns.map(read));
		request.emptyFields = [...empty];
		request.isBlank = !request.isByModel && empty.size === fromRow.length && (empty.size > 0 || !isMapped);
		if (request.isBlank) {
			const unread = isMapped ? undefined : this.sheetOf(context).unread;
			if (unread !== undefined) throw unread;
			return;
		}
		const { body, shortUrl } = request;
		if (body.url === undefined && body.custom === undefined && shortUrl === undefined) throw namesNoLink(isMapped);
		addUtm(request, utm);
	};

	/** The columns of the run. */
	private sheetOf(context: IExecuteSingleFunctions): SheetColumns {
		return keptFor(runOf(context), 'columns', () => new SheetColumns(allInputItems(context), this.titles));
	}

	/** The cells of a row, by field. `fromRow`: the fields that the row itself fills, in a mapping those with an expression. */
	private cellsIn(context: IExecuteSingleFunctions) {
		// As saved, because the mode has no expression.
		const saved = savedParameter(context, 'columns');
		if (!isByHand(saved)) {
			const byField = this.sheetOf(context).cellsOf(context.getInputData().json);
			return { byField, fromRow: [...byField.keys()], isMapped: false };
		}
		const { value } = readParameter(context, 'columns') as IDataObject;
		const byField = cellsByField(isRecord(value) ? value : {}, (title, cell) => this.fieldMapped(title, cell));
		const expressions = isRecord(saved.value) ? saved.value : {};
		const isFromRow = ([, cells]: [string, Cell[]]) => cells.some(({ title }) => holdsExpression(expressions[title]));
		return { byField, fromRow: [...byField].filter(isFromRow).map(([field]) => field), isMapped: true };
	}

	/** The field that a key of a mapping by hand means. @throws ValueError for a value without one */
	private fieldMapped(title: string, value: unknown): string | undefined {
		const column = this.titles.columnNamed(title) ?? this.titles.meaningOf(title)?.column;
		if (column !== undefined || value === null) return column?.name;
		throw new ValueError(
			`Columns maps "${title}", which is no field`,
			`Use one of ${this.titles.columns.map(({ name }) => name).join(', ')}.`,
		);
	}
}

/** Reads the row of a sheet, from its columns or from a mapping by hand. */
import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { newAlias } from '../../fields/addresses';
import { isOwnName } from '../../fields/columnNames';
import { SheetColumns, type Cell } from '../../fields/sheetColumns';
import type { ShortUrlCell } from '../../links/linkRow';
import { meaningOf } from '../../links/reference';
import { lastPartOf, withParameters } from '../../links/url';
import { allInputItems } from '../../n8n/items';
import { isTool, keptFor, runOf } from '../../n8n/lifetimes';
import { holdsExpression, readParameter, savedParameter } from '../../n8n/parameter';
import { checked, type RowRequest, type Parsed } from '../../run/request';
import { checkAll, ValueError } from '../../service/errors';
import { asText, isNothing, isRecord } from '../../service/records';
import { readingInWords } from './columnsNotice';
import { columns, shortUrlField, titles, utmColumns, type Column } from './columns';

/** Most columns that an error names. */
const MOST_TITLES = 12;

const byName = new Map([...columns, ...utmColumns].map((column) => [column.name, column]));

/** The fields that say which link a row means. */
const NAMING = new Set(['url', 'custom', 'shorturl']);

/** @throws ValueError for a row that names no link */
function checkNamed({ body, shortUrls = [] }: RowRequest, context: IExecuteSingleFunctions): void {
	if (body.url !== undefined || body.custom !== undefined || shortUrls.length > 0) return;
	if (isTool(context)) {
		throw new ValueError(
			'Neither a long URL nor an alias was given',
			'Pass the long URL of a new link, or the alias of a link to update.',
		);
	}
	throw new ValueError(
		'The row has neither a Long URL nor an Alias',
		mappedByHand(context) === undefined
			? 'Fill in at least one of the two, or name the columns of the sheet "Long URL" and "Alias".'
			: 'Map at least one of the two.',
	);
}

/** The values of a mapping by hand; undefined if columns are mapped automatically. */
function mappedByHand(context: IExecuteSingleFunctions): IDataObject | undefined {
	const parameter = readParameter(context, 'columns');
	const { mappingMode, value } = isRecord(parameter) ? parameter : {};
	if (mappingMode === 'autoMapInputData' || parameter === undefined) return undefined;
	return isRecord(value) ? value : {};
}

function sheetColumns(context: IExecuteSingleFunctions): SheetColumns {
	return keptFor(runOf(context), 'columns', () => new SheetColumns(allInputItems(context), titles));
}

/** A remark on how the columns were read, and which were ignored. */
export function remarkOnColumns(context: IExecuteSingleFunctions): string | undefined {
	// As saved, because an expression of the mapping may fail.
	const saved = savedParameter(context, 'columns');
	const isByHand = isRecord(saved) && saved.mappingMode !== 'autoMapInputData';
	if (isTool(context) || isByHand) return undefined;
	return readingInWords(sheetColumns(context)).join(' ') || undefined;
}

/** The error of a run in which all rows are blank. */
export function errorIfAllBlank(context: IExecuteSingleFunctions): ValueError {
	const { all } = sheetColumns(context);
	const [what, advice] =
		mappedByHand(context) === undefined
			? ['a column that is recognized', 'Check that the node before this one gives the cells.']
			: ['a field that is mapped', 'Check the expressions under Columns.'];
	const named = all.length === 0 ? 'There are none' : `These came in: ${all.slice(0, MOST_TITLES).join(', ')}`;
	return new ValueError(`No row has a value in ${what}`, `${advice} ${named}${all.length > MOST_TITLES ? ', …' : ''}.`);
}

/** The cells of a row by field, and the fields that the row itself fills: in a mapping, those with an expression. */
function cellsIn(context: IExecuteSingleFunctions): {
	cells: Map<string, Cell[]>;
	fromRow: string[];
	isByHand: boolean;
} {
	const value = mappedByHand(context);
	if (value === undefined) {
		const cells = sheetColumns(context).cellsOf(context.getInputData().json);
		return { cells, fromRow: [...cells.keys()], isByHand: false };
	}
	const saved = savedParameter(context, 'columns');
	const expressions = isRecord(saved) && isRecord(saved.value) ? saved.value : {};
	const cells = new Map(columns.map(({ name, label }) => [name, [{ title: label, value: value[name] }]]));
	return { cells, fromRow: [...cells.keys()].filter((name) => holdsExpression(expressions[name])), isByHand: true };
}

/** Advice for a column that was matched by its name alone, and may be meant for something else. */
function leftOut(title: string): string {
	return `If the column "${title}" is not meant for the link, set Mapping Column Mode to Map Each Column Manually and leave it out.`;
}

/** Whether a cell is empty, or says so. */
function isEmptyCell({ value }: Cell, { parser }: Column): boolean {
	return parser.isNothing?.(value) ?? isNothing(value);
}

/** The parsed cells of a field. @throws ValueError */
function readCells(
	context: IExecuteSingleFunctions,
	cells: readonly Cell[],
	column: Column,
	isByHand: boolean,
): Array<{ title: string; value: Parsed }> {
	const { name, label, parser } = column;
	const filled = cells.filter((cell) => !isEmptyCell(cell, column));
	return filled.map(({ title, value }) => {
		const isOther = !isOwnName(title, column);
		const shown = isOther ? `${title} (${label})` : filled.length > 1 ? title : label;
		try {
			return { title, value: checked(context, shown, value, parser, isByHand ? 'mapped' : 'column') };
		} catch (error) {
			const isMeant = isByHand || (NAMING.has(name) && !isOther) || !(error instanceof ValueError);
			throw isMeant ? error : new ValueError(error.message, `${error.advice} ${leftOut(title)}`);
		}
	});
}

/** The value of a field in a row. @throws ValueError if two of its columns differ */
function meantBy(cells: ReturnType<typeof readCells>, { label }: Column): Parsed {
	const [first, ...more] = cells;
	const other = more.find(({ value }) => meaningOf(value) !== meaningOf(first.value));
	if (other === undefined) return first?.value;
	throw new ValueError(
		`The columns "${first.title}" and "${other.title}" both mean ${label}, and differ`,
		'Make them the same, or remove one of the two columns.',
	);
}

/** The fields that have a column in the row, and nothing in it. */
function emptyIn({ cells, fromRow }: ReturnType<typeof cellsIn>): string[] {
	const isEmpty = (name: string) => {
		const column = byName.get(name)!;
		return cells.get(name)?.every((cell) => isEmptyCell(cell, column));
	};
	return fromRow.filter(isEmpty);
}

/**
 * Whether a row is blank: its cells are empty, or it has none of the columns that others have (a heading, for example): readers of files
 * leave out empty cells.
 *
 * @throws ValueError if no row has a column that is recognized
 */
export function isBlankRow(context: IExecuteSingleFunctions): boolean {
	if (isTool(context)) return false;
	const row = cellsIn(context);
	if (row.fromRow.length > 0) return emptyIn(row).length === row.fromRow.length;
	if (row.isByHand) return false;
	const sheet = sheetColumns(context);
	if (!sheet.areUnknown) return true;
	throw sheet.unknown();
}

/** Why a link can't be given the value of a column, if it can't. */
function errorIfGiven(context: IExecuteSingleFunctions, { label, toGive }: Column, value: Parsed): Error | undefined {
	try {
		if (toGive !== undefined) checked(context, label, value, toGive);
		return undefined;
	} catch (error) {
		return error as Error;
	}
}

/** Reads the short URLs of a row. Which of them are the account's is not known yet. */
function readShortUrls(context: IExecuteSingleFunctions, cells: ReturnType<typeof readCells>): ShortUrlCell[] {
	const toCell = (title: string) => (shortUrl: string) => ({
		title,
		shortUrl,
		alias: () => checked(context, `${title} (Alias)`, lastPartOf(shortUrl), newAlias),
	});
	return cells.flatMap(({ title, value }) => (value as string[]).map(toCell(title)));
}

/** Adds the UTM columns of a row to its long URL. @throws ValueError if it has none */
function addUtm({ body }: RowRequest, utm: ReadonlyArray<readonly [Column, Parsed]>): void {
	const given = utm.filter(([, value]) => value !== undefined);
	if (given.length === 0) return;
	if (body.url === undefined) {
		throw new ValueError(
			`${given[0][0].label} is added to the long URL, and the row has none`,
			'Fill in Long URL, or clear the UTM columns of the row.',
		);
	}
	body.url = withParameters(
		asText(body.url),
		given.map(([{ name }, value]) => [name, asText(value)]),
	);
}

/**
 * Reads and checks the columns of a row, and puts them into its request: mapped by hand, or automatically by their names.
 *
 * The parameter is read as a whole, because n8n checks the types of its values when it is read in parts; with automatic mapping, its value
 * is null.
 *
 * @throws ValueError that names the fields
 */
export function readColumns(request: RowRequest, context: IExecuteSingleFunctions): void {
	const row = cellsIn(context);
	const errorsIfGiven: Partial<Record<string, Error>> = (request.errorsIfGiven = {});
	const read = (column: Column) => readCells(context, row.cells.get(column.name) ?? [], column, row.isByHand);
	const readColumn = (column: Column) => () => {
		const { name } = column;
		if (column.name === shortUrlField.name) {
			request.shortUrls = readShortUrls(context, read(column));
			return;
		}
		const value = meantBy(read(column), column);
		if (value !== undefined) request.body[name] = value;
		errorsIfGiven[name] = errorIfGiven(context, column, value);
	};
	const utm: Array<readonly [Column, Parsed]> = [];
	const readUtm = (column: Column) => () => void utm.push([column, meantBy(read(column), column)]);
	checkAll(...columns.map(readColumn), ...utmColumns.map(readUtm));
	checkNamed(request, context);
	addUtm(request, utm);
}

/** The fields that have a column in the row, and nothing in it. */
export function emptyColumns(context: IExecuteSingleFunctions): string[] {
	return emptyIn(cellsIn(context));
}

import type {
	IDataObject,
	IExecuteSingleFunctions,
	ILoadOptionsFunctions,
	INodeParameters,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { fieldsThat } from '../../links/linkFields';
import { meaningOf } from '../../links/reference';
import { checkAll, ValueError } from '../../service/errors';
import { isBlank, isRecord } from '../../service/records';
import { holdsExpression, readParameter, savedParameter } from '../../n8n/parameter';
import { isTool } from '../../n8n/lifetimes';
import { checked, isParsed, putValue, type ItemRequest, type Parsed, type Parser } from '../../run/request';
import { alias } from '../../fields/addresses';
import {
	cellsOf,
	columnKey,
	delimiterIn,
	ignoredColumns,
	titlesBeside,
	titlesOf,
	type Cell,
} from '../../fields/columns';
import { expiry } from '../../fields/dates';
import { textField } from '../../fields/inputs';
import { shortUrl, redirections } from '../../fields/locators';
import { linkFields, longUrl } from './fields';

const [url, custom, ...others] = fieldsThat(({ isColumn }) => isColumn === true);

/** The fields that fit into a column of a sheet, in the order in which they are offered. */
const NAMES: string[] = [url, custom, 'shorturl', ...others];

/** Those that the mapping by hand begins with; the others are added. */
const SHOWN_FIRST = ['url', 'custom', 'metatitle', 'description'];

/** A short URL tells which link a row means, and is given to none. */
const shortUrlField = textField('Short URL', 'shorturl', { parser: shortUrl });

const offered = new Map([longUrl, shortUrlField, ...linkFields].filter(isParsed).map((field) => [field.name, field]));

/** Fields with a form of their own, which take more than one line of text; an expression may give other values. */
const FORMS: Record<string, Pick<ResourceMapperField, 'type' | 'options'>> = {
	expiry: { type: 'dateTime' },
	status: { type: 'options', options: offered.get('status')?.options as INodePropertyOptions[] },
	type: { type: 'options', options: redirections },
};

/** For those who see no list of columns, such as agents. */
export const columnNames = NAMES.join(', ');

/** The fields that take several values, and so fit into no column. */
export const fieldsBesideColumns = linkFields.filter(({ name }) => !NAMES.includes(name));

/** What a link may have that it can't be given: a date that has passed, an alias of an older kind. */
const AS_THERE: Partial<Record<string, Parser>> = { custom: alias, expiry };

/** What else the columns of sheets are called, and what lists call the same thing, as far as it can mean nothing but the field. */
const OTHER_TITLES: Readonly<Record<string, readonly string[] | undefined>> = {
	url: ['Long Link', 'Destination', 'Destination URL', 'Destination Link', 'Target URL', 'Target Link', 'Original URL'],
	custom: ['Slug', 'Custom Slug', 'Custom Alias', 'Back-half', 'Custom Back-half'],
	shorturl: ['Short Link'],
	domain: ['Custom Domain', 'Branded Domain', 'Domain Name'],
	metatitle: ['title'],
	campaign: ['Campaign Name'],
	channel: ['Channel Name'],
	expiry: ['Expires', 'Expires At', 'Expires On', 'Expiry Date', 'Expiration', 'Expiration Date'],
	pixels: ['Pixel'],
	type: ['Redirect Type'],
};

const columns = NAMES.map((name) => {
	const { displayName: label, parser, description = '' } = offered.get(name)!;
	const asThere = AS_THERE[name];
	const toGive = asThere && parser;
	return { name, label, description, others: OTHER_TITLES[name] ?? [], parser: asThere ?? parser, toGive };
});

export const titles = titlesOf(columns);

/** The fields that tell which link a row means. */
const NAMING = new Set(['url', 'custom', 'shorturl']);

/** What is wrong with a row that names no link. @throws ValueError */
function checkNamed({ body, shortUrl }: ItemRequest, context: IExecuteSingleFunctions): void {
	if (body.url !== undefined || body.custom !== undefined || shortUrl !== undefined) return;
	throw new ValueError(
		'The row has neither a Long URL nor an Alias',
		mappedByHand(context) === undefined
			? 'Fill in at least one of the two, or name the columns of the sheet "Long URL" and "Alias".'
			: 'Map at least one of the two.',
	);
}

const byModel = ({ label, description }: (typeof columns)[number]) =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${label.replace(' ', '_')}', \`${description}\`, 'string') }}`;

/**
 * A tool's mapping: the model gives the fields that it begins with, as "Let the model define this parameter" in the editor writes it.
 * The others stand there empty, for the editor opens all fields that a mapping leaves out.
 */
export const columnsByModel: INodeParameters = Object.fromEntries(
	columns.map((column) => [column.name, SHOWN_FIRST.includes(column.name) ? byModel(column) : null]),
);

/** The columns that the editor offers; no request is needed for that. */
export async function getLinkColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	return {
		fields: columns.map(({ name, label }) => ({
			id: name,
			displayName: label,
			required: false,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
			removed: !SHOWN_FIRST.includes(name),
			// Text, as far as it goes: the package's own checks take more forms than n8n's, and say better what is wrong.
			type: 'string',
			...FORMS[name],
		})),
	};
}

/** What was mapped by hand, expressions resolved; undefined where columns are found by their names. */
function mappedByHand(context: IExecuteSingleFunctions): IDataObject | undefined {
	const parameter = readParameter(context, 'columns');
	const { mappingMode, value } = isRecord(parameter) ? parameter : {};
	if (mappingMode === 'autoMapInputData' || parameter === undefined) return undefined;
	return isRecord(value) ? value : {};
}

/** Says which columns were ignored: they may have been meant for a field. */
export function remarkOnColumns(context: IExecuteSingleFunctions): string | undefined {
	// As it was saved: an expression of the mapping may fail, and has no part in this.
	const saved = savedParameter(context, 'columns');
	const isByHand = isRecord(saved) && saved.mappingMode !== 'autoMapInputData';
	if (isTool(context) || isByHand) return undefined;
	return ignoredColumns(titlesBeside(context), titles);
}

/** No column of the run means a field. */
function noColumns(columns: readonly string[]): ValueError {
	const delimiter = columns.map((title) => delimiterIn(title, titles)).find((found) => found !== undefined);
	return new ValueError(
		columns.length === 0 ? 'The input has no columns' : 'The input has no column that is recognized',
		delimiter === undefined
			? 'Name the columns "Long URL", "Alias" or "Short URL", or set Mapping Column Mode to Map Each Column Manually.'
			: `Set the delimiter ${delimiter === '\t' ? 'to a tab' : `"${delimiter}"`} in the node that reads the file.`,
	);
}

/** The cells of a row by the field that they mean, and the fields for which it has a column: one left empty in a mapping is none. */
function cellsIn(context: IExecuteSingleFunctions): {
	cells: Map<string, Cell[]>;
	fromRow: string[];
	isByHand: boolean;
} {
	const value = mappedByHand(context);
	if (value === undefined) {
		const cells = cellsOf(context.getInputData().json, titles);
		return { cells, fromRow: [...cells.keys()], isByHand: false };
	}
	const saved = savedParameter(context, 'columns');
	const expressions = isRecord(saved) && isRecord(saved.value) ? saved.value : {};
	const cells = new Map(columns.map(({ name, label }) => [name, [{ title: label, value: value[name] }]]));
	return { cells, fromRow: [...cells.keys()].filter((name) => holdsExpression(expressions[name])), isByHand: true };
}

/** What a column may hold that is not meant for the link: these are taken for fields by their names alone. */
function leftOut(title: string): string {
	return `If the column "${title}" is not meant for the link, set Mapping Column Mode to Map Each Column Manually and leave it out.`;
}

/** What a row says of a field. @throws ValueError where two of its columns say different things */
function meantBy(
	context: IExecuteSingleFunctions,
	cells: readonly Cell[],
	{ name, label, others, parser }: (typeof columns)[number],
	isByHand: boolean,
): Parsed {
	const filled = cells.filter(({ value }) => !isBlank(value));
	const read = ({ title, value }: Cell) => {
		const isOther = others.some((one) => columnKey(one) === columnKey(title));
		const shown = isOther ? `${title} (${label})` : filled.length > 1 ? title : label;
		try {
			return checked(context, shown, value, parser, isByHand ? 'mapped' : 'column');
		} catch (error) {
			const isMeant = isByHand || (NAMING.has(name) && !isOther) || !(error instanceof ValueError);
			throw isMeant ? error : new ValueError(error.message, `${error.advice} ${leftOut(title)}`);
		}
	};
	const [first, ...more] = filled.map((cell) => ({ title: cell.title, value: read(cell) }));
	const other = more.find(({ value }) => meaningOf(value) !== meaningOf(first.value));
	if (other === undefined) return first?.value;
	throw new ValueError(
		`The columns "${first.title}" and "${other.title}" both mean ${label}, and differ`,
		'Make them the same, or remove one of the two columns.',
	);
}

/** The fields that have a column in the row, and nothing in it. */
function emptyIn({ cells, fromRow }: ReturnType<typeof cellsIn>): string[] {
	return fromRow.filter((name) => cells.get(name)?.every(({ value }) => isBlank(value)));
}

/**
 * Whether a row has nothing in it: its cells are empty, or it has none of the columns that others have, for readers of files leave
 * empty cells out. (A heading is such a row.)
 *
 * @throws ValueError where no row has a column that is recognized
 */
export function isBlankRow(context: IExecuteSingleFunctions): boolean {
	if (isTool(context)) return false;
	const row = cellsIn(context);
	if (row.fromRow.length > 0) return emptyIn(row).length === row.fromRow.length;
	if (row.isByHand) return false;
	const all = titlesBeside(context);
	if (all.some((title) => titles.has(columnKey(title)))) return true;
	throw noColumns(all);
}

/** Why a link can't be given what a column says; undefined where it can. */
function unfitFor(
	context: IExecuteSingleFunctions,
	{ label, toGive }: (typeof columns)[number],
	value: Parsed,
): Error | undefined {
	try {
		if (toGive !== undefined) checked(context, label, value, toGive);
		return undefined;
	} catch (error) {
		return error as Error;
	}
}

/**
 * Reads the columns of a row into its request, checked: mapped by hand, or automatically by the columns' names.
 *
 * The parameter is read as a whole, for n8n checks the types of its values where it is read in parts; with automatic mapping its
 * value is null.
 *
 * @throws ValueError that names the fields
 */
export function readColumns(request: ItemRequest, context: IExecuteSingleFunctions): void {
	const row = cellsIn(context);
	const unfit: Partial<Record<string, Error>> = (request.unfit = {});
	const readColumn = (column: (typeof columns)[number]) => () => {
		const { name } = column;
		const value = meantBy(context, row.cells.get(name) ?? [], column, row.isByHand);
		if (name === shortUrlField.name) request.shortUrl = value as string | undefined;
		else putValue(request, ['body', name], value);
		unfit[name] = unfitFor(context, column, value);
	};
	checkAll(...columns.map(readColumn));
	checkNamed(request, context);
}

/** The fields that have a column in the row, and nothing in it. */
export function emptyColumns(context: IExecuteSingleFunctions): string[] {
	return emptyIn(cellsIn(context));
}

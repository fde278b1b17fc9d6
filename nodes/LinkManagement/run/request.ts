import type { IDataObject, IExecuteSingleFunctions, IHttpRequestMethods, INodeProperties } from 'n8n-workflow';

import type { LinkRequest } from '../links/linkRow';
import { isTool } from '../n8n/lifetimes';
import { readParameter, savedParameter } from '../n8n/parameter';
import { checkAll, ValueError } from '../service/answer/errors';
import { isNothing, isRecord } from '../service/records';

/** What parsers need to know about the context of a value. */
export interface ValueContext {
	/** The workflow's time zone (IANA name). */
	timezone: string;
	/** The mode of a resource locator; undefined for other values. */
	mode?: string;
	/** The title of the column that was matched by it. */
	column?: string;
	isByModel?: boolean;
}

/** Runs `work`, and puts the label of the value before the message of a ValueError. */
export function labelled<T>(label: string, work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw error instanceof ValueError ? error.with({ message: `${label} ${error.message}` }) : error;
	}
}

/** A parsed value: what is sent, or a reference to a record (links/reference.ts), whose ID is sent. */
export type Parsed = IDataObject[string];

/**
 * Checks one value, and returns the form that the service accepts; undefined if there is nothing to send.
 *
 * @param value as entered, expressions resolved; an empty cell is undefined
 * @throws ValueError
 */
export type Parser<T = Parsed> = (value: unknown, origin: ValueContext) => T | undefined;

/** A parameter of the node, or an entry of a collection. */
export interface Field extends INodeProperties {
	/** Reads a value that is sent under the field's name. */
	parser?: Parser;
	/** Reads a value that is not sent, but says how the operation is done. It is put among the options. */
	option?: Parser;
}

export type ParsedField = Field & { parser: Parser };

export function isParsed(field: Field): field is ParsedField {
	return field.parser !== undefined;
}

/** The part of an operation that makes its request. */
export interface RequestDefinition {
	/** Spec, "Endpoints". A field whose `:name` is in the URL goes there; others into the body, or the query of a GET. */
	request: { method: IHttpRequestMethods; url: `/api/${string}` };
	/**
	 * The parameters, in the editor's order, without the display conditions of resource and operation. Fields with other display
	 * conditions, or without a parser, are not read here; `complete` must read them.
	 */
	fields: Field[];
	options?: Field[];
	errorIfAllBlank?: ValueError;
	/** An update without any Update Fields is refused. */
	needsChange?: boolean;
	/** The field that holds the list (spec, "Paged list envelope"); Return All and Limit say how many records are wanted. */
	list?: string | readonly string[];
	/** Reads parameters with a shape of their own, and says whether the row is blank: nothing else is read of a blank one. */
	readMore?(request: RowRequest, context: IExecuteSingleFunctions): void;
	/** Checks fields against each other, and reads values that depend on several parameters. It may change the request. */
	complete?(request: RowRequest, context: IExecuteSingleFunctions): void;
}

/** The request of a row, read from its parameters and checked. */
export interface RowRequest extends LinkRequest {
	method: IHttpRequestMethods;
	isBlank: boolean;
	/** A model gave its values. */
	readonly isByModel: boolean;
	/** The fields that have a column in the row, and nothing in it. */
	emptyFields: readonly string[];
}

/** Whether a value is that of a resource locator. An untouched one may lack `__rl`. */
function isChoice(value: unknown): value is { mode: unknown; value: unknown } {
	return isRecord(value) && (value.__rl === true || ('mode' in value && 'value' in value));
}

/** The value that was entered: of a resource locator, the one that was chosen in it. */
export function valueOf(value: unknown): unknown {
	return isChoice(value) ? value.value : value;
}

export const NOTHING_GIVEN = {
	editor: 'Enter a value, or check the expression that should give one.',
	model: 'Pass a value.',
};

export function required<T>(parser: Parser<T>) {
	return (value: unknown, origin: ValueContext): T => {
		const result = value === undefined ? undefined : parser(value, origin);
		if (result === undefined) throw new ValueError('is empty', NOTHING_GIVEN);
		return result;
	};
}

/** Checks the value of a field. @param label the field as the editor shows it @param origin where it comes from, if the value does not tell */
export function checked<T>(
	context: Pick<IExecuteSingleFunctions, 'getNode' | 'getTimezone'>,
	label: string,
	given: unknown,
	parser: Parser<T>,
	origin: Pick<ValueContext, 'mode' | 'column'> = isChoice(given) ? { mode: String(given.mode) } : {},
): T | undefined {
	return labelled(label, () => {
		const value = valueOf(given);
		const about = { ...origin, timezone: context.getTimezone(), isByModel: isTool(context) };
		return parser(isNothing(value) ? undefined : value, about);
	});
}

export function readField(context: IExecuteSingleFunctions, field: ParsedField): Parsed {
	return checkedField(context, field, readParameter(context, field.name));
}

function checkedField(context: IExecuteSingleFunctions, field: ParsedField, given: unknown): Parsed {
	const { displayName, parser } = field;
	return checked(context, displayName, given, field.required === true ? required(parser) : parser);
}

/** The entries of a collection. n8n gives one that holds anything else as empty. */
function entriesOf(context: IExecuteSingleFunctions, name: string): IDataObject {
	const given = readParameter(context, name);
	return isRecord(given) ? given : {};
}

/** Reads and checks the entries of a collection that are not empty. */
export function readEntries(context: IExecuteSingleFunctions, field: Field): Array<[name: string, value: Parsed]> {
	const values = entriesOf(context, field.name);
	const entered = (field.options as Field[]).filter(isParsed).filter(({ name }) => Object.hasOwn(values, name));
	const entries: Array<[string, Parsed]> = [];
	const readEntry = (entry: ParsedField) => () => {
		const value = checkedField(context, entry, values[entry.name]);
		if (value !== undefined) entries.push([entry.name, value]);
	};
	checkAll(...entered.map(readEntry));
	return entries;
}

/**
 * Reads the options of an operation. What was left out has its default. An expression that gives nothing is refused, because nobody
 * knows what was meant; from a model, it means the default.
 */
function readOptions(
	context: IExecuteSingleFunctions,
	{ fields, options: entries = [] }: RequestDefinition,
	{ options, isByModel }: RowRequest,
): void {
	const read = ({ displayName, name }: Field, given: unknown, parser: Parser) => {
		const value = checked(context, displayName, given, isByModel ? parser : required(parser));
		if (value !== undefined) options[name] = value;
	};
	const readOwn = (field: Field) => () => {
		const { name, option, default: usual } = field;
		if (option === undefined || (name === 'limit' && options.returnAll === true)) return;
		options[name] = usual as Parsed;
		if (savedParameter(context, name) !== undefined) read(field, readParameter(context, name), option);
	};
	const added = entriesOf(context, 'options');
	const readAdded = (field: ParsedField) => () => {
		if (Object.hasOwn(added, field.name)) read(field, added[field.name], field.parser);
	};
	checkAll(...fields.map(readOwn), ...entries.filter(isParsed).map(readAdded));
}

/** Reads the parameters that are sent under their own names. */
function readContent(
	context: IExecuteSingleFunctions,
	{ fields, request: { url } }: RequestDefinition,
	request: RowRequest,
): void {
	const content = request.method === 'GET' ? request.query : request.body;
	const put = ([name, value]: [string, Parsed]) => {
		if (value !== undefined) (url.split('/').includes(`:${name}`) ? request.pathValues : content)[name] = value;
	};
	const readOne = (field: Field) => () => {
		if (field.type === 'collection') readEntries(context, field).forEach(put);
		if (isParsed(field)) put([field.name, readField(context, field)]);
	};
	checkAll(...fields.filter(({ displayOptions }) => displayOptions === undefined).map(readOne));
}

export function emptyRequest({ request: { method } }: RequestDefinition, isByModel: boolean): RowRequest {
	return { isBlank: false, isByModel, emptyFields: [], method, query: {}, body: {}, pathValues: {}, options: {} };
}

/** Reads the parameters of an item into its request; options also if another parameter can't be read. @throws ValueError that names the parameter */
export function buildRequest(
	context: IExecuteSingleFunctions,
	operation: RequestDefinition,
	request: RowRequest,
): void {
	checkAll(
		() => operation.readMore?.(request, context),
		() => request.isBlank || readContent(context, operation, request),
		() => readOptions(context, operation, request),
	);
	if (request.isBlank) return;
	operation.complete?.(request, context);
	if (operation.needsChange && Object.keys(request.body).length === 0)
		throw new ValueError('Nothing to update yet', {
			editor: 'Add a field under Update Fields, and give it a value.',
			model: 'Pass a field to change, with its new value.',
		});
}

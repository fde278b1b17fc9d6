import type { IDataObject, IExecuteSingleFunctions, IHttpRequestMethods, INodeProperties } from 'n8n-workflow';

import { isReference, type Path, type Reference } from '../links/reference';
import { setAt, type LinkRequest } from '../links/linkRow';
import type { ServiceRequest } from '../service/serviceClient';
import { isBlank, isNothing, isRecord } from '../service/records';
import { checkAll, ValueError } from '../service/errors';
import { readParameter, savedParameter } from '../n8n/parameter';
import { isTool } from '../n8n/lifetimes';

/** What some values need to be read. */
export interface ValueContext {
	/** The workflow's time zone (IANA name). */
	timezone: string;
	/** How a resource locator's value was given (name of the mode); undefined for other values. */
	mode?: string;
	/** A model gives the values of a tool. */
	isTool?: boolean;
}

/** Does something with a value; what is wrong with it names the value first. */
export function withLabel<T>(label: string, work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw error instanceof ValueError ? new ValueError(`${label} ${error.message}`, error.advice) : error;
	}
}

/** A value as it is read: what goes out, or a reference to a record (links/reference.ts) whose ID does. */
export type Parsed = IDataObject[string];

/**
 * Checks one value and gives the form in which the service wants it; undefined when there is nothing to send.
 *
 * @param value as entered, expressions resolved; an empty cell is undefined
 * @throws ValueError
 */
export interface Parser<T = Parsed> {
	(value: unknown, source: ValueContext): T | undefined;
	/** Whether what stands in a cell means that there is nothing. */
	isNothing?(value: unknown): boolean;
}

/** A parameter of the node, or an entry of a collection. */
export interface Field extends INodeProperties {
	/** How its value goes out, under its own name. */
	parser?: Parser;
	/** How its value is read where it is not sent, but says how the operation is done: it stands among the options then. */
	setting?: Parser;
}

export type ParsedField = Field & { parser: Parser };

export function isParsed(field: Field): field is ParsedField {
	return field.parser !== undefined;
}

/** What of an operation makes its request. */
export interface RequestDefinition {
	/** Spec, "Endpoints". A field whose `:name` is in the URL goes there; others into the body, or the query of a GET. */
	request: { method: IHttpRequestMethods; url: `/api/${string}` };
	/**
	 * The parameters, in the editor's order, without the display conditions that follow from resource and operation. Those that have
	 * others, or no parser, are left to `complete`.
	 */
	fields: Field[];
	options?: Field[];
	/** Whether nothing was entered in the row. */
	isBlank?(context: IExecuteSingleFunctions): boolean;
	/** Why a run is refused in which nothing was entered in any row. */
	withoutValues?(context: IExecuteSingleFunctions): ValueError;
	/** An update that changes nothing is refused: its Update Fields need at least one. */
	needsChange?: boolean;
	/** A list of this collection (spec, "Paged list envelope"): how many records are wanted comes from Return All and Limit. */
	list?: string | readonly string[];
	/** Reads what else the row says: parameters with a shape of their own. */
	readMore?(request: ItemRequest, context: IExecuteSingleFunctions): void;
	/** Checks across fields, and shapes that follow from several parameters. May change the request. */
	complete?(request: ItemRequest, context: IExecuteSingleFunctions): void;
}

/** An item's parameters, read and checked: the request that they make, and what else they ask for. */
export interface ItemRequest extends ServiceRequest, LinkRequest {
	/** Nothing was entered in the row. */
	isBlank: boolean;
	query: IDataObject;
	body: IDataObject;
}

/** Notes a record that is to be found. @returns what stands in the place of its ID until then */
function refer(request: ItemRequest, reference: Reference, path: Path): Parsed {
	switch (reference.kind) {
		case 'link':
			request.link = { ...reference, path };
			return reference.name.by === 'id' ? reference.name.id : reference.entered;
		case 'domain':
			request.domain = { ...reference, path };
			return reference.name;
		default:
			request.names.push({ ...reference, path });
			return reference.name;
	}
}

/** Puts a value, or a list of them, in its place. */
export function putValue(request: ItemRequest, [part, name]: Path, value: Parsed): void {
	const sent = (one: unknown, path: Path) => (isReference(one) ? refer(request, one, path) : (one as Parsed));
	const list = Array.isArray(value) ? value.map((one, at) => sent(one, [part, name, at])) : undefined;
	if (value !== undefined) setAt(request, [part, name], list ?? sent(value, [part, name]));
}

/** The value of a resource locator. An untouched one may lack the mark `__rl`. */
function isChoice(value: unknown): value is { mode: unknown; value: unknown } {
	return isRecord(value) && (value.__rl === true || ('mode' in value && 'value' in value));
}

/** The value of a resource locator is what the user chose in it, whatever the mode. */
export function valueOf(value: unknown): unknown {
	return isChoice(value) ? value.value : value;
}

/** Marks a field as required: an empty one is refused. */
export function required<T>(parser: Parser<T>) {
	return (value: unknown, source: ValueContext): T => {
		const result = value === undefined ? undefined : parser(value, source);
		if (result === undefined)
			throw new ValueError('is empty', 'Enter a value, or check the expression that should give one.');
		return result;
	};
}

/**
 * Checks what was entered into a field of the item.
 *
 * @param label the field as the editor shows it
 * @param mode how it was given, where a resource locator does not tell
 */
export function checked<T>(
	context: Pick<IExecuteSingleFunctions, 'getNode' | 'getTimezone'>,
	label: string,
	given: unknown,
	parser: Parser<T>,
	mode = isChoice(given) ? String(given.mode) : undefined,
): T | undefined {
	return withLabel(label, () => {
		const value = valueOf(given);
		return parser(isNothing(value) ? undefined : value, {
			timezone: context.getTimezone(),
			mode,
			isTool: isTool(context),
		});
	});
}

/** Reads one parameter of the item and checks it by the parser of its field. */
export function readField(context: IExecuteSingleFunctions, field: ParsedField): Parsed {
	return checkedField(context, field, readParameter(context, field.name));
}

function checkedField(context: IExecuteSingleFunctions, field: ParsedField, given: unknown): Parsed {
	const { displayName, parser } = field;
	return checked(context, displayName, given, field.required === true ? required(parser) : parser);
}

/** Reads the value of a collection: its entries by their names. */
function entriesOf(
	context: IExecuteSingleFunctions,
	{ displayName, name }: Pick<Field, 'displayName' | 'name'>,
): IDataObject {
	const given = readParameter(context, name);
	if (isRecord(given)) return given;
	if (isBlank(given)) return {};
	throw new ValueError(`${displayName} is not an object`, 'Add fields, or use an expression that gives an object.');
}

/** Reads the entries of a collection: those that hold something, by their names. */
export function readEntries(context: IExecuteSingleFunctions, field: Field): Array<[name: string, value: Parsed]> {
	const values = entriesOf(context, field);
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
 * Reads the settings among an operation's parameters, and its options. What was left out is as usual; an expression that gives
 * nothing is refused, for nobody knows what was meant. A model leaves settings out by giving nothing.
 */
function readOptions(
	context: IExecuteSingleFunctions,
	{ fields, options = [] }: RequestDefinition,
	settings: IDataObject,
): void {
	const read = ({ displayName, name }: Field, given: unknown, parser: Parser) => {
		const value = checked(context, displayName, given, isTool(context) ? parser : required(parser));
		if (value !== undefined) settings[name] = value;
	};
	const readSetting = (field: Field) => () => {
		const { name, setting, default: usual } = field;
		if (setting === undefined || (name === 'limit' && settings.returnAll === true)) return;
		settings[name] = usual as Parsed;
		if (savedParameter(context, name) !== undefined) read(field, readParameter(context, name), setting);
	};
	const entries = entriesOf(context, { displayName: 'Options', name: 'options' });
	const readOption = (field: ParsedField) => () => {
		if (Object.hasOwn(entries, field.name)) read(field, entries[field.name], field.parser);
	};
	checkAll(...fields.map(readSetting), ...options.filter(isParsed).map(readOption));
}

/** Reads the parameters that go out under their own names. */
function readContent(
	context: IExecuteSingleFunctions,
	{ fields, request: { url } }: RequestDefinition,
	request: ItemRequest,
): void {
	const content = request.method === 'GET' ? 'query' : 'body';
	const put = ([name, value]: [string, Parsed]) => {
		putValue(request, [url.split('/').includes(`:${name}`) ? 'pathValues' : content, name], value);
	};
	const readOne = (field: Field) => () => {
		if (field.type === 'collection') readEntries(context, field).forEach(put);
		if (isParsed(field)) put([field.name, readField(context, field)]);
	};
	checkAll(...fields.filter(({ displayOptions }) => displayOptions === undefined).map(readOne));
}

/**
 * Reads and checks the parameters of an item, and makes its request of them.
 *
 * @param options takes the settings and options that can be read, also where something else can't
 * @throws ValueError that names the parameter
 */
export function buildRequest(
	context: IExecuteSingleFunctions,
	operation: RequestDefinition,
	options: IDataObject,
): ItemRequest {
	const { method } = operation.request;
	const isBlank = operation.isBlank?.(context) === true;
	const request: ItemRequest = {
		isBlank,
		method,
		path: '',
		query: {},
		body: {},
		pathValues: {},
		options,
		names: [],
	};
	if (isBlank) {
		readOptions(context, operation, options);
		return request;
	}
	checkAll(
		() => readContent(context, operation, request),
		() => operation.readMore?.(request, context),
		() => readOptions(context, operation, options),
	);
	operation.complete?.(request, context);
	if (operation.needsChange && Object.keys(request.body).length === 0)
		throw new ValueError('Nothing to update yet', 'Add a field under Update Fields, and give it a value.');
	return request;
}

/** A path with the values of its parameters in place. */
export function pathOf(url: string, pathValues: IDataObject): string {
	return url.replace(/:([A-Za-z]\w*)/g, (_placeholder, name: string) => encodeURIComponent(String(pathValues[name])));
}

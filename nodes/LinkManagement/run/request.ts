import type { IDataObject, IExecuteSingleFunctions, IHttpRequestMethods, INodeProperties } from 'n8n-workflow';

import { DomainReference, LinkReference, RecordReference } from '../links/reference';
import type { LinkRequest } from '../links/linkRow';
import type { ServiceRequest } from '../service/sendRequest';
import { isBlank, isRecord } from '../service/records';
import { checkAll, ValueError } from '../service/errors';
import { readParameter, savedParameter } from '../n8n/parameter';
import { isTool } from '../n8n/lifetimes';

/** What some values need to be read. */
export interface Source {
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

/**
 * Checks one value and gives the form in which the service wants it; undefined when there is nothing to send.
 *
 * @param value as entered, expressions resolved; an empty cell is undefined
 * @throws ValueError
 */
export type Rule = (value: unknown, source: Source) => unknown;

/** A parameter of the node, or an entry of a collection. */
export interface Field extends INodeProperties {
	/** How its value goes out, under its own name. */
	rule?: Rule;
	/** How its value is read where it is not sent, but says how the operation is done: it stands among the options then. */
	setting?: Rule;
}

export type RuledField = Field & { rule: Rule };

export function isRuled(field: Field): field is RuledField {
	return field.rule !== undefined;
}

/** What of an operation makes its request. */
export interface RequestDefinition {
	/** Spec, "Endpoints". A field whose `:name` is in the URL goes there; others into the body, or the query of a GET. */
	request: { method: IHttpRequestMethods; url: `/api/${string}` };
	/**
	 * The parameters, in the editor's order, without the display conditions that follow from resource and operation. Those that have
	 * others, or no rule, are left to `complete`.
	 */
	fields: Field[];
	options?: Field[];
	/** Whether nothing was entered in the row. */
	isBlank?(context: IExecuteSingleFunctions): boolean;
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
	query: IDataObject;
	body: IDataObject;
}

/** Notes the link that a row chooses. @returns what stands in the place of its ID until it is found */
function chooseLink(
	request: ItemRequest,
	{ name, entered }: LinkReference,
	put: (id: number) => void,
): number | string {
	const putLink = (id: number) => {
		put(id);
		request.link = { name: { by: 'id', id }, entered, put: putLink };
	};
	request.link = { name, entered, put: putLink };
	return name.by === 'id' ? name.id : entered;
}

/** Puts a value in its place. Of a record that is named otherwise than by its ID, the name stands there until it is found. */
export function putValue(request: ItemRequest, value: unknown, put: (value: unknown) => void): void {
	if (Array.isArray(value)) {
		const entries: unknown[] = [];
		value.forEach((entry, at) => putValue(request, entry, (one) => (entries[at] = one)));
		put(entries);
	} else if (value instanceof RecordReference) {
		put(value.name);
		request.names.push({ ...value, put });
	} else if (value instanceof DomainReference) {
		put(value.entered);
		request.domain = value;
	} else if (value instanceof LinkReference) put(chooseLink(request, value, put));
	else if (value !== undefined) put(value);
}

/** The value of a resource locator. An untouched one may lack the mark `__rl`. */
function isChoice(value: unknown): value is { mode: unknown; value: unknown } {
	return isRecord(value) && (value.__rl === true || ('mode' in value && 'value' in value));
}

/** The value of a resource locator is what the user chose in it, whatever the mode. */
export function valueOf(value: unknown): unknown {
	return isChoice(value) ? value.value : value;
}

/** What a model writes for a value that it leaves out: it has to give every value of a tool. */
const LEFT_OUT = /^\s*(?:null|none|undefined)\s*$/i;

/** The values that a model gives, also within the rows of a collection, without those that it leaves out. */
function withoutNulls(value: unknown): unknown {
	if (typeof value === 'string' && LEFT_OUT.test(value)) return undefined;
	if (Array.isArray(value)) return value.map(withoutNulls);
	// Dates are objects too.
	if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
	return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, withoutNulls(entry)]));
}

/** Marks a field as required: an empty one is refused. */
export function required(rule: Rule): Rule {
	return (value, source) => {
		const result = value === undefined ? undefined : rule(value, source);
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
export function checked(
	context: Pick<IExecuteSingleFunctions, 'getNode' | 'getTimezone'>,
	label: string,
	given: unknown,
	rule: Rule,
	mode = isChoice(given) ? String(given.mode) : undefined,
): unknown {
	return withLabel(label, () => {
		const ofTool = isTool(context);
		const value = ofTool ? withoutNulls(valueOf(given)) : valueOf(given);
		return rule(isBlank(value) ? undefined : value, { timezone: context.getTimezone(), mode, isTool: ofTool });
	});
}

/** Reads one parameter of the item and checks it by the rule of its field. */
export function readField(context: IExecuteSingleFunctions, field: RuledField): unknown {
	return checkedField(context, field, readParameter(context, field.name));
}

function checkedField(context: IExecuteSingleFunctions, field: RuledField, given: unknown): unknown {
	const { displayName, rule } = field;
	return checked(context, displayName, given, field.required === true ? required(rule) : rule);
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
export function readEntries(context: IExecuteSingleFunctions, field: Field): Array<[name: string, value: unknown]> {
	const values = entriesOf(context, field);
	const entered = (field.options as Field[]).filter(isRuled).filter(({ name }) => Object.hasOwn(values, name));
	const entries: Array<[string, unknown]> = [];
	const readEntry = (entry: RuledField) => () => {
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
function readOptions(context: IExecuteSingleFunctions, { fields, options = [] }: RequestDefinition): IDataObject {
	const settings: IDataObject = {};
	const read = ({ displayName, name }: Field, given: unknown, rule: Rule) => {
		const value = checked(context, displayName, given, isTool(context) ? rule : required(rule));
		if (value !== undefined) settings[name] = value as IDataObject[string];
	};
	const readSetting = (field: Field) => () => {
		const { name, setting, default: usual } = field;
		if (setting === undefined || (name === 'limit' && settings.returnAll === true)) return;
		settings[name] = usual as IDataObject[string];
		if (savedParameter(context, name) !== undefined) read(field, readParameter(context, name), setting);
	};
	const entries = entriesOf(context, { displayName: 'Options', name: 'options' });
	const readOption = (field: RuledField) => () => {
		if (Object.hasOwn(entries, field.name)) read(field, entries[field.name], field.rule);
	};
	checkAll(...fields.map(readSetting), ...options.filter(isRuled).map(readOption));
	return settings;
}

/** Reads the parameters that go out under their own names. */
function readContent(
	context: IExecuteSingleFunctions,
	{ fields, request: { url } }: RequestDefinition,
	request: ItemRequest,
): void {
	const { method, pathValues, query, body } = request;
	const content = method === 'GET' ? query : body;
	const put = ([name, value]: [string, unknown]) => {
		const target = url.split('/').includes(`:${name}`) ? pathValues : content;
		putValue(request, value, (one) => (target[name] = one as IDataObject[string]));
	};
	const readOne = (field: Field) => () => {
		if (field.type === 'collection') readEntries(context, field).forEach(put);
		if (isRuled(field)) put([field.name, readField(context, field)]);
	};
	checkAll(...fields.filter(({ displayOptions }) => displayOptions === undefined).map(readOne));
}

/**
 * Reads and checks the parameters of an item, and makes its request of them.
 *
 * @returns undefined where nothing was entered in the row
 * @throws ValueError that names the parameter
 */
export function buildRequest(context: IExecuteSingleFunctions, operation: RequestDefinition): ItemRequest | undefined {
	if (operation.isBlank?.(context) === true) return undefined;
	const { method } = operation.request;
	const request: ItemRequest = { method, path: '', query: {}, body: {}, pathValues: {}, options: {}, names: [] };
	checkAll(
		() => readContent(context, operation, request),
		() => operation.readMore?.(request, context),
		() => (request.options = readOptions(context, operation)),
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

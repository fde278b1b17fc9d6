import type { IDataObject, IExecuteSingleFunctions, IHttpRequestMethods, INodeProperties } from 'n8n-workflow';

import type { ServiceRequest } from '../service/sendRequest';
import { isBlank, isRecord } from '../service/records';
import { ValueError } from '../service/errors';
import { isMasked } from '../service/redact';
import { readParameter, savedParameter } from '../n8n/parameter';
import { isTool } from '../n8n/lifetimes';

/** Where a value comes from: what an error about it has to name, and what some values need to be read. */
export interface Source {
	/** The parameter as the editor shows it. */
	label: string;
	/** The workflow's time zone (IANA name). */
	timezone: string;
	/** How a resource locator's value was given (name of the mode); undefined for other values. */
	mode?: string;
}

/** Does something with a value; what is wrong with it names the value first. */
export function named<T>(label: string, work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw error instanceof ValueError ? new ValueError(`${label} ${error.message}`, error.advice) : error;
	}
}

/**
 * Checks one value and gives the form in which the service wants it.
 *
 * @param value as entered, expressions resolved; an empty cell is undefined
 * @returns undefined when there is nothing to send
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
	/** The entries of its Options. */
	options?: Field[];
	/** What is read before all else: it tells whether there is anything in the row. */
	begin?(request: ItemRequest, context: IExecuteSingleFunctions): void;
	/** An update that changes nothing is refused: its collection needs at least one field. */
	needsChange?: boolean;
	/** A list of this collection (spec, "Paged list envelope"): how many records are wanted comes from Return All and Limit. */
	list?: string | readonly string[];
	/** Checks across fields, and shapes that follow from several parameters. May change the request. */
	complete?(request: ItemRequest, context: IExecuteSingleFunctions): void;
}

/** An item's parameters, read and checked: the request that they make, and what else they ask for. */
export interface ItemRequest extends ServiceRequest {
	query: IDataObject;
	body: IDataObject;
	/** Values of the path parameters, under their names. */
	pathValues: IDataObject;
	/** The collection that a list is read from, and how many records of it. */
	list?: { collection: string | readonly string[]; wanted: number };
	/** The settings and options that were entered, checked. */
	options: IDataObject;
	/** The short URL of the link that the row means. */
	shortUrl?: string;
	/** The link fields that the row empties. */
	cleared?: string[];
	/** Nothing was entered in the row: it is passed over, and nothing else of it is read. */
	isBlank?: true;
}

/** The value of a resource locator. An untouched one may lack the mark `__rl`. */
function isChoice(value: unknown): value is { mode: unknown; value: unknown } {
	return isRecord(value) && (value.__rl === true || ('mode' in value && 'value' in value));
}

/** The value of a resource locator is what the user chose in it, whatever the mode. */
export function valueOf(value: unknown): unknown {
	return isChoice(value) ? value.value : value;
}

/** A model has to give every value of a tool, and writes "null" for one that it leaves out; also within the rows of a collection. */
function withoutNulls(value: unknown): unknown {
	if (value === 'null') return undefined;
	if (Array.isArray(value)) return value.map(withoutNulls);
	// Dates are objects too.
	if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
	return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, withoutNulls(entry)]));
}

/** Whether a value came out of this node with the key taken out: it must not go back to the service so. */
function holdsMask(value: unknown): boolean {
	if (typeof value === 'string') return isMasked(value);
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsMask);
}

/** What was entered; undefined where nothing was. */
export function entered(context: IExecuteSingleFunctions, given: unknown): unknown {
	const value = isTool(context) ? withoutNulls(valueOf(given)) : valueOf(given);
	if (holdsMask(value)) {
		throw new ValueError(
			'holds *****, which stands where the API key was',
			'Enter the value itself: the service would keep the stars.',
		);
	}
	return isBlank(value) ? undefined : value;
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
 * @returns what the rule gives
 * @throws ValueError that names the field
 */
export function checked(
	context: IExecuteSingleFunctions,
	label: string,
	given: unknown,
	rule: Rule,
	mode = isChoice(given) ? String(given.mode) : undefined,
): unknown {
	return named(label, () => rule(entered(context, given), { label, timezone: context.getTimezone(), mode }));
}

/**
 * Reads one parameter of the item and checks it by the rule of its field.
 *
 * @throws ValueError that names the parameter
 */
export function readField(context: IExecuteSingleFunctions, field: RuledField): unknown {
	// One that is not shown is not there, and asking for it would fail.
	const isThere = savedParameter(context, field.name) !== undefined;
	return checkedField(context, field, isThere ? readParameter(context, field.name) : undefined);
}

function checkedField(context: IExecuteSingleFunctions, field: RuledField, given: unknown): unknown {
	const { displayName, rule } = field;
	return checked(context, displayName, given, field.required === true ? required(rule) : rule);
}

/** Reads the value of a collection: its entries by their names. */
function entriesOf(context: IExecuteSingleFunctions, { displayName, name }: Field): IDataObject {
	const given = readParameter(context, name);
	if (isRecord(given)) return given;
	if (isBlank(given)) return {};
	throw new ValueError(`${displayName} is not an object`, 'Add fields, or use an expression that gives an object.');
}

/**
 * Reads the entries of a collection into what is to be sent.
 *
 * @throws ValueError that names the entry
 */
export function readEntries(context: IExecuteSingleFunctions, field: Field, target: IDataObject): void {
	const values = entriesOf(context, field);
	for (const entry of (field.options as Field[]).filter(isRuled)) {
		if (!Object.hasOwn(values, entry.name)) continue;
		const value = checkedField(context, entry, values[entry.name]);
		if (value !== undefined) target[entry.name] = value as IDataObject[string];
	}
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
	for (const field of fields) {
		const { name, setting, default: usual } = field;
		if (setting === undefined || (name === 'limit' && settings.returnAll === true)) continue;
		settings[name] = usual as IDataObject[string];
		if (savedParameter(context, name) !== undefined) read(field, readParameter(context, name), setting);
	}
	const entries = entriesOf(context, { displayName: 'Options', name: 'options', type: 'collection', default: {} });
	for (const field of options.filter(isRuled)) {
		if (Object.hasOwn(entries, field.name)) read(field, entries[field.name], field.rule);
	}
	return settings;
}

/** Reads the parameters that go out under their own names. */
function readContent(
	context: IExecuteSingleFunctions,
	{ fields, request: { url } }: RequestDefinition,
	pathValues: IDataObject,
	content: IDataObject,
): void {
	for (const field of fields) {
		if (field.displayOptions !== undefined) continue;
		if (field.type === 'collection') readEntries(context, field, content);
		const value = isRuled(field) ? readField(context, field) : undefined;
		const target = url.split('/').includes(`:${field.name}`) ? pathValues : content;
		if (value !== undefined) target[field.name] = value as IDataObject[string];
	}
}

/** An update that changes nothing is refused. */
function checkChange({ fields }: RequestDefinition, { body, cleared = [] }: ItemRequest): void {
	if (Object.keys(body).length + cleared.length > 0) return;
	const collection = fields.find(({ type }) => type === 'collection');
	throw new ValueError(
		`${collection?.displayName} has no field to change`,
		'Add at least one field, and give it a value.',
	);
}

/**
 * Reads and checks the parameters of an item, and makes its request of them.
 *
 * @throws ValueError that names the parameter, and says what to enter
 */
export function buildRequest(context: IExecuteSingleFunctions, operation: RequestDefinition): ItemRequest {
	const { method, url } = operation.request;
	const [pathValues, body, query]: IDataObject[] = [{}, {}, {}];
	const built: ItemRequest = { method, path: '', query, body, pathValues, options: {} };
	operation.begin?.(built, context);
	if (built.isBlank) return built;
	built.options = readOptions(context, operation);
	readContent(context, operation, pathValues, method === 'GET' ? query : body);
	const { list: collection } = operation;
	if (collection !== undefined) {
		const { returnAll, limit } = built.options;
		built.list = { collection, wanted: returnAll === true ? Infinity : Number(limit) };
	}
	operation.complete?.(built, context);
	if (operation.needsChange) checkChange(operation, built);
	built.path ||= pathOf(url, pathValues);
	return built;
}

/** A path with the values of its parameters in place. */
export function pathOf(url: string, pathValues: IDataObject): string {
	return url.replace(/:([A-Za-z]\w*)/g, (_placeholder, name: string) => encodeURIComponent(String(pathValues[name])));
}

import {
	NodeOperationError,
	type IDataObject,
	type IExecuteSingleFunctions,
	type IHttpRequestMethods,
	type INodeProperties,
} from 'n8n-workflow';

import type { ServiceRequest } from '../api/sendRequest';
import { isBlank, isRecord } from '../api/records';
import { isMasked } from '../api/redact';
import { readParameter } from '../engine/parameter';
import { isTool } from '../engine/tool';

/** Where a value comes from: what an error about it has to name, and what some values need to be read. */
export interface Source {
	/** The parameter as the editor shows it. */
	label: string;
	/** The workflow's time zone (IANA name). */
	timezone: string;
	/** How a resource locator's value was given (name of the mode); undefined for other values. */
	mode?: string;
}

/** A value that can't be used. `message` says what is wrong with it, `advice` what to enter instead. */
export class ValueError extends Error {
	constructor(
		message: string,
		readonly advice: string,
	) {
		super(message);
	}
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

/** A parameter of the node, or an entry of a collection, with the rule by which it goes out under its own name. */
export interface Field extends INodeProperties {
	rule?: Rule;
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
	/** The Options collection, as entered. */
	options: IDataObject;
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

/** What is wrong with a value, as the error of its item. */
export function inputError(context: IExecuteSingleFunctions, error: ValueError): NodeOperationError {
	const itemIndex = context.getItemIndex();
	return new NodeOperationError(context.getNode(), `${error.message} [item ${itemIndex}]`, {
		itemIndex,
		description: error.advice,
	});
}

/**
 * Reads one parameter of the item and checks it by the rule of its field.
 *
 * @throws ValueError that names the parameter
 */
export function readField(context: IExecuteSingleFunctions, field: RuledField): unknown {
	return checkedField(context, field, readParameter(context, field.name));
}

function checkedField(context: IExecuteSingleFunctions, field: RuledField, given: unknown): unknown {
	const { displayName, rule } = field;
	return checked(context, displayName, given, field.required === true ? required(rule) : rule);
}

/**
 * Reads the entries of a collection into what is to be sent.
 *
 * @returns how many there are
 * @throws ValueError that names the entry
 */
export function readEntries(context: IExecuteSingleFunctions, { name, options }: Field, target: IDataObject): number {
	const given = readParameter(context, name);
	const values = isRecord(given) ? given : {};
	const entries = (options as Field[]).filter(isRuled).filter((entry) => Object.hasOwn(values, entry.name));
	const sent = entries.map((entry) => [entry.name, checkedField(context, entry, values[entry.name])]);
	const filled = sent.filter(([, value]) => value !== undefined);
	Object.assign(target, Object.fromEntries(filled));
	return filled.length;
}

/** How many records of a list are wanted: Return All and Limit. */
function readWanted(context: IExecuteSingleFunctions): number {
	if (readParameter(context, 'returnAll') === true) return Infinity;
	const limit = Number(entered(context, readParameter(context, 'limit')) ?? 50);
	if (Number.isInteger(limit) && limit >= 1) return limit;
	throw new ValueError(
		'Limit is not a whole number of at least 1',
		'Enter how many records you want, or turn on Return All.',
	);
}

/**
 * Reads and checks the parameters of an item, and makes its request of them.
 *
 * @throws ValueError that names the parameter, and says what to enter
 */
export function buildRequest(context: IExecuteSingleFunctions, operation: RequestDefinition): ItemRequest {
	const { request, fields, needsChange, list: collection } = operation;
	const { method, url } = request;
	const [pathValues, body, query]: IDataObject[] = [{}, {}, {}];
	const content = method === 'GET' ? query : body;
	for (const field of fields) {
		if (field.displayOptions !== undefined) continue;
		if (field.type === 'collection') {
			if (readEntries(context, field, content) > 0 || !needsChange) continue;
			throw new ValueError(
				`${field.displayName} has no field to change`,
				'Add at least one field, and give it a value.',
			);
		}
		const value = isRuled(field) ? readField(context, field) : undefined;
		const target = url.split('/').includes(`:${field.name}`) ? pathValues : content;
		if (value !== undefined) target[field.name] = value as IDataObject[string];
	}
	const options = readParameter(context, 'options');
	const built: ItemRequest = {
		...{ method, path: '', query, body, pathValues },
		options: isRecord(options) ? options : {},
		...(collection === undefined ? {} : { list: { collection, wanted: readWanted(context) } }),
	};
	operation.complete?.(built, context);
	built.path ||= pathOf(url, pathValues);
	return built;
}

/** A path with the values of its parameters in place. */
export function pathOf(url: string, pathValues: IDataObject): string {
	return url.replace(/:([A-Za-z]\w*)/g, (_placeholder, name: string) => encodeURIComponent(String(pathValues[name])));
}

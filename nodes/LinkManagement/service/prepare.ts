import {
	NodeOperationError,
	type IDataObject,
	type IExecuteSingleFunctions,
	type IHttpRequestOptions,
	type INodePropertyRouting,
} from 'n8n-workflow';

import { isRecord } from './envelope';
import { readParameter } from './parameter';
import { runOf } from './run';

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

/**
 * Checks one value and gives the form in which the service wants it.
 *
 * @param value as entered, expressions resolved; an empty cell is undefined
 * @returns undefined when there is nothing to send
 * @throws ValueError
 */
export type Rule = (value: unknown, source: Source) => unknown;
export type Rules = Record<string, Rule>;

/** How a creation that may have been made, or whose name is taken, is found again. */
export interface Recovery {
	/** The look-up for this creation, or undefined when nothing in it tells it from others. */
	lookup(body: IDataObject, address: string): { path: string; query: IDataObject } | undefined;
	/** The record that the look-up found, when it is of this name. */
	found(body: IDataObject, answer: IDataObject, address: string): IDataObject | undefined;
	/** Whether that record is what the creation asked for. */
	matches(body: IDataObject, record: IDataObject): boolean;
	/** What to say when it is not. */
	conflict(body: IDataObject): string;
}

/** What an operation sends, parameter by parameter. Every parameter goes out under its own name. */
export interface Sends {
	/** Path placeholders (`:name` in the URL) from parameters of that name. */
	path?: Rules;
	body?: Rules;
	query?: Rules;
	/** Fields of a collection parameter that go into the body, or the query. */
	bodyFrom?: Record<string, Rules>;
	queryFrom?: Record<string, Rules>;
	/** An update that changes nothing is refused: this collection needs at least one field. */
	needsOneOf?: string;
	/** A list of this collection (spec, "Paged list envelope"): how many records are wanted comes from Return All and Limit. */
	list?: string;
	/** Checks across fields, and shapes that follow from several parameters. May change the request. */
	complete?(this: IExecuteSingleFunctions, request: IHttpRequestOptions & { qs: IDataObject; body: IDataObject }): void;
	recovery?: Recovery;
}

/** What the door has to know of a request beside the request itself. */
export interface Plan {
	/** The item's input can't be used. */
	refusal?: Error;
	/** The collection that a list is read from, and how many records of it. */
	list?: { collection: string; wanted: number };
	recovery?: Recovery;
	/** `options.ifRateLimited`: fail at once instead of waiting. */
	failFast: boolean;
	/** `options.ifAliasExists`: return the record that has the name already. */
	returnExisting: boolean;
}

const plans = new WeakMap<object, Plan>();

/** The plan that belongs to a request of this node. */
export function planOf(request: IHttpRequestOptions): Plan {
	return plans.get(request) ?? { failFast: false, returnExisting: false };
}

/** An empty cell: nothing was entered. */
export function isBlank(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** The value of a resource locator is what the user chose in it, whatever the mode. */
export function chosen(value: unknown): unknown {
	return isRecord(value) && value.__rl === true ? value.value : value;
}

/** Marks a field as required: an empty one is refused. */
export function required(rule: Rule): Rule {
	return (value, source) => {
		const result = value === undefined ? undefined : rule(value, source);
		if (result === undefined) throw new ValueError('is empty', 'Enter a value, or check the expression that should give one.');
		return result;
	};
}

class Preparation {
	constructor(
		private readonly context: IExecuteSingleFunctions,
		private readonly labels: Map<string, string>,
	) {}

	/** Applies rules to the values of one object, and collects what is to be sent. */
	private apply(rules: Rules, values: (name: string) => unknown, target: IDataObject, parent?: string): void {
		for (const [name, rule] of Object.entries(rules)) {
			const label = this.labels.get(parent === undefined ? name : `${parent}.${name}`) ?? name;
			const given = values(name);
			const value = chosen(given);
			const mode = isRecord(given) && given.__rl === true ? String(given.mode) : undefined;
			try {
				const result = rule(isBlank(value) ? undefined : value, { label, timezone: this.context.getTimezone(), mode });
				if (result !== undefined) target[name] = result as IDataObject[string];
			} catch (error) {
				throw this.explain(error, label);
			}
		}
	}

	private explain(error: unknown, label: string): unknown {
		if (!(error instanceof ValueError)) return error;
		const itemIndex = this.context.getItemIndex();
		return new NodeOperationError(this.context.getNode(), `${label} ${error.message} [item ${itemIndex}]`.trim(), {
			itemIndex,
			description: error.advice,
		});
	}

	private collection(name: string): IDataObject {
		const value = readParameter(this.context, name);
		return isRecord(value) ? value : {};
	}

	run(sends: Sends, request: IHttpRequestOptions): Plan {
		const parameter = (name: string) => readParameter(this.context, name);
		const path: IDataObject = {};
		const body: IDataObject = {};
		const qs: IDataObject = {};
		this.apply(sends.path ?? {}, parameter, path);
		this.apply(sends.query ?? {}, parameter, qs);
		this.apply(sends.body ?? {}, parameter, body);
		for (const [target, from] of [
			[qs, sends.queryFrom],
			[body, sends.bodyFrom],
		] as const) {
			for (const [name, rules] of Object.entries(from ?? {})) {
				const values = this.collection(name);
				const before = Object.keys(target).length;
				this.apply(rules, (field) => values[field], target, name);
				if (sends.needsOneOf === name && Object.keys(target).length === before) {
					throw this.explain(
						new ValueError('has no field to change', 'Add at least one field, and give it a value.'),
						this.labels.get(name) ?? name,
					);
				}
			}
		}
		const full = Object.assign(request, { qs, body });
		full.url = request.url.replace(/:([A-Za-z]\w*)/g, (_placeholder, name: string) => encodeURIComponent(String(path[name])));
		try {
			sends.complete?.call(this.context, full);
		} catch (error) {
			throw this.explain(error, '');
		}
		const options = this.collection('options');
		return {
			list: sends.list === undefined ? undefined : { collection: sends.list, wanted: this.wanted() },
			recovery: sends.recovery,
			failFast: options.ifRateLimited === 'fail',
			returnExisting: options.ifAliasExists === 'returnExisting',
		};
	}

	private wanted(): number {
		if (readParameter(this.context, 'returnAll') === true) return Infinity;
		const limit = Number(readParameter(this.context, 'limit') ?? 50);
		if (Number.isInteger(limit) && limit >= 1) return limit;
		throw this.explain(
			new ValueError('is not a whole number of at least 1', 'Enter how many records you want, or turn on Return All.'),
			'Limit',
		);
	}
}

/**
 * The routing of an operation that sends these parameters: read and checked for every item before any item is sent. An item
 * that can't be used is noted, not thrown: an error thrown here would come out without its row under On Error → Continue.
 *
 * @param labels parameter name → the name the editor shows
 */
export function sending(sends: Sends, labels: Map<string, string>): NonNullable<INodePropertyRouting['send']> {
	return {
		paginate: true,
		preSend: [
			async function (this: IExecuteSingleFunctions, request: IHttpRequestOptions) {
				let plan: Plan;
				try {
					plan = new Preparation(this, labels).run(sends, request);
				} catch (error) {
					plan = { refusal: error as Error, failFast: false, returnExisting: false };
				}
				plans.set(request, plan);
				runOf(this).begin(this, plan.refusal !== undefined);
				return request;
			},
		],
	};
}

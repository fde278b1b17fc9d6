import { NodeOperationError, type IPollFunctions } from 'n8n-workflow';

import { wholeNumber } from '../service/records';
import type { Question } from '../watch';
import { EVENTS, type TriggerEvent } from './events';

/** What the trigger is set to. */
export interface TriggerSettings {
	event: TriggerEvent;
	question: Question;
	/** IDs in rising order; undefined: everything is watched. */
	selected?: number[];
}

/**
 * Reads the parameters of the trigger.
 *
 * @throws NodeOperationError that names the parameter, when a value can't be used; so activation is refused
 */
export function readSettings(context: IPollFunctions): TriggerSettings {
	const value = context.getNodeParameter('event');
	const event = EVENTS.find((one) => one.value === value);
	if (event === undefined) {
		throw refusal(
			context,
			`Event: "${String(value)}" is not an event of this trigger`,
			'Choose an event from the list.',
		);
	}
	const { kind } = event;
	const options = context.getNodeParameter('options', {}) as { includeExisting?: unknown; minimumIncrease?: unknown };
	if (kind === 'created') {
		return { event, question: { kind, includeExisting: options.includeExisting === true } };
	}
	const selected = context.getNodeParameter('watch', 'all') === 'selected' ? readIds(context, event) : undefined;
	if (kind === 'grown') {
		const minimumIncrease = readNumber(context, 'Minimum Increase', options.minimumIncrease ?? 1);
		return { event, selected, question: { kind, minimumIncrease } };
	}
	const threshold = readNumber(context, 'Threshold', context.getNodeParameter('threshold'));
	const mode = context.getNodeParameter('thresholdMode', 'once') === 'every' ? 'every' : 'once';
	return { event, selected, question: { kind, threshold, mode } };
}

function readNumber(context: IPollFunctions, parameter: string, value: unknown): number {
	const number = wholeNumber(value, 1);
	if (number !== undefined) return number;
	const what = `${parameter}: ${shown(value)} is not a whole number of at least 1`;
	throw refusal(context, what, 'Enter a number such as 100.');
}

/** The selected IDs: a list, or text with commas. */
function readIds(context: IPollFunctions, { listed }: TriggerEvent): number[] {
	const parameter = listed.idsParameter === 'linkIds' ? 'Link Names or IDs' : 'QR Code Names or IDs';
	const ids = new Set<number>();
	for (const value of flat(context.getNodeParameter(listed.idsParameter, []))) {
		const id = wholeNumber(value, 1);
		if (id === undefined) {
			throw refusal(context, `${parameter}: ${shown(value)} is not an ID`, 'An ID is a positive whole number.');
		}
		ids.add(id);
	}
	if (ids.size === 0) {
		const { noun } = listed;
		throw refusal(context, `${parameter}: No ${noun} is selected`, `Choose at least one ${noun}, or set Watch to All.`);
	}
	return [...ids].sort((a, b) => a - b);
}

function flat(value: unknown): unknown[] {
	if (Array.isArray(value)) return value.flatMap(flat);
	if (typeof value === 'string') return value.split(',').filter((part) => part.trim() !== '');
	return value === undefined || value === null ? [] : [value];
}

function shown(value: unknown): string {
	return typeof value === 'string' ? `"${value}"` : String(JSON.stringify(value));
}

/** The error that says what can't be done, and what to do about it. */
export function refusal(context: IPollFunctions, message: string, description: string): NodeOperationError {
	return new NodeOperationError(context.getNode(), message, { description });
}

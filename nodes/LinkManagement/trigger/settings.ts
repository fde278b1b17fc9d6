import { NodeOperationError, type INode, type IPollFunctions } from 'n8n-workflow';

import { idOf, isRecord } from '../api/records';
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
	const node = context.getNode();
	const value = context.getNodeParameter('event');
	const event = EVENTS.find(({ option }) => option.value === value);
	if (event === undefined) {
		throw refusal(
			node,
			'Event',
			`"${String(value)}" is none of the trigger's events`,
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
		const minimumIncrease = readNumber(node, 'Minimum Increase', options.minimumIncrease ?? 1);
		return { event, selected, question: { kind, minimumIncrease } };
	}
	const threshold = readNumber(node, 'Threshold', context.getNodeParameter('threshold'));
	const mode = context.getNodeParameter('thresholdMode', 'once') === 'every' ? 'every' : 'once';
	return { event, selected, question: { kind, threshold, mode } };
}

function readNumber(node: INode, parameter: string, value: unknown): number {
	const text = typeof value === 'string' ? value.trim() : value;
	const number = typeof text === 'string' && text !== '' ? Number(text) : text;
	if (typeof number !== 'number' || !Number.isFinite(number) || number < 1) {
		throw refusal(node, parameter, `${shown(value)} is not a number of at least 1`, 'Enter a number, such as 100.');
	}
	return number;
}

/** The selected IDs: a list, text with commas, or what a resource locator saves. */
function readIds(context: IPollFunctions, { listed }: TriggerEvent): number[] {
	const node = context.getNode();
	const parameter = listed.idsParameter === 'linkIds' ? 'Link Names or IDs' : 'QR Code Names or IDs';
	const ids = new Set<number>();
	for (const value of flat(context.getNodeParameter(listed.idsParameter, []))) {
		const id = idOf({ id: typeof value === 'string' ? value.trim() : value });
		if (id === undefined) {
			throw refusal(node, parameter, `${shown(value)} is not an ID`, 'An ID is a positive whole number.');
		}
		ids.add(id);
	}
	if (ids.size === 0) {
		throw refusal(
			node,
			parameter,
			`No ${listed.noun} is selected`,
			`Choose at least one ${listed.noun}, or set Watch to All.`,
		);
	}
	return [...ids].sort((a, b) => a - b);
}

function flat(value: unknown): unknown[] {
	if (Array.isArray(value)) return value.flatMap(flat);
	if (isRecord(value)) return 'value' in value ? flat(value.value) : [value];
	if (typeof value === 'string') return value.split(',').filter((part) => part.trim() !== '');
	return value === undefined || value === null ? [] : [value];
}

function shown(value: unknown): string {
	return typeof value === 'string' ? `"${value}"` : String(JSON.stringify(value));
}

function refusal(node: INode, parameter: string, what: string, description: string): NodeOperationError {
	return new NodeOperationError(node, `${parameter}: ${what}`, { description });
}

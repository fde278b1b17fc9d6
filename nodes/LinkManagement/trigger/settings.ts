import { NodeOperationError, type IPollFunctions } from 'n8n-workflow';

import { flag, id, listOf, oneOf, quoted, single } from '../fields/parsers';
import { asHtml, asMessage } from '../n8n/output';
import { checked, type Parser } from '../run/request';
import { ValueError } from '../service/errors';
import { isRecord, wholeNumber } from '../service/records';
import type { Question } from '../watch';
import { EVENTS, type TriggerEvent } from './events';
import { THRESHOLD_MODE, WATCH } from './properties';

export interface TriggerSettings {
	event: TriggerEvent;
	question: Question;
	/** IDs in rising order; undefined: everything is watched. */
	selected?: number[];
}

const number: Parser = single((given) => {
	const value = wholeNumber(given, 1);
	if (value !== undefined) return value;
	throw new ValueError(`is not a whole number of at least 1: ${quoted(given)}`, 'Enter a number such as 100.');
});

/**
 * Reads the parameters of the trigger, as the node reads its own.
 *
 * @throws NodeOperationError that names the parameter, when a value can't be used; so activation is refused
 */
export function readSettings(context: IPollFunctions): TriggerSettings {
	try {
		return settingsOf(context);
	} catch (error) {
		throw error instanceof ValueError ? refusal(context, error.message, error.advice) : error;
	}
}

function settingsOf(context: IPollFunctions): TriggerSettings {
	const given = (name: string) => context.getNodeParameter(name, null) as unknown;
	const read = <T>(label: string, value: unknown, parser: Parser, usual: T) =>
		(checked(context, label, value, parser) ?? usual) as T;
	const value = read('Event', given('event'), oneOf(EVENTS), '');
	const event = EVENTS.find((one) => one.value === value);
	if (event === undefined) throw new ValueError('Event is empty', 'Choose an event from the list.');
	const { kind, listed } = event;
	const entered = given('options');
	const { includeExisting, minimumIncrease } = isRecord(entered) ? entered : {};
	if (kind === 'created') {
		const isIncluded = read('Include Existing', includeExisting, flag, false);
		return { event, question: { kind, includeExisting: isIncluded } };
	}
	const isSelected = read<string>('Watch', given('watch'), oneOf(WATCH), 'all') === 'selected';
	const selected = isSelected
		? readIds(listed, (label) => read(label, given(listed.idsParameter), listOf(id), []))
		: undefined;
	if (kind === 'grown') {
		return {
			event,
			selected,
			question: { kind, minimumIncrease: read('Minimum Increase', minimumIncrease, number, 1) },
		};
	}
	const threshold = read('Threshold', given('threshold'), number, undefined);
	if (threshold === undefined) throw new ValueError('Threshold is empty', 'Enter a number such as 100.');
	const mode = read<'once' | 'every'>('Threshold Mode', given('thresholdMode'), oneOf(THRESHOLD_MODE), 'once');
	return { event, selected, question: { kind, threshold, mode } };
}

/** The selected IDs: a list, or text with commas. */
function readIds({ idsParameter, noun }: TriggerEvent['listed'], read: (label: string) => number[]): number[] {
	const label = idsParameter === 'linkIds' ? 'Link Names or IDs' : 'QR Code Names or IDs';
	const ids = new Set(read(label));
	if (ids.size > 0) return [...ids].sort((a, b) => a - b);
	throw new ValueError(`${label}: No ${noun} is selected`, `Choose at least one ${noun}, or set Watch to All.`);
}

/** The error that says what can't be done, and what to do about it. */
export function refusal(context: IPollFunctions, message: string, description: string): NodeOperationError {
	return new NodeOperationError(context.getNode(), asMessage(message), { description: asHtml(description) });
}

import type { IPollFunctions } from 'n8n-workflow';

import { atLeastOne, id, listOf, oneOf } from '../fields/parsers';
import { checked, type Parser } from '../run/request';
import { toNodeError, ValueError } from '../service/answer/errors';
import { isRecord } from '../service/records';
import type { Question } from '../watch';
import { EVENTS, type TriggerEvent } from './events';

export const WATCH = [
	{ name: 'All', value: 'all', description: 'Everything in the account' },
	{ name: 'Selected', value: 'selected', description: 'Only the ones that you choose' },
];

export const THRESHOLD_MODE = [
	{ name: 'Once', value: 'once', description: 'Once per link or code, when the count reaches the threshold' },
	{
		name: 'Every',
		value: 'every',
		description:
			'When the count reaches each multiple of the threshold. If a count jumps over more than 100 of them, you get one item.',
	},
];

export interface TriggerSettings {
	event: TriggerEvent;
	question: Question;
	/** IDs in rising order; undefined: all records. */
	selected?: number[];
}

const number = atLeastOne('Enter a number such as 100.');

/**
 * Reads the parameters of the trigger.
 *
 * @throws NodeOperationError that names the parameter when a value can't be used; n8n refuses the activation then
 */
export function readSettings(context: IPollFunctions): TriggerSettings {
	try {
		return settingsOf(context);
	} catch (error) {
		throw toNodeError(context.getNode(), error);
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
	const { minimumIncrease } = isRecord(entered) ? entered : {};
	if (kind === 'created') return { event, question: { kind } };
	const isSelected = read<string>('Watch', given('watch'), oneOf(WATCH), 'all') === 'selected';
	const ids = isSelected ? read<number[]>(listed.idsLabel, given(listed.idsParameter), listOf(id), []) : undefined;
	if (ids?.length === 0)
		throw new ValueError(
			`${listed.idsLabel}: No ${listed.noun} is selected`,
			`Choose at least one ${listed.noun}, or set Watch to All.`,
		);
	const selected = ids && [...new Set(ids)].sort((a, b) => a - b);
	if (kind === 'grown') {
		const question = { kind, minimumIncrease: read('Minimum Increase', minimumIncrease, number, 1) };
		return { event, selected, question };
	}
	const threshold = read('Threshold', given('threshold'), number, undefined);
	if (threshold === undefined) throw new ValueError('Threshold is empty', 'Enter a number such as 100.');
	const mode = read<'once' | 'every'>('Threshold Mode', given('thresholdMode'), oneOf(THRESHOLD_MODE), 'once');
	return { event, selected, question: { kind, threshold, mode } };
}

import type { IPollFunctions } from 'n8n-workflow';

import { atLeastOne, id, listOf, oneOf } from '../fields/parsers';
import { checked, type Parser } from '../run/request';
import { ValueError } from '../service/answer/errors';
import type { Watch } from '../watch';
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
		description: 'At each multiple of the threshold; once, if several are passed at once',
	},
];

interface TriggerSettings {
	event: TriggerEvent;
	watch: Watch;
}

const EXAMPLE = 'Enter a number such as 100.';

/**
 * Reads the parameters of the trigger.
 *
 * @throws ValueError that names the parameter when a value can't be used; n8n refuses the activation then
 */
export function readSettings(context: IPollFunctions): TriggerSettings {
	const read = <T>(label: string, name: string, parser: Parser, usual: T) =>
		(checked(context, label, context.getNodeParameter(name, null), parser) ?? usual) as T;
	const value = read('Event', 'event', oneOf(EVENTS), '');
	const event = EVENTS.find((one) => one.value === value);
	if (event === undefined) throw new ValueError('Event is empty', 'Choose an event from the list.');
	const { kind, listed, isNewestFirst } = event;
	const watch = { kind, isNewestFirst, countField: listed.countField, threshold: 1, mode: 'every' as const };
	if (kind === 'created') return { event, watch };
	const isSelected = read<string>('Watch', 'watch', oneOf(WATCH), 'all') === 'selected';
	const ids = isSelected ? read<number[]>(listed.idsLabel, listed.idsParameter, listOf(id), []) : undefined;
	if (ids?.length === 0)
		throw new ValueError(
			`${listed.idsLabel}: No ${listed.noun} is selected`,
			`Choose at least one ${listed.noun}, or set Watch to All.`,
		);
	const selected = ids && [...new Set(ids)].sort((a, b) => a - b);
	if (kind === 'grown') return { event, watch: { ...watch, selected } };
	const threshold = read('Threshold', 'threshold', atLeastOne(EXAMPLE), undefined);
	if (threshold === undefined) throw new ValueError('Threshold is empty', EXAMPLE);
	const mode = read<'once' | 'every'>('Threshold Mode', 'thresholdMode', oneOf(THRESHOLD_MODE), 'once');
	return { event, watch: { ...watch, selected, threshold, mode } };
}

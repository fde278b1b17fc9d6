import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { isRecord } from '../api/records';
import { readParameter } from '../engine/parameter';
import { entered, named, type Rule } from '../run/request';

/**
 * Checks what was entered into a field of the item.
 *
 * @param label the field as the editor shows it
 * @returns what the rule gives
 * @throws ValueError that names the field
 */
export function checked(
	context: IExecuteSingleFunctions,
	label: string,
	given: unknown,
	rule: Rule,
	mode?: string,
): unknown {
	return named(label, () => rule(entered(context, given), { label, timezone: context.getTimezone(), mode }));
}

/** Reads one parameter of the item and checks it, for operations that choose among their parameters. */
export function readChecked(context: IExecuteSingleFunctions, field: INodeProperties, rule: Rule): unknown {
	const given = readParameter(context, field.name);
	const mode = isRecord(given) && given.__rl === true ? String(given.mode) : undefined;
	return checked(context, field.displayName, given, rule, mode);
}

import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { isRecord } from '../api/envelope';
import { readParameter } from '../execution/parameter';
import { entered, ValueError, type Rule } from '../execution/request';

/**
 * Reads one parameter of the item and checks it, for operations that choose among their parameters.
 *
 * @returns what the rule gives
 * @throws ValueError that names the parameter as the editor does
 */
export function readChecked(context: IExecuteSingleFunctions, field: INodeProperties, rule: Rule): unknown {
	const given = readParameter(context, field.name);
	const mode = isRecord(given) && given.__rl === true ? String(given.mode) : undefined;
	try {
		return rule(entered(context, given), {
			label: field.displayName,
			timezone: context.getTimezone(),
			mode,
		});
	} catch (error) {
		throw error instanceof ValueError ? new ValueError(`${field.displayName} ${error.message}`, error.advice) : error;
	}
}

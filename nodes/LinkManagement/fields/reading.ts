import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { readParameter } from '../engine/parameter';
import { checked, type Rule } from '../run/request';

/** Reads one parameter of the item and checks it, for operations that choose among their parameters. */
export function readChecked(context: IExecuteSingleFunctions, field: INodeProperties, rule: Rule): unknown {
	return checked(context, field.displayName, readParameter(context, field.name), rule);
}

import type { INodeProperties } from 'n8n-workflow';

import { flatRecord } from '../api/flatRecord';
import type { Output } from '../run/row';
import { readParameter } from '../engine/parameter';

export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Gives one flat record, unless the user wants the response as it was sent. */
export const simplified: Output = (records, { context }) =>
	readParameter(context, 'simplify') === false ? records : records.map(flatRecord);

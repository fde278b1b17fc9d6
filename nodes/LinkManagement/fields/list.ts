import type { INodeProperties } from 'n8n-workflow';
import { switchField } from './inputs';

/** Return All and Limit, as every list has them. */
export const returnAllOrLimit: INodeProperties[] = [
	switchField('Return All', 'returnAll', { description: 'Whether to return all results or only up to a given limit' }),
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];

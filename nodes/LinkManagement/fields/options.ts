import type { INodeProperties } from 'n8n-workflow';

/** The Options collection, which every operation has. */
export function options(extra: INodeProperties[] = []): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			...extra,
			{
				displayName: 'If Rate Limited',
				name: 'ifRateLimited',
				type: 'options',
				options: [
					{
						name: 'Wait',
						value: 'wait',
						description: "Keep to your plan's request limit, and go on as soon as the service allows it",
					},
					{
						name: 'Fail',
						value: 'fail',
						description: 'Fail at once, and say when the service will answer again',
					},
				],
				noDataExpression: true,
				default: 'wait',
			},
		],
	};
}

/** For operations that take campaigns or channels by name. */
export const ifNameMissing: INodeProperties = {
	displayName: 'If Name Is Missing',
	name: 'ifNameMissing',
	type: 'options',
	options: [
		{ name: 'Create', value: 'create', description: 'Make a campaign or channel of that name, once' },
		{
			name: 'Fail',
			value: 'fail',
			description: 'Fail before anything is sent, and name the nearest ones that there are',
		},
	],
	noDataExpression: true,
	default: 'fail',
};

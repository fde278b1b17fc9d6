import type { INodeProperties } from 'n8n-workflow';

export const OPTIONS = 'options';

/** The Options collection, which every operation has. */
export function options(extra: INodeProperties[] = []): INodeProperties {
	return {
		displayName: 'Options',
		name: OPTIONS,
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
						description: 'Go on by itself as soon as the service allows it',
					},
					{
						name: 'Fail',
						value: 'fail',
						description: 'Fail at once, and say when the service will answer again',
					},
				],
				default: 'wait',
				description: 'What to do when the request limit of your plan is used up for the moment',
			},
		],
	};
}

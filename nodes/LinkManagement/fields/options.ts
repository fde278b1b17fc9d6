import type { INodeProperties } from 'n8n-workflow';

const ifRateLimited: INodeProperties = {
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
};

/** For operations that give one item a row. A switch does what its name says as soon as it is added; left out, it is off. */
const includeInput: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInput',
	type: 'boolean',
	noDataExpression: true,
	default: true,
	description: 'Whether to keep the input fields beside the result',
};

/**
 * The Options collection, which every operation has.
 *
 * @param extra what this operation has besides
 * @param isList whether the operation gives a list, rather than one item a row
 */
export function options(extra: INodeProperties[] = [], isList: boolean): INodeProperties {
	const entries = [...extra, ...(isList ? [] : [includeInput]), ifRateLimited];
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: entries.sort((one, other) => (one.displayName < other.displayName ? -1 : 1)),
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
	default: 'create',
};

import type { Field } from '../run/request';
import { choiceField, switchField } from './inputs';

const ifRateLimited: Field = {
	...choiceField('If Rate Limited', 'ifRateLimited', {
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
		default: 'wait',
	}),
	noDataExpression: true,
};

/** For operations that give one item a row. A switch does what its name says as soon as it is added; left out, it is off. */
const includeInput: Field = {
	...switchField('Include Input Fields', 'includeInput', {
		default: true,
		description: 'Whether to keep the input fields beside the result',
	}),
	noDataExpression: true,
};

/**
 * The entries of the Options collection.
 *
 * @param extra what the operation has besides those that every operation has
 * @param isList whether the operation gives a list, rather than one item a row
 */
export function optionEntries(extra: Field[] = [], isList: boolean): Field[] {
	const entries = [...extra, ...(isList ? [] : [includeInput]), ifRateLimited];
	return entries.sort((one, other) => (one.displayName < other.displayName ? -1 : 1));
}

/** The Options collection, which every operation has. */
export function optionsField(options: Field[]): Field {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options,
	};
}

/** For operations that take campaigns or channels by name. */
export const ifNameMissing: Field = {
	...choiceField('If Name Is Missing', 'ifNameMissing', {
		options: [
			{ name: 'Create', value: 'create', description: 'Make a campaign or channel of that name, once' },
			{
				name: 'Fail',
				value: 'fail',
				description: 'Fail before anything is sent, and suggest similar names',
			},
		],
		default: 'create',
	}),
	noDataExpression: true,
};

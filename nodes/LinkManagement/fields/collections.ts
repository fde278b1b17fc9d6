import type { INodePropertyCollection } from 'n8n-workflow';

import type { Field } from '../run/request';

/**
 * What an operation may carry besides what it has to, in one collection for each resource: `linkFields`, `campaignFields`, …
 *
 * A collection for each resource keeps every operation's definition its own: what n8n tells agents of an operation holds all
 * entries of a collection, whatever conditions the entries have.
 *
 * @param resource value of the resource, from which the name is made
 */
function optionalFields(resource: string, displayName: string, options: Field[]): Field {
	return {
		displayName,
		name: `${resource}Fields`,
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		options,
	};
}

/** What a creation may carry besides what it has to. */
export function additionalFields(resource: string, options: Field[]): Field {
	return optionalFields(resource, 'Additional Fields', options);
}

/** What an update changes. Fields that are not added stay as they are. */
export function updateFields(resource: string, options: Field[]): Field {
	return optionalFields(resource, 'Update Fields', options);
}

/**
 * A repeating field for the collection of a link's fields that opens with its first entry.
 *
 * n8n adds such a field empty, whatever its default is, and drops it as soon as another one is added. So there are two entries of
 * the name: one that is only offered while the field is not there and brings the first entry along as its default, and the field.
 */
export function startingWithOneEntry(field: Field): Field[] {
	const { displayName, name, description } = field;
	const [{ name: group, values }] = field.options as INodePropertyCollection[];
	const entry = Object.fromEntries(values.map((value) => [value.name, value.default]));
	const isThere = { [`/linkFields.${name}`]: [{ _cnd: { exists: true as const } }] };
	return [
		{
			displayName,
			name,
			description,
			type: 'notice',
			default: { [group]: [entry] },
			displayOptions: { hide: isThere },
		},
		{ ...field, displayOptions: { show: isThere } },
	];
}

/** A choice of several from a list that is loaded, or of any others by an expression. */
export function several(
	names: Pick<Field, 'displayName' | 'name' | 'description' | 'rule'>,
	loadOptionsMethod: string,
): Field {
	return {
		...names,
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod },
		allowArbitraryValues: true,
		default: [],
	};
}

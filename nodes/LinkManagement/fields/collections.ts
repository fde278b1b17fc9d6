import type { INodeProperties } from 'n8n-workflow';

/**
 * What an operation may carry besides what it has to, in one collection for each resource: `linkFields`, `campaignFields`, …
 *
 * A collection for each resource keeps every operation's definition its own: what n8n tells agents of an operation holds all
 * entries of a collection, whatever conditions the entries have.
 *
 * @param resource value of the resource, from which the name is made
 */
function optionalFields(resource: string, displayName: string, options: INodeProperties[]): INodeProperties {
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
export function additionalFields(resource: string, options: INodeProperties[]): INodeProperties {
	return optionalFields(resource, 'Additional Fields', options);
}

/** What an update changes. Fields that are not added stay as they are. */
export function updateFields(resource: string, options: INodeProperties[]): INodeProperties {
	return optionalFields(resource, 'Update Fields', options);
}

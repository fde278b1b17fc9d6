import type { INodeProperties } from 'n8n-workflow';

/** What a creation may carry beside what it has to. */
export function additionalFields(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		options,
	};
}

/** What an update changes. Fields that are not added stay as they are. */
export function updateFields(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add field',
		default: {},
		options,
	};
}

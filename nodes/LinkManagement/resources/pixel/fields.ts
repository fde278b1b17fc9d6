import type { INodeProperties } from 'n8n-workflow';

export const pixelName: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Shop',
	description: 'Name of the pixel',
};

export const tag: INodeProperties = {
	displayName: 'Tag',
	name: 'tag',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. GTM-ABC123',
	description: 'ID of the pixel at its provider',
};

import type { INodeProperties } from 'n8n-workflow';

export const slug: INodeProperties = {
	displayName: 'Slug',
	name: 'slug',
	type: 'string',
	default: '',
	placeholder: 'e.g. spring-sale',
	description: 'Slug of the address that sends each visitor to one of the links',
};

export const publicAccess: INodeProperties = {
	displayName: 'Public',
	name: 'public',
	type: 'boolean',
	default: false,
	description: 'Whether everybody can see the list page',
};

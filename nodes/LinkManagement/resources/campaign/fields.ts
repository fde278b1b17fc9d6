import type { INodeProperties } from 'n8n-workflow';
import { textField } from '../../fields/textField';

export const slug: INodeProperties = textField('Slug', 'slug', {
	placeholder: 'e.g. spring-sale',
	description: 'Slug of the address that sends each visitor to one of the links',
});

export const publicAccess: INodeProperties = {
	displayName: 'Public',
	name: 'public',
	type: 'boolean',
	default: false,
	description: 'Whether everybody can see the list page',
};

import type { INodeProperties } from 'n8n-workflow';
import { textField } from '../../fields/textField';

export const pixelName: INodeProperties = textField('Name', 'name', {
	placeholder: 'e.g. Shop',
	description: 'Name of the pixel',
});

export const tag: INodeProperties = textField('Tag', 'tag', {
	required: true,
	placeholder: 'e.g. GTM-ABC123',
	description: 'ID of the pixel at its provider',
});

import { textField } from '../../fields/inputs';

export const pixelName = textField('Name', 'name', {
	placeholder: 'e.g. Shop',
	description: 'Name of the pixel',
});

export const tag = textField('Tag', 'tag', {
	required: true,
	placeholder: 'e.g. GTM-ABC123',
	description: 'ID of the pixel at its provider',
});

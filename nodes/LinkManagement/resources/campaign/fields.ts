import { switchField, textField } from '../../fields/inputs';

export const slug = textField('Slug', 'slug', {
	placeholder: 'e.g. spring-sale',
	description: 'Slug of the address that sends each visitor to one of the links',
});

export const publicAccess = switchField('Public', 'public', {
	description: 'Whether everybody can see the list page',
});

import { getMany } from '../../fields/standardOperations';
import { collection } from '../../fields/collections';
import { choiceField, returnAllOrLimit, textField } from '../../fields/inputs';

const filters = [
	choiceField('Order', 'order', {
		options: [
			{ name: 'Most Clicked First', value: 'click' },
			{ name: 'Newest First', value: 'date' },
		],
		default: 'date',
	}),
	textField('Search', 'q', { placeholder: 'e.g. spring' }),
];

export const getAll = getMany('short links', '/api/urls', 'urls', {
	description: 'Get many short links, all or those that match a search',
	fields: [...returnAllOrLimit, collection('Filters', 'filters', filters, 'Add filter')],
});

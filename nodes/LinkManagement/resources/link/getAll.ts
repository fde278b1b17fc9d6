import { getMany } from '../../fields/alike';
import { choiceField, returnAllOrLimit, textField } from '../../fields/inputs';

export const getAll = getMany('short links', '/api/urls', 'urls', {
	description: 'Get many short links, all or those that match a search',
	fields: [
		...returnAllOrLimit,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			options: [
				choiceField('Order', 'order', {
					options: [
						{ name: 'Most Clicked First', value: 'click' },
						{ name: 'Newest First', value: 'date' },
					],
					default: 'date',
					description: 'In which order the links come',
				}),
				textField('Search', 'q', { placeholder: 'e.g. spring', description: 'Keyword that the links have to match' }),
			],
		},
	],
});

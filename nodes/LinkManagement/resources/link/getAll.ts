import { returnAllOrLimit } from '../../fields/list';
import type { OperationDefinition } from '../../fields/operation';
import { oneOf, text } from '../../fields/rules';

export const getAll: OperationDefinition = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many short links',
	description: 'Get many short links, all or those that match a search',
	request: { method: 'GET', url: '/api/urls' },
	fields: [
		...returnAllOrLimit,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			options: [
				{
					displayName: 'Order',
					name: 'order',
					type: 'options',
					options: [
						{ name: 'Most Clicked First', value: 'click' },
						{ name: 'Newest First', value: 'date' },
					],
					default: 'date',
					description: 'In which order the links come',
				},
				{
					displayName: 'Search',
					name: 'q',
					type: 'string',
					default: '',
					placeholder: 'e.g. spring',
					description: 'Keyword that the links have to match',
				},
			],
		},
	],
	sends: { list: 'urls', queryFrom: { filters: { q: text, order: oneOf('date', 'click') } } },
};

import type { INodeProperties } from 'n8n-workflow';

import { flag, hexColor, text } from '../../fields/rules';
import type { Rules } from '../../execution/request';

export const name: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Newsletter',
	description: 'Name of the channel',
};

/** What a channel has besides its name. */
export const details: INodeProperties[] = [
	{
		displayName: 'Color',
		name: 'color',
		type: 'color',
		default: '',
		description: 'Color of the badge, in HEX',
	},
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		description: 'What the channel is for',
	},
	{
		displayName: 'Starred',
		name: 'starred',
		type: 'boolean',
		default: false,
		description: 'Whether the channel is starred',
	},
];

export const detailRules: Rules = { description: text, color: hexColor, starred: flag };

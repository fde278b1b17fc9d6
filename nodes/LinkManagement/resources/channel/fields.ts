import type { INodeProperties } from 'n8n-workflow';

import { flag, hexColor, text } from '../../fields/rules';
import type { Rules } from '../../run/request';
import { switchField, textField } from '../../fields/inputs';

export const name: INodeProperties = textField('Name', 'name', {
	placeholder: 'e.g. Newsletter',
	description: 'Name of the channel',
});

/** What a channel has besides its name. */
export const details: INodeProperties[] = [
	{
		displayName: 'Color',
		name: 'color',
		type: 'color',
		default: '#2563EB',
		description: 'Color of the badge, as #RRGGBB',
	},
	textField('Description', 'description', { description: 'What the channel is for' }),
	switchField('Starred', 'starred', { description: 'Whether the channel is starred' }),
];

export const detailRules: Rules = { description: text, color: hexColor, starred: flag };

import type { INodeProperties } from 'n8n-workflow';

import { rgbColor, text } from '../../fields/rules';
import type { Rules } from '../../run/request';
import { textField } from '../../fields/inputs';

/** How a QR code looks. */
export const appearance: INodeProperties[] = [
	{
		displayName: 'Background',
		name: 'background',
		type: 'color',
		default: '#FFFFFF',
		description: 'Color behind the code, as #RRGGBB',
	},
	{
		displayName: 'Foreground',
		name: 'foreground',
		type: 'color',
		default: '#000000',
		description: 'Color of the code itself, as #RRGGBB',
	},
	textField('Logo', 'logo', {
		placeholder: 'e.g. https://example.com/logo.png',
		description: 'PNG or JPG logo for the middle: path or address',
	}),
];

export const appearanceRules: Rules = { background: rgbColor, foreground: rgbColor, logo: text };

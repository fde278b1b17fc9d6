import type { INodeProperties } from 'n8n-workflow';

import { rgbColor, text } from '../../fields/rules';
import type { Rules } from '../../execution/request';

/** How a QR code looks. */
export const appearance: INodeProperties[] = [
	{
		displayName: 'Background',
		name: 'background',
		type: 'color',
		default: '',
		description: 'Color behind the code',
	},
	{
		displayName: 'Foreground',
		name: 'foreground',
		type: 'color',
		default: '',
		description: 'Color of the code itself',
	},
	{
		displayName: 'Logo',
		name: 'logo',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/logo.png',
		description: 'PNG or JPG logo for the middle: path or address',
	},
];

export const appearanceRules: Rules = { background: rgbColor, foreground: rgbColor, logo: text };

import type { INodeProperties } from 'n8n-workflow';

import { webUrl } from '../../fields/rules';
import type { Rules } from '../../execution/request';

/** Where a branded domain sends visitors who follow no short link. */
export const redirects: INodeProperties[] = [
	{
		displayName: 'Not Found Redirect URL',
		name: 'redirect404',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/not-found',
		description: 'Where unknown short links lead',
	},
	{
		displayName: 'Root Redirect URL',
		name: 'redirectroot',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com',
		description: 'Where the bare domain leads',
	},
];

export const redirectRules: Rules = { redirectroot: webUrl, redirect404: webUrl };

import type { INodeProperties } from 'n8n-workflow';

import { webUrl } from '../../fields/rules';
import type { Rules } from '../../run/request';
import { textField } from '../../fields/inputs';

/** Where a branded domain sends visitors who follow no short link. */
export const redirects: INodeProperties[] = [
	textField('Not Found Redirect URL', 'redirect404', {
		placeholder: 'e.g. https://example.com/not-found',
		description: 'Where unknown short links lead',
	}),
	textField('Root Redirect URL', 'redirectroot', {
		placeholder: 'e.g. https://example.com',
		description: 'Where the bare domain leads',
	}),
];

export const redirectRules: Rules = { redirectroot: webUrl, redirect404: webUrl };

import type { INodeProperties } from 'n8n-workflow';

import type { OperationDefinition } from '../../fields/operation';
import { text } from '../../fields/rules';
import { required } from '../../run/request';
import { pixelName, tag } from './fields';

/** The types that services are known to have; others may exist, so that an expression may give any. */
const pixelType: INodeProperties = {
	displayName: 'Pixel Type',
	name: 'pixelType',
	type: 'options',
	options: [
		{ name: 'AdRoll', value: 'adrollpixel' },
		{ name: 'Bing', value: 'bing' },
		{ name: 'Facebook', value: 'fbpixel' },
		{ name: 'Google Ads', value: 'adwordspixel' },
		{ name: 'Google Analytics', value: 'gapixel' },
		{ name: 'Google Tag Manager', value: 'gtmpixel' },
		{ name: 'LinkedIn', value: 'linkedinpixel' },
		{ name: 'Pinterest', value: 'pinterest' },
		{ name: 'Quora', value: 'quorapixel' },
		{ name: 'Reddit', value: 'reddit' },
		{ name: 'Snapchat', value: 'snapchat' },
		{ name: 'TikTok', value: 'tiktok' },
		{ name: 'Twitter (X)', value: 'twitterpixel' },
	],
	allowArbitraryValues: true,
	default: 'gtmpixel',
	description: 'Provider of the pixel. An expression may give another type that your service has.',
};

export const create: OperationDefinition = {
	value: 'create',
	name: 'Create',
	action: 'Create a tracking pixel',
	description: 'Create a tracking pixel, to be fired by short links',
	request: { method: 'POST', url: '/api/pixel/add' },
	fields: [pixelType, { ...pixelName, required: true }, tag],
	sends: {
		body: { pixelType: required(text), name: required(text), tag: required(text) },
		complete(request) {
			const { pixelType: type, ...others } = request.body;
			request.body = { type, ...others };
		},
	},
};

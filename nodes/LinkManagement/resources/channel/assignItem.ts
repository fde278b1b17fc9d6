import type { INodeProperties } from 'n8n-workflow';

import { channelId, locator } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { succeeded } from '../../fields/output';
import { id, oneOf } from '../../fields/rules';
import { required } from '../../service/prepare';

/** The item, chosen from the list of its type. Bio pages have no list endpoint (spec, "Endpoints"). */
function itemId(itemType: string, search?: string): INodeProperties {
	return locator(
		{
			displayName: 'Item',
			name: 'itemId',
			required: true,
			displayOptions: { show: { itemType: [itemType] } },
			description: 'The item that becomes part of the channel',
		},
		search,
	);
}

export const assignItem: OperationDefinition = {
	value: 'assignItem',
	name: 'Assign Item',
	action: 'Assign an item to a channel',
	description: 'Make a link, bio page or QR code part of a channel',
	request: { method: 'POST', url: '/api/channel/:channelId/assign/:itemType/:itemId' },
	fields: [
		channelId,
		{
			displayName: 'Item Type',
			name: 'itemType',
			type: 'options',
			options: [
				{ name: 'Bio Page', value: 'bio' },
				{ name: 'Link', value: 'links' },
				{ name: 'QR Code', value: 'qr' },
			],
			default: 'links',
			description: 'What kind of item it is',
		},
		itemId('links', 'searchLinks'),
		itemId('qr', 'searchQrCodes'),
		itemId('bio'),
	],
	sends: { path: { channelId: required(id), itemType: required(oneOf('links', 'bio', 'qr')), itemId: required(id) } },
	output: [succeeded({ channelId: 'channelId', itemId: 'itemId' })],
};

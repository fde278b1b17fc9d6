import type { INodeProperties } from 'n8n-workflow';

import { byNames } from '../../fields/alike';
import { channelId, creatable, linkId, locator, qrCodeId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { readChecked } from '../../fields/reading';
import { channelReference, linkReference } from '../../fields/references';
import { id, oneOf } from '../../fields/rules';
import { succeeded } from '../../fields/output';
import type { Output } from '../../run/row';
import { findLinkIds } from '../../run/links/which';
import { required } from '../../run/request';
import { choiceField } from '../../fields/inputs';

/** Not marked as required: where an expression gives the type, all of them are shown, and one alone is needed. */
function shownFor(itemType: string, field: INodeProperties): INodeProperties {
	return { ...field, required: false, displayOptions: { show: { itemType: [itemType] } } };
}

/** Bio pages have no list endpoint (spec, "Endpoints"). */
const bioPageId = locator({ displayName: 'Bio Page', name: 'bioPageId', description: 'The bio page' }, undefined);

/** The values of `:type` (spec, "Endpoints"), each with the parameter that holds the item. */
const ITEMS: Record<string, INodeProperties> = { links: linkId, bio: bioPageId, qr: qrCodeId };

/** Adds the IDs, the item's under the name of its parameter. */
const assigned: Output = (records, row) => {
	const { name } = ITEMS[String(row.request.pathValues.itemType)];
	return succeeded({ channelId: 'channelId', [name]: 'itemId' })(records, row);
};

export const assignItem: OperationDefinition = {
	value: 'assignItem',
	name: 'Assign Item',
	action: 'Assign an item to a channel',
	description: 'Make a link, bio page or QR code part of a channel',
	request: { method: 'POST', url: '/api/channel/:channelId/assign/:itemType/:itemId' },
	...byNames(findLinkIds),
	fields: [
		creatable(channelId, 'channel', 'createChannel'),
		choiceField('Item Type', 'itemType', {
			options: [
				{ name: 'Bio Page', value: 'bio' },
				{ name: 'Link', value: 'links' },
				{ name: 'QR Code', value: 'qr' },
			],
			default: 'links',
			description: 'What kind of item it is',
		}),
		...Object.entries(ITEMS).map(([itemType, field]) => shownFor(itemType, field)),
	],
	sends: {
		path: { channelId: required(channelReference), itemType: required(oneOf(...Object.keys(ITEMS))) },
		complete(request, context) {
			const { itemType } = request.pathValues;
			const rule = itemType === 'links' ? linkReference : id;
			request.pathValues.itemId = readChecked(context, ITEMS[String(itemType)], required(rule)) as number;
		},
	},
	output: [assigned],
};

import { choiceField, shownFor } from '../../fields/inputs';
import { channelId, linkId, qrCodeId, recordField } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { succeeded } from '../../fields/results';
import { findLinkIds } from '../../links/perform';
import { findNames } from '../../links/account';
import { type ParsedField, readField, required } from '../../run/request';
import type { Output } from '../../run/row';
import { asText } from '../../service/records';

/** Bio pages have no list endpoint (spec, "Endpoints"). */
const bioPageId = recordField('Bio Page', 'bioPageId', undefined, 'ID of the bio page');

/** The values of `:type` (spec, "Endpoints"), each with the parameter of the item. */
const ITEMS: Record<string, ParsedField> = { links: linkId, bio: bioPageId, qr: qrCodeId };

/** Adds the IDs; the item's has the name of its parameter. */
const assigned: Output = (records, row) => {
	const { name } = ITEMS[String(row.request.pathValues.itemType)];
	return succeeded({ channelId: 'channelId', [name]: 'itemId' })(records, row);
};

const itemType = choiceField('Item Type', 'itemType', {
	options: [
		{ name: 'Bio Page', value: 'bio' },
		{ name: 'Link', value: 'links' },
		{ name: 'QR Code', value: 'qr' },
	],
	default: 'links',
});

export const assignItem: OperationDefinition = {
	value: 'assignItem',
	name: 'Assign Item',
	action: 'Assign an item to a channel',
	description: 'Add a link, bio page or QR code to a channel',
	request: { method: 'POST', url: '/api/channel/:channelId/assign/:itemType/:itemId' },
	prepare: [findNames, findLinkIds],
	inTurnBy({ request }) {
		const { itemType: type, itemId } = request.pathValues;
		return `${asText(type)} ${asText(itemId)}`;
	},
	fields: [
		channelId,
		{ ...itemType, parser: required(itemType.parser) },
		...Object.entries(ITEMS).map(([ofType, field]) => shownFor(field, { show: { itemType: [ofType] } })),
	],
	complete(request, context) {
		request.pathValues.itemId = readField(context, ITEMS[String(request.pathValues.itemType)]);
	},
	output: [assigned],
};

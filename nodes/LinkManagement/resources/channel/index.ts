import { additionalFields, updateFields } from '../../fields/collections';
import { hexColor } from '../../fields/colors';
import { colorField, returnAllOrLimit, switchField, textField } from '../../fields/inputs';
import { channelId } from '../../fields/locators';
import type { OperationDefinition, ResourceDefinition } from '../../fields/operation';
import { change, creation, deletion, byNames, getMany } from '../../fields/standardOperations';
import { LISTS } from '../../service/endpoints';
import { assignItem } from './assignItem';

const name = textField('Name', 'name', { placeholder: 'e.g. Newsletter' });

const color = colorField('Color', 'color', {
	default: '#2563EB',
	description: 'Color of the badge, as #RRGGBB',
	parser: hexColor,
});
const description = textField('Description', 'description', { description: 'What the channel is for' });
const starred = switchField('Starred', 'starred', { description: 'Whether to mark the channel with a star' });

const newFields = [{ ...name, required: true }, additionalFields('channel', [color, description, starred])];
const create = creation('a channel', '/api/channel/add', newFields, {
	description: 'Create a channel to group links, bio pages and QR codes',
});
const remove = deletion('a channel', '/api/channel/:channelId/delete', channelId, {
	description: 'Delete a channel. Its items are kept.',
});
const getItems: OperationDefinition = {
	value: 'getItems',
	name: 'Get Items',
	action: 'Get the items of a channel',
	description: 'Get the links, bio pages and QR codes of a channel',
	request: { method: 'GET', url: '/api/channel/:channelId' },
	fields: [channelId, ...returnAllOrLimit],
	...byNames,
	list: 'items',
};
const getAll = getMany('channels', LISTS.channels);
// n8n lists the fields of a collection in alphabetical order.
const changedFields = [channelId, updateFields('channel', [color, description, name, starred])];
const update = change('a channel', '/api/channel/:channelId/update', changedFields, {
	description: 'Change the name, description, color or star of a channel',
	needsChange: true,
});

export const channel: ResourceDefinition = {
	value: 'channel',
	name: 'Channel',
	description: 'Groups of links and QR codes',
	operations: [assignItem, create, remove, getItems, getAll, update],
};

import { byNames, deletion, getMany } from '../../fields/alike';
import { channelId } from '../../fields/locators';
import type { ResourceDefinition } from '../../fields/operation';
import { channelReference } from '../../fields/references';
import { assignItem } from './assignItem';
import { create } from './create';
import { getItems } from './getItems';
import { update } from './update';

const getAll = getMany('channels', '/api/channels', 'channels');
const remove = deletion('a channel', '/api/channel/:channelId/delete', channelId, channelReference, {
	...byNames(),
	description: 'Delete a channel. Its items are kept.',
});

export const channel: ResourceDefinition = {
	value: 'channel',
	name: 'Channel',
	description: 'Groups of links and QR codes',
	operations: [assignItem, create, remove, getItems, getAll, update],
};

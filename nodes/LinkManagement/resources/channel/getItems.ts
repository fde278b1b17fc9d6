import { returnAllOrLimit } from '../../fields/list';
import { channelId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { id } from '../../fields/rules';
import { required } from '../../service/prepare';

export const getItems: OperationDefinition = {
	value: 'getItems',
	name: 'Get Items',
	action: 'Get the items of a channel',
	description: 'Get the links, bio pages and QR codes of a channel',
	request: { method: 'GET', url: '/api/channel/:channelId' },
	fields: [channelId, ...returnAllOrLimit],
	sends: { path: { channelId: required(id) }, list: 'items' },
};

import { byNames } from '../../fields/alike';
import { returnAllOrLimit } from '../../fields/list';
import { channelId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { channelReference } from '../../fields/references';
import { required } from '../../run/request';

export const getItems: OperationDefinition = {
	value: 'getItems',
	name: 'Get Items',
	action: 'Get the items of a channel',
	description: 'Get the links, bio pages and QR codes of a channel',
	request: { method: 'GET', url: '/api/channel/:channelId' },
	fields: [channelId, ...returnAllOrLimit],
	...byNames(),
	sends: { path: { channelId: required(channelReference) }, list: 'items' },
};

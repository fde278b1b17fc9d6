import { byNames } from '../../fields/alike';
import { updateFields } from '../../fields/collections';
import { channelId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { channelReference } from '../../fields/references';
import { succeeded } from '../../fields/output';
import { text } from '../../fields/rules';
import { required } from '../../run/request';
import { detailRules, details, name } from './fields';

export const update: OperationDefinition = {
	value: 'update',
	name: 'Update',
	action: 'Update a channel',
	description: 'Change the name, description, color or star of a channel',
	request: { method: 'PUT', url: '/api/channel/:channelId/update' },
	// n8n lists the fields of a collection in alphabetical order.
	fields: [channelId, updateFields('channel', [...details.slice(0, 2), name, ...details.slice(2)])],
	...byNames(),
	sends: {
		path: { channelId: required(channelReference) },
		bodyFrom: { channelFields: { name: text, ...detailRules } },
		needsOneOf: 'channelFields',
	},
	output: [succeeded({ id: 'channelId' })],
};

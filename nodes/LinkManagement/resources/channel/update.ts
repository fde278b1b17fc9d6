import { updateFields } from '../../fields/collections';
import { channelId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { succeeded } from '../../fields/output';
import { id, text } from '../../fields/rules';
import { required } from '../../service/prepare';
import { detailRules, details, name } from './fields';

export const update: OperationDefinition = {
	value: 'update',
	name: 'Update',
	action: 'Update a channel',
	description: 'Change the name, description, color or star of a channel',
	request: { method: 'PUT', url: '/api/channel/:channelId/update' },
	// n8n lists the fields of a collection in alphabetical order.
	fields: [channelId, updateFields([...details.slice(0, 2), name, ...details.slice(2)])],
	sends: {
		path: { channelId: required(id) },
		bodyFrom: { updateFields: { name: text, ...detailRules } },
		needsOneOf: 'updateFields',
	},
	output: [succeeded({ id: 'channelId' })],
};

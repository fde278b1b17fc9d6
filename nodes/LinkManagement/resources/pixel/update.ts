import { updateFields } from '../../fields/collections';
import { pixelId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { succeeded } from '../../fields/output';
import { id, text } from '../../fields/rules';
import { required } from '../../run/request';
import { pixelName, tag } from './fields';

export const update: OperationDefinition = {
	value: 'update',
	name: 'Update',
	action: 'Update a tracking pixel',
	description: 'Change the tag or the name of a tracking pixel. The service wants the tag with every update.',
	request: { method: 'PUT', url: '/api/pixel/:pixelId/update' },
	fields: [pixelId, tag, updateFields('pixel', [pixelName])],
	sends: {
		path: { pixelId: required(id) },
		body: { tag: required(text) },
		bodyFrom: { pixelFields: { name: text } },
	},
	output: [succeeded({ id: 'pixelId' })],
};

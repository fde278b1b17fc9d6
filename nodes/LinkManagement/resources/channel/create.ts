import { additionalFields } from '../../fields/collections';
import type { OperationDefinition } from '../../fields/operation';
import { text } from '../../fields/rules';
import { required } from '../../run/request';
import { detailRules, details, name } from './fields';

export const create: OperationDefinition = {
	value: 'create',
	name: 'Create',
	action: 'Create a channel',
	description: 'Create a channel to group links, bio pages and QR codes',
	request: { method: 'POST', url: '/api/channel/add' },
	fields: [{ ...name, required: true }, additionalFields('channel', details)],
	sends: { body: { name: required(text) }, bodyFrom: { channelFields: detailRules } },
};

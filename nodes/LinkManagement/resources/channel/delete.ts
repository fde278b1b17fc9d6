import { channelId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { deleted } from '../../fields/output';
import { id } from '../../fields/rules';
import { required } from '../../service/prepare';

export const remove: OperationDefinition = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a channel',
	description: 'Delete a channel. Its items are kept.',
	request: { method: 'DELETE', url: '/api/channel/:channelId/delete' },
	fields: [channelId],
	sends: { path: { channelId: required(id) } },
	output: [deleted('channelId')],
};

import { channelId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { ifNameMissing } from '../../fields/options';
import { channelReference } from '../../fields/references';
import { deleted } from '../../fields/output';
import { required } from '../../execution/request';

export const remove: OperationDefinition = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a channel',
	description: 'Delete a channel. Its items are kept.',
	request: { method: 'DELETE', url: '/api/channel/:channelId/delete' },
	fields: [channelId],
	finds: ['names'],
	extraOptions: [ifNameMissing],
	sends: { path: { channelId: required(channelReference) } },
	output: [deleted('channelId')],
};

import { campaignId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { deleted } from '../../fields/output';
import { id } from '../../fields/rules';
import { required } from '../../service/prepare';

export const remove: OperationDefinition = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a campaign',
	description: 'Delete a campaign',
	request: { method: 'DELETE', url: '/api/campaign/:campaignId/delete' },
	fields: [campaignId],
	sends: { path: { campaignId: required(id) } },
	output: [deleted('campaignId')],
};

import { campaignId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { ifNameMissing } from '../../fields/options';
import { campaignReference } from '../../fields/references';
import { deleted } from '../../fields/output';
import { required } from '../../execution/request';

export const remove: OperationDefinition = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a campaign',
	description: 'Delete a campaign',
	request: { method: 'DELETE', url: '/api/campaign/:campaignId/delete' },
	fields: [campaignId],
	finds: ['names'],
	extraOptions: [ifNameMissing],
	sends: { path: { campaignId: required(campaignReference) } },
	output: [deleted('campaignId')],
};

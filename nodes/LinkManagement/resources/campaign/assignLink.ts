import { campaignId, linkId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { succeeded } from '../../fields/output';
import { id } from '../../fields/rules';
import { required } from '../../service/prepare';

export const assignLink: OperationDefinition = {
	value: 'assignLink',
	name: 'Assign Link',
	action: 'Assign a link to a campaign',
	description: 'Make a short link part of a campaign',
	request: { method: 'POST', url: '/api/campaign/:campaignId/assign/:linkId' },
	fields: [campaignId, linkId],
	sends: { path: { campaignId: required(id), linkId: required(id) } },
	output: [succeeded({ campaignId: 'campaignId', linkId: 'linkId' })],
};

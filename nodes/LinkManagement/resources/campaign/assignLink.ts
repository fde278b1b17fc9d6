import { byNames } from '../../fields/alike';
import { campaignId, creatable, linkId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { campaignReference, linkReference } from '../../fields/references';
import { succeeded } from '../../fields/output';
import { findLinkIds } from '../../run/links/which';
import { required } from '../../run/request';

export const assignLink: OperationDefinition = {
	value: 'assignLink',
	name: 'Assign Link',
	action: 'Assign a link to a campaign',
	description: 'Make a short link part of a campaign',
	request: { method: 'POST', url: '/api/campaign/:campaignId/assign/:linkId' },
	fields: [creatable(campaignId, 'campaign', 'createCampaign'), linkId],
	...byNames(findLinkIds),
	sends: { path: { campaignId: required(campaignReference), linkId: required(linkReference) } },
	output: [succeeded({ campaignId: 'campaignId', linkId: 'linkId' })],
};

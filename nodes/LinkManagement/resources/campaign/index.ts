import { byNames, deletion, getMany } from '../../fields/alike';
import { campaignId } from '../../fields/locators';
import type { ResourceDefinition } from '../../fields/operation';
import { campaignReference } from '../../fields/references';
import { assignLink } from './assignLink';
import { create } from './create';
import { nameInItsPlace } from './record';
import { update } from './update';

const getAll = getMany('campaigns', '/api/campaigns', 'campaigns', { output: [nameInItsPlace] });
const remove = deletion('a campaign', '/api/campaign/:campaignId/delete', campaignId, campaignReference, byNames());

export const campaign: ResourceDefinition = {
	value: 'campaign',
	name: 'Campaign',
	description: 'Groups of short links',
	operations: [assignLink, create, remove, getAll, update],
};

import { deletion, getMany } from '../../fields/alike';
import { domainId } from '../../fields/locators';
import type { ResourceDefinition } from '../../fields/operation';
import { id } from '../../fields/rules';
import { create } from './create';
import { update } from './update';

const getAll = getMany('branded domains', '/api/domains', 'domains');
const remove = deletion('a branded domain', '/api/domain/:domainId/delete', domainId, id);

export const domain: ResourceDefinition = {
	value: 'domain',
	name: 'Domain',
	description: 'Branded domains',
	operations: [create, remove, getAll, update],
};

import type { ResourceDefinition } from '../../fields/operation';
import { get } from './get';
import { update } from './update';

export const account: ResourceDefinition = {
	value: 'account',
	name: 'Account',
	operations: [get, update],
	defaultOperation: get,
};

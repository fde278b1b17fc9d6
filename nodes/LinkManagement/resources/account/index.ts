import type { ResourceDefinition } from '../../fields/operation';
import { get } from './get';
import { update } from './update';

export const account: ResourceDefinition = {
	value: 'account',
	name: 'Account',
	description: 'The account of the API key',
	operations: [get, update],
};

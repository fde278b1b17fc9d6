import type { ResourceDefinition } from '../../fields/operation';
import { getAll } from './getAll';

export const splashPage: ResourceDefinition = {
	value: 'splashPage',
	name: 'Splash Page',
	description: 'Splash pages',
	operations: [getAll],
	defaultOperation: getAll,
};

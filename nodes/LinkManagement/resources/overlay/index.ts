import type { ResourceDefinition } from '../../fields/operation';
import { getAll } from './getAll';

export const overlay: ResourceDefinition = {
	value: 'overlay',
	name: 'Overlay',
	operations: [getAll],
	defaultOperation: getAll,
};

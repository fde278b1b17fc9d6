import type { ResourceDefinition } from '../../fields/operation';
import { getAll } from './getAll';

export const overlay: ResourceDefinition = {
	value: 'overlay',
	name: 'Overlay',
	description: 'Call-to-action overlays',
	operations: [getAll],
	defaultOperation: getAll,
};

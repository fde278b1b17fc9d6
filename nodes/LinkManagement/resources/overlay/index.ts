import type { ResourceDefinition } from '../../fields/operation';
import { getMany } from '../../fields/standardOperations';
import { LISTS } from '../../service/endpoints';

const getAll = getMany('overlays', LISTS.overlays, { description: 'Retrieve a list of call-to-action overlays' });

export const overlay: ResourceDefinition = {
	value: 'overlay',
	name: 'Overlay',
	description: 'Call-to-action overlays',
	operations: [getAll],
};

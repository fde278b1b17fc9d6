import { getMany } from '../../fields/standardOperations';
import type { ResourceDefinition } from '../../fields/operation';

const getAll = getMany('overlays', '/api/overlay', ['cta', 'overlay'], {
	description: 'Get many call-to-action overlays',
});

export const overlay: ResourceDefinition = {
	value: 'overlay',
	name: 'Overlay',
	description: 'Call-to-action overlays',
	operations: [getAll],
};

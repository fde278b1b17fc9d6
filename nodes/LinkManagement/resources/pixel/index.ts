import { deletion, getMany } from '../../fields/alike';
import { pixelId } from '../../fields/locators';
import type { ResourceDefinition } from '../../fields/operation';
import { id } from '../../fields/rules';
import { create } from './create';
import { update } from './update';

const getAll = getMany('tracking pixels', '/api/pixels', 'pixels');
const remove = deletion('a tracking pixel', '/api/pixel/:pixelId/delete', pixelId, id);

export const pixel: ResourceDefinition = {
	value: 'pixel',
	name: 'Pixel',
	description: 'Tracking pixels',
	operations: [create, remove, getAll, update],
};

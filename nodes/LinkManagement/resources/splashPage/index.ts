import { getMany } from '../../fields/standardOperations';
import type { ResourceDefinition } from '../../fields/operation';

const getAll = getMany('splash pages', '/api/splash', 'splash', {
	description: 'Get many custom splash pages',
});

export const splashPage: ResourceDefinition = {
	value: 'splashPage',
	name: 'Splash Page',
	description: 'Splash pages',
	operations: [getAll],
};

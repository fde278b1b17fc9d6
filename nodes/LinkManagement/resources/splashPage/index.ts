import { getMany } from '../../fields/standardOperations';
import type { ResourceDefinition } from '../../fields/operation';
import { LISTS } from '../../service/endpoints';

const getAll = getMany('splash pages', LISTS.splashPages, {
	description: 'Get many custom splash pages',
});

export const splashPage: ResourceDefinition = {
	value: 'splashPage',
	name: 'Splash Page',
	description: 'Splash pages',
	operations: [getAll],
};

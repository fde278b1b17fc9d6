import type { ResourceDefinition } from '../../fields/operation';
import { getMany } from '../../fields/standardOperations';
import { LISTS } from '../../service/endpoints';

const getAll = getMany('splash pages', LISTS.splashPages);

export const splashPage: ResourceDefinition = {
	value: 'splashPage',
	name: 'Splash Page',
	description: 'Splash pages',
	operations: [getAll],
};

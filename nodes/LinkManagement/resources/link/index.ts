import { linkId } from '../../fields/locators';
import type { ResourceDefinition } from '../../fields/operation';
import { deletion } from '../../fields/standardOperations';
import { findAndRead, planDeletions } from '../../links/perform';
import { create } from './create';
import { get } from './get';
import { getAll } from './getAll';
import { update } from './update';
import { upsert } from './upsert';

const remove = deletion('a short link', '/api/url/:linkId/delete', linkId, {
	description: 'Delete a short link permanently. Its address stops working.',
	plan: planDeletions,
	// A model has seen nothing of the link but its name.
	asTool: { prepare: [findAndRead] },
});

export const link: ResourceDefinition = {
	value: 'link',
	name: 'Link',
	description: 'Short links',
	operations: [create, upsert, remove, get, getAll, update],
};

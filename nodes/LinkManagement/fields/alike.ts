import type { INodeProperties } from 'n8n-workflow';

import { findNames, makeNames } from '../run/links/names';
import { required, type Rule } from '../run/request';
import type { Prepare } from '../run/row';
import { returnAllOrLimit } from './list';
import type { OperationDefinition } from './operation';
import { ifNameMissing } from './options';
import { succeeded } from './output';

type Address = OperationDefinition['request']['url'];

/**
 * What operations have that take a campaign or channel by its name.
 *
 * @param steps what else is asked before anything is changed
 */
export function byNames(...steps: Prepare[]): Pick<OperationDefinition, 'prepare' | 'extraOptions'> {
	return { prepare: [findNames, ...steps, makeNames], extraOptions: [ifNameMissing] };
}

/**
 * Lists the records of a resource.
 *
 * @param nouns what they are called
 * @param list the collection that holds them (spec, "Paged list envelope")
 * @param more what the operation has besides, or otherwise
 */
export function getMany(
	nouns: string,
	url: Address,
	list: OperationDefinition['sends']['list'],
	more: Partial<OperationDefinition> = {},
): OperationDefinition {
	return {
		value: 'getAll',
		name: 'Get Many',
		action: `Get many ${nouns}`,
		description: `Get many ${nouns}`,
		request: { method: 'GET', url },
		fields: returnAllOrLimit,
		sends: { list },
		...more,
	};
}

/**
 * Deletes a record.
 *
 * @param noun what it is called, with its article
 * @param field which record; the address has a placeholder of its name
 * @param more what the operation has besides, or otherwise
 */
export function deletion(
	noun: string,
	url: Address,
	field: INodeProperties,
	rule: Rule,
	more: Partial<OperationDefinition> = {},
): OperationDefinition {
	return {
		value: 'delete',
		name: 'Delete',
		action: `Delete ${noun}`,
		description: `Delete ${noun}`,
		request: { method: 'DELETE', url },
		fields: [field],
		sends: { path: { [field.name]: required(rule) } },
		output: [succeeded({ id: field.name }, 'deleted')],
		...more,
	};
}

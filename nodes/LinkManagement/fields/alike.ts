import { findNames, makeNames } from '../run/links/names';
import type { Field } from '../run/request';
import type { Prepare } from '../run/row';
import { returnAllOrLimit } from './inputs';
import type { OperationDefinition } from './operation';
import { ifNameMissing } from './options';
import { succeeded } from './output';

type Address = OperationDefinition['request']['url'];
type More = Partial<OperationDefinition>;

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
	list: OperationDefinition['list'],
	more?: More,
): OperationDefinition {
	return {
		value: 'getAll',
		name: 'Get Many',
		action: `Get many ${nouns}`,
		description: `Get many ${nouns}`,
		request: { method: 'GET', url },
		fields: returnAllOrLimit,
		list,
		...more,
	};
}

/**
 * Makes a record.
 *
 * @param noun what it is called, with its article
 * @param more what the operation has besides, or otherwise
 */
export function creation(noun: string, url: Address, fields: Field[], more?: More): OperationDefinition {
	return {
		value: 'create',
		name: 'Create',
		action: `Create ${noun}`,
		description: `Create ${noun}`,
		request: { method: 'POST', url },
		fields,
		...more,
	};
}

/**
 * Changes a record.
 *
 * @param noun what it is called, with its article
 * @param fields the first says which record, where the address has a placeholder of its name
 * @param more what the operation has besides, or otherwise
 */
export function change(noun: string, url: Address, fields: Field[], more?: More): OperationDefinition {
	const [{ name }] = fields;
	return {
		value: 'update',
		name: 'Update',
		action: `Update ${noun}`,
		description: `Update ${noun}`,
		request: { method: 'PUT', url },
		fields,
		output: [succeeded(url.includes(`:${name}/`) ? { id: name } : {})],
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
export function deletion(noun: string, url: Address, field: Field, more?: More): OperationDefinition {
	return {
		value: 'delete',
		name: 'Delete',
		action: `Delete ${noun}`,
		description: `Delete ${noun}`,
		request: { method: 'DELETE', url },
		fields: [field],
		output: [succeeded({ id: field.name }, 'deleted')],
		...more,
	};
}

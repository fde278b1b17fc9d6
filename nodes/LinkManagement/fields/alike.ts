import { createNames, findExistingNames, findNames } from '../links/names';
import type { Field } from '../run/request';
import type { Prepare } from '../run/row';
import { returnAllOrLimit } from './inputs';
import type { OperationDefinition } from './operation';
import { ifNameMissing } from './options';
import { succeeded } from './output';

type Address = OperationDefinition['request']['url'];
type More = Partial<OperationDefinition>;

/** @param does what the nodes panel says of it, and the description, unless that is stated besides */
function operation(
	value: string,
	name: string,
	does: string,
	method: OperationDefinition['request']['method'],
	url: Address,
	fields: Field[],
): OperationDefinition {
	return { value, name, action: does, description: does, request: { method, url }, fields };
}

/** What operations have that take a campaign or channel by its name, and need it to be there. */
export const existingNames: Pick<OperationDefinition, 'prepare'> = { prepare: [findExistingNames] };

/**
 * What operations have that assign to a campaign or channel by its name.
 *
 * @param steps what else is asked before anything is changed
 */
export function byNames(...steps: Prepare[]): Pick<OperationDefinition, 'prepare' | 'extraOptions'> {
	return { prepare: [findNames, ...steps, createNames], extraOptions: [ifNameMissing] };
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
	return { ...operation('getAll', 'Get Many', `Get many ${nouns}`, 'GET', url, returnAllOrLimit), list, ...more };
}

/**
 * Makes a record.
 *
 * @param noun what it is called, with its article
 * @param more what the operation has besides, or otherwise
 */
export function creation(noun: string, url: Address, fields: Field[], more?: More): OperationDefinition {
	return { ...operation('create', 'Create', `Create ${noun}`, 'POST', url, fields), ...more };
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
		...operation('update', 'Update', `Update ${noun}`, 'PUT', url, fields),
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
		...operation('delete', 'Delete', `Delete ${noun}`, 'DELETE', url, [field]),
		output: [succeeded({ id: field.name }, 'deleted')],
		...more,
	};
}

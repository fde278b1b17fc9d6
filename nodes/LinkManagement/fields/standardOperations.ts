/** The operations that most resources have. `more` adds or changes properties. */
import { findNames } from '../links/account';
import type { Field } from '../run/request';
import type { LISTS } from '../service/endpoints';
import { returnAllOrLimit } from './inputs';
import type { OperationDefinition } from './operation';
import { succeeded, withSent } from './results';

type Method = OperationDefinition['request']['method'];
type Address = OperationDefinition['request']['url'];
type More = Partial<OperationDefinition>;

/** @param does its action in the nodes panel, and its default description */
function operation(
	value: string,
	name: string,
	does: string,
	request: { method: Method; url: Address },
	more: More & { fields: Field[] },
): OperationDefinition {
	return { value, name, action: does, description: does, request, ...more };
}

/** For operations on records that may be named. */
export const byNames: More = { prepare: [findNames] };

/** Lists the records of a resource. */
export function getMany(
	nouns: string,
	{ path, collection: list }: (typeof LISTS)[keyof typeof LISTS],
	more?: More,
): OperationDefinition {
	const request = { method: 'GET' as const, url: path };
	const usual = { fields: returnAllOrLimit, list, description: `Retrieve a list of ${nouns}` };
	return operation('getAll', 'Get Many', `Get many ${nouns}`, request, { ...usual, ...more });
}

export function creation(noun: string, url: Address, fields: Field[], more?: More): OperationDefinition {
	return operation(
		'create',
		'Create',
		`Create ${noun}`,
		{ method: 'POST', url },
		{ fields, output: [withSent], ...more },
	);
}

/** Changes a record. @param fields the first one chooses the record, if the URL has a parameter of its name */
export function change(noun: string, url: Address, fields: Field[], more?: More): OperationDefinition {
	const [{ name }] = fields;
	const output = [succeeded(url.includes(`:${name}/`) ? { id: name } : {})];
	const usual = { fields, output, ...byNames };
	return operation('update', 'Update', `Update ${noun}`, { method: 'PUT', url }, { ...usual, ...more });
}

/** Deletes a record. @param field chooses the record; the URL has a parameter of its name */
export function deletion(noun: string, url: Address, field: Field, more?: More): OperationDefinition {
	const output = [succeeded({ id: field.name }, 'deleted')];
	const request = { method: 'DELETE' as const, url };
	return operation('delete', 'Delete', `Delete ${noun} for good`, request, {
		fields: [field],
		output,
		...byNames,
		...more,
	});
}

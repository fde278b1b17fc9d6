import type { IDataObject } from 'n8n-workflow';

import type { Field, Parsed, ParsedField, Parser } from '../run/request';
import { ValueError } from '../service/answer/errors';
import { isRecord } from '../service/records';
import { readGroup, rowsOf } from './parsers';

/** A collection, to which the user adds fields. */
export function collection(displayName: string, name: string, options: Field[], placeholder = 'Add field'): Field {
	return { displayName, name, type: 'collection', placeholder, default: {}, options };
}

/**
 * The optional fields of an operation, in one collection per resource: `linkFields`, `campaignFields`, … Each operation has its own:
 * n8n tells agents all entries of a collection, whatever their display conditions.
 *
 * @param resource value of the resource
 */
export const additionalFields = (resource: string, options: Field[]): Field =>
	collection('Additional Fields', `${resource}Fields`, options);

/** The fields that an update may change. Those that are not added stay unchanged. */
export const updateFields = (resource: string, options: Field[]): Field =>
	collection('Update Fields', `${resource}Fields`, options);

type FieldNames = Pick<Field, 'displayName' | 'name' | 'description'>;

/** A group of fields, once, among the fields of a link. @param shape makes the value to be sent */
export function groupOnce(
	names: FieldNames,
	values: ParsedField[],
	shape: (group: IDataObject) => Parsed,
): ParsedField {
	const { displayName } = names;
	return {
		...names,
		type: 'fixedCollection',
		// Otherwise n8n drops a group whose entries are unchanged.
		typeOptions: { multipleValues: false },
		default: { value: {} },
		placeholder: `Set ${displayName}`,
		options: [{ displayName, name: 'value', values }],
		parser: (given, origin) => {
			// An expression may give the fields without the group.
			const group = isRecord(given) && isRecord(given.value) ? given.value : (given ?? {});
			if (isRecord(group)) return shape(readGroup(group, values, origin));
			throw new ValueError('is not an object', {
				editor: 'Enter the fields, or use an expression that gives an object of them.',
				model: 'Pass an object.',
			});
		},
	};
}

/**
 * A group of fields, several times, among the fields of a link.
 *
 * @param entry name of one entry
 * @param parser of all entries; by default, they are sent as rows
 */
export function groupRepeated(
	names: FieldNames,
	entry: string,
	values: ParsedField[],
	parser: Parser = rowsOf(values),
): ParsedField {
	return {
		...names,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: `Add ${entry.toLowerCase()}`,
		options: [{ displayName: entry, name: 'values', values }],
		parser,
	};
}

/** A choice of several from a loaded list, or of any others by an expression. */
export function several(names: FieldNames & { parser: Parser }, loadOptionsMethod: string): ParsedField {
	const loading = { typeOptions: { loadOptionsMethod }, allowArbitraryValues: true };
	return { ...names, type: 'multiOptions', ...loading, default: [] };
}

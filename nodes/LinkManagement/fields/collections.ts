import type { IDataObject } from 'n8n-workflow';

import type { Field, Parsed, ParsedField, Parser } from '../run/request';
import { isRecord } from '../service/records';
import { ValueError } from '../service/errors';
import { readGroup, rowsOf } from './parsers';

/** Fields of which the user adds those that are wanted. */
export function collection(displayName: string, name: string, options: Field[], placeholder = 'Add field'): Field {
	return { displayName, name, type: 'collection', placeholder, default: {}, options };
}

/**
 * What an operation may carry besides what it has to, in one collection for each resource: `linkFields`, `campaignFields`, … It keeps
 * every operation's definition its own: what n8n tells agents of an operation holds all entries of a collection, whatever
 * conditions the entries have.
 *
 * @param resource value of the resource
 */
export function additionalFields(resource: string, options: Field[]): Field {
	return collection('Additional Fields', `${resource}Fields`, options);
}

/** The same for an update. Fields that are not added stay as they are. */
export function updateFields(resource: string, options: Field[]): Field {
	return collection('Update Fields', `${resource}Fields`, options);
}

type Names = Pick<Field, 'displayName' | 'name' | 'description'>;

/** A group of fields that is there once, among the fields of a link. @param shape what goes out, made of what was entered */
export function groupOnce(names: Names, values: ParsedField[], shape: (group: IDataObject) => Parsed): ParsedField {
	const { displayName } = names;
	return {
		...names,
		type: 'fixedCollection',
		// Stated, for n8n drops a group whose entries are left as they are otherwise.
		typeOptions: { multipleValues: false },
		default: { value: {} },
		placeholder: `Set ${displayName}`,
		options: [{ displayName, name: 'value', values }],
		parser: (given, source) => {
			// An expression may give the fields alone.
			const group = isRecord(given) && isRecord(given.value) ? given.value : (given ?? {});
			if (isRecord(group)) return shape(readGroup(group, values, source));
			throw new ValueError('is not an object', 'Enter the fields, or use an expression that gives an object of them.');
		},
	};
}

/**
 * A group of fields that may be there several times, among the fields of a link. It opens with its first entry.
 *
 * n8n adds such a field empty, whatever its default is, and drops it as soon as another one is added. So there are two entries of
 * the name: one that is only offered while the field is not there and brings the first entry along as its default, and the field.
 *
 * @param entry what one of them is called
 * @param parser how all of them go out; as rows, unless stated
 */
export function groupRepeated(
	names: Names,
	entry: string,
	values: ParsedField[],
	parser: Parser<IDataObject[]> = rowsOf(values),
): Field[] {
	const first = Object.fromEntries(values.map((value) => [value.name, value.default]));
	const isThere = { [`/linkFields.${names.name}`]: [{ _cnd: { exists: true as const } }] };
	return [
		{ ...names, type: 'notice', default: { values: [first] }, displayOptions: { hide: isThere } },
		{
			...names,
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			default: {},
			placeholder: `Add ${entry.toLowerCase()}`,
			displayOptions: { show: isThere },
			options: [{ displayName: entry, name: 'values', values }],
			parser,
		},
	];
}

/** A choice of several from a list that is loaded, or of any others by an expression. */
export function several(names: Names & { parser: Parser }, loadOptionsMethod: string): ParsedField {
	const loading = { typeOptions: { loadOptionsMethod }, allowArbitraryValues: true };
	return { ...names, type: 'multiOptions', ...loading, default: [] };
}

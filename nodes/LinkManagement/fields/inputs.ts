import type { INodePropertyOptions } from 'n8n-workflow';

import type { Field, ParsedField, Parser } from '../run/request';
import { atLeastOne, count, flag, oneOf, secret, text } from './parsers';

/**
 * A text field, empty by default.
 *
 * @param more other properties, such as a placeholder, a description or another parser
 */
export function textField(displayName: string, name: string, more: Partial<Field> = {}): ParsedField {
	const { parser = more.typeOptions?.password === true ? secret : text } = more;
	return { displayName, name, type: 'string', default: '', ...more, parser };
}

/** A switch, off by default. */
export function switchField(displayName: string, name: string, more: Partial<Field>): ParsedField {
	return { displayName, name, type: 'boolean', default: false, ...more, parser: flag };
}

export function choiceField(
	displayName: string,
	name: string,
	more: Pick<Field, 'default' | 'description' | 'noDataExpression'> & { options: INodePropertyOptions[] },
): ParsedField {
	const { default: first } = more;
	return { displayName, name, type: 'options', ...more, default: first, parser: oneOf(more.options) };
}

export function colorField(displayName: string, name: string, more: Partial<Field> & { parser: Parser }): ParsedField {
	return { displayName, name, type: 'color', default: '#000000', ...more };
}

/**
 * The same field, shown only for some values of other parameters. It is not `required`: if an expression gives such a value, n8n takes
 * all fields that depend on it for shown. The operation itself reports a missing value.
 */
export function shownFor(field: Field, displayOptions: Field['displayOptions']): Field {
	return { ...field, required: false, displayOptions };
}

/** A field whose value is not sent: it says how the operation is done. */
export function asOption({ parser, ...field }: ParsedField): Field {
	return { ...field, option: parser };
}

export const returnAllOrLimit: Field[] = [
	asOption(
		switchField('Return All', 'returnAll', {
			description: 'Whether to return all results or only up to a given limit',
		}),
	),
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
		option: count,
	},
	{
		displayName: 'Page',
		name: 'page',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1,
		displayOptions: { show: { '@tool': [true] } },
		option: atLeastOne('Enter the number of a page, such as 2.'),
	},
];

/** An entry of the Options of operations with one item per row. Added, it is on; left out, it is off. */
export const includeInput = switchField('Include Input Fields', 'includeInput', {
	default: true,
	description: "Whether to add the row's own fields",
	noDataExpression: true,
});

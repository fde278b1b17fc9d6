import type { INodePropertyOptions } from 'n8n-workflow';

import { required, type Field, type RuledField } from '../run/request';
import { flag, oneOf, secret, text } from './rules';

/**
 * A field for text, empty unless something is entered.
 *
 * @param more what it has besides, such as a placeholder and a description, and another rule
 */
export function textField(displayName: string, name: string, more: Partial<Field> = {}): RuledField {
	const { rule = more.typeOptions?.password === true ? secret : text } = more;
	return { displayName, name, type: 'string', default: '', ...more, rule };
}

/** A switch, off unless `more` has another default. */
export function switchField(displayName: string, name: string, more: Partial<Field>): Field {
	return { displayName, name, type: 'boolean', default: false, rule: flag, ...more };
}

/** A choice among a few, and which of them it begins with. */
export function choiceField(
	displayName: string,
	name: string,
	{ options, default: first, description }: Required<Pick<Field, 'options' | 'default' | 'description'>>,
): RuledField {
	const rule = oneOf(...(options as INodePropertyOptions[]).map(({ value }) => String(value)));
	return { displayName, name, type: 'options', options, default: first, description, rule };
}

/** A field that can't be left out, though the editor does not mark it so. */
export function needed(field: RuledField): RuledField {
	return { ...field, rule: required(field.rule) };
}

/** A color, entered as #RRGGBB, and which it begins with. */
export function colorField(displayName: string, name: string, first: string, more: Partial<Field>): Field {
	return { displayName, name, type: 'color', default: first, ...more };
}

/** Return All and Limit, as every list has them. */
export const returnAllOrLimit: Field[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];

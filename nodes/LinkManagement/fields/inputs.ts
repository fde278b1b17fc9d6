import type { INodePropertyOptions } from 'n8n-workflow';

import { required, type Field, type RuledField } from '../run/request';
import { count, flag, oneOf, secret, text } from './rules';

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
export function switchField(displayName: string, name: string, more: Partial<Field>): RuledField {
	return { displayName, name, type: 'boolean', default: false, ...more, rule: flag };
}

/** A choice among a few, and which of them it begins with. */
export function choiceField(
	displayName: string,
	name: string,
	more: Pick<Field, 'default' | 'description'> & { options: INodePropertyOptions[] },
): RuledField {
	const { options, default: first, ...others } = more;
	return { displayName, name, type: 'options', options, default: first, ...others, rule: oneOf(options) };
}

/** A field whose value is not sent, but says how the operation is done. */
export function setting({ rule, ...field }: RuledField): Field {
	return { ...field, setting: rule };
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
	setting(
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
		setting: count,
	},
];

import type { INodeProperties } from 'n8n-workflow';

/**
 * A field for text, empty unless something is entered.
 *
 * @param more what it has besides, such as a placeholder and a description
 */
export function textField(displayName: string, name: string, more: Partial<INodeProperties> = {}): INodeProperties {
	return { displayName, name, type: 'string', default: '', ...more };
}

/** A switch, off unless `more` has another default. */
export function switchField(displayName: string, name: string, more: Partial<INodeProperties>): INodeProperties {
	return { displayName, name, type: 'boolean', default: false, ...more };
}

/** A choice among a few, and which of them it begins with. */
export function choiceField(
	displayName: string,
	name: string,
	{ options, default: first, description }: Required<Pick<INodeProperties, 'options' | 'default' | 'description'>>,
): INodeProperties {
	return { displayName, name, type: 'options', options, default: first, description };
}

import type { INodeProperties } from 'n8n-workflow';

/**
 * A field for text, empty unless something is entered.
 *
 * @param more what it has besides, such as a placeholder and a description
 */
export function textField(displayName: string, name: string, more: Partial<INodeProperties> = {}): INodeProperties {
	return { displayName, name, type: 'string', default: '', ...more };
}

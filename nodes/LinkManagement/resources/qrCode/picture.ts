import type { INodeProperties } from 'n8n-workflow';

import { text } from '../../fields/rules';

export const binaryPropertyName: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the file in',
};

/** Entries of the Options of a creation that brings the picture along. */
export const pictureOptions: INodeProperties[] = [
	{
		displayName: 'Download Picture',
		name: 'downloadPicture',
		type: 'boolean',
		default: true,
		description: 'Whether to put the picture of the new QR code into a binary field',
	},
	{ ...binaryPropertyName, required: false },
];

/** The name of the binary field. */
export function fieldName(value: unknown): string {
	return String(text(value, { label: binaryPropertyName.displayName, timezone: 'utc' }) ?? '').trim() || 'data';
}

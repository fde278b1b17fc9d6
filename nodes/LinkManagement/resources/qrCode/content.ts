import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { choiceField, setting, shownFor, textField } from '../../fields/inputs';
import { json } from '../../fields/parsers';
import {
	readEntries,
	readField,
	required,
	type Field,
	type RequestDefinition,
	type ParsedField,
} from '../../run/request';
import { ValueError } from '../../service/errors';
import { contactFields, contentFields, textFields } from './contentFields';

const types = [
	{ name: 'Contact (vCard)', value: 'vcard' },
	{ name: 'Email', value: 'email' },
	{ name: 'Link', value: 'link' },
	{ name: 'Phone', value: 'phone' },
	{ name: 'SMS', value: 'sms' },
	{ name: 'Text', value: 'text' },
	{ name: 'WiFi', value: 'wifi' },
];

/** Types with several values; the others have text (spec, "QR creation body": string or array depending on type). */
const formTypes = types.filter(({ value }) => !(value in textFields));
const FORM_TYPES = formTypes.map(({ value }) => value);

export const type = choiceField('Type', 'type', {
	options: types,
	default: 'link',
});

export const dataFormat: Field = setting(
	choiceField('Data Format', 'dataFormat', {
		options: [
			{ name: 'Fields', value: 'fields', description: 'Field by field' },
			{ name: 'JSON', value: 'json', description: "As one object or array, in the service's own form" },
		],
		default: 'fields',
	}),
);

const dataJson: ParsedField = {
	displayName: 'Data (JSON)',
	name: 'dataJson',
	type: 'json',
	default: '{}',
	description: "Object or array, in the service's own form",
	parser: required(json),
};

/** The text content of an existing code. */
const anyText = textField('Data', 'data', {
	required: true,
	placeholder: 'e.g. https://example.com/page',
	description: 'Content of the QR code, as text',
});

/** The fields of types with several values. @param at the parameter that chooses the type */
function formsOf(at: string): Field[] {
	const forms = { ...contentFields, vcard: [contactFields] };
	return Object.entries(forms).flatMap(([ofType, fields]) =>
		fields.map((field) => shownFor(field, { show: { [at]: [ofType], dataFormat: ['fields'] } })),
	);
}

/** The fields of a new code's content. */
export const contentOfType: Field[] = [
	// Agents see one parameter per name, which n8n makes of these fields. The phone field is told apart by the types that hide it.
	shownFor(textFields.link, { show: { type: ['link'] } }),
	shownFor(textFields.phone, { hide: { type: ['link', 'text', ...FORM_TYPES] } }),
	shownFor(textFields.text, { show: { type: ['text'] } }),
	shownFor(dataFormat, { show: { type: FORM_TYPES } }),
	...formsOf('type'),
	shownFor(dataJson, { show: { type: FORM_TYPES, dataFormat: ['json'] } }),
];

/** Chooses the form of an existing code's content. Its type is unknown, and the type field is in a collection. */
const contentType = setting(
	choiceField('Content', 'contentType', {
		options: [...formTypes.slice(0, 2), { name: 'Link, Phone or Text', value: 'text' }, ...formTypes.slice(2)],
		default: 'text',
		description: "Services don't show the current content, so enter it again",
	}),
);

export const contentOfAnyType: Field[] = [
	shownFor(contentType, { show: { dataFormat: ['fields'] } }),
	shownFor(anyText, { show: { contentType: ['text'], dataFormat: ['fields'] } }),
	...formsOf('contentType'),
	shownFor(dataJson, { show: { dataFormat: ['json'] } }),
];

/** The fields of a type as one object. @throws ValueError if all are empty */
function readFields(context: IExecuteSingleFunctions, ofType: string): IDataObject {
	const content: IDataObject = {};
	for (const field of contentFields[ofType] ?? []) {
		const value = readField(context, field);
		if (value !== undefined) content[field.name] = value as IDataObject[string];
	}
	if (ofType === 'vcard') Object.assign(content, Object.fromEntries(readEntries(context, contactFields)));
	if (Object.keys(content).length > 0) return content;
	throw new ValueError(
		`${contactFields.displayName} is empty`,
		'Enter a value, or check the expression that should give one.',
	);
}

/** Puts the content into the request: text, or the fields of its type. */
function readContent(context: IExecuteSingleFunctions, ofType: string | undefined, isJson: boolean): unknown {
	if (ofType !== undefined && ofType in textFields) return readField(context, textFields[ofType]);
	if (isJson) return readField(context, dataJson);
	return ofType === undefined ? readField(context, anyText) : readFields(context, ofType);
}

export const putContent: RequestDefinition['complete'] = ({ body, options }, context) => {
	body.data = readContent(context, String(body.type), options.dataFormat === 'json') as IDataObject;
};

/** The same for an existing code. If the data format determines the type, the type is sent too. */
export const putNewContent: RequestDefinition['complete'] = ({ body, options }, context) => {
	const isJson = options.dataFormat === 'json';
	const form = options.contentType;
	const entered = body.type as string | undefined;
	if (entered !== undefined) {
		const formOfType = entered in textFields ? 'text' : entered;
		if (isJson ? formOfType === 'text' : formOfType !== form) {
			throw new ValueError(
				`Type is ${entered}, but Content is set to another type`,
				'Choose the same type under Content.',
			);
		}
	} else if (!isJson && form !== 'text') body.type = form;
	body.data = readContent(context, body.type as string | undefined, isJson) as IDataObject;
};

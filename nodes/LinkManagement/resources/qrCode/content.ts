import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { choiceField, setting, textField } from '../../fields/inputs';
import { json } from '../../fields/rules';
import {
	readEntries,
	readField,
	required,
	type Field,
	type RequestDefinition,
	type Rule,
	type RuledField,
} from '../../run/request';
import { ValueError } from '../../service/errors';
import { contactFields, contentFields, textFields } from './contentFields';

/** Types whose content is text; the others take several values (spec, "QR creation body": string or array depending on type). */
const TEXT_TYPES = ['link', 'phone', 'text'];
const OTHER_TYPES = ['email', 'sms', 'vcard', 'wifi'];

export const type = choiceField('Type', 'type', {
	options: [
		{ name: 'Contact (vCard)', value: 'vcard' },
		{ name: 'Email', value: 'email' },
		{ name: 'Link', value: 'link' },
		{ name: 'Phone', value: 'phone' },
		{ name: 'SMS', value: 'sms' },
		{ name: 'Text', value: 'text' },
		{ name: 'WiFi', value: 'wifi' },
	],
	default: 'link',
	description: 'What a phone gets that scans the QR code',
});

export const dataFormat: Field = setting(
	choiceField('Data Format', 'dataFormat', {
		options: [
			{ name: 'Fields', value: 'fields', description: 'Field by field' },
			{ name: 'JSON', value: 'json', description: 'An object or array, as the service wants it' },
		],
		default: 'fields',
		description: 'How the content is entered',
	}),
);

/** An array or an object: what JSON may hold here. */
const jsonContent: Rule = (value, source) => {
	const content = json(value, source);
	if (content === undefined || (typeof content === 'object' && content !== null)) return content;
	throw new ValueError(
		`is neither an object nor an array: ${String(content)}`,
		'Enter an object such as {"name": "value"}.',
	);
};

const dataJson: RuledField = {
	displayName: 'Data (JSON)',
	name: 'dataJson',
	type: 'json',
	default: '{}',
	description: 'Content as an object or array, in the form that the service uses',
	rule: required(jsonContent),
};

/** The content as text, of a code that is there already. */
const anyText = textField('Data', 'data', {
	required: true,
	placeholder: 'e.g. https://example.com/page',
	description: 'Content of the QR code, as text',
});

/** The forms of the types that have several fields. @param at the parameter that chooses one */
function formsOf(at: string): Field[] {
	const forms = { ...contentFields, vcard: [contactFields] };
	return Object.entries(forms).flatMap(([ofType, fields]) =>
		fields.map((field) => ({ ...field, displayOptions: { show: { [at]: [ofType], dataFormat: ['fields'] } } })),
	);
}

/** The content of a new QR code: text, or what its type makes of it. */
export const contentOfType: Field[] = [
	// What agents read has one parameter of a name: n8n makes one of these, as two are told apart by what they are not.
	{ ...textFields.link, displayOptions: { show: { type: ['link'] } } },
	{ ...textFields.phone, displayOptions: { hide: { type: ['link', 'text', ...OTHER_TYPES] } } },
	{ ...textFields.text, displayOptions: { show: { type: ['text'] } } },
	{ ...dataFormat, displayOptions: { show: { type: OTHER_TYPES } } },
	...formsOf('type'),
	{ ...dataJson, displayOptions: { show: { type: OTHER_TYPES, dataFormat: ['json'] } } },
];

/** Which form a code that is there already gets. Its type is not known; entered, it can't be what decides: it is in a collection. */
const contentType = setting(
	choiceField('Content', 'contentType', {
		options: [
			{ name: 'Contact (vCard)', value: 'vcard' },
			{ name: 'Email', value: 'email' },
			{ name: 'Link, Phone or Text', value: 'text' },
			{ name: 'SMS', value: 'sms' },
			{ name: 'WiFi', value: 'wifi' },
		],
		default: 'text',
		description: 'The new content. No service shows the current one, so it is always required.',
	}),
);

/** The content of a QR code that is there already. */
export const contentOfAnyType: Field[] = [
	{ ...contentType, displayOptions: { show: { dataFormat: ['fields'] } } },
	{ ...anyText, displayOptions: { show: { contentType: ['text'], dataFormat: ['fields'] } } },
	...formsOf('contentType'),
	{ ...dataJson, displayOptions: { show: { dataFormat: ['json'] } } },
];

/**
 * The fields of a type as one object.
 *
 * @throws ValueError where nothing is filled in
 */
function readFields(context: IExecuteSingleFunctions, ofType: string): IDataObject {
	const content: IDataObject = {};
	for (const field of contentFields[ofType] ?? []) {
		const value = readField(context, field);
		if (value !== undefined) content[field.name] = value as IDataObject[string];
	}
	if (ofType === 'vcard') readEntries(context, contactFields, content);
	if (Object.keys(content).length > 0) return content;
	throw new ValueError(
		`${contactFields.displayName} is empty`,
		'Enter a value, or check the expression that should give one.',
	);
}

function isText(ofType: string): ofType is keyof typeof textFields {
	return TEXT_TYPES.includes(ofType);
}

/** The content of a type: text, or what the data format says. */
function readContent(context: IExecuteSingleFunctions, ofType: string, format: unknown): unknown {
	if (isText(ofType)) return readField(context, textFields[ofType]);
	return format === 'json' ? readField(context, dataJson) : readFields(context, ofType);
}

/** Puts the content of a new QR code into the body. */
export const putContent: RequestDefinition['complete'] = ({ body, options }, context) => {
	body.data = readContent(context, String(body.type), options.dataFormat) as IDataObject;
};

/** The same for a QR code that is there already. Where its form tells the type, that is sent along. */
export const putNewContent: RequestDefinition['complete'] = ({ body, options }, context) => {
	const { dataFormat: format } = options;
	const form = String(options.contentType);
	const isOfForm = form !== 'text' && format !== 'json';
	const ofType = (body.type ?? (isOfForm ? form : undefined)) as string | undefined;
	if (ofType !== undefined && (isText(ofType) ? isOfForm || format === 'json' : format !== 'json' && ofType !== form)) {
		throw new ValueError(
			`Type is ${ofType}, and the content is entered as another one`,
			'Choose that type under Content.',
		);
	}
	if (ofType !== undefined) {
		body.type = ofType;
		body.data = readContent(context, ofType, format) as IDataObject;
	} else body.data = readField(context, format === 'json' ? dataJson : anyText) as IDataObject;
};

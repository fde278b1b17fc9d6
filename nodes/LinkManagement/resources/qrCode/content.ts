import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { fieldObject, json, quoted, spelled } from '../../fields/rules';
import { readParameter } from '../../engine/parameter';
import {
	readEntries,
	readField,
	required,
	ValueError,
	type Field,
	type RequestDefinition,
	type Rule,
	type RuledField,
} from '../../run/request';
import { choiceField, needed, textField } from '../../fields/inputs';
import { contactFields, contentFields } from './contentFields';

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

/** Content that is text, under the name that fits what it is. */
function dataText(displayName: string, placeholder: string, description: string): RuledField {
	return textField(displayName, 'data', { required: true, placeholder, description });
}

const anyText = dataText('Data', 'e.g. https://example.com/page', 'Content of the QR code, as text');

/** The content of the types that are text. */
const TEXTS: Record<'link' | 'phone' | 'text', RuledField> = {
	link: dataText(
		'URL',
		'e.g. https://example.com/page',
		'URL that the code opens, number that it calls, or text that it shows',
	),
	phone: dataText('Phone Number', 'e.g. +49 30 123456', 'Number that the code calls'),
	text: dataText('Text', 'e.g. Table 12', 'Text that the code shows'),
};

const dataFormat = choiceField('Data Format', 'dataFormat', {
	options: [
		{ name: 'Fields', value: 'fields', description: 'Field by field' },
		{ name: 'JSON', value: 'json', description: 'An object or array, as the service wants it' },
		{ name: 'Text', value: 'text', description: 'One text, as it stands in the code' },
	],
	default: 'fields',
	description: 'How the content is entered',
});

const dataFields: RuledField = {
	displayName: 'Data Fields',
	name: 'dataFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: { values: [{ name: '', value: '' }] },
	placeholder: 'Add field',
	description:
		'Content as names and values. Known names: ssid, encryption, pass (WiFi); email, subject, body (email); phone, message (SMS); fname, lname, org, phone, cell, email (contact).',
	rule: fieldObject,
	options: [
		{
			displayName: 'Fields',
			name: 'values',
			values: [
				textField('Name', 'name', { placeholder: 'e.g. ssid', description: 'Name of the field at the service' }),
				textField('Value', 'value', { placeholder: 'e.g. Guests' }),
			],
		},
	],
};

/** What the type has besides the fields that the node names. */
const moreFields: RuledField = {
	...dataFields,
	displayName: 'More Data Fields',
	default: {},
	description: 'Further fields that your service has for this type',
};

/** Text, an array or an object: what JSON may hold here. */
const jsonContent: Rule = (value, source) => {
	const content = json(value, source);
	if (content === undefined || typeof content === 'string' || (typeof content === 'object' && content !== null))
		return content;
	throw new ValueError(
		`is neither an object nor an array nor text: ${String(content)}`,
		'Enter an object such as {"name": "value"}.',
	);
};

const dataJson: RuledField = {
	displayName: 'Data (JSON)',
	name: 'dataJson',
	type: 'json',
	default: '{}',
	description: 'Content as an object or array, as the service has it',
	rule: required(jsonContent),
};

function shownFor(field: Field, show: Record<string, string[]>): Field {
	return { ...field, displayOptions: { show } };
}

/** The content of a new QR code: text, or what its type makes of it. */
export const contentOfType: Field[] = [
	// What agents read has one parameter of a name: n8n makes one of these, as two are told apart by what they are not.
	shownFor(TEXTS.link, { type: ['link'] }),
	{ ...TEXTS.phone, displayOptions: { hide: { type: ['link', 'text', ...OTHER_TYPES] } } },
	shownFor(TEXTS.text, { type: ['text'] }),
	shownFor(dataFormat, { type: OTHER_TYPES }),
	...Object.entries(contentFields).flatMap(([ofType, fields]) =>
		fields.map((field) => shownFor(field, { type: [ofType], dataFormat: ['fields'] })),
	),
	shownFor(contactFields, { type: ['vcard'], dataFormat: ['fields'] }),
	shownFor(moreFields, { type: OTHER_TYPES, dataFormat: ['fields'] }),
	shownFor(dataJson, { type: OTHER_TYPES, dataFormat: ['json'] }),
	shownFor(anyText, { type: OTHER_TYPES, dataFormat: ['text'] }),
];

/** The content of a QR code that is there already, whose type the node does not know. */
export const contentOfAnyType: Field[] = [
	{ ...dataFormat, default: 'text', rule: undefined },
	shownFor(dataFields, { dataFormat: ['fields'] }),
	shownFor(dataJson, { dataFormat: ['json'] }),
	shownFor(anyText, { dataFormat: ['text'] }),
];

/** Where the content stands for each data format. */
const FORMATS = new Map([
	['fields', needed(dataFields)],
	['json', dataJson],
	['text', anyText],
]);

function readContent(context: IExecuteSingleFunctions, format: unknown): unknown {
	const field = FORMATS.get(spelled(format));
	if (field !== undefined) return readField(context, field);
	throw new ValueError(
		`Data Format is ${quoted(format)}, which is not one of ${[...FORMATS.keys()].join(', ')}`,
		'Choose one of them.',
	);
}

/**
 * The fields of a type as one object: those that the node names, then the free ones.
 *
 * @throws ValueError where nothing is filled in, or a field stands in both
 */
function readFields(context: IExecuteSingleFunctions, type: string): IDataObject {
	const content: IDataObject = {};
	const named = contentFields[type] ?? [];
	for (const field of named) {
		const value = readField(context, field);
		if (value !== undefined) content[field.name] = value as IDataObject[string];
	}
	// A choice that stands there by itself is no content.
	if (named.every(({ name, type: kind }) => kind === 'options' || content[name] === undefined))
		for (const { name } of named) delete content[name];
	if (type === 'vcard') readEntries(context, contactFields, content);
	const free = (readField(context, moreFields) ?? {}) as IDataObject;
	const twice = Object.keys(free).find((name) => Object.hasOwn(content, name));
	if (twice !== undefined)
		throw new ValueError(`More Data Fields has ${quoted(twice)}, which is filled in already`, 'Remove one of the two.');
	const [first = moreFields] = type === 'vcard' ? [contactFields] : named;
	if (Object.keys(content).length + Object.keys(free).length === 0)
		throw new ValueError(
			`${first.displayName} is empty`,
			'Enter a value, or check the expression that should give one.',
		);
	// Not assigned: the field may have the name of what every object has already.
	return { ...content, ...free };
}

/** Puts the content of a new QR code into the body: a text type's is text, another's is what the data format says. */
export const putContentOfType: RequestDefinition['complete'] = ({ body }, context) => {
	const ofType = String(body.type);
	if (TEXT_TYPES.includes(ofType)) {
		body.data = readField(context, TEXTS[ofType as keyof typeof TEXTS]) as string;
		return;
	}
	const format = readParameter(context, 'dataFormat') ?? 'fields';
	body.data = (format === 'fields' ? readFields(context, ofType) : readContent(context, format)) as IDataObject;
};

/** The same for a QR code that is there already: its type is only known when it is to change. */
export const putContentOfAnyType: RequestDefinition['complete'] = ({ body }, context) => {
	body.data = readContent(context, readParameter(context, 'dataFormat') ?? 'text') as string;
	if (TEXT_TYPES.includes(String(body.type)) && typeof body.data !== 'string') {
		throw new ValueError(
			`The type "${String(body.type)}" takes text alone`,
			'Set Data Format to Text, or choose another type.',
		);
	}
};

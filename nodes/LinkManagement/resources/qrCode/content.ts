import type { IExecuteSingleFunctions, INodeProperties } from 'n8n-workflow';

import { fieldObject, json, oneOf, quoted, spelled, text } from '../../fields/rules';
import { readParameter } from '../../service/parameter';
import { isBlank, required, ValueError, type Rule, type Sends } from '../../service/prepare';

/** Types whose content is text; the others take several values (spec, "QR creation body": string or array depending on type). */
const TEXT_TYPES = ['link', 'phone', 'text'];
const OTHER_TYPES = ['email', 'sms', 'vcard', 'wifi'];

export const typeRule = oneOf(...TEXT_TYPES, ...OTHER_TYPES);

export const type: INodeProperties = {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	options: [
		{ name: 'Email', value: 'email' },
		{ name: 'Link', value: 'link' },
		{ name: 'Phone', value: 'phone' },
		{ name: 'SMS', value: 'sms' },
		{ name: 'Text', value: 'text' },
		{ name: 'vCard', value: 'vcard' },
		{ name: 'WiFi', value: 'wifi' },
	],
	default: 'link',
	description: 'What kind of content the QR code holds',
};

const dataText: INodeProperties = {
	displayName: 'Data',
	name: 'data',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://example.com/page',
	description: 'Content of the QR code',
};

const dataFormat: INodeProperties = {
	displayName: 'Data Format',
	name: 'dataFormat',
	type: 'options',
	options: [
		{ name: 'Fields', value: 'fields', description: 'Names and values' },
		{ name: 'JSON', value: 'json', description: 'An object or array, as the service wants it' },
		{ name: 'Text', value: 'text' },
	],
	default: 'fields',
	description: 'How you enter the content of the QR code. Which fields a type has, the documentation of the service says.',
};

const dataFields: INodeProperties = {
	displayName: 'Data Fields',
	name: 'dataFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	placeholder: 'Add field',
	description: 'Content of the QR code, as the fields that the service has for this type. Fields without a value are left out.',
	options: [
		{
			displayName: 'Fields',
			name: 'values',
			values: [
				{ displayName: 'Name', name: 'name', type: 'string', default: '', description: 'Name of the field at the service' },
				{ displayName: 'Value', name: 'value', type: 'string', default: '' },
			],
		},
	],
};

const dataJson: INodeProperties = {
	displayName: 'Data (JSON)',
	name: 'dataJson',
	type: 'json',
	default: '{}',
	description: 'Content of the QR code, as the object or array that the service has for this type',
};

function shownFor(field: INodeProperties, show: Record<string, string[]>): INodeProperties {
	return { ...field, displayOptions: { show } };
}

/** The content of a new QR code: text, or what its type makes of it. */
export const contentOfType: INodeProperties[] = [
	shownFor(dataText, { type: TEXT_TYPES }),
	shownFor(dataFormat, { type: OTHER_TYPES }),
	shownFor(dataFields, { type: OTHER_TYPES, dataFormat: ['fields'] }),
	shownFor(dataJson, { type: OTHER_TYPES, dataFormat: ['json'] }),
	shownFor(dataText, { type: OTHER_TYPES, dataFormat: ['text'] }),
];

/** The content of a QR code that is there already, whose type the node does not know. */
export const contentOfAnyType: INodeProperties[] = [
	{ ...dataFormat, default: 'text' },
	shownFor(dataFields, { dataFormat: ['fields'] }),
	shownFor(dataJson, { dataFormat: ['json'] }),
	shownFor(dataText, { dataFormat: ['text'] }),
];

/** Text, an array or an object: what JSON may hold here. */
const jsonContent: Rule = (value, source) => {
	const content = json(value, source);
	if (content === undefined || typeof content === 'string' || (typeof content === 'object' && content !== null)) return content;
	throw new ValueError(`is neither an object nor an array nor text: ${String(content)}`, 'Enter an object such as {"name": "value"}.');
};

/** Where the content stands for each data format, and how it is read. */
const FORMATS = new Map<string, { parameter: INodeProperties; rule: Rule }>([
	['fields', { parameter: dataFields, rule: fieldObject }],
	['json', { parameter: dataJson, rule: jsonContent }],
	['text', { parameter: dataText, rule: text }],
]);

function readContent(context: IExecuteSingleFunctions, format: unknown): unknown {
	const source = FORMATS.get(spelled(format));
	if (source === undefined) {
		throw new ValueError(`Data Format is ${quoted(format)}, which is not one of ${[...FORMATS.keys()].join(', ')}`, 'Choose one of them.');
	}
	const { parameter, rule } = source;
	const value = readParameter(context, parameter.name);
	try {
		return required(rule)(isBlank(value) ? undefined : value, { label: parameter.displayName, timezone: context.getTimezone() });
	} catch (error) {
		throw error instanceof ValueError ? new ValueError(`${parameter.displayName} ${error.message}`, error.advice) : error;
	}
}

/** Puts the content of a new QR code into the body: a text type's is text, another's is what the data format says. */
export const putContentOfType: Sends['complete'] = function ({ body }) {
	body.data = readContent(this, TEXT_TYPES.includes(String(body.type)) ? 'text' : (readParameter(this, 'dataFormat') ?? 'fields')) as string;
};

/** The same for a QR code that is there already: its type is only known when it is to change. */
export const putContentOfAnyType: Sends['complete'] = function ({ body }) {
	body.data = readContent(this, readParameter(this, 'dataFormat') ?? 'text') as string;
	if (TEXT_TYPES.includes(String(body.type)) && typeof body.data !== 'string') {
		throw new ValueError(`The type "${String(body.type)}" takes text alone`, 'Set Data Format to Text, or choose another type.');
	}
};

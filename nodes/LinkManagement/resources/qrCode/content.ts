import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { choiceField, shownFor } from '../../fields/inputs';
import { type Field, NOTHING_GIVEN, readEntries, readField, type RequestDefinition, required } from '../../run/request';
import { ValueError } from '../../service/answer/errors';
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
const CONTENT_FORMS = Object.entries({ ...contentFields, vcard: [contactFields] });

const type = choiceField('Type', 'type', { options: types, default: 'link' });

/** The type and the content of a code. */
export const content: Field[] = [
	{ ...type, parser: required(type.parser) },
	// Agents see one parameter per name, which n8n makes of these fields. The phone field is told apart by the types that hide it.
	shownFor(textFields.link, { show: { type: ['link'] } }),
	shownFor(textFields.phone, { hide: { type: ['link', 'text', ...CONTENT_FORMS.map(([ofType]) => ofType)] } }),
	shownFor(textFields.text, { show: { type: ['text'] } }),
	...CONTENT_FORMS.flatMap(([ofType, fields]) => fields.map((field) => shownFor(field, { show: { type: [ofType] } }))),
];

/** The fields of a type as one object. @throws ValueError if all are empty */
function readFields(context: IExecuteSingleFunctions, ofType: string): IDataObject {
	const given: IDataObject = {};
	for (const field of contentFields[ofType] ?? []) {
		const value = readField(context, field);
		if (value !== undefined) given[field.name] = value as IDataObject[string];
	}
	if (ofType === 'vcard') Object.assign(given, Object.fromEntries(readEntries(context, contactFields)));
	if (Object.keys(given).length > 0) return given;
	throw new ValueError(`${contactFields.displayName} is empty`, NOTHING_GIVEN);
}

/** Puts the content into the request: text, or the fields of its type. */
export const putContent: RequestDefinition['complete'] = ({ body }, context) => {
	const ofType = String(body.type);
	const isText = ofType in textFields;
	body.data = (isText ? readField(context, textFields[ofType]) : readFields(context, ofType)) as IDataObject;
};

import { email, phone, webUrl } from '../../fields/addresses';
import { collection } from '../../fields/collections';
import { choiceField, textField } from '../../fields/inputs';
import { text } from '../../fields/parsers';
import { type Field, type ParsedField, required } from '../../run/request';

/** The text content, with a fitting name for each type. */
export const textFields: Record<string, ParsedField> = {
	link: textField('URL', 'data', {
		required: true,
		placeholder: 'e.g. https://example.com/page',
		description: 'The page that opens when the code is scanned',
		parser: webUrl,
	}),
	phone: textField('Phone Number', 'data', {
		required: true,
		placeholder: 'e.g. +49 30 123456',
		description: 'Number that the code calls',
		parser: phone,
	}),
	text: textField('Text', 'data', {
		required: true,
		placeholder: 'e.g. Table 12',
		description: 'Text that the code shows',
	}),
};

const encryptions = [
	{ name: 'None', value: 'nopass' },
	{ name: 'WEP', value: 'WEP' },
	{ name: 'WPA, WPA2 or WPA3', value: 'WPA' },
];

const LINES = { typeOptions: { rows: 2 } };

/** The fields of types with several values, under the services' keys. */
export const contentFields: Record<string, ParsedField[]> = {
	email: [
		textField('Email Address', 'email', { placeholder: 'e.g. hello@example.com', parser: required(email) }),
		textField('Subject', 'subject', { placeholder: 'e.g. Your offer' }),
		textField('Message', 'body', LINES),
	],
	sms: [
		textField('Phone Number', 'phone', { placeholder: 'e.g. +49 30 123456', parser: required(phone) }),
		textField('Message', 'message', LINES),
	],
	wifi: [
		textField('Network Name (SSID)', 'ssid', { placeholder: 'e.g. Guests', parser: required(text) }),
		choiceField('Encryption', 'encryption', { options: encryptions, default: 'WPA' }),
		textField('Network Password', 'pass', {
			typeOptions: { password: true },
			description: 'Leave it empty for an open network',
		}),
	],
};

/** The fields of a contact, each with an example. */
const contactDetails = [
	['City', 'city', 'Berlin'],
	['Country', 'country', 'Germany'],
	['Email', 'email', 'ada@example.com'],
	['Fax', 'fax', '+49 30 123457'],
	['First Name', 'fname', 'Ada'],
	['Last Name', 'lname', 'Lovelace'],
	['Mobile', 'cell', '+49 170 123456'],
	['Organization', 'org', 'Example Ltd'],
	['Phone', 'phone', '+49 30 123456'],
	['State', 'state', 'Berlin'],
	['Street', 'street', 'Main Street 1'],
	['Website', 'site', 'https://example.com'],
	['ZIP Code', 'zip', '10115'],
].map(([displayName, name, example]) => textField(displayName, name, { placeholder: `e.g. ${example}` }));

export const contactFields: Field = {
	...collection('Contact', 'contact', contactDetails, 'Add detail'),
	default: { fname: '', lname: '' },
};

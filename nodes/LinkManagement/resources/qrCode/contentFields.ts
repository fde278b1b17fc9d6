import { choiceField, textField } from '../../fields/inputs';
import type { Field, RuledField } from '../../run/request';

/** The fields of the types that hold several values, under the keys that services take. */
export const contentFields: Record<string, RuledField[]> = {
	email: [
		textField('Email Address', 'email', {
			placeholder: 'e.g. hello@example.com',
			description: 'Address that the email goes to',
		}),
		textField('Subject', 'subject', {
			placeholder: 'e.g. Question about your offer',
			description: 'Subject that the email starts with',
		}),
		textField('Message', 'body', { typeOptions: { rows: 2 }, description: 'Text that the email starts with' }),
	],
	sms: [
		textField('Phone Number', 'phone', {
			placeholder: 'e.g. +49 30 123456',
			description: 'Number that the message goes to',
		}),
		textField('Message', 'message', { typeOptions: { rows: 2 }, description: 'Text that the message starts with' }),
	],
	wifi: [
		textField('Network Name (SSID)', 'ssid', { placeholder: 'e.g. Guests', description: 'Name of the WiFi network' }),
		choiceField('Encryption', 'encryption', {
			options: [
				{ name: 'None', value: 'nopass' },
				{ name: 'WEP', value: 'WEP' },
				{ name: 'WPA, WPA2 or WPA3', value: 'WPA' },
			],
			default: 'WPA',
			description: 'How the network is secured',
		}),
		textField('Network Password', 'pass', {
			typeOptions: { password: true },
			description: 'Password of the WiFi network. Leave it empty for an open network.',
		}),
	],
};

/** What a contact has. */
export const contactFields: Field = {
	displayName: 'Contact',
	name: 'contact',
	type: 'collection',
	placeholder: 'Add detail',
	default: { fname: '', lname: '' },
	description: 'The contact that is saved by whoever scans the code',
	options: [
		textField('City', 'city', { placeholder: 'e.g. Berlin' }),
		textField('Country', 'country', { placeholder: 'e.g. Germany' }),
		textField('Email', 'email', { placeholder: 'e.g. ada@example.com' }),
		textField('Fax', 'fax', { placeholder: 'e.g. +49 30 123457' }),
		textField('First Name', 'fname', { placeholder: 'e.g. Ada' }),
		textField('Last Name', 'lname', { placeholder: 'e.g. Lovelace' }),
		textField('Mobile', 'cell', { placeholder: 'e.g. +49 170 123456' }),
		textField('Organization', 'org', { placeholder: 'e.g. Example Ltd' }),
		textField('Phone', 'phone', { placeholder: 'e.g. +49 30 123456' }),
		textField('State', 'state', { placeholder: 'e.g. Berlin' }),
		textField('Street', 'street', { placeholder: 'e.g. Main Street 1' }),
		textField('Website', 'site', { placeholder: 'e.g. https://example.com' }),
		textField('ZIP Code', 'zip', { placeholder: 'e.g. 10115' }),
	],
};

import { email, phone, webUrl } from '../../fields/addresses';
import { needed, textField } from '../../fields/inputs';
import { chosen, quoted, single, spelled } from '../../fields/rules';
import type { Field, Rule, RuledField } from '../../run/request';
import { ValueError } from '../../service/errors';

/** The content of the types that are text, under the name that fits what it is. */
export const textFields: Record<'link' | 'phone' | 'text', RuledField> = {
	link: textField('URL', 'data', {
		required: true,
		placeholder: 'e.g. https://example.com/page',
		description: 'URL that the code opens, number that it calls, or text that it shows',
		rule: webUrl,
	}),
	phone: textField('Phone Number', 'data', {
		required: true,
		placeholder: 'e.g. +49 30 123456',
		description: 'Number that the code calls',
		rule: phone,
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

/** How a network is secured. Routers name it more exactly than codes do: WPA2 or WPA2-PSK is WPA. */
const encryption: Rule = single((value) => {
	const known = chosen(encryptions, value) ?? /^(?:WPA(?=[123]?(?:$|[ /-])))/i.exec(spelled(value))?.[0].toUpperCase();
	if (known !== undefined) return known;
	throw new ValueError(`is ${quoted(value)}, which is none of WPA, WEP and nopass`, 'Choose WPA, WEP or nopass.');
});

/** The fields of the types that hold several values, under the keys that services take. */
export const contentFields: Record<string, RuledField[]> = {
	email: [
		needed(
			textField('Email Address', 'email', {
				placeholder: 'e.g. hello@example.com',
				description: 'Address that the email goes to',
				rule: email,
			}),
		),
		textField('Subject', 'subject', {
			placeholder: 'e.g. Question about your offer',
			description: 'Subject that the email starts with',
		}),
		textField('Message', 'body', { typeOptions: { rows: 2 }, description: 'Text that the email starts with' }),
	],
	sms: [
		needed(
			textField('Phone Number', 'phone', {
				placeholder: 'e.g. +49 30 123456',
				description: 'Number that the message goes to',
				rule: phone,
			}),
		),
		textField('Message', 'message', { typeOptions: { rows: 2 }, description: 'Text that the message starts with' }),
	],
	wifi: [
		needed(
			textField('Network Name (SSID)', 'ssid', { placeholder: 'e.g. Guests', description: 'Name of the WiFi network' }),
		),
		{
			displayName: 'Encryption',
			name: 'encryption',
			type: 'options',
			options: encryptions,
			default: 'WPA',
			description: 'How the network is secured',
			rule: encryption,
		},
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

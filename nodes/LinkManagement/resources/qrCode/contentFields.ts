import type { INodeProperties } from 'n8n-workflow';

/** The fields of the types that hold several values, under the keys that services take. */
export const contentFields: Record<string, INodeProperties[]> = {
	email: [
		{
			displayName: 'Email Address',
			name: 'email',
			type: 'string',
			default: '',
			placeholder: 'e.g. hello@example.com',
			description: 'Address that the email goes to',
		},
		{
			displayName: 'Subject',
			name: 'subject',
			type: 'string',
			default: '',
			placeholder: 'e.g. Question about your offer',
			description: 'Subject that the email starts with',
		},
		{
			displayName: 'Message',
			name: 'body',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			description: 'Text that the email starts with',
		},
	],
	sms: [
		{
			displayName: 'Phone Number',
			name: 'phone',
			type: 'string',
			default: '',
			placeholder: 'e.g. +49 30 123456',
			description: 'Number that the message goes to',
		},
		{
			displayName: 'Message',
			name: 'message',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			description: 'Text that the message starts with',
		},
	],
	wifi: [
		{
			displayName: 'Network Name (SSID)',
			name: 'ssid',
			type: 'string',
			default: '',
			placeholder: 'e.g. Guests',
			description: 'Name of the WiFi network',
		},
		{
			displayName: 'Encryption',
			name: 'encryption',
			type: 'options',
			options: [
				{ name: 'None', value: 'nopass' },
				{ name: 'WEP', value: 'WEP' },
				{ name: 'WPA, WPA2 or WPA3', value: 'WPA' },
			],
			default: 'WPA',
			description: 'How the network is secured',
		},
		{
			displayName: 'Network Password',
			name: 'pass',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Password of the WiFi network. Leave it empty for an open network.',
		},
	],
};

function detail(displayName: string, name: string, placeholder: string): INodeProperties {
	return { displayName, name, type: 'string', default: '', placeholder };
}

/** What a contact has. */
export const contactFields: INodeProperties = {
	displayName: 'Contact',
	name: 'contact',
	type: 'collection',
	placeholder: 'Add detail',
	default: { fname: '', lname: '' },
	description: 'The contact that is saved by whoever scans the code',
	options: [
		detail('City', 'city', 'e.g. Berlin'),
		detail('Country', 'country', 'e.g. Germany'),
		detail('Email', 'email', 'e.g. ada@example.com'),
		detail('Fax', 'fax', 'e.g. +49 30 123457'),
		detail('First Name', 'fname', 'e.g. Ada'),
		detail('Last Name', 'lname', 'e.g. Lovelace'),
		detail('Mobile', 'cell', 'e.g. +49 170 123456'),
		detail('Organization', 'org', 'e.g. Example Ltd'),
		detail('Phone', 'phone', 'e.g. +49 30 123456'),
		detail('State', 'state', 'e.g. Berlin'),
		detail('Street', 'street', 'e.g. Main Street 1'),
		detail('Website', 'site', 'e.g. https://example.com'),
		detail('ZIP Code', 'zip', 'e.g. 10115'),
	],
};

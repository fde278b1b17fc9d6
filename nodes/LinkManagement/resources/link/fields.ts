import { additionalFields, several, startingWithOneEntry, updateFields } from '../../fields/collections';
import { campaignId, channelId, locator, mode } from '../../fields/locators';
import { choiceField, switchField, textField } from '../../fields/inputs';
import { fullUrl, newAlias, webUrl } from '../../fields/addresses';
import { expiryDate } from '../../fields/dates';
import { pixelReferences } from '../../fields/references';
import { nameValueRows } from '../../fields/rules';
import type { Field } from '../../run/request';
import { deepLink, redirection, utm } from './fieldRules';
import { targeting } from './targets';

export const longUrl: Field = textField('Long URL', 'url', {
	placeholder: 'e.g. https://example.com/page',
	description: 'Address to shorten, with https:// or http://',
	rule: webUrl,
});

const utmFields: Field[] = [
	textField('Campaign', 'campaign', { placeholder: 'e.g. spring_sale' }),
	textField('Content', 'content', { placeholder: 'e.g. header' }),
	textField('Medium', 'medium', { placeholder: 'e.g. email' }),
	textField('Source', 'source', { placeholder: 'e.g. newsletter' }),
	textField('Term', 'term', { placeholder: 'e.g. running shoes' }),
];

/** What a link is given, by the locator that operations on it have. */
function ofLink(field: Field, name: string): Field {
	return { ...field, name, required: false, description: `${field.displayName} of the link` };
}

/** What a link may have besides its long URL. */
export const linkFields: Field[] = [
	textField('Alias', 'custom', {
		placeholder: 'e.g. spring-sale',
		description: 'Alias of your own; a random one if empty',
		rule: newAlias,
	}),
	ofLink(campaignId, 'campaign'),
	ofLink(channelId, 'channel'),
	{
		displayName: 'Deep Link',
		name: 'deeplink',
		type: 'fixedCollection',
		// Stated, for n8n drops a group whose entries are left as they are otherwise.
		typeOptions: { multipleValues: false },
		default: { value: {} },
		placeholder: 'Set deep link',
		description: 'Opens an app; needs Device Targeting',
		rule: deepLink,
		options: [
			{
				displayName: 'Deep Link',
				name: 'value',
				values: [
					textField('App Store URL', 'ios'),
					switchField('From Long URL', 'auto', { description: 'Whether to make them from the long URL' }),
					textField('Google Play URL', 'android'),
				],
			},
		],
	},
	textField('Description', 'description', { description: 'Note that only you see' }),
	...targeting(
		{ displayName: 'Device Targeting', name: 'devicetarget', description: 'Addresses by device' },
		{ displayName: 'Devices', name: 'device' },
		'Device',
		'loadDevices',
	),
	locator(
		{
			displayName: 'Domain',
			name: 'domain',
			description: 'Branded domain, with https://',
			rule: webUrl,
		},
		'searchDomainUrls',
		[mode('By URL', 'url', { type: 'string', placeholder: 'e.g. https://go.example.com' })],
	),
	{
		displayName: 'Expiry',
		name: 'expiry',
		type: 'dateTime',
		default: '',
		description: "When the link expires, in the workflow's time zone. Without a time, at the end of that day.",
		rule: expiryDate,
	},
	...targeting(
		{ displayName: 'Geo Targeting', name: 'geotarget', description: 'Addresses by country' },
		{ displayName: 'Countries', name: 'location' },
		'Country',
		'loadCountries',
	),
	...targeting(
		{ displayName: 'Language Targeting', name: 'languagetarget', description: 'Addresses by language' },
		{ displayName: 'Languages', name: 'language' },
		'Language',
		'loadLanguages',
	),
	textField('Meta Description', 'metadescription', { description: 'Text of link previews in chats' }),
	textField('Meta Image URL', 'metaimage', {
		placeholder: 'e.g. https://example.com/image.png',
		description: 'JPG or PNG image of link previews',
		rule: fullUrl,
	}),
	textField('Meta Title', 'metatitle', { description: 'Title of link previews' }),
	textField('Password', 'password', { typeOptions: { password: true }, description: 'Password for visitors' }),
	several(
		{
			displayName: 'Pixel Names or IDs',
			name: 'pixels',
			description: 'An expression may give IDs',
			rule: pixelReferences,
		},
		'loadPixels',
	),
	locator(
		{
			displayName: 'Redirection Type',
			name: 'type',
			description: 'Directly, in a frame, or over a splash page or overlay',
			rule: redirection,
		},
		'searchRedirectionTypes',
	),
	choiceField('Status', 'status', {
		options: [
			{ name: 'Private', value: 'private' },
			{ name: 'Public', value: 'public' },
		],
		default: 'private',
		description: 'Who sees the link in the service',
	}),
	...startingWithOneEntry({
		displayName: 'URL Parameters',
		name: 'parameters',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add parameter',
		description: 'Added to the long URL',
		rule: nameValueRows,
		options: [
			{
				displayName: 'Parameters',
				name: 'values',
				values: [
					textField('Name', 'name', { placeholder: 'e.g. ref' }),
					textField('Value', 'value', { placeholder: 'e.g. poster' }),
				],
			},
		],
	}),
	{
		displayName: 'UTM Parameters',
		name: 'utm',
		type: 'fixedCollection',
		typeOptions: { multipleValues: false },
		default: { value: {} },
		placeholder: 'Set UTM parameters',
		description: 'Where visitors come from, added to the long URL',
		rule: utm,
		options: [{ displayName: 'UTM Parameters', name: 'value', values: utmFields }],
	},
];

/** What a new link may carry besides its long URL. */
export const newLinkFields = additionalFields('link', linkFields);

/** What an update changes. The domain of a link can't be changed (field notes, "Endpoints that the document leaves out"). */
export const changedLinkFields = updateFields(
	'link',
	[
		...linkFields.flatMap((field) =>
			field.name === 'domain'
				? []
				: [field.name === 'custom' ? { ...field, description: 'New alias; the present one if empty' } : field],
		),
		{ ...longUrl, description: 'Address that the link leads to from now on' },
	].sort((one, other) => one.displayName.localeCompare(other.displayName, 'en')),
);

/** What an empty value does to its field. @param what in the words of the operation */
export function emptyOption(displayName: string, name: string, what: string): Field {
	return choiceField(displayName, name, {
		options: [
			{ name: 'Clear', value: 'clear', description: `${what} clears the field` },
			{ name: 'Keep', value: 'keep', description: `${what} leaves the field as it is` },
		],
		default: 'keep',
		description: 'Long URL, alias, domain, campaign, channel, meta title, status and type are never cleared',
	});
}

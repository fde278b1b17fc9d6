import { fullUrl, newAlias, webUrl } from '../../fields/addresses';
import { additionalFields, groupOnce, groupRepeated, several, updateFields } from '../../fields/collections';
import { expiryDate } from '../../fields/dates';
import { choiceField, switchField, textField } from '../../fields/inputs';
import { campaignId, channelId, domainReference, locator, pixelReferences, textMode } from '../../fields/locators';
import { labelOf, type LinkFieldName } from '../../links/linkFields';
import type { Field, ParsedField } from '../../run/request';
import { deepLink, redirection, utmParameters } from './fieldRules';
import { targeting } from './targets';

/** A field of a link, with its label from the table. */
const namesOf = (name: LinkFieldName) => ({ displayName: labelOf(name), name });

const linkText = (name: LinkFieldName, more: Partial<Field>) => textField(labelOf(name), name, more);

export const longUrl = linkText('url', {
	placeholder: 'e.g. https://example.com/page',
	description: 'Page to open',
	parser: webUrl,
});

const deepLinkFields = [
	textField('App Store URL', 'ios', { parser: fullUrl }),
	switchField('From Long URL', 'auto', { description: 'Whether to derive both store URLs from the long URL' }),
	textField('Google Play URL', 'android', { parser: fullUrl }),
];

const parameterFields = [
	textField('Name', 'name', { placeholder: 'e.g. ref' }),
	textField('Value', 'value', { placeholder: 'e.g. poster' }),
];

export const utmFields = [
	textField('UTM Source', 'source', { placeholder: 'e.g. newsletter' }),
	textField('UTM Medium', 'medium', { placeholder: 'e.g. email' }),
	textField('UTM Campaign', 'campaign', { placeholder: 'e.g. spring_sale' }),
	textField('UTM Term', 'term', { placeholder: 'e.g. running shoes' }),
	textField('UTM Content', 'content', { placeholder: 'e.g. header' }),
];

/** A field of a link that is a record, as a locator. */
function ofLink(field: ParsedField, name: LinkFieldName): Field {
	return { ...field, ...namesOf(name), required: false, description: undefined };
}

export const linkFields: Field[] = [
	linkText('custom', {
		placeholder: 'e.g. spring-sale',
		description: 'Last part of the short URL',
		parser: newAlias,
	}),
	ofLink(campaignId, 'campaign'),
	ofLink(channelId, 'channel'),
	groupOnce({ ...namesOf('deeplink'), description: 'For apps; needs Device Targeting' }, deepLinkFields, deepLink),
	linkText('description', { description: 'Only you see it' }),
	targeting('devicetarget'),
	locator({ ...namesOf('domain'), description: 'Branded domain', parser: domainReference }, 'searchDomainUrls', [
		textMode('By URL', 'url', 'e.g. https://go.example.com'),
	]),
	{
		...namesOf('expiry'),
		type: 'dateTime',
		default: '',
		description: "In the workflow's time zone. A date alone, or midnight, means the end of that day.",
		parser: expiryDate,
	},
	targeting('geotarget'),
	targeting('languagetarget'),
	linkText('metadescription', { description: 'In link previews' }),
	linkText('metaimage', {
		placeholder: 'e.g. https://example.com/image.png',
		description: 'JPG or PNG',
		parser: fullUrl,
	}),
	linkText('metatitle', { description: 'In link previews' }),
	linkText('password', { typeOptions: { password: true }, description: 'Password for visitors' }),
	several(
		{
			...namesOf('pixels'),
			description: 'Choose from the list, or use an expression',
			parser: pixelReferences,
		},
		'loadPixels',
	),
	locator(
		{
			...namesOf('type'),
			parser: redirection,
		},
		'searchRedirectionTypes',
	),
	choiceField(labelOf('status'), 'status', {
		options: [
			{ name: 'Private', value: 'private', description: 'Only your account lists the link' },
			{ name: 'Public', value: 'public', description: 'Public pages of the account may list the link, too' },
		],
		default: 'private',
	}),
	groupRepeated({ ...namesOf('parameters'), description: 'Added to the long URL' }, 'Parameter', parameterFields),
	groupOnce({ displayName: 'UTM Parameters', name: 'utm' }, utmFields, utmParameters),
];

export const newLinkFields = additionalFields('link', linkFields);

/** The fields of an update. The domain of a link can't be changed (field notes, "Endpoints that the document leaves out"). */
export const changedLinkFields = updateFields(
	'link',
	[...linkFields, longUrl]
		.filter(({ name }) => name !== 'domain')
		.sort((one, other) => one.displayName.localeCompare(other.displayName, 'en')),
);

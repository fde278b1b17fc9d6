import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { additionalFields } from '../../fields/collections';
import { locator, mode } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { asId, dateTime, flag, id, idList, nameValueRows, oneOf, quoted, rows, secret, spelled, text, webUrl } from '../../fields/rules';
import { isRecord } from '../../service/envelope';
import { required, ValueError, type Recovery, type Rule } from '../../service/prepare';
import { isSameUrl, linkWithShortUrl } from './shortUrl';

/**
 * The keys of the two app stores in `deeplink`. The spec says that there is one for each store and does not show their names:
 * these are a reading of it, not a fact.
 */
const STORE_KEYS = { ios: 'apple', android: 'google' } as const;

/** `deeplink.value` as the service wants it. */
const deepLink: Rule = (value, source) => {
	const entered = isRecord(value) && isRecord(value.value) ? value.value : value;
	if (!isRecord(entered)) return undefined;
	const store = (name: keyof typeof STORE_KEYS, label: string) => {
		const url = entered[name];
		if (url === undefined || url === null || url === '') return {};
		try {
			return { [STORE_KEYS[name]]: webUrl(url, source) };
		} catch (error) {
			throw error instanceof ValueError ? new ValueError(`→ ${label} ${error.message}`, error.advice) : error;
		}
	};
	const auto = flag(entered.auto === '' ? undefined : entered.auto, source);
	const keys = { ...(auto === undefined ? {} : { auto }), ...store('ios', 'App Store URL'), ...store('android', 'Google Play URL') };
	return Object.keys(keys).length === 0 ? undefined : keys;
};

/** Redirection type: a word of the spec, or the ID of a splash page or overlay, which goes out as text. */
const redirection: Rule = (value) => {
	if (value === undefined) return undefined;
	const word = spelled(value);
	if (['direct', 'frame', 'splash'].includes(word)) return word;
	const page = asId(value);
	if (page !== undefined) return String(page);
	throw new ValueError(
		`is none of direct, frame and splash, nor the ID of a splash page or overlay: ${quoted(value)}`,
		'Choose from the list, or enter the ID as a positive whole number.',
	);
};

/** One row per target: what it applies to, and the address that those visitors get. */
function targets(name: string, label: string, placeholder: string): Pick<INodeProperties, 'options'> {
	return {
		options: [
			{
				displayName: 'Targets',
				name: 'values',
				values: [
					{ displayName: label, name, type: 'string', default: '', placeholder },
					{
						displayName: 'Link',
						name: 'link',
						type: 'string',
						default: '',
						placeholder: 'e.g. https://example.com/page',
						description: 'Address that these visitors are sent to',
					},
				],
			},
		],
	};
}

const additional = additionalFields([
	{
		displayName: 'Alias',
		name: 'custom',
		type: 'string',
		default: '',
		placeholder: 'e.g. spring-sale',
		description: 'Custom alias, in place of a random one. Also lets the node find the link again if the connection breaks while it is created.',
	},
	locator(
		{ displayName: 'Campaign', name: 'campaign', description: 'Campaign that the link becomes part of' },
		'searchCampaigns',
	),
	locator({ displayName: 'Channel', name: 'channel', description: 'Channel that the link becomes part of' }, 'searchChannels'),
	{
		displayName: 'Deep Link',
		name: 'deeplink',
		type: 'fixedCollection',
		default: {},
		placeholder: 'Set deep link',
		description: 'Opens an app instead of the browser. Device Targeting has to be set too.',
		options: [
			{
				displayName: 'Deep Link',
				name: 'value',
				values: [
					{
						displayName: 'App Store URL',
						name: 'ios',
						type: 'string',
						default: '',
						description: 'Where iOS users get the app',
					},
					{
						displayName: 'From Long URL',
						name: 'auto',
						type: 'boolean',
						default: false,
						description: 'Whether the service makes the deep links from the long URL by itself',
					},
					{
						displayName: 'Google Play URL',
						name: 'android',
						type: 'string',
						default: '',
						description: 'Where Android users get the app',
					},
				],
			},
		],
	},
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		description: 'Note that only you see',
	},
	{
		displayName: 'Device Targeting',
		name: 'devicetarget',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add device',
		description: 'Other addresses for visitors with certain devices',
		...targets('device', 'Device', 'e.g. iPhone'),
	},
	locator(
		{ displayName: 'Domain', name: 'domain', description: 'Branded domain of the short link, with https:// or http://' },
		'searchDomainUrls',
		[mode('By URL', 'url', { type: 'string', placeholder: 'e.g. https://go.example.com' })],
	),
	{
		displayName: 'Expiry',
		name: 'expiry',
		type: 'dateTime',
		default: '',
		description: 'When the link stops working, in the time zone of the workflow',
	},
	{
		displayName: 'Geo Targeting',
		name: 'geotarget',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add country',
		description: 'Other addresses for visitors from certain countries',
		...targets('location', 'Country', 'e.g. Germany'),
	},
	{
		displayName: 'Language Targeting',
		name: 'languagetarget',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add language',
		description: 'Other addresses for visitors with certain languages',
		...targets('language', 'Language', 'e.g. de'),
	},
	{
		displayName: 'Meta Description',
		name: 'metadescription',
		type: 'string',
		default: '',
		description: 'Description that social networks and chats show',
	},
	{
		displayName: 'Meta Image URL',
		name: 'metaimage',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/image.png',
		description: 'Address of a JPG or PNG image that social networks and chats show',
	},
	{
		displayName: 'Meta Title',
		name: 'metatitle',
		type: 'string',
		default: '',
		description: 'Title that social networks and chats show',
	},
	{
		displayName: 'Parameters',
		name: 'parameters',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add parameter',
		description: 'Query parameters to add to the long URL, such as utm_source',
		options: [
			{
				displayName: 'Parameters',
				name: 'values',
				values: [
					{ displayName: 'Name', name: 'name', type: 'string', default: '', placeholder: 'e.g. utm_source' },
					{ displayName: 'Value', name: 'value', type: 'string', default: '', placeholder: 'e.g. newsletter' },
				],
			},
		],
	},
	{
		displayName: 'Password',
		name: 'password',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'Password that visitors have to enter',
	},
	{
		displayName: 'Pixel IDs',
		name: 'pixels',
		type: 'string',
		default: '',
		placeholder: 'e.g. 3,17',
		description: 'IDs of the tracking pixels to fire, separated by commas. An expression may also give an array of numbers.',
	},
	locator(
		{
			displayName: 'Redirection Type',
			name: 'type',
			description: 'How visitors are sent on: directly, in a frame, or over a splash page or overlay',
		},
		'searchRedirectionTypes',
	),
	{
		displayName: 'Status',
		name: 'status',
		type: 'options',
		options: [
			{ name: 'Private', value: 'private' },
			{ name: 'Public', value: 'public' },
		],
		default: 'private',
		description: 'Who can see the link in the service',
	},
]);

/**
 * The short URL that an alias gives: below the domain that was asked for, or else below the service's own address. The alias stands
 * in it as it was entered, as in the service's own answers.
 */
function shortUrlOf({ custom, domain }: IDataObject, address: string): string | undefined {
	if (typeof custom !== 'string') return undefined;
	const base = typeof domain === 'string' ? domain : address;
	return `${base.endsWith('/') ? base.slice(0, -1) : base}/${custom}`;
}

/** A link with an alias can be looked up by its short URL (spec, GET /api/urls, `short`); one without can't be told from others. */
const recovery: Recovery = {
	lookup(body, address) {
		const short = shortUrlOf(body, address);
		return short === undefined ? undefined : { path: '/api/urls', query: { short } };
	},
	found: (body, answer, address) => linkWithShortUrl(answer, shortUrlOf(body, address)!),
	matches: (body, record) => isSameUrl(body.url, record.longurl),
	conflict: (body) => `The alias "${String(body.custom)}" belongs to a link with another long URL`,
};

export const create: OperationDefinition = {
	value: 'create',
	name: 'Create',
	action: 'Create a short link',
	description: 'Shorten a long URL',
	request: { method: 'POST', url: '/api/url/add' },
	fields: [
		{
			displayName: 'Long URL',
			name: 'url',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://example.com/page',
			description: 'Address to shorten, with https:// or http://',
		},
		additional,
	],
	extraOptions: [
		{
			displayName: 'If Alias Exists',
			name: 'ifAliasExists',
			type: 'options',
			options: [
				{ name: 'Fail', value: 'fail', description: "Fail with the service's message" },
				{
					name: 'Return Existing Link',
					value: 'returnExisting',
					description: 'Return the link that has the alias already, if it has the same long URL. Makes a spreadsheet safe to run again.',
				},
			],
			default: 'fail',
			description: 'What to do when the alias is taken',
		},
	],
	sends: {
		body: { url: required(webUrl) },
		bodyFrom: {
			additionalFields: {
				custom: text,
				type: redirection,
				password: secret,
				domain: webUrl,
				expiry: dateTime,
				geotarget: rows({ location: text, link: webUrl }, { location: 'Country', link: 'Link' }),
				devicetarget: rows({ device: text, link: webUrl }, { device: 'Device', link: 'Link' }),
				languagetarget: rows({ language: text, link: webUrl }, { language: 'Language', link: 'Link' }),
				metatitle: text,
				metadescription: text,
				metaimage: webUrl,
				description: text,
				pixels: idList,
				channel: id,
				campaign: id,
				deeplink: deepLink,
				status: oneOf('public', 'private'),
				parameters: nameValueRows,
			},
		},
		complete({ body }) {
			if (body.deeplink !== undefined && body.devicetarget === undefined) {
				throw new ValueError('Deep Link needs Device Targeting', 'Add the field Device Targeting too: the service wants both together.');
			}
		},
		recovery,
	},
};

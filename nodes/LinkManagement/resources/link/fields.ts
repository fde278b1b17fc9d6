import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { additionalFields, updateFields } from '../../fields/collections';
import { byId, byName, creatable, locator, mode } from '../../fields/locators';
import { campaignReference, channelReference } from '../../fields/references';
import {
	asId,
	expiryDate,
	flag,
	idList,
	nameValueRows,
	oneOf,
	quoted,
	rows,
	secret,
	spelled,
	text,
	webUrl,
} from '../../fields/rules';
import { isRecord } from '../../api/envelope';
import { ValueError, type Rule, type Rules } from '../../execution/request';

export const longUrl: INodeProperties = {
	displayName: 'Long URL',
	name: 'url',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/page',
	description: 'Address to shorten, with https:// or http://',
};

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
	const keys = {
		...(auto === undefined ? {} : { auto }),
		...store('ios', 'App Store URL'),
		...store('android', 'Google Play URL'),
	};
	// Off, and no address: the field was added and left as it was.
	const isEmpty = Object.values(keys).every((given) => given === false);
	return isEmpty ? undefined : keys;
};

/**
 * Redirection type: a word of the spec, the ID of a splash page, or `overlay-<id>` (field notes, "Resources"). IDs go out as text.
 */
const redirection: Rule = (value) => {
	if (value === undefined) return undefined;
	const word = spelled(value);
	if (['direct', 'frame', 'splash'].includes(word)) return word;
	const overlay = /^overlay-\s*(\S+)$/i.exec(word)?.[1];
	const page = asId(overlay ?? value);
	if (page !== undefined) return overlay === undefined ? String(page) : `overlay-${page}`;
	throw new ValueError(
		`is none of direct, frame and splash, nor the ID of a splash page, nor overlay- with an ID: ${quoted(value)}`,
		'Choose from the list, or enter the ID of a splash page, such as 12, or of an overlay, such as overlay-12.',
	);
};

/** One row for each target: what it applies to, and the address that those visitors get. */
function targeting(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description'>,
	target: INodeProperties,
): INodeProperties {
	const link = { displayName: 'Link', name: 'link', type: 'string' as const, default: '' };
	return {
		...field,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		options: [
			{
				displayName: 'Targets',
				name: 'values',
				values: [target, { ...link, placeholder: 'e.g. https://example.com/page' }],
			},
		],
	};
}

/** What a link may have besides its long URL. */
export const linkFields: INodeProperties[] = [
	{
		displayName: 'Alias',
		name: 'custom',
		type: 'string',
		default: '',
		placeholder: 'e.g. spring-sale',
		description: 'Alias of your own; a random one if empty',
	},
	creatable(
		locator({ displayName: 'Campaign', name: 'campaign', description: 'Campaign of the link' }, 'searchCampaigns', [
			byId,
			byName,
		]),
		'campaign',
		'createCampaign',
	),
	creatable(
		locator({ displayName: 'Channel', name: 'channel', description: 'Channel of the link' }, 'searchChannels', [
			byId,
			byName,
		]),
		'channel',
		'createChannel',
	),
	{
		displayName: 'Deep Link',
		name: 'deeplink',
		type: 'fixedCollection',
		default: {},
		placeholder: 'Set deep link',
		description: 'Opens an app; needs Device Targeting',
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
					},
					{
						displayName: 'From Long URL',
						name: 'auto',
						type: 'boolean',
						default: false,
						description: 'Whether to make them from the long URL',
					},
					{
						displayName: 'Google Play URL',
						name: 'android',
						type: 'string',
						default: '',
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
	targeting(
		{
			displayName: 'Device Targeting',
			name: 'devicetarget',
			placeholder: 'Add device',
			description: 'Other addresses by device',
		},
		locator({ displayName: 'Device', name: 'device' }, 'searchDevices', [
			mode('By Name', 'name', { type: 'string', placeholder: 'e.g. iPhone' }),
		]),
	),
	creatable(
		locator(
			{
				displayName: 'Domain',
				name: 'domain',
				description: 'Branded domain, with https://',
			},
			'searchDomainUrls',
			[mode('By URL', 'url', { type: 'string', placeholder: 'e.g. https://go.example.com' })],
		),
		'domain',
		'createDomainUrl',
	),
	{
		displayName: 'Expiry',
		name: 'expiry',
		type: 'dateTime',
		default: '',
		description: "When the link ends, in the workflow's time zone. A date alone means the end of that day.",
	},
	targeting(
		{
			displayName: 'Geo Targeting',
			name: 'geotarget',
			placeholder: 'Add country',
			description: 'Other addresses by country',
		},
		locator({ displayName: 'Country', name: 'location' }, 'searchCountries', [
			mode('By Name', 'name', { type: 'string', placeholder: 'e.g. Germany' }),
		]),
	),
	targeting(
		{
			displayName: 'Language Targeting',
			name: 'languagetarget',
			placeholder: 'Add language',
			description: 'Other addresses by language',
		},
		locator({ displayName: 'Language', name: 'language', description: 'Language code' }, 'searchLanguages', [
			mode('By Code', 'code', { type: 'string', placeholder: 'e.g. de' }),
		]),
	),
	{
		displayName: 'Meta Description',
		name: 'metadescription',
		type: 'string',
		default: '',
		description: 'Text of link previews in chats and networks',
	},
	{
		displayName: 'Meta Image URL',
		name: 'metaimage',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/image.png',
		description: 'JPG or PNG image of link previews',
	},
	{
		displayName: 'Meta Title',
		name: 'metatitle',
		type: 'string',
		default: '',
		description: 'Title of link previews',
	},
	{
		displayName: 'Password',
		name: 'password',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'Password for visitors',
	},
	{
		displayName: 'Pixel Names or IDs',
		name: 'pixels',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: 'loadPixels' },
		allowArbitraryValues: true,
		default: [],
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	},
	locator(
		{
			displayName: 'Redirection Type',
			name: 'type',
			description: 'Directly, in a frame, or over a splash page or overlay',
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
		description: 'Who sees the link in the service',
	},
	{
		displayName: 'UTM Parameters',
		name: 'parameters',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add parameter',
		description: 'Added to the long URL',
		options: [
			{
				displayName: 'UTM Parameters',
				name: 'values',
				values: [
					{ displayName: 'Name', name: 'name', type: 'string', default: '', placeholder: 'e.g. utm_source' },
					{ displayName: 'Value', name: 'value', type: 'string', default: '', placeholder: 'e.g. newsletter' },
				],
			},
		],
	},
];

/** What a new link may carry besides its long URL. */
export const newLinkFields = additionalFields('link', linkFields);

/** What an update changes. The domain of a link can't be changed (field notes, "Endpoints that the document leaves out"). */
export const changedLinkFields = updateFields(
	'link',
	[
		...linkFields.filter(({ name }) => name !== 'domain'),
		{ ...longUrl, description: 'Address that the link leads to from now on' },
	].sort((one, other) => (one.displayName < other.displayName ? -1 : 1)),
);

/** How each of them is checked and sent. */
export const linkRules: Rules = {
	custom: text,
	type: redirection,
	password: secret,
	domain: webUrl,
	expiry: expiryDate,
	geotarget: rows({ location: text, link: webUrl }, { location: 'Country', link: 'Link' }),
	devicetarget: rows({ device: text, link: webUrl }, { device: 'Device', link: 'Link' }),
	languagetarget: rows({ language: text, link: webUrl }, { language: 'Language', link: 'Link' }),
	metatitle: text,
	metadescription: text,
	metaimage: webUrl,
	description: text,
	pixels: idList,
	channel: channelReference,
	campaign: campaignReference,
	deeplink: deepLink,
	status: oneOf('public', 'private'),
	parameters: nameValueRows,
};

/**
 * Spec, body of POST /api/url/add: "Device targeting must also be set when deep links are used."
 *
 * @param body what is to be sent
 * @throws ValueError
 */
export function deepLinkHasTargets(body: IDataObject): void {
	if (body.deeplink !== undefined && body.devicetarget === undefined) {
		throw new ValueError(
			'Deep Link needs Device Targeting',
			'Add the field Device Targeting too: the service wants both together.',
		);
	}
}

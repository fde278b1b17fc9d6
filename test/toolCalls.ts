/**
 * Calls as models make them, of each operation that reads, creates or changes, and what came back: values as text, names in place
 * of IDs, empty text and "null" for what is left out; and mistakes, each with the call that follows on what the message says.
 *
 * They are made in this order, on the account that the pages' examples start from (test/documentation/examples.ts).
 */
import type { IDataObject } from 'n8n-workflow';

import { by } from './engine/host';
import type { Sandbox } from './sandbox';

/** What a model gives to a tool, and what it gets. */
export interface RecordedCall {
	input: IDataObject;
	/** What is in the first record that comes back, or in the only one; null where a list is empty. */
	gives?: Record<string, unknown> | null;
	/** What the message says, where the call is refused: the parameter, what is wrong with it, and what to do. */
	refused?: RegExp[];
}

/** A tool, as its builder sets it up in the editor, and the calls of it. */
export interface RecordedTool {
	/** The name of its node. */
	name: string;
	parameters: IDataObject & { resource: string; operation: string };
	calls: RecordedCall[];
}

/** A value that the model gives, as the editor's "Let the model define this parameter" writes it. */
function ai(key: string, description = '', type = 'string'): string {
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`${description}\`, '${type}') }}`;
}

const RECORDED: RecordedTool[] = [
	{
		name: 'Create a short link',
		parameters: {
			resource: 'link',
			operation: 'create',
			url: ai('Long_URL', 'The address to shorten'),
			linkFields: {
				custom: ai('Alias'),
				campaign: by('id', ai('Campaign')),
				channel: by('list', ai('Channel')),
				domain: by('url', ai('Domain')),
				expiry: ai('Expiry'),
				pixels: ai('Pixel_Names_or_IDs'),
				status: ai('Status'),
				description: ai('Description'),
				parameters: { values: [{ name: 'utm_source', value: ai('utm_source') }] },
			},
		},
		calls: [
			{
				input: {
					Long_URL: 'https://example.com/summer',
					Alias: 'summer',
					Campaign: 'Launch',
					Channel: 'press',
					Expiry: '2031-06-30',
					Pixel_Names_or_IDs: '91',
					Status: 'public',
					utm_source: 'newsletter',
				},
				gives: { alias: 'summer', longurl: 'https://example.com/summer' },
			},
			{
				input: {
					Long_URL: 'https://example.com/winter',
					Alias: 'null',
					Campaign: 'null',
					Domain: 'null',
					Expiry: 'null',
					Pixel_Names_or_IDs: 'null',
					Status: 'null',
					Description: 'null',
					utm_source: 'null',
				},
				gives: { longurl: 'https://example.com/winter', alias: expect.not.stringMatching(/^null$/) },
			},
			{
				input: { Long_URL: 'the autumn sale', Alias: 'autumn' },
				refused: [/Long URL is not a web address: "the autumn sale"/, /with https:\/\/ or http:\/\/ at its start/],
			},
			{
				input: { Long_URL: 'https://example.com/autumn', Alias: 'autumn', Campaign: 'Lanch' },
				refused: [/no campaign named "Lanch"/, /did you mean "Launch"/],
			},
			{
				input: { Long_URL: 'https://example.com/autumn', Alias: 'autumn', Campaign: 'Launch', Expiry: 'next Friday' },
				refused: [/Expiry is not a date: "next Friday"/, /2030-12-31 23:59:00/],
			},
			{
				input: { Long_URL: 'https://example.com/autumn', Alias: 'autumn', Campaign: 'Launch', Expiry: '2020-01-01' },
				refused: [/Expiry is in the past/, /still to come/],
			},
			{
				input: {
					Long_URL: 'https://example.com/autumn',
					Alias: 'autumn',
					Campaign: 'Launch',
					Domain: 'go.example.com',
				},
				refused: [/Domain is not a web address: "go\.example\.com"/, /https:\/\//],
			},
			{
				input: {
					Long_URL: 'https://example.com/autumn',
					Alias: 'autumn',
					Campaign: 'Launch',
					Pixel_Names_or_IDs: 'All pages',
					Status: 'hidden',
				},
				refused: [/Pixel Names or IDs is not an ID: "All pages"/, /positive whole number/],
			},
			{
				input: {
					Long_URL: 'https://example.com/autumn',
					Alias: 'autumn',
					Campaign: 'Launch',
					Pixel_Names_or_IDs: '91',
					Status: 'hidden',
				},
				refused: [/Status is "hidden"/, /private, public/],
			},
			{
				input: { Long_URL: 'https://example.com/autumn', Alias: 'summer' },
				refused: [/alias is taken/i, /alias "summer"/, /If Alias Exists/, /Create or Update/],
			},
			{
				input: {
					Long_URL: 'https://example.com/autumn',
					Alias: 'autumn',
					Campaign: 'Launch',
					Expiry: '2031-09-30 12:00:00',
					Pixel_Names_or_IDs: '91',
					Status: 'private',
					Description: 'For the newsletter',
				},
				gives: { alias: 'autumn' },
			},
		],
	},
	{
		name: 'Keep a short link',
		parameters: {
			resource: 'link',
			operation: 'upsert',
			columns: {
				mappingMode: 'defineBelow',
				value: { url: ai('Long_URL'), custom: ai('Alias'), metatitle: ai('Meta_Title') },
			},
			options: { dryRun: ai('Dry_Run') },
		},
		calls: [
			{
				input: { Long_URL: 'https://example.com/spring-2', Alias: 'spring', Meta_Title: 'null', Dry_Run: 'false' },
				gives: { action: 'updated', alias: 'spring', longurl: 'https://example.com/spring-2' },
			},
			{
				input: { Meta_Title: 'Nothing', Dry_Run: 'false' },
				refused: [/neither a Long URL nor an Alias/, /at least one/],
			},
			{
				input: { Long_URL: 'https://example.com/kept', Alias: 'kept', Meta_Title: 'Kept' },
				gives: { action: 'created', alias: 'kept' },
			},
		],
	},
	{
		name: 'Change a short link',
		parameters: {
			resource: 'link',
			operation: 'update',
			linkId: by('id', ai('Link')),
			linkFields: { url: ai('Long_URL'), metatitle: ai('Meta_Title'), status: ai('Status') },
		},
		calls: [
			{
				input: { Link: '12', Long_URL: 'https://example.com/spring-3', Status: 'null' },
				gives: { success: true, id: 12 },
			},
			{
				input: { Link: 'spring', Long_URL: 'https://example.com/spring-4' },
				refused: [/Link is not an ID: "spring"/, /whole short URL/],
			},
			{ input: { Link: 'SHORT/spring' }, refused: [/no field to change/, /at least one field/] },
			{
				input: { Link: 'SHORT/springs', Long_URL: 'https://example.com/spring-4' },
				refused: [/no short link with the URL SHORT\/springs/, /Check the URL/],
			},
			{
				input: { Link: 'SHORT/spring', Long_URL: 'https://example.com/spring-4', Meta_Title: 'Spring' },
				gives: { success: true, id: 12 },
			},
		],
	},
	{
		name: 'Get a short link',
		parameters: { resource: 'link', operation: 'get', linkId: by('shortUrl', ai('Link')) },
		calls: [
			{ input: { Link: 'SHORT/spring' }, gives: { id: 12, clicks: 97, title: 'Spring' } },
			{ input: { Link: 'spring' }, refused: [/Link is not a short URL: "spring"/, /whole short URL/] },
			{ input: { Link: 'SHORT/spring?utm_source=x' }, gives: { id: 12 } },
		],
	},
	{
		name: 'Find short links',
		parameters: {
			resource: 'link',
			operation: 'getAll',
			limit: ai('Limit'),
			filters: { q: ai('Search'), order: ai('Order') },
		},
		calls: [
			{ input: { Limit: '1', Search: 'spring', Order: 'click' }, gives: { id: 12 } },
			{ input: { Limit: '10', Search: 'nothing like it' }, gives: null },
			{ input: { Limit: 'all' }, refused: [/Limit is not a whole number/, /how many records/] },
			{ input: { Limit: '0' }, refused: [/Limit is not a whole number of at least 1/] },
			{ input: { Order: 'clicks' }, refused: [/Order is "clicks"/, /click, date/] },
			{ input: { Limit: 'null', Search: 'null', Order: 'null' }, gives: { id: expect.any(Number) } },
		],
	},
	{
		name: 'Create a QR code',
		parameters: {
			resource: 'qrCode',
			operation: 'create',
			type: ai('Type'),
			data: ai('Data'),
			qrCodeFields: { name: ai('Name'), foreground: ai('Foreground'), background: ai('Background') },
		},
		calls: [
			{
				input: { Type: 'link', Data: 'https://example.com/menu', Name: 'Menu', Foreground: '#123' },
				gives: { id: expect.any(Number), link: expect.stringContaining('http') },
			},
			{ input: { Type: 'url', Data: 'https://example.com/menu' }, refused: [/Type is "url"/, /link/] },
			{ input: { Type: 'link' }, refused: [/URL is empty/, /Enter a value/] },
			{
				input: { Type: 'link', Data: 'https://example.com/menu', Foreground: 'dark blue' },
				refused: [/Foreground is not a color: "dark blue"/, /#1A2B3C/],
			},
			{
				input: { Type: 'phone', Data: '+49 30 123456', Foreground: 'rgb(0, 0, 139)', Background: 'null' },
				gives: { id: expect.any(Number) },
			},
		],
	},
	{
		name: 'Create a WiFi code',
		parameters: {
			resource: 'qrCode',
			operation: 'create',
			type: 'wifi',
			ssid: ai('Network_Name'),
			encryption: ai('Encryption'),
			pass: ai('Network_Password'),
			options: { downloadPicture: false },
		},
		calls: [
			{ input: { Encryption: 'WPA' }, refused: [/Network Name \(SSID\) is empty/, /Enter a value/] },
			{
				input: { Network_Name: 'Guests', Encryption: 'WPA', Network_Password: 'welcome' },
				gives: { id: expect.any(Number) },
			},
		],
	},
	{
		name: 'Get a QR code',
		parameters: { resource: 'qrCode', operation: 'get', qrCodeId: by('id', ai('QR_Code')) },
		calls: [
			{ input: { QR_Code: 'Poster' }, refused: [/QR Code is not an ID: "Poster"/, /positive whole number/] },
			{ input: { QR_Code: '999' }, refused: [/QR code|QR Code/] },
			{ input: { QR_Code: '21' }, gives: { id: 21, name: 'Poster', scans: 98 } },
		],
	},
	{
		name: 'Find QR codes',
		parameters: { resource: 'qrCode', operation: 'getAll', limit: ai('Limit', '', 'number') },
		calls: [{ input: { Limit: 100 }, gives: { id: expect.any(Number) } }],
	},
	{
		name: 'Change a QR code',
		parameters: {
			resource: 'qrCode',
			operation: 'update',
			qrCodeId: by('list', ai('QR_Code')),
			dataFormat: 'text',
			data: ai('Data'),
			qrCodeFields: { foreground: ai('Foreground') },
		},
		calls: [
			{ input: { QR_Code: '21', Data: 'null', Foreground: '#000' }, refused: [/Data is empty/, /Enter a value/] },
			{
				input: { QR_Code: '21', Data: 'https://example.com/new', Foreground: '#000' },
				gives: { success: true, id: 21 },
			},
		],
	},
	{
		name: 'Download a QR code',
		parameters: { resource: 'qrCode', operation: 'download', qrCodeId: by('id', ai('QR_Code', '', 'number')) },
		calls: [{ input: { QR_Code: 21 }, gives: { id: 21, name: 'Poster' } }],
	},
	{
		name: 'Create a campaign',
		parameters: {
			resource: 'campaign',
			operation: 'create',
			name: ai('Name'),
			campaignFields: { slug: ai('Slug'), public: ai('Public') },
		},
		calls: [
			{ input: { Name: 'Harvest', Slug: 'null', Public: 'yes' }, gives: { name: 'Harvest', public: true } },
			{ input: { Slug: 'autumn', Public: 'false' }, refused: [/Name is empty/, /Enter a value/] },
			{
				input: { Name: 'Autumn', Slug: 'autumn', Public: 'maybe' },
				refused: [/Public is neither true nor false: "maybe"/],
			},
			{ input: { Name: 'Autumn', Slug: 'autumn', Public: 'false' }, gives: { name: 'Autumn' } },
		],
	},
	{
		name: 'Find campaigns',
		parameters: { resource: 'campaign', operation: 'getAll', returnAll: ai('Return_All', '', 'boolean') },
		calls: [{ input: { Return_All: true }, gives: { name: expect.any(String) } }],
	},
	{
		name: 'Change a campaign',
		parameters: {
			resource: 'campaign',
			operation: 'update',
			campaignId: by('id', ai('Campaign')),
			name: ai('Name'),
			campaignFields: { public: ai('Public', '', 'boolean') },
		},
		calls: [
			{ input: { Campaign: 'Launch', Name: 'null', Public: true }, gives: { success: true, id: 31, name: 'Launch' } },
			{ input: { Name: 'Big Launch', Public: true }, refused: [/Campaign is empty/, /Enter a value/] },
			{
				input: { Campaign: '31', Name: 'Big Launch', Public: false },
				gives: { success: true, id: 31, name: 'Big Launch' },
			},
			{ input: { Campaign: '31', Name: 'Launch', Public: false }, gives: { success: true, name: 'Launch' } },
		],
	},
	{
		name: 'Put a link into a campaign',
		parameters: {
			resource: 'campaign',
			operation: 'assignLink',
			campaignId: by('name', ai('Campaign')),
			linkId: by('id', ai('Link')),
		},
		calls: [
			{
				input: { Campaign: 'Lounch', Link: 'SHORT/spring' },
				refused: [/no campaign named "Lounch" \(did you mean "Launch"\?\)/, /Check the spelling/],
			},
			{ input: { Campaign: 'launch', Link: 'SHORT/spring' }, gives: { success: true, campaignId: 31, linkId: 12 } },
		],
	},
	{
		name: 'Create a channel',
		parameters: {
			resource: 'channel',
			operation: 'create',
			name: ai('Name'),
			channelFields: { color: ai('Color'), description: ai('Description'), starred: ai('Starred') },
		},
		calls: [
			{ input: { Name: 'Flyers', Color: 'red' }, refused: [/Color is not a color: "red"/, /#1A2B3C/] },
			{
				input: { Name: 'Flyers', Color: '#FF0000', Description: 'null', Starred: 'true' },
				gives: { name: 'Flyers', id: expect.any(Number) },
			},
		],
	},
	{
		name: 'Find channels',
		parameters: { resource: 'channel', operation: 'getAll' },
		calls: [{ input: {}, gives: { id: expect.any(Number) } }],
	},
	{
		name: 'Change a channel',
		parameters: {
			resource: 'channel',
			operation: 'update',
			channelId: by('name', ai('Channel')),
			channelFields: { name: ai('Name'), color: ai('Color') },
		},
		calls: [
			{ input: { Channel: 'Press' }, refused: [/no field to change/, /at least one field/] },
			{ input: { Channel: 'Press', Color: 'rgb(1,2,3)' }, gives: { success: true, id: 41 } },
		],
	},
	{
		name: 'Put into a channel',
		parameters: {
			resource: 'channel',
			operation: 'assignItem',
			channelId: by('id', ai('Channel')),
			itemType: ai('Item_Type'),
			linkId: by('id', ai('Link')),
			qrCodeId: by('id', ai('QR_Code')),
		},
		calls: [
			{
				input: { Channel: 'Press', Item_Type: 'links', Link: 'SHORT/spring', QR_Code: 'null' },
				gives: { success: true, channelId: 41, linkId: 12 },
			},
			{
				input: { Channel: 'Press', Item_Type: 'qr code', QR_Code: '21' },
				refused: [/Item Type is "qr code"/, /bio, links, qr/],
			},
			{ input: { Channel: 'Press', Item_Type: 'qr' }, refused: [/QR Code is empty/] },
			{ input: { Channel: 'Press', Item_Type: 'qr', QR_Code: '21' }, gives: { success: true, qrCodeId: 21 } },
		],
	},
	{
		name: 'Get what is in a channel',
		parameters: { resource: 'channel', operation: 'getItems', channelId: by('id', ai('Channel')), returnAll: true },
		calls: [
			{ input: { Channel: 'Prss' }, refused: [/no channel named "Prss" \(did you mean "Press"\?\)/] },
			{ input: { Channel: 'Press' }, gives: { type: expect.any(String) } },
		],
	},
	{
		name: 'Add a domain',
		parameters: {
			resource: 'domain',
			operation: 'create',
			domain: ai('Domain'),
			domainFields: { redirectroot: ai('Root_Redirect_URL'), redirect404: ai('Not_Found_Redirect_URL') },
		},
		calls: [
			{
				input: { Domain: 'new.example.com' },
				refused: [/Domain is not a web address: "new\.example\.com"/, /https:\/\//],
			},
			{
				input: {
					Domain: 'https://new.example.com',
					Root_Redirect_URL: 'https://example.com',
					Not_Found_Redirect_URL: 'null',
				},
				gives: { id: expect.any(Number) },
			},
		],
	},
	{
		name: 'Find domains',
		parameters: { resource: 'domain', operation: 'getAll', returnAll: true },
		calls: [{ input: {}, gives: { domain: expect.stringContaining('https://') } }],
	},
	{
		name: 'Change a domain',
		parameters: {
			resource: 'domain',
			operation: 'update',
			domainId: by('id', ai('Domain')),
			domainFields: { redirect404: ai('Not_Found_Redirect_URL') },
		},
		calls: [
			{
				input: { Domain: 'https://go.example.com', Not_Found_Redirect_URL: 'https://example.com/lost' },
				refused: [/Domain is not an ID: "https:\/\/go\.example\.com"/, /positive whole number/],
			},
			{
				input: { Domain: '51', Not_Found_Redirect_URL: '/lost' },
				refused: [/Not Found Redirect URL is not a web address: "\/lost"/],
			},
			{ input: { Domain: '51', Not_Found_Redirect_URL: 'https://example.com/lost' }, gives: { success: true, id: 51 } },
		],
	},
	{
		name: 'Create a pixel',
		parameters: {
			resource: 'pixel',
			operation: 'create',
			pixelType: ai('Pixel_Type'),
			name: ai('Name'),
			tag: ai('Tag'),
		},
		calls: [
			{ input: { Pixel_Type: 'fbpixel', Name: 'Shop' }, refused: [/Tag is empty/, /Enter a value/] },
			{ input: { Pixel_Type: 'fbpixel', Name: 'Shop', Tag: '1234567890' }, gives: { id: expect.any(Number) } },
		],
	},
	{
		name: 'Find pixels',
		parameters: { resource: 'pixel', operation: 'getAll', limit: ai('Limit', '', 'number') },
		calls: [{ input: { Limit: 5 }, gives: { name: expect.any(String) } }],
	},
	{
		name: 'Change a pixel',
		parameters: {
			resource: 'pixel',
			operation: 'update',
			pixelId: by('id', ai('Pixel')),
			tag: ai('Tag'),
			pixelFields: { name: ai('Name') },
		},
		calls: [
			{ input: { Pixel: 'All pages', Tag: 'GTM-XYZ789' }, refused: [/Pixel is not an ID: "All pages"/] },
			{ input: { Pixel: '91', Tag: 'GTM-XYZ789', Name: 'null' }, gives: { success: true, id: 91 } },
		],
	},
	{
		name: 'Find overlays',
		parameters: { resource: 'overlay', operation: 'getAll', limit: ai('Limit') },
		calls: [{ input: { Limit: '5' }, gives: { id: 71, name: 'Vote' } }],
	},
	{
		name: 'Find splash pages',
		parameters: { resource: 'splashPage', operation: 'getAll', limit: ai('Limit') },
		calls: [{ input: { Limit: '5' }, gives: { id: 61, name: 'Wait a moment' } }],
	},
	{
		name: 'Get the account',
		parameters: { resource: 'account', operation: 'get' },
		calls: [{ input: {}, gives: { email: expect.stringContaining('@') } }],
	},
	{
		name: 'Change the account',
		parameters: {
			resource: 'account',
			operation: 'update',
			accountFields: { email: ai('Email'), password: ai('Password') },
		},
		calls: [
			{ input: { Email: 'null' }, refused: [/no field to change/, /at least one field/] },
			{ input: { Email: 'new@example.com' }, gives: { success: true } },
		],
	},
];

/** What a call has no value for, the model gives as empty text. */
function complete(tool: RecordedTool): RecordedTool {
	const asked = [...JSON.stringify(tool.parameters).matchAll(/\$fromAI\('(\w+)'/g)].map(([, key]) => [key, '']);
	const blank = Object.fromEntries(asked) as IDataObject;
	return { ...tool, calls: tool.calls.map((call) => ({ ...call, input: { ...blank, ...call.input } })) };
}

export const TOOLS = RECORDED.map(complete);

/** What a model gives, where the account's short links begin with this. */
export function inputOf({ input }: RecordedCall, shortUrls: string): IDataObject {
	return JSON.parse(JSON.stringify(input).replaceAll('SHORT', shortUrls)) as IDataObject;
}

/** What the account's short links begin with: the service's own address, or another one. */
export async function shortUrlsOf(sandbox: Sandbox): Promise<string> {
	const [{ shorturl }] = (await sandbox.links()).filter(({ alias }) => alias === 'spring');
	return shorturl.replace(/\/spring$/, '');
}

/** Compares what a model got with what is recorded. */
export function expectAnswer(
	{ gives, refused }: RecordedCall,
	answer: { records: unknown[] } | { message: string },
	shortUrls: string,
): void {
	if (refused !== undefined) {
		expect(Object.keys(answer)).toEqual(['message']);
		const message = 'message' in answer ? answer.message.replaceAll(shortUrls, 'SHORT') : '';
		for (const part of refused) expect(message).toMatch(part);
		// Neither of them means anything to a model.
		expect(message).not.toMatch(/\[item |^Item \d/);
		return;
	}
	// A refusal shows here with what it says.
	expect(answer).toHaveProperty('records');
	const records = 'records' in answer ? answer.records : [];
	if (gives === null) expect(records).toEqual([]);
	else expect(records[0]).toMatchObject(gives ?? {});
}

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

/** A call, and what is in the first record that comes back, or in the only one. */
function gives(input: IDataObject, record: RecordedCall['gives']): RecordedCall {
	return { input, gives: record };
}

/** A call that is refused, and what the message says. */
function refused(input: IDataObject, ...message: RegExp[]): RecordedCall {
	return { input, refused: message };
}

const autumn = { Long_URL: 'https://example.com/autumn', Alias: 'autumn', Campaign: 'Launch' };

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
			gives(
				{
					Long_URL: 'https://example.com/summer',
					Alias: 'summer',
					Campaign: 'Launch',
					Channel: 'press',
					Expiry: '2031-06-30',
					Pixel_Names_or_IDs: '91',
					Status: 'public',
					utm_source: 'newsletter',
				},
				{ alias: 'summer', longurl: 'https://example.com/summer' },
			),
			gives(
				{
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
				{ longurl: 'https://example.com/winter', alias: expect.not.stringMatching(/^null$/) },
			),
			refused(
				{ Long_URL: 'the autumn sale', Alias: 'autumn' },
				/Long URL is not a web address: "the autumn sale"/,
				/with https:\/\/ or http:\/\/ at its start/,
			),
			refused(
				{ Long_URL: 'https://example.com/autumn', Alias: 'autumn', Campaign: 'Lanch' },
				/no campaign named "Lanch"/,
				/did you mean "Launch"/,
			),
			refused({ ...autumn, Expiry: 'next Friday' }, /Expiry is not a date: "next Friday"/, /2030-12-31 23:59:00/),
			refused({ ...autumn, Expiry: '2020-01-01' }, /Expiry is in the past/, /still to come/),
			refused({ ...autumn, Domain: 'go.example.com' }, /Domain is not a web address: "go\.example\.com"/, /https:\/\//),
			refused(
				{ ...autumn, Pixel_Names_or_IDs: 'All pages', Status: 'hidden' },
				/Pixel Names or IDs is not an ID: "All pages"/,
				/positive whole number/,
			),
			refused({ ...autumn, Pixel_Names_or_IDs: '91', Status: 'hidden' }, /Status is "hidden"/, /private, public/),
			refused(
				{ Long_URL: 'https://example.com/autumn', Alias: 'summer' },
				/alias is taken/i,
				/alias "summer"/,
				/If Alias Exists/,
				/Create or Update/,
			),
			gives(
				{
					...autumn,
					Expiry: '2031-09-30 12:00:00',
					Pixel_Names_or_IDs: '91',
					Status: 'private',
					Description: 'For the newsletter',
				},
				{ alias: 'autumn' },
			),
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
			gives(
				{ Long_URL: 'https://example.com/spring-2', Alias: 'spring', Meta_Title: 'null', Dry_Run: 'false' },
				{ action: 'updated', alias: 'spring', longurl: 'https://example.com/spring-2' },
			),
			refused({ Meta_Title: 'Nothing', Dry_Run: 'false' }, /neither a Long URL nor an Alias/, /at least one/),
			gives(
				{ Long_URL: 'https://example.com/kept', Alias: 'kept', Meta_Title: 'Kept' },
				{ action: 'created', alias: 'kept' },
			),
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
			gives({ Link: '12', Long_URL: 'https://example.com/spring-3', Status: 'null' }, { success: true, id: 12 }),
			refused(
				{ Link: 'spring', Long_URL: 'https://example.com/spring-4' },
				/Link is not an ID: "spring"/,
				/whole short URL/,
			),
			refused({ Link: 'SHORT/spring' }, /no field to change/, /at least one field/),
			refused(
				{ Link: 'SHORT/springs', Long_URL: 'https://example.com/spring-4' },
				/no short link with the URL SHORT\/springs/,
				/Check the URL/,
			),
			gives(
				{ Link: 'SHORT/spring', Long_URL: 'https://example.com/spring-4', Meta_Title: 'Spring' },
				{ success: true, id: 12 },
			),
		],
	},
	{
		name: 'Get a short link',
		parameters: { resource: 'link', operation: 'get', linkId: by('shortUrl', ai('Link')) },
		calls: [
			gives({ Link: 'SHORT/spring' }, { id: 12, clicks: 97, title: 'Spring' }),
			refused({ Link: 'spring' }, /Link is not a short URL: "spring"/, /whole short URL/),
			gives({ Link: 'SHORT/spring?utm_source=x' }, { id: 12 }),
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
			gives({ Limit: '1', Search: 'spring', Order: 'click' }, { id: 12 }),
			gives({ Limit: '10', Search: 'nothing like it' }, null),
			refused({ Limit: 'all' }, /Limit is not a whole number/, /how many records/),
			refused({ Limit: '0' }, /Limit is not a whole number of at least 1/),
			refused({ Order: 'clicks' }, /Order is "clicks"/, /click, date/),
			gives({ Limit: 'null', Search: 'null', Order: 'null' }, { id: expect.any(Number) }),
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
			gives(
				{ Type: 'link', Data: 'https://example.com/menu', Name: 'Menu', Foreground: '#123' },
				{ id: expect.any(Number), link: expect.stringContaining('http') },
			),
			refused({ Type: 'url', Data: 'https://example.com/menu' }, /Type is "url"/, /link/),
			refused({ Type: 'link' }, /URL is empty/, /Enter a value/),
			refused(
				{ Type: 'link', Data: 'https://example.com/menu', Foreground: 'dark blue' },
				/Foreground is not a color: "dark blue"/,
				/#1A2B3C/,
			),
			gives(
				{ Type: 'phone', Data: '+49 30 123456', Foreground: 'rgb(0, 0, 139)', Background: 'null' },
				{ id: expect.any(Number) },
			),
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
			refused({ Encryption: 'WPA' }, /Network Name \(SSID\) is empty/, /Enter a value/),
			gives({ Network_Name: 'Guests', Encryption: 'WPA', Network_Password: 'welcome' }, { id: expect.any(Number) }),
		],
	},
	{
		name: 'Get a QR code',
		parameters: { resource: 'qrCode', operation: 'get', qrCodeId: by('id', ai('QR_Code')) },
		calls: [
			refused({ QR_Code: 'Poster' }, /QR Code is not an ID: "Poster"/, /positive whole number/),
			refused({ QR_Code: '999' }, /QR code|QR Code/),
			gives({ QR_Code: '21' }, { id: 21, name: 'Poster', scans: 98 }),
		],
	},
	{
		name: 'Find QR codes',
		parameters: { resource: 'qrCode', operation: 'getAll', limit: ai('Limit', '', 'number') },
		calls: [gives({ Limit: 100 }, { id: expect.any(Number) })],
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
			refused({ QR_Code: '21', Data: 'null', Foreground: '#000' }, /Data is empty/, /Enter a value/),
			gives({ QR_Code: '21', Data: 'https://example.com/new', Foreground: '#000' }, { success: true, id: 21 }),
		],
	},
	{
		name: 'Download a QR code',
		parameters: { resource: 'qrCode', operation: 'download', qrCodeId: by('id', ai('QR_Code', '', 'number')) },
		calls: [gives({ QR_Code: 21 }, { id: 21, name: 'Poster' })],
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
			gives({ Name: 'Harvest', Slug: 'null', Public: 'yes' }, { name: 'Harvest', public: true }),
			refused({ Slug: 'autumn', Public: 'false' }, /Name is empty/, /Enter a value/),
			refused({ Name: 'Autumn', Slug: 'autumn', Public: 'maybe' }, /Public is neither true nor false: "maybe"/),
			gives({ Name: 'Autumn', Slug: 'autumn', Public: 'false' }, { name: 'Autumn' }),
		],
	},
	{
		name: 'Find campaigns',
		parameters: { resource: 'campaign', operation: 'getAll', returnAll: ai('Return_All', '', 'boolean') },
		calls: [gives({ Return_All: true }, { name: expect.any(String) })],
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
			gives({ Campaign: 'Launch', Name: 'null', Public: true }, { success: true, id: 31, name: 'Launch' }),
			refused({ Name: 'Big Launch', Public: true }, /Campaign is empty/, /Enter a value/),
			gives({ Campaign: '31', Name: 'Big Launch', Public: false }, { success: true, id: 31, name: 'Big Launch' }),
			gives({ Campaign: '31', Name: 'Launch', Public: false }, { success: true, name: 'Launch' }),
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
			refused(
				{ Campaign: 'Lounch', Link: 'SHORT/spring' },
				/no campaign named "Lounch" \(did you mean "Launch"\?\)/,
				/Check the spelling/,
			),
			gives({ Campaign: 'launch', Link: 'SHORT/spring' }, { success: true, campaignId: 31, linkId: 12 }),
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
			refused({ Name: 'Flyers', Color: 'red' }, /Color is not a color: "red"/, /#1A2B3C/),
			gives(
				{ Name: 'Flyers', Color: '#FF0000', Description: 'null', Starred: 'true' },
				{ name: 'Flyers', id: expect.any(Number) },
			),
		],
	},
	{
		name: 'Find channels',
		parameters: { resource: 'channel', operation: 'getAll' },
		calls: [gives({}, { id: expect.any(Number) })],
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
			refused({ Channel: 'Press' }, /no field to change/, /at least one field/),
			gives({ Channel: 'Press', Color: 'rgb(1,2,3)' }, { success: true, id: 41 }),
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
			gives(
				{ Channel: 'Press', Item_Type: 'links', Link: 'SHORT/spring', QR_Code: 'null' },
				{ success: true, channelId: 41, linkId: 12 },
			),
			refused({ Channel: 'Press', Item_Type: 'qr code', QR_Code: '21' }, /Item Type is "qr code"/, /bio, links, qr/),
			refused({ Channel: 'Press', Item_Type: 'qr' }, /QR Code is empty/),
			gives({ Channel: 'Press', Item_Type: 'qr', QR_Code: '21' }, { success: true, qrCodeId: 21 }),
		],
	},
	{
		name: 'Get what is in a channel',
		parameters: { resource: 'channel', operation: 'getItems', channelId: by('id', ai('Channel')), returnAll: true },
		calls: [
			refused({ Channel: 'Prss' }, /no channel named "Prss" \(did you mean "Press"\?\)/),
			gives({ Channel: 'Press' }, { type: expect.any(String) }),
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
			refused({ Domain: 'new.example.com' }, /Domain is not a web address: "new\.example\.com"/, /https:\/\//),
			gives(
				{ Domain: 'https://new.example.com', Root_Redirect_URL: 'https://example.com', Not_Found_Redirect_URL: 'null' },
				{ id: expect.any(Number) },
			),
		],
	},
	{
		name: 'Find domains',
		parameters: { resource: 'domain', operation: 'getAll', returnAll: true },
		calls: [gives({}, { domain: expect.stringContaining('https://') })],
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
			refused(
				{ Domain: 'https://go.example.com', Not_Found_Redirect_URL: 'https://example.com/lost' },
				/Domain is not an ID: "https:\/\/go\.example\.com"/,
				/positive whole number/,
			),
			refused(
				{ Domain: '51', Not_Found_Redirect_URL: '/lost' },
				/Not Found Redirect URL is not a web address: "\/lost"/,
			),
			gives({ Domain: '51', Not_Found_Redirect_URL: 'https://example.com/lost' }, { success: true, id: 51 }),
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
			refused({ Pixel_Type: 'fbpixel', Name: 'Shop' }, /Tag is empty/, /Enter a value/),
			gives({ Pixel_Type: 'fbpixel', Name: 'Shop', Tag: '1234567890' }, { id: expect.any(Number) }),
		],
	},
	{
		name: 'Find pixels',
		parameters: { resource: 'pixel', operation: 'getAll', limit: ai('Limit', '', 'number') },
		calls: [gives({ Limit: 5 }, { name: expect.any(String) })],
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
			refused({ Pixel: 'All pages', Tag: 'GTM-XYZ789' }, /Pixel is not an ID: "All pages"/),
			gives({ Pixel: '91', Tag: 'GTM-XYZ789', Name: 'null' }, { success: true, id: 91 }),
		],
	},
	{
		name: 'Find overlays',
		parameters: { resource: 'overlay', operation: 'getAll', limit: ai('Limit') },
		calls: [gives({ Limit: '5' }, { id: 71, name: 'Vote' })],
	},
	{
		name: 'Find splash pages',
		parameters: { resource: 'splashPage', operation: 'getAll', limit: ai('Limit') },
		calls: [gives({ Limit: '5' }, { id: 61, name: 'Wait a moment' })],
	},
	{
		name: 'Get the account',
		parameters: { resource: 'account', operation: 'get' },
		calls: [gives({}, { email: expect.stringContaining('@') })],
	},
	{
		name: 'Change the account',
		parameters: {
			resource: 'account',
			operation: 'update',
			accountFields: { email: ai('Email'), password: ai('Password') },
		},
		calls: [
			refused({ Email: 'null' }, /no field to change/, /at least one field/),
			gives({ Email: 'new@example.com' }, { success: true }),
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

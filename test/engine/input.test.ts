/** Bad input: found before anything is sent, with the item and the parameter named. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { type Sandbox } from '../sandbox';
import { freshSandbox } from '../sandbox/fresh';
import { by, itemsOf, linkManagement, run, type Setting } from './host';

let sandbox: Sandbox;

freshSandbox({ limit: { requests: null } }, (started) => (sandbox = started));

function setting(more: Partial<Setting> = {}): Setting {
	return { credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey }, ...more };
}

/** operation, parameters, and the start of the error's message. */
type Case = [operation: string, parameters: IDataObject, message: string];

const link = (linkFields: IDataObject): IDataObject => ({ url: 'https://example.com', linkFields });
const device = { values: [{ device: 'iPhone', link: 'https://example.com/i' }] };

const cases: Case[] = [
	['account:update', { accountFields: {} }, 'Update Fields has no field to change'],
	['account:update', { accountFields: { email: ' ', password: '' } }, 'Update Fields has no field to change'],
	['account:update', { accountFields: { password: '={{ {} }}' } }, 'Password is not text'],
	['campaign:create', { name: '={{ "" }}' }, 'Name is empty'],
	[
		'campaign:create',
		{ name: 'a', campaignFields: { public: '={{ "perhaps" }}' } },
		'Public is neither true nor false',
	],
	['campaign:assignLink', { campaignId: by('id', '={{ 0 }}'), linkId: by('id', 1) }, 'Campaign is not an ID: "0"'],
	[
		'campaign:assignLink',
		{ campaignId: by('id', 1), linkId: by('id', '={{ "1/../../account" }}') },
		'Link is not an ID: "1/../../account"',
	],
	['campaign:delete', { campaignId: by('id', '={{ $json.none }}') }, 'Campaign is empty'],
	['campaign:delete', { campaignId: by('list', '={{ -1 }}') }, 'Campaign is not an ID: "-1"'],
	['channel:create', { name: 'a', channelFields: { color: 'red' } }, 'Color is not a color: "red"'],
	[
		'channel:assignItem',
		{ channelId: by('id', 1), itemType: '={{ "urls" }}', linkId: by('id', 1) },
		'Item Type is "urls", which is not one of',
	],
	[
		'channel:assignItem',
		{ channelId: by('id', 1), itemType: 'qr', qrCodeId: by('id', '={{ "x" }}') },
		'QR Code is not an ID: "x"',
	],
	['channel:update', { channelId: by('id', 1), channelFields: {} }, 'Update Fields has no field to change'],
	['channel:getItems', { channelId: by('id', '={{ 1.5 }}'), returnAll: true }, 'Channel is not an ID: "1.5"'],
	['domain:create', { domain: 'go.example.com' }, 'Domain is not a web address: "go.example.com"'],
	[
		'domain:create',
		{ domain: 'https://a.example', domainFields: { redirect404: '/404' } },
		'Not Found Redirect URL is not',
	],
	['domain:update', { domainId: by('id', 1), domainFields: {} }, 'Update Fields has no field to change'],
	[
		'domain:update',
		{ domainId: by('id', 1), domainFields: { redirectroot: 'x' } },
		'Root Redirect URL is not a web address',
	],
	['link:create', { url: '={{ $json.none }}' }, 'Long URL is empty'],
	['link:create', { url: 'example' }, 'Long URL is not a web address: "example"'],
	[
		'link:create',
		{ url: 'https://example.com/\r\nX: y' },
		'Long URL is not a web address: "https://example.com/ X: y"',
	],
	['link:create', link({ custom: '={{ [1] }}' }), 'Alias is not text'],
	['link:create', link({ type: by('id', 'interstitial') }), 'Redirection Type is none of direct, frame and splash'],
	['link:create', link({ domain: by('url', 'go.example.com') }), 'Domain is not a web address'],
	['link:create', link({ expiry: 'next week' }), 'Expiry is not a date: "next week"'],
	[
		'link:create',
		link({ geotarget: { values: [{ location: 'Germany', link: 'x' }] } }),
		'Geo Targeting → row 1 → Link is not',
	],
	[
		'link:create',
		link({ languagetarget: { values: [{ language: '', link: 'https://a.example' }] } }),
		'Language Targeting → row 1 → Language is empty',
	],
	['link:create', link({ metaimage: 'image.png' }), 'Meta Image URL is not a web address'],
	['link:create', link({ pixels: '3;17' }), 'Pixel Names or IDs is not an ID: "3;17"'],
	['link:create', link({ channel: by('id', '={{ "1.5" }}') }), 'Channel is not an ID: "1.5"'],
	['link:create', link({ campaign: by('id', '={{ 0 }}') }), 'Campaign is not an ID: "0"'],
	['link:create', link({ deeplink: { value: { auto: true } } }), 'Deep Link needs Device Targeting'],
	[
		'link:create',
		link({ devicetarget: device, deeplink: { value: { ios: 'itms://1' } } }),
		'Deep Link → App Store URL is not a web address',
	],
	['link:create', link({ status: '={{ "hidden" }}' }), 'Status is "hidden", which is not one of private, public'],
	[
		'link:create',
		link({ parameters: { values: [{ name: '', value: 'x' }] } }),
		'URL Parameters → row 1 → Name is empty',
	],
	['link:get', { linkId: by('id', '={{ "abc" }}') }, 'Link is not an ID: "abc"'],
	['link:get', { linkId: by('shortUrl', '12') }, 'Link is not a short URL: "12"'],
	['link:getAll', { limit: '={{ "many" }}' }, 'Limit is not a whole number of at least 1'],
	['link:getAll', { limit: '={{ 0 }}' }, 'Limit is not a whole number of at least 1'],
	[
		'link:getAll',
		{ limit: 1, filters: { order: '={{ "name" }}' } },
		'Order is "name", which is not one of click, date',
	],
	['qrCode:create', { type: '={{ "fax" }}', data: 'x' }, 'Type is "fax", which is not one of'],
	['qrCode:create', { type: 'text', data: '={{ $json.none }}' }, 'Text is empty'],
	['qrCode:create', { type: 'wifi', dataFormat: 'json', dataJson: '{"ssid": ' }, 'Data (JSON) is not valid JSON'],
	[
		'qrCode:create',
		{ type: 'wifi', dataFormat: 'json', dataJson: '={{ "42" }}' },
		'Data (JSON) is neither an object nor an array nor text: 42',
	],
	['qrCode:create', { type: 'wifi', dataFormat: 'fields', dataFields: {} }, 'Network Name (SSID) is empty'],
	[
		'qrCode:create',
		{
			type: 'wifi',
			dataFormat: 'fields',
			dataFields: {
				values: [
					{ name: 'a', value: 1 },
					{ name: 'a', value: 2 },
				],
			},
		},
		'More Data Fields has the name "a" more than once',
	],
	[
		'qrCode:create',
		{ type: 'link', data: 'x', qrCodeFields: { background: 'white' } },
		'Background is not a color: "white"',
	],
	[
		'qrCode:update',
		{ qrCodeId: by('id', 1), dataFormat: 'json', dataJson: '[1]', qrCodeFields: { type: 'link' } },
		'The type "link" takes text alone',
	],
	['link:create', link({ expiry: '2020-01-01 00:00:00' }), 'Expiry is in the past: "2020-01-01 00:00:00"'],
	['link:create', link({ expiry: '2020-01-01' }), 'Expiry is in the past: "2020-01-01 23:59:59"'],
	['link:create', link({ domain: '={{ { a: 1 } }}' }), 'Domain is not a web address: an object with "a"'],
	['link:create', link({ campaign: by('id', '={{ [1, 2] }}') }), 'Campaign is not an ID: a list of 2'],
	['qrCode:create', { type: 'wifi' }, 'Network Name (SSID) is empty'],
	['qrCode:create', { type: 'phone', data: '={{ $json.none }}' }, 'Phone Number is empty'],
	['qrCode:create', { type: 'vcard', contact: { fname: ' ' } }, 'Contact is empty'],
	[
		'qrCode:create',
		{ type: 'email', email: 'a@example.com', dataFields: { values: [{ name: 'email', value: 'b@example.com' }] } },
		'More Data Fields has "email", which is filled in already',
	],
	['qrCode:update', { qrCodeId: by('id', 1), data: '={{ $json.none }}' }, 'Data is empty'],
	['qrCode:get', { qrCodeId: by('id', '={{ true }}') }, 'QR Code is not an ID: "true"'],
];

test.each(cases)('%s %j', async (operation, parameters, message) => {
	const [resource, name] = operation.split(':');
	const { items, error } = await run({ resource, operation: name, ...parameters }, setting());
	expect(error?.message.slice(0, message.length)).toBe(message);
	expect(error?.message).toMatch(/\[item 0\]$/);
	expect(error?.context?.itemIndex).toBe(0);
	expect(String(error?.description)).toMatch(/^[A-Z]/);
	expect(items).toEqual([]);
	expect(await sandbox.requests()).toEqual([]);
});

describe('one bad row among good ones', () => {
	const rows = [
		{ url: 'https://example.com/1' },
		{ url: 'https://example.com/2' },
		{ url: 'nowhere' },
		{ url: 'https://example.com/4' },
	];
	const create = { resource: 'link', operation: 'create', url: '={{ $json.url }}' };

	test('ends the run before anything is sent', async () => {
		const { items, error } = await run(create, setting({ rows }));
		expect(error?.message).toBe('Long URL is not a web address: "nowhere" [item 2]');
		expect(error?.context?.itemIndex).toBe(2);
		expect(items).toEqual([]);
		expect(await sandbox.requests()).toEqual([]);
	});

	test.each([
		['gives nothing', '={{ $json.url.startsWith("n") ? $json.none.x.y : $json.url }}', 'Long URL is empty [item 2]'],
		['fails', '={{ $json.url.startsWith("n") ? $("None").item.json.x : $json.url }}', "Referenced node doesn't exist"],
	])('also when its expression %s', async (_what, url, message) => {
		const { error } = await run({ ...create, url }, setting({ rows }));
		expect(error?.message).toBe(message);
		// A row that had been sent before it failed would stand before this request.
		await itemsOf({ resource: 'account', operation: 'get' }, setting());
		expect((await sandbox.requests()).map(({ path }) => path)).toEqual(['/api/account']);
	});
});

describe('what spreadsheets hold', () => {
	const create = {
		resource: 'link',
		operation: 'create',
		url: '={{ $json.url }}',
		linkFields: {
			custom: '={{ $json.alias }}',
			expiry: '={{ $json.expiry }}',
			pixels: '={{ $json.pixels }}',
			campaign: by('id', '={{ $json.campaign }}'),
			type: by('id', '={{ $json.type }}'),
			metatitle: '={{ $json.title }}',
			geotarget: { values: [{ location: '={{ $json.country }}', link: '={{ $json.countryUrl }}' }] },
		},
	};

	test('empty cells are not sent', async () => {
		const rows = [
			{
				url: 'https://example.com/1',
				alias: '',
				expiry: '',
				pixels: '',
				campaign: '',
				type: '',
				title: '',
				country: '',
				countryUrl: '',
			},
			{ url: 'https://example.com/2', alias: null, expiry: null, pixels: null, campaign: null },
			{ url: 'https://example.com/3' },
			{ url: ' https://example.com/4\r\n', alias: '  ' },
		];
		await itemsOf(create, setting({ rows }));
		expect((await sandbox.requests()).map(({ body }) => body)).toEqual([
			{ url: 'https://example.com/1' },
			{ url: 'https://example.com/2' },
			{ url: 'https://example.com/3' },
			{ url: 'https://example.com/4' },
		]);
	});

	test('numbers go out as the contract wants them', async () => {
		const campaign = (await sandbox.records('campaigns'))[0].id;
		await itemsOf(
			create,
			setting({
				rows: [{ url: 'https://example.com/1', alias: 2024, pixels: 7, campaign: String(campaign), title: 42 }],
			}),
		);
		expect((await sandbox.requests())[0].body).toEqual({
			url: 'https://example.com/1',
			custom: '2024',
			pixels: [7],
			campaign,
			metatitle: '42',
		});
		expect(await sandbox.violations()).toEqual([]);
	});
});

describe('expiry', () => {
	const expiry = async (value: string, timezone: string) => {
		await sandbox.clearRequests();
		await itemsOf(
			{ resource: 'link', operation: 'create', url: 'https://example.com', linkFields: { expiry: value } },
			setting({ workflow: { timezone } }),
		);
		return ((await sandbox.requests())[0].body as IDataObject).expiry;
	};

	test.each([
		['the date-time picker', '2030-07-01T12:00:00', '2030-07-01 12:00:00', '2030-07-01 12:00:00'],
		["the service's text", '2030-07-01 12:00:00', '2030-07-01 12:00:00', '2030-07-01 12:00:00'],
		['a time with its zone', '2030-07-01T12:00:00Z', '2030-07-01 14:00:00', '2030-07-01 21:00:00'],
		[
			'a Luxon DateTime',
			'={{ DateTime.fromISO("2030-07-01T12:00:00Z") }}',
			'2030-07-01 14:00:00',
			'2030-07-01 21:00:00',
		],
		[
			'a Luxon DateTime of the workflow',
			'={{ $now.set({ year: 2030, month: 7, day: 1, hour: 12, minute: 0, second: 0 }) }}',
			'2030-07-01 12:00:00',
			'2030-07-01 12:00:00',
		],
		['a Date', '={{ new Date("2030-07-01T12:00:00Z") }}', '2030-07-01 14:00:00', '2030-07-01 21:00:00'],
		['a day, which ends at midnight', '2030-07-01', '2030-07-01 23:59:59', '2030-07-01 23:59:59'],
	])('from %s, in the time zone of the workflow', async (_what, value, berlin, tokyo) => {
		expect(await expiry(value, 'Europe/Berlin')).toBe(berlin);
		expect(await expiry(value, 'Asia/Tokyo')).toBe(tokyo);
	});
});

describe('fields that were added and left as they were', () => {
	const create = { resource: 'link', operation: 'create', url: 'https://example.com' };
	const offered = linkManagement.description.properties.find(({ name }) => name === 'linkFields')!;
	const untouched = Object.fromEntries(
		(offered.options as INodeProperties[]).map(({ name, default: value }) => [name, value]),
	) as IDataObject;

	test('are no choice: nothing of them is sent', async () => {
		expect(Object.keys(untouched).length).toBeGreaterThan(15);
		await itemsOf({ ...create, linkFields: untouched }, setting());
		// The status has no empty choice.
		expect((await sandbox.requests())[0].body).toEqual({ url: 'https://example.com', status: 'private' });
	});

	test('are no choice as older n8n saves them, without the mark of a choice', async () => {
		await itemsOf({ ...create, linkFields: { domain: { mode: 'list', value: '' } } }, setting());
		expect((await sandbox.requests())[0].body).toEqual({ url: 'https://example.com' });
	});

	test('a choice that an expression gives counts in each mode', async () => {
		const campaign = (await sandbox.records('campaigns'))[0].id;
		const choices = [by('list', '={{ $json.campaign }}'), { mode: 'list', value: '={{ $json.campaign }}' }];
		for (const choice of choices)
			await itemsOf({ ...create, linkFields: { campaign: choice } }, setting({ rows: [{ campaign }] }));
		expect((await sandbox.requests()).map(({ body }) => (body as IDataObject).campaign)).toEqual([campaign, campaign]);
	});
});

test('text with line breaks, quotes and other scripts arrives as it is', async () => {
	const description = 'first\r\nsecond "quoted" \\ \u2028 日本 👋 {{ $json }} %0d%0a';
	await itemsOf(
		{ resource: 'link', operation: 'create', url: 'https://example.com', linkFields: { description } },
		setting(),
	);
	expect((await sandbox.requests())[0].body).toEqual({ url: 'https://example.com', description });
});

test('what is searched for is encoded', async () => {
	const q = 'a&limit=1#x\r\n/../%2e ü+';
	await itemsOf({ resource: 'link', operation: 'getAll', limit: 3, filters: { q } }, setting());
	const [{ path, query }] = await sandbox.requests();
	expect(path).toBe('/api/urls');
	expect(query).toEqual({ q, page: '1', limit: '3' });
});

/** Bad input: found before anything is sent, with the item and the parameter named. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { CONTINUE, TRIES } from './account';
import { by, hintsOf, linkManagement, type NodeSettings } from './host';
import { bodies, createLink, getAccount, itemsOf, openService, run, sandbox } from './service';

openService();

/** What is entered of an operation, and the start of the error's message. */
type Case = [parameters: IDataObject, message: string];

const one = by('id', 1);
const url = 'https://example.com';

/** One of each way in which a value is entered, and of each rule that holds between values; the rules by themselves are tested in test/unit. */
const CASES: Record<string, Case[]> = {
	'account:update': [
		[{ accountFields: {} }, 'Nothing to update yet'],
		[{ accountFields: { password: '={{ {} }}' } }, 'Password is not text'],
	],
	'campaign:create': [
		[{ name: '={{ "" }}' }, 'Name is empty'],
		[{ name: 'a', campaignFields: { public: '={{ "perhaps" }}' } }, 'Public is neither true nor false'],
	],
	'campaign:assignLink': [[{ campaignId: by('id', '={{ 0 }}'), linkId: one }, 'Campaign is not an ID: "0"']],
	'campaign:delete': [
		[{ campaignId: by('id', '={{ $json.none }}') }, 'Campaign is empty'],
		[{ campaignId: by('list', '={{ -1 }}') }, 'Campaign is not an ID: "-1"'],
	],
	'channel:create': [[{ name: 'a', channelFields: { color: 'red' } }, 'Color is not a color: "red"']],
	'channel:assignItem': [
		[{ channelId: one, itemType: '={{ "urls" }}', linkId: one }, 'Item Type is none of bio, links, qr: "urls"'],
		[{ channelId: one, itemType: 'qr', qrCodeId: by('id', '={{ "1.5" }}') }, 'QR Code is not an ID: "1.5"'],
	],
	'domain:create': [
		[{ domain: 'my domain' }, 'Domain is not a web address: "my domain"'],
		[{ domain: url, domainFields: { redirect404: '/404' } }, 'Not Found Redirect URL is not'],
	],
	'domain:update': [[{ domainId: one, domainFields: { redirectroot: 'x' } }, 'Root Redirect URL is not a web address']],
	'link:create': [
		[{ url: '={{ $json.none }}' }, 'Long URL is empty'],
		[{ url: `${url}/\r\nX: y` }, 'Long URL has a line break inside: "https://example.com/ X: y"'],
		...Object.entries<Record<string, unknown>>({
			'Alias takes one value, but has 2: "1", "2"': { custom: '={{ [1, 2] }}' },
			'Alias has #N/A from the spreadsheet instead of a value': { custom: '={{ "#N/A" }}' },
			'Redirection Type is none of direct, frame and splash': { type: by('id', 'interstitial') },
			'Domain is not a domain': { domain: by('url', 'my domain') },
			'Expiry is not a date: "next week"': { expiry: 'next week' },
			'Expiry is in the past: "2020-01-01 00:00:00"': { expiry: '2020-01-01 00:00:00' },
			'Expiry is in the past: "2020-01-01 23:59:59"': { expiry: '2020-01-01' },
			"Geo Targeting → row 1 → Country's URL is not": { geotarget: { values: [{ location: 'Germany', link: 'x' }] } },
			'Language Targeting → row 1 → Languages is empty': { languagetarget: { values: [{ language: '', link: url }] } },
			'Meta Image URL is not a web address': { metaimage: 'image.png' },
			'Pixel Names or IDs is not an ID: "1.5"': { pixels: '3, 1.5' },
			'Channel is not an ID: "1.5"': { channel: by('id', '={{ "1.5" }}') },
			'Geo Targeting → row 1 → Countries is not text: an object': {
				geotarget: { values: [{ location: '={{ { a: 1, b: 2 } }}', link: url }] },
			},
			'Deep Link needs Device Targeting': { deeplink: { value: { auto: true } } },
			'Deep Link → App Store URL is not a web address': {
				devicetarget: { values: [{ device: 'iPhone', link: url }] },
				deeplink: { value: { ios: 'itms://1' } },
			},
			'Status is none of private, public: "hidden"': { status: '={{ "hidden" }}' },
			'URL Parameters → row 1 → Name is empty': { parameters: { values: [{ name: '', value: 'x' }] } },
		}).map(([message, linkFields]): Case => [{ url, linkFields } as IDataObject, message]),
	],
	'link:get': [
		[{ linkId: by('id', '={{ "abc" }}') }, 'Link is not an ID: "abc"'],
		[{ linkId: by('shortUrl', '12') }, 'Link is not a short URL: "12"'],
		[{ linkId: by('alias', '={{ { a: 1 } }}') }, 'Link is not text: an object'],
	],
	'link:getAll': [
		[{ limit: '={{ "many" }}' }, 'Limit is not a whole number of at least 1'],
		[{ limit: 1, filters: { order: '={{ "name" }}' } }, 'Order is none of click, date: "name"'],
	],
	'qrCode:create': [
		[{ type: '={{ "fax" }}', data: 'x' }, 'Type is none of vcard, email, '],
		[{ type: 'text', data: '={{ $json.none }}' }, 'Text is empty'],
		[{ type: 'phone', data: '={{ $json.none }}' }, 'Phone Number is empty'],
		[{ type: 'vcard', contact: { fname: ' ' } }, 'Contact is empty'],
		[{ type: 'link', data: 'x', qrCodeFields: { background: 'white' } }, 'Background is not a color: "white"'],
		[{ type: 'wifi' }, 'Network Name (SSID) is empty'],
		[{ type: 'wifi', ssid: 'a', encryption: '={{ "WPA9" }}' }, 'Encryption is none of nopass, WEP, WPA: "WPA9"'],
		[{ type: 'email', email: 'not an email' }, 'Email Address is not an email address: "not an email"'],
		[{ type: 'link', data: 'not a url' }, 'URL is not a web address: "not a url"'],
		[{ type: 'phone', data: 'call me' }, 'Phone Number is not a phone number: "call me"'],
	],
	'qrCode:update': [
		[{ qrCodeId: one, data: '={{ $json.none }}' }, 'URL is empty'],
		[{ qrCodeId: one, type: 'wifi' }, 'Network Name (SSID) is empty'],
	],
	'qrCode:get': [[{ qrCodeId: by('id', '={{ 1.5 }}') }, 'QR Code is not an ID: "1.5"']],
};

describe.each(Object.entries(CASES))('%s', (name, cases) => {
	test.each(cases)('%j: %s', async (parameters, message) => {
		const [resource, operation] = name.split(':');
		const { items, error } = await run({ resource, operation, ...parameters });
		expect(error?.message.slice(0, message.length)).toBe(message);
		expect(error?.message).not.toContain('[');
		expect(error?.context?.itemIndex).toBeUndefined();
		expect(String(error?.description)).toMatch(/^[A-Z]/);
		expect(items).toEqual([]);
		expect(await sandbox.requests()).toEqual([]);
	});
});

describe.each<[string, NodeSettings]>([
	['in one try', {}],
	['in three tries', TRIES],
])('one bad row among good ones, %s', (_how, node) => {
	const rows = [`${url}/1`, `${url}/2`, 'nowhere', `${url}/4`].map((address) => ({ url: address }));

	test.each([
		[
			'bad input: none is sent, and it is named',
			'={{ $json.url }}',
			'Long URL is not a web address: "nowhere" [row 3 of 4]',
		],
		[
			'an expression that gives nothing: likewise',
			'={{ $json.url.startsWith("n") ? $json.none.x.y : $json.url }}',
			'Long URL is empty [row 3 of 4]',
		],
		[
			'an expression that fails: none is sent, also after the execution has ended',
			'={{ $json.url.startsWith("n") ? $("None").item.json.x : $json.url }}',
			"Referenced node doesn't exist [row 3 of 4]",
		],
	])('%s', async (_what, expression, message) => {
		const { items, error } = await run({ ...createLink, url: expression }, { rows, node });
		expect(error?.message).toBe(message);
		expect(items).toEqual([]);
		// What has begun, and outlives the execution, is sent before this request.
		await itemsOf(getAccount);
		expect((await sandbox.requests()).map(({ path }) => path)).toEqual(['/api/account']);
	});
});

describe('several bad rows', () => {
	const rows = ['nowhere', `${url}/1`, `${url}/a b`, '', ...Array.from({ length: 4 }, () => 'nowhere')].map(
		(address, at) => ({ row_number: at + 2, url: address, alias: 'a' }),
	);

	test('are named all at once, by their numbers: the first five with what is wrong, and how many more', async () => {
		const { error } = await run(createLink, { rows });
		expect(error?.message).toBe(
			'7 of 8 rows are invalid. Long URL is not a web address: "nowhere" [row 2, row 6, row 7]',
		);
		expect(error?.description).toMatch(
			/<br>Also:<br>• Long URL has a space inside: "[^"]*" \[row 4\]<br>• Long URL is empty \[row 5\]<br>2 more rows are invalid\.<br>To process the other rows anyway, set Settings → On Error to Continue\.$/,
		);
		expect(await sandbox.requests()).toEqual([]);
	});

	test('are counted, where the others are done', async () => {
		expect(hintsOf(await run(createLink, { rows, node: CONTINUE }))).toEqual(['1 created, 7 failed.']);
	});
});

describe('rows with nothing in them', () => {
	const empty = { row_number: 3, url: '', alias: null, expiry: '\u200b' };

	test('are passed over by Create or Update, mapped by hand', async () => {
		const value = { url: '={{ $json.url }}', status: 'public', metatitle: '' };
		const upsert = { resource: 'link', operation: 'upsert', columns: { mappingMode: 'defineBelow', value } };
		const { items, error } = await run(upsert, { rows: [{ row_number: 2, url: `${url}/1`, alias: 'one' }, empty] });
		expect(error).toBeUndefined();
		expect(items.slice(1)).toMatchObject([{ json: { action: 'skipped' }, pairedItem: { item: 1 } }]);
	});

	test('a mapping by hand that maps nothing is refused', async () => {
		const upsert = { resource: 'link', operation: 'upsert', columns: { mappingMode: 'defineBelow', value: null } };
		const { error } = await run(upsert, { rows: [{ row_number: 2, url: `${url}/1` }] });
		expect(error?.message).toBe('There is neither a Long URL nor an Alias [row 2]');
		expect(error?.description).toContain('Map at least one of the two.');
		expect(await sandbox.requests()).toEqual([]);
	});

	test('an item without any column is none of them', async () => {
		const { error } = await run(createLink, { rows: [{}] });
		expect(error?.message).toBe('Long URL is empty');
	});
});

describe('what spreadsheets hold', () => {
	const names = ['alias', 'expiry', 'pixels', 'campaign', 'type', 'title', 'country', 'countryUrl'];
	const create = {
		...createLink,
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

	test.each(['', null, undefined, '  '])('empty cells are not sent: %j', async (cell) => {
		const rows = [{ ...Object.fromEntries(names.map((name) => [name, cell])), url: ` ${url}/1\r\n` } as IDataObject];
		await itemsOf(create, { rows });
		expect(await bodies()).toEqual([{ url: `${url}/1` }]);
	});
});

test.each([
	['the date-time picker', '2030-07-01T12:00:00', '12:00:00', '12:00:00'],
	['a Luxon DateTime', '={{ DateTime.fromISO("2030-07-01T12:00:00Z") }}', '14:00:00', '21:00:00'],
	[
		'a Luxon DateTime of the workflow',
		'={{ $now.set({ year: 2030, month: 7, day: 1, hour: 12, minute: 0, second: 0 }) }}',
		'12:00:00',
		'12:00:00',
	],
	['a Date', '={{ new Date("2030-07-01T12:00:00Z") }}', '14:00:00', '21:00:00'],
	['a day, which ends at midnight', '2030-07-01', '23:59:59', '23:59:59'],
	['the date-time picker, with no time chosen', '2030-07-01T00:00:00', '23:59:59', '23:59:59'],
	['a DateTime at midnight', '={{ DateTime.fromISO("2030-07-01") }}', '23:59:59', '23:59:59'],
	['the text of the service, midnight or not', '2030-07-01 00:00:00', '00:00:00', '00:00:00'],
])('expiry from %s, in the time zone of the workflow', async (_what, expiry, berlin, tokyo) => {
	const create = { ...createLink, url, linkFields: { expiry } };
	for (const timezone of ['Europe/Berlin', 'Asia/Tokyo']) await itemsOf(create, { workflow: { timezone } });
	expect(await bodies()).toEqual([berlin, tokyo].map((time) => ({ url, expiry: `2030-07-01 ${time}` })));
});

describe('fields that were added and left as they were', () => {
	const offered = linkManagement.description.properties.find(({ name }) => name === 'linkFields')!;
	const untouched = Object.fromEntries(
		(offered.options as INodeProperties[]).map(({ name, default: value }) => [name, value]),
	) as IDataObject;

	test('are no choice: nothing of them is sent', async () => {
		expect(Object.keys(untouched).length).toBeGreaterThan(15);
		await itemsOf({ ...createLink, url, linkFields: untouched });
		// The status has no empty choice.
		expect(await bodies()).toEqual([{ url, status: 'private' }]);
	});

	test('are no choice as older n8n saves them, without the mark of a choice', async () => {
		await itemsOf({ ...createLink, url, linkFields: { domain: { mode: 'list', value: '' } } });
		expect(await bodies()).toEqual([{ url }]);
	});

	test('a choice that an expression gives counts in each mode', async () => {
		const [{ id: campaign }] = await sandbox.records('campaigns');
		const choices = [by('list', '={{ $json.campaign }}'), { mode: 'list', value: '={{ $json.campaign }}' }];
		for (const choice of choices)
			await itemsOf({ ...createLink, url, linkFields: { campaign: choice } }, { rows: [{ campaign }] });
		expect(await bodies()).toEqual([
			{ url, campaign },
			{ url, campaign },
		]);
	});
});

test('text with line breaks, quotes and other scripts arrives as it is, and what is searched for is encoded', async () => {
	const description = 'first\r\nsecond "quoted" \\ \u2028 日本 👋 {{ $json }} %0d%0a';
	await itemsOf({ ...createLink, url, linkFields: { description } });
	const q = 'a&limit=1#x\r\n/../%2e ü+';
	await itemsOf({ resource: 'link', operation: 'getAll', limit: 3, filters: { q } });
	const [{ body }, { path, query }] = await sandbox.requests();
	expect(body).toEqual({ url, description });
	expect([path, query]).toEqual(['/api/urls', { q, page: '1', limit: '3' }]);
});

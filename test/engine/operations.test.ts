/**
 * Every operation, run by the engine over HTTP, at services of either dialect (jest.config.js): the request is what the contract
 * wants, the items are what the interface promises, and no endpoint of the contract is left out.
 */
import type { IDataObject } from 'n8n-workflow';

import { DIALECT, either } from '../dialect';
import { OPERATIONS as EXAMPLES, prepareAccount } from '../documentation/examples';
import { madePart } from '../documentation/markdown';
import { loadContract } from '../sandbox/contract';
import { by } from './host';
import { bodies, createLink, itemsOf, openService, run, sandbox } from './service';

openService();

/** The account of the pages' examples, at a service of this dialect. */
async function prepare(): Promise<void> {
	await prepareAccount(sandbox, DIALECT);
	await sandbox.configure({ apiKeys: [sandbox.apiKey] });
}

beforeEach(prepare);

/** What the account has besides, where no page shows what comes out. */
async function addRecords(): Promise<void> {
	const summer = {
		longurl: 'https://example.com/summer',
		title: 'Summer',
		description: '',
		date: '2024-06-01 08:00:00',
	};
	await sandbox.createRecords({
		links: [{ id: 13, alias: 'summer', ...summer }],
		campaigns: [{ id: 32, name: 'Autumn', slug: null, public: false, listedUnderDomain: true }],
		bios: [{ id: 81, title: 'About us', date: '2024-01-03 00:00:00' }],
	});
}

/** The address of the service on the pages and in the expectations; it has another port in each run. */
const BASE = 'https://links.example.com';

/** Where short links stand: some services have another host for them. */
const shortAddress = () => either({ document: sandbox.url, field: `http://localhost:${sandbox.port}` });

const withBase = <T>(value: T): T =>
	JSON.parse(JSON.stringify(value).replaceAll(sandbox.url, BASE).replaceAll(shortAddress(), BASE)) as T;

/** Requests in their order, each as method, path and query, followed by its body where it has one. */
type Sent = unknown[];

const url = 'https://example.com/a';
const anId = expect.any(Number) as number;
const text = expect.any(String) as string;

/** What lists of the field show besides. */
const asListed = either({ document: {}, field: { channel: 41 } });

/** What the examples of the pages send; what comes out, the pages show. */
const EXAMPLES_SEND: Record<string, Sent> = {
	'link:create': ['POST /api/url/add', { url: 'https://example.com/summer', custom: 'summer', campaign: 31 }],
	'link:upsert': expect.arrayContaining([
		'PUT /api/url/12/update',
		{ url: 'https://example.com/spring-sale', metatitle: 'Spring', description: 'Sale', ...asListed },
	]) as Sent,
	'link:delete': ['DELETE /api/url/12/delete'],
	'link:get': ['GET /api/url/12'],
	'link:getAll': ['GET /api/urls?order=click&q=spring&page=1&limit=5'],
	'link:update': [
		'GET /api/url/12',
		'GET /api/urls?q=https://example.com/spring&page=1&limit=100',
		'PUT /api/url/12/update',
		{ url: 'https://example.com/summer-sale', metatitle: 'Spring', description: 'Sale', ...asListed },
	],
	'qrCode:create': [
		'POST /api/qr/add',
		{ type: 'link', data: 'https://example.com/flyer', name: 'Flyer', foreground: 'rgb(26,43,60)' },
	],
	'qrCode:delete': ['DELETE /api/qr/21/delete'],
	'qrCode:download': ['GET /api/qr/21'],
	'qrCode:get': ['GET /api/qr/21'],
	'qrCode:getAll': ['GET /api/qr?page=1&limit=100'],
	'qrCode:update': ['PUT /api/qr/21/update', { type: 'link', data: 'https://example.com/summer' }],
	'campaign:assignLink': ['POST /api/campaign/31/assign/12'],
	'campaign:create': ['POST /api/campaign/add', { name: 'Winter', slug: 'winter', public: true }],
	'campaign:delete': ['DELETE /api/campaign/31/delete'],
	'campaign:getAll': ['GET /api/campaigns?page=1&limit=100'],
	'campaign:update': ['PUT /api/campaign/31/update', { name: 'Big Launch' }],
	'channel:assignItem': ['POST /api/channel/41/assign/qr/21'],
	'channel:create': ['POST /api/channel/add', { name: 'News', color: '#1a2b3c', starred: true }],
	'channel:delete': ['DELETE /api/channel/41/delete'],
	'channel:getItems': ['GET /api/channel/41?page=1&limit=100'],
	'channel:getAll': ['GET /api/channels?page=1&limit=5'],
	'channel:update': ['PUT /api/channel/41/update', { name: 'Media' }],
	'domain:create': ['POST /api/domain/add', { domain: 'https://new.example.com', redirectroot: 'https://example.com' }],
	'domain:delete': ['DELETE /api/domain/51/delete'],
	'domain:getAll': ['GET /api/domains?page=1&limit=100'],
	'domain:update': ['PUT /api/domain/51/update', { redirect404: 'https://example.com/lost' }],
	'pixel:create': ['POST /api/pixel/add', { type: 'fbpixel', name: 'Shop', tag: '1234567890' }],
	'pixel:delete': ['DELETE /api/pixel/91/delete'],
	'pixel:getAll': ['GET /api/pixels?page=1&limit=100'],
	'pixel:update': ['PUT /api/pixel/91/update', { tag: 'GTM-XYZ789' }],
	'overlay:getAll': ['GET /api/overlay?page=1&limit=100'],
	'splashPage:getAll': ['GET /api/splash?page=1&limit=100'],
	'account:get': ['GET /api/account'],
	'account:update': ['PUT /api/account/update', { email: 'new@example.com' }],
};

/** What the page shows of each example: of a list, its first item. */
const SHOWN = new Map(
	EXAMPLES.map(({ operation }): [string, IDataObject] => {
		const [, json] = /```json\n(.+)\n```/s.exec(madePart(operation)) ?? [];
		return [operation, JSON.parse(json) as IDataObject];
	}),
);

/** The statistics of a link that was never clicked; `none` stands for what is counted by name. */
const noClicks = (none: unknown) => ({
	clicks: 0,
	uniqueClicks: 0,
	...Object.fromEntries(['topCountries', 'topReferrers', 'topBrowsers', 'topOs'].map((name) => [name, none])),
	socialCount: { facebook: 0, twitter: 0, linkedin: 0 },
});
const summerDetails = {
	id: 13,
	shorturl: `${BASE}/summer`,
	longurl: 'https://example.com/summer',
	title: 'Summer',
	description: '',
	location: {},
	device: either({ document: {}, field: null }),
	expiry: null,
	date: '2024-06-01 08:00:00',
};

const springDetails = { ...SHOWN.get('link:get'), device: summerDetails.device } as IDataObject;

/** What services of the field give in another way than the pages show. */
const IN_THE_FIELD: Record<string, IDataObject> = {
	'link:get': springDetails,
	'channel:update': { success: true, id: 41, name: 'Media', description: 'For journalists', starred: true },
};

/** Fields that go out as they are entered. */
const asEntered = {
	custom: 'all-of-it',
	password: 'open sesame',
	metatitle: 'Title',
	metadescription: 'Description',
	metaimage: 'https://example.com/image.png',
	description: 'A note',
	status: 'public',
};
const devices = ['iPhone', 'Android'].map((device) => ({ device, link: `https://example.com/${device}` }));
const look = { background: '#ffffff', foreground: 'rgb(10, 20, 30)', logo: 'https://example.com/logo.png' };
const lookAsSent = { ...look, background: 'rgb(255,255,255)', foreground: 'rgb(10,20,30)' };
const redirects = { redirectroot: 'https://example.com', redirect404: 'https://example.com/404' };

/** What is entered of an operation, what is sent, and what is in the items. */
type Case = [operation: string, when: string, parameters: IDataObject, sent: Sent, items?: IDataObject[]];

/** What can be entered besides. */
const CASES: Case[] = [
	...['', 'secret-1'].map((password): Case => [
		'account:update',
		`the password ${password}`,
		{ accountFields: { email: 'new@example.com', password } },
		['PUT /api/account/update', { email: 'new@example.com', ...(password && { password }) }],
	]),
	[
		'campaign:create',
		'the name alone',
		{ name: 'Winter' },
		['POST /api/campaign/add', { name: 'Winter' }],
		[{ id: anId, name: 'Winter', public: false, rotator: false, list: text }],
	],
	[
		'campaign:getAll',
		'one of them with its name under domain',
		{ returnAll: true },
		['GET /api/campaigns?page=1&limit=100'],
		[
			{ id: 32, name: 'Autumn', public: false, rotator: false },
			{ id: 31, name: 'Launch', public: true, rotator: `${BASE}/r/launch` },
		],
	],
	[
		'campaign:update',
		'every field',
		{ campaignId: by('list', 32), name: 'Late Autumn', campaignFields: { slug: 'late', public: true } },
		['PUT /api/campaign/32/update', { name: 'Late Autumn', slug: 'late', public: true }],
		[{ success: true, id: 32, name: 'Late Autumn', public: true, rotator: `${BASE}/r/late` }],
	],
	...(
		[
			['links', 'linkId', 12],
			['bio', 'bioPageId', 81],
		] as const
	).map(([itemType, parameter, id]): Case => [
		'channel:assignItem',
		itemType,
		{ channelId: by('list', 41), itemType, [parameter]: by('id', id) },
		[`POST /api/channel/41/assign/${itemType}/${id}`],
		[{ success: true, message: 'Item successfully added to the channel.', channelId: 41, [parameter]: id }],
	]),
	[
		'channel:create',
		'every field',
		{ name: 'News', channelFields: { description: 'Weekly', color: '#aabbcc', starred: true } },
		['POST /api/channel/add', { name: 'News', description: 'Weekly', color: '#aabbcc', starred: true }],
		[{ id: anId, name: 'News', description: 'Weekly', color: '#aabbcc', starred: true }],
	],
	[
		'channel:update',
		'every field',
		{ channelId: by('id', 41), channelFields: { name: 'Media', description: '', color: '#000000', starred: false } },
		['PUT /api/channel/41/update', { name: 'Media', color: '#000000', starred: false }],
		[{ success: true, id: 41 }],
	],
	[
		'domain:create',
		'every field',
		{ domain: 'https://new.example.com', domainFields: redirects },
		['POST /api/domain/add', { domain: 'https://new.example.com', ...redirects }],
		[{ id: anId }],
	],
	[
		'link:create',
		'the URL alone',
		{ url: `${url}?b=c&d=ü#e` },
		['POST /api/url/add', { url: `${url}?b=c&d=ü#e` }],
		[{ id: anId, shorturl: expect.stringContaining(BASE) as string, alias: text, longurl: `${url}?b=c&d=ü#e` }],
	],
	[
		'link:create',
		'every field',
		{
			url,
			linkFields: {
				...asEntered,
				type: by('list', 61),
				domain: by('list', 'https://go.example.com'),
				expiry: '2031-05-06T07:08:09',
				geotarget: { values: [{ location: by('list', 'Germany'), link: 'https://example.com/de' }] },
				devicetarget: { values: devices },
				languagetarget: { values: [{ language: by('code', 'fr'), link: 'https://example.com/fr' }] },
				pixels: '3, 17',
				channel: by('id', '41'),
				campaign: by('list', 31),
				deeplink: { value: { auto: false, ios: 'https://apps.example.com/1', android: 'https://play.example.com/1' } },
				utm: { value: { medium: 'flyer', campaign: '', term: 5 } },
				parameters: { values: [{ name: 'utm_id', value: 7 }] },
			},
		},
		[
			'POST /api/url/add',
			{
				url: `${url}?utm_medium=flyer&utm_term=5`,
				...asEntered,
				type: '61',
				domain: 'https://go.example.com',
				expiry: '2031-05-06 07:08:09',
				geotarget: [{ location: 'Germany', link: 'https://example.com/de' }],
				devicetarget: devices,
				languagetarget: [{ language: 'fr', link: 'https://example.com/fr' }],
				pixels: [3, 17],
				channel: 41,
				campaign: 31,
				deeplink: { auto: false, apple: 'https://apps.example.com/1', google: 'https://play.example.com/1' },
				parameters: [{ name: 'utm_id', value: '7' }],
			},
		],
		[
			{
				id: anId,
				shorturl: 'https://go.example.com/all-of-it',
				alias: 'all-of-it',
				longurl: `${url}?utm_medium=flyer&utm_term=5`,
			},
		],
	],
	[
		'link:upsert',
		'mapped by hand, new',
		{ columns: { mappingMode: 'defineBelow', value: { url, custom: 'new', description: 'A note' } } },
		['GET /api/urls?order=date&page=1&limit=100', 'POST /api/url/add', { url, custom: 'new', description: 'A note' }],
		[{ id: anId, alias: 'new', shorturl: `${BASE}/new`, longurl: url, description: 'A note', action: 'created' }],
	],
	[
		'link:update',
		'by short URL, another alias',
		{ linkId: by('shortUrl', `${BASE}/summer?utm_source=mail`), linkFields: { custom: 'sun' } },
		[
			`GET /api/urls?short=${BASE}/summer`,
			'GET /api/urls?q=https://example.com/summer&page=1&limit=100',
			'PUT /api/url/13/update',
			{ url: 'https://example.com/summer', metatitle: 'Summer', custom: 'sun' },
		],
		[{ success: true, shorturl: `${BASE}/sun`, id: 13, alias: 'sun' }],
	],
	[
		'link:get',
		'by short URL, simplified',
		{ linkId: by('shortUrl', `${BASE}/spring`) },
		[`GET /api/urls?short=${BASE}/spring`],
		[springDetails],
	],
	[
		'link:get',
		'never clicked, simplified',
		{ linkId: by('list', 13) },
		['GET /api/url/13'],
		[{ ...summerDetails, ...noClicks({}) }],
	],
	[
		'link:get',
		'as sent',
		{ linkId: by('id', 13), simplify: false },
		['GET /api/url/13'],
		[{ id: 13, details: summerDetails, data: noClicks(0) }],
	],
	[
		'pixel:create',
		'a type that the list does not have',
		{ pixelType: '={{ "matomo" }}', name: 'Shop', tag: 12345 },
		['POST /api/pixel/add', { type: 'matomo', name: 'Shop', tag: '12345' }],
		[{ id: anId }],
	],
	[
		'pixel:update',
		'every field',
		{ pixelId: by('list', 91), tag: 'GTM-2', pixelFields: { name: 'Every page' } },
		['PUT /api/pixel/91/update', { tag: 'GTM-2', name: 'Every page' }],
	],
	[
		'qrCode:get',
		'as sent',
		{ qrCodeId: by('id', 21), simplify: false },
		['GET /api/qr/21'],
		[
			{
				details: either<IDataObject>({
					document: { id: 21, name: 'Poster', scans: 98, date: '2026-03-02 09:00:00' },
					field: { id: 21, name: 'Poster', scans: 98, data: '2026-03-02 09:00:00' },
				}),
				data: { clicks: 98, uniqueClicks: 60, topCountries: { Germany: '49', France: '49' } },
			},
		],
	],
	[
		'qrCode:update',
		'content and look',
		{
			qrCodeId: by('id', 21),
			type: 'wifi',
			ssid: 'Guests',
			encryption: 'wpa',
			qrCodeFields: look,
		},
		['PUT /api/qr/21/update', { data: { ssid: 'Guests', encryption: 'WPA' }, type: 'wifi', ...lookAsSent }],
	],
	...(
		[
			[
				{ type: 'link', data: url, qrCodeFields: { name: 'Flyer', ...look } },
				{ data: url, name: 'Flyer', ...lookAsSent },
			],
			[{ type: 'phone', data: '={{ 4930123456 }}' }, { data: '4930123456' }],
			[
				{ type: 'vcard', contact: { fname: 'Ada', lname: 'Lovelace', cell: '+49170', fax: '' } },
				{ data: { lname: 'Lovelace', fname: 'Ada', cell: '+49170' } },
			],
			[
				{ type: 'wifi', ssid: 'Guests', pass: 'come in' },
				{ data: { ssid: 'Guests', encryption: 'WPA', pass: 'come in' } },
			],
			[
				{ type: 'email', email: 'hello@example.com', subject: 'Hello', body: '' },
				{ data: { email: 'hello@example.com', subject: 'Hello' } },
			],
			[
				{ type: 'sms', phone: '={{ 4930123456 }}', message: 'Hello' },
				{ data: { phone: '4930123456', message: 'Hello' } },
			],
		] as Array<[IDataObject, IDataObject]>
	).map(([parameters, body]): Case => [
		'qrCode:create',
		JSON.stringify(parameters),
		parameters,
		['POST /api/qr/add', { type: parameters.type, ...body }],
		[{ id: anId, link: text }],
	]),
];

function parametersOf(operation: string, parameters: IDataObject): IDataObject {
	const [resource, name] = operation.split(':');
	const here = JSON.parse(JSON.stringify(parameters).replaceAll(BASE, shortAddress())) as IDataObject;
	return { resource, operation: name, ...here };
}

const AS_ON_PAGE = 'as on the page';

test.each([
	...EXAMPLES.map(({ operation, parameters }): Case => [
		operation,
		AS_ON_PAGE,
		parameters,
		EXAMPLES_SEND[operation],
		[either<typeof IN_THE_FIELD>({ document: {}, field: IN_THE_FIELD })[operation] ?? SHOWN.get(operation)!],
	]),
	...CASES,
])('%s, %s', async (operation, when, parameters, sent, expected = []) => {
	const isOnPage = when === AS_ON_PAGE;
	if (!isOnPage) await addRecords();
	const { items, error, run: execution } = await run(parametersOf(operation, parameters));
	expect(error).toBeUndefined();
	expect(execution.status).toBe('success');

	const requests = (await sandbox.requests()).flatMap(({ method, path, query, body }) => {
		const search = Object.entries(query).map(([name, value]) => `${name}=${String(value)}`);
		return [`${method} ${path}${search.length === 0 ? '' : `?${search.join('&')}`}`, ...(body === null ? [] : [body])];
	});
	expect(withBase(requests)).toEqual(sent);
	expect(await sandbox.violations()).toEqual([]);

	const got = withBase(items);
	expect(got.length).toBeGreaterThan(0);
	expect(got.map(({ pairedItem }) => pairedItem)).toEqual(got.map(() => ({ item: 0 })));
	for (const { json } of got) expect(json).not.toHaveProperty('error');
	if (isOnPage) expect(got[0].json).toMatchObject(expected[0]);
	else expect(got.slice(0, expected.length).map(({ json }) => json)).toMatchObject(expected);
});

test('each endpoint of the contract is reached by exactly one operation', async () => {
	const reached = new Map<string, string[]>();
	for (const { operationId } of (await loadContract()).endpoints) reached.set(operationId, []);
	expect(reached.size).toBeGreaterThanOrEqual(27);
	for (const { operation, parameters } of EXAMPLES) {
		await prepare();
		await run(parametersOf(operation, parameters));
		const requests = await sandbox.requests();
		// What is read before a change is no matter of the operation.
		const last = requests.filter(({ method }) => method === requests.at(-1)?.method);
		for (const endpoint of new Set(last.map(({ operationId }) => String(operationId))))
			reached.set(endpoint, [...(reached.get(endpoint) ?? []), operation]);
	}
	for (const [endpoint, operations] of reached) {
		// A QR code's record has the address of its picture.
		const shared: Record<string, string[]> = {
			qrCodeGet: ['qrCode:download', 'qrCode:get'],
			linkUpdate: ['link:upsert', 'link:update'],
		};
		expect([endpoint, operations]).toEqual([endpoint, shared[endpoint] ?? [expect.any(String)]]);
	}
});

test('an expression for the type chooses the content row by row', async () => {
	const parameters = {
		resource: 'qrCode',
		operation: 'create',
		type: '={{ $json.kind }}',
		data: '={{ $json.url }}',
		ssid: '={{ $json.ssid }}',
	};
	const rows = [
		{ kind: 'link', url },
		{ kind: 'wifi', ssid: 'Guests' },
	];
	await itemsOf(parameters, { rows });
	expect(await bodies()).toEqual([
		{ type: 'link', data: url },
		{ type: 'wifi', data: { ssid: 'Guests', encryption: 'WPA' } },
	]);
});

test.each([
	['full', ['id', 'shorturl', 'alias', 'longurl']],
	['shorturl', ['shorturl', 'alias', 'longurl']],
	['bare', expect.stringMatching(/does not say whether .* may have been created anyway$/) as unknown],
	['nothingMade', 'The service says "The link could not be made"'],
] as const)(
	'link:create gives whatever link the service answers, and fails without one: %s',
	async (...[reply, came]) => {
		await sandbox.configure({ deviations: { createReply: reply } });
		const { items, error } = await run({ ...createLink, url });
		expect(error?.message ?? Object.keys(items[0].json)).toEqual(came);
		expect(items).toHaveLength(error === undefined ? 1 : 0);
	},
);

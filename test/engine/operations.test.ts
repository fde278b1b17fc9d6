/**
 * Every operation, run by the engine over HTTP: the request is what the contract wants, the items are what the interface
 * promises, and no endpoint of the contract is left out.
 */
import type { IDataObject } from 'n8n-workflow';

import { DIALECT, either } from '../dialect';
import { OPERATIONS as EXAMPLES } from '../documentation/examples';
import { operationsOf } from '../fuzz/parameters';
import { startSandbox, type Sandbox } from '../sandbox';
import { loadContract } from '../sandbox/contract';
import { by, itemsOf, linkManagement, run } from './host';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ dialect: DIALECT, limit: { requests: null } });
});

beforeEach(async () => {
	await sandbox.reset({ limit: { requests: null }, records: NONE });
	await sandbox.createRecords({
		links: [
			{
				id: 11,
				alias: 'spring',
				longurl: 'https://example.com/spring',
				title: 'Spring',
				description: 'Sale',
				date: '2024-03-01 08:00:00',
			},
			{
				id: 12,
				alias: 'summer',
				longurl: 'https://example.com/summer',
				title: 'Summer',
				description: '',
				date: '2024-06-01 08:00:00',
			},
		],
		qrs: [
			{ id: 21, code: 'qr21', name: 'Poster', type: 'link', data: 'https://example.com', date: '2024-04-01 09:00:00' },
		],
		campaigns: [
			{ id: 31, name: 'Launch', slug: 'launch', public: true, listedUnderDomain: false },
			{ id: 32, name: 'Autumn', slug: null, public: false, listedUnderDomain: true },
		],
		channels: [
			{
				id: 41,
				name: 'Press',
				description: 'For journalists',
				color: '#112233',
				starred: true,
				items: [
					{ type: 'links', id: 11 },
					{ type: 'qr', id: 21 },
				],
			},
		],
		domains: [{ id: 51, domain: 'https://go.example.com', redirectroot: 'https://example.com', redirect404: null }],
		splash: [{ id: 61, name: 'Wait a moment', date: '2024-01-01 00:00:00' }],
		overlays: [{ id: 71, type: 'poll', name: 'Vote', date: '2024-01-02 00:00:00' }],
		pixels: [{ id: 91, type: 'gtmpixel', name: 'All pages', tag: 'GTM-1', date: '2024-01-05 00:00:00' }],
		bios: [{ id: 81, title: 'About us', date: '2024-01-03 00:00:00' }],
	});
	await sandbox.configure({ deviations: { qrLink: 'picture' } });
	await sandbox.simulate({ clicks: [{ id: 11, count: 3, unique: 2 }], scans: [{ id: 21, count: 2, unique: 1 }] });
});

afterAll(async () => {
	await sandbox.stop();
});

const NONE = { links: 0, qrs: 0, campaigns: 0, channels: 0, domains: 0, splash: 0, overlays: 0, bios: 0, pixels: 0 };

/** Addresses of the service, which has another port in each run, as they stand in the expectations. */
const BASE = 'http://service';

function credential() {
	return { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
}

/** Where short links stand: some services have another host for them. */
function shortAddress(): string {
	return either({ document: sandbox.url, field: `http://localhost:${sandbox.port}` });
}

function withBase<T>(value: T): T {
	return JSON.parse(JSON.stringify(value).replaceAll(sandbox.url, BASE).replaceAll(shortAddress(), BASE)) as T;
}

interface Case {
	/** resource:operation */
	operation: string;
	/** What is special about it. */
	when?: string;
	parameters: IDataObject;
	/** What is read before: method and path with its query. */
	before?: Array<[method: string, path: string]>;
	/** Method, path with its query, and body, as the service sees them. */
	request: [method: string, path: string, body?: unknown];
	items: IDataObject[];
}

const done = (message: string, ids: IDataObject) => [{ success: true, message, ...ids }];
const anId = expect.any(Number) as unknown as number;
const text = expect.any(String) as unknown as string;

/** Fields that deployed services have besides those of the document: they are passed on. */
const besides = (fields: IDataObject): IDataObject => either({ document: {}, field: fields });

/** What the service lends to all accounts has no ID. */
const sharedDomains = [1, 2].map((number) => ({
	id: null,
	domain: `https://shared${number}.example.net`,
	redirectroot: null,
	redirect404: null,
}));

const spring = {
	id: 11,
	alias: 'spring',
	shorturl: `${BASE}/spring`,
	longurl: 'https://example.com/spring',
	clicks: 3,
	title: 'Spring',
	description: 'Sale',
	date: '2024-03-01 08:00:00',
	...besides({ uniqueClicks: 2, domain: BASE, campaign: null, channel: 41 }),
};
const summer = {
	id: 12,
	alias: 'summer',
	shorturl: `${BASE}/summer`,
	longurl: 'https://example.com/summer',
	clicks: 0,
	title: 'Summer',
	description: '',
	date: '2024-06-01 08:00:00',
	...besides({ uniqueClicks: 0, domain: BASE, campaign: null, channel: null }),
};
const poster = { id: 21, link: `${BASE}/qr/qr21`, scans: 2, name: 'Poster', date: '2024-04-01 09:00:00' };
const { date: posterDate, ...posterWithoutDate } = poster;
const posterWithDateInData: IDataObject = { ...posterWithoutDate, data: posterDate };
const noSocial = { facebook: 0, twitter: 0, linkedin: 0 };
const springDetails = {
	id: 11,
	shorturl: `${BASE}/spring`,
	longurl: 'https://example.com/spring',
	title: 'Spring',
	description: 'Sale',
	location: {},
	device: either({ document: {}, field: null }),
	expiry: null,
	date: '2024-03-01 08:00:00',
};
const summerDetails = {
	...springDetails,
	id: 12,
	shorturl: `${BASE}/summer`,
	longurl: 'https://example.com/summer',
	title: 'Summer',
	description: '',
	date: '2024-06-01 08:00:00',
};
const springFlat = {
	...springDetails,
	clicks: 3,
	uniqueClicks: 2,
	topCountries: { Germany: 2, France: 1 },
	topReferrers: { 'Direct, email and other': 2, 'https://www.example.org': 1 },
	topBrowsers: { Chrome: 2, Firefox: 1 },
	topOs: { Android: 2, iOS: 1 },
	socialCount: noSocial,
};

const cases: Case[] = [
	{
		operation: 'account:get',
		parameters: {},
		request: ['GET', '/api/account'],
		items: [
			{
				id: 1,
				email: 'owner@example.com',
				username: 'owner',
				avatar: 'https://www.example.com/avatar.png',
				status: 'pro',
				expires: '2030-01-01 00:00:00',
				registered: '2023-05-04 10:20:30',
				...besides({ planid: 2 }),
			},
		],
	},
	{
		operation: 'account:update',
		when: 'both fields',
		parameters: { accountFields: { email: 'new@example.com', password: 'secret-1' } },
		request: ['PUT', '/api/account/update', { email: 'new@example.com', password: 'secret-1' }],
		items: done('Account has been successfully updated.', {}),
	},
	{
		operation: 'account:update',
		when: 'one field',
		parameters: { accountFields: { email: 'new@example.com', password: '' } },
		request: ['PUT', '/api/account/update', { email: 'new@example.com' }],
		items: done('Account has been successfully updated.', {}),
	},
	{
		operation: 'campaign:create',
		parameters: { name: 'Winter', campaignFields: { slug: 'winter', public: true } },
		request: ['POST', '/api/campaign/add', { name: 'Winter', slug: 'winter', public: true }],
		items: [{ id: anId, name: 'Winter', public: true, rotator: `${BASE}/r/winter`, list: text }],
	},
	{
		operation: 'campaign:create',
		when: 'the name alone',
		parameters: { name: 'Winter' },
		request: ['POST', '/api/campaign/add', { name: 'Winter' }],
		items: [{ id: anId, name: 'Winter', public: false, rotator: false, list: text }],
	},
	{
		operation: 'campaign:getAll',
		when: 'one of them with its name under domain',
		parameters: { returnAll: true },
		request: ['GET', '/api/campaigns?page=1&limit=100'],
		items: [
			{
				id: 32,
				name: 'Autumn',
				public: false,
				rotator: false,
				list: `${BASE}/u/owner/list-32`,
				...besides({ views: 0, slug: null, date: text }),
			},
			{
				id: 31,
				name: 'Launch',
				public: true,
				rotator: `${BASE}/r/launch`,
				list: `${BASE}/u/owner/list-31`,
				...besides({ views: 0, slug: 'launch', date: text }),
			},
		],
	},
	{
		operation: 'campaign:assignLink',
		parameters: { campaignId: by('list', 31), linkId: by('id', '12') },
		request: ['POST', '/api/campaign/31/assign/12'],
		items: done('Link successfully added to the campaign.', { campaignId: 31, linkId: 12 }),
	},
	{
		operation: 'campaign:update',
		parameters: { campaignId: by('id', 32), name: 'Late Autumn', campaignFields: { slug: 'late', public: true } },
		request: ['PUT', '/api/campaign/32/update', { name: 'Late Autumn', slug: 'late', public: true }],
		items: [
			{
				success: true,
				id: 32,
				name: 'Late Autumn',
				public: true,
				rotator: `${BASE}/r/late`,
				list: `${BASE}/u/owner/list-32`,
			},
		],
	},
	{
		operation: 'channel:create',
		parameters: { name: 'News', channelFields: { description: 'Weekly', color: '#abc', starred: true } },
		request: ['POST', '/api/channel/add', { name: 'News', description: 'Weekly', color: '#aabbcc', starred: true }],
		items: [{ id: anId, name: 'News', description: 'Weekly', color: '#aabbcc', starred: true }],
	},
	{
		operation: 'channel:getAll',
		parameters: { returnAll: false, limit: 5 },
		request: ['GET', '/api/channels?page=1&limit=5'],
		items: [{ id: 41, name: 'Press', description: 'For journalists', color: '#112233', starred: true }],
	},
	{
		operation: 'channel:getItems',
		parameters: { channelId: by('list', 41), returnAll: true },
		request: ['GET', '/api/channel/41?page=1&limit=100'],
		items: [
			{
				type: 'qr',
				id: 21,
				title: 'Poster',
				preview: `${BASE}/preview/qr/21`,
				link: `${BASE}/qr/qr21`,
				date: '2024-04-01',
			},
			{
				type: 'links',
				id: 11,
				title: 'Spring',
				preview: `${BASE}/preview/links/11`,
				link: `${BASE}/spring`,
				date: '2024-03-01',
			},
		],
	},
	...(
		[
			['links', 'linkId', 12],
			['qr', 'qrCodeId', 21],
			['bio', 'bioPageId', 81],
		] as const
	).map(([itemType, parameter, id]): Case => ({
		operation: 'channel:assignItem',
		when: itemType,
		parameters: { channelId: by('id', 41), itemType, [parameter]: by('id', id) },
		request: ['POST', `/api/channel/41/assign/${itemType}/${id}`],
		items: done('Item successfully added to the channel.', { channelId: 41, [parameter]: id }),
	})),
	{
		operation: 'channel:update',
		parameters: {
			channelId: by('id', 41),
			channelFields: { name: 'Media', description: 'All', color: '#000000', starred: false },
		},
		request: ['PUT', '/api/channel/41/update', { name: 'Media', description: 'All', color: '#000000', starred: false }],
		items: either<IDataObject[]>({
			document: done('Channel has been updated successfully.', { id: 41, name: 'Media' }),
			field: [{ success: true, id: 41, name: 'Media', description: 'All', color: '#000000', starred: false }],
		}),
	},
	{
		operation: 'domain:create',
		parameters: {
			domain: 'https://new.example.com',
			domainFields: { redirectroot: 'https://example.com', redirect404: 'https://example.com/404' },
		},
		request: [
			'POST',
			'/api/domain/add',
			{
				domain: 'https://new.example.com',
				redirectroot: 'https://example.com',
				redirect404: 'https://example.com/404',
			},
		],
		items: [{ id: anId }],
	},
	{
		operation: 'domain:getAll',
		parameters: { returnAll: true },
		request: ['GET', '/api/domains?page=1&limit=100'],
		items: [
			{ id: 51, domain: 'https://go.example.com', redirectroot: 'https://example.com', redirect404: null },
			...either({ document: [], field: sharedDomains }),
		],
	},
	{
		operation: 'domain:update',
		parameters: { domainId: by('list', 51), domainFields: { redirect404: 'https://example.com/lost' } },
		request: ['PUT', '/api/domain/51/update', { redirect404: 'https://example.com/lost' }],
		items: done('Domain has been updated successfully.', { id: 51 }),
	},
	{
		operation: 'link:create',
		when: 'the URL alone',
		parameters: { url: 'https://example.com/a?b=c&d=ü#e' },
		request: ['POST', '/api/url/add', { url: 'https://example.com/a?b=c&d=ü#e' }],
		items: [
			{
				id: anId,
				shorturl: expect.stringContaining(BASE) as string,
				alias: text,
				longurl: 'https://example.com/a?b=c&d=ü#e',
			},
		],
	},
	{
		operation: 'link:create',
		when: 'every field',
		parameters: {
			url: 'https://example.com/a',
			linkFields: {
				custom: 'all-of-it',
				type: by('list', 61),
				password: 'open sesame',
				domain: by('list', 'https://go.example.com'),
				expiry: '2031-05-06T07:08:09',
				geotarget: { values: [{ location: by('list', 'Germany'), link: 'https://example.com/de' }] },
				devicetarget: {
					values: [
						{ device: 'iPhone', link: 'https://example.com/iphone' },
						{ device: 'Android', link: 'https://example.com/android' },
					],
				},
				languagetarget: { values: [{ language: by('code', 'fr'), link: 'https://example.com/fr' }] },
				metatitle: 'Title',
				metadescription: 'Description',
				metaimage: 'https://example.com/image.png',
				description: 'A note',
				pixels: '3, 17',
				channel: by('id', '41'),
				campaign: by('list', 31),
				deeplink: { value: { auto: false, ios: 'https://apps.example.com/1', android: 'https://play.example.com/1' } },
				status: 'public',
				utm: { value: { medium: 'flyer', campaign: '', term: 5 } },
				parameters: {
					values: [
						{ name: 'ref', value: 'mail' },
						{ name: 'utm_id', value: 7 },
					],
				},
			},
		},
		request: [
			'POST',
			'/api/url/add',
			{
				url: 'https://example.com/a',
				custom: 'all-of-it',
				type: '61',
				password: 'open sesame',
				domain: 'https://go.example.com',
				expiry: '2031-05-06 07:08:09',
				geotarget: [{ location: 'Germany', link: 'https://example.com/de' }],
				devicetarget: [
					{ device: 'iPhone', link: 'https://example.com/iphone' },
					{ device: 'Android', link: 'https://example.com/android' },
				],
				languagetarget: [{ language: 'fr', link: 'https://example.com/fr' }],
				metatitle: 'Title',
				metadescription: 'Description',
				metaimage: 'https://example.com/image.png',
				description: 'A note',
				pixels: [3, 17],
				channel: 41,
				campaign: 31,
				deeplink: { auto: false, apple: 'https://apps.example.com/1', google: 'https://play.example.com/1' },
				status: 'public',
				parameters: [
					{ name: 'utm_medium', value: 'flyer' },
					{ name: 'utm_term', value: '5' },
					{ name: 'ref', value: 'mail' },
					{ name: 'utm_id', value: '7' },
				],
			},
		],
		items: [
			{
				id: anId,
				shorturl: 'https://go.example.com/all-of-it',
				alias: 'all-of-it',
				longurl: 'https://example.com/a',
			},
		],
	},
	{
		operation: 'link:upsert',
		when: 'mapped by hand, new',
		parameters: {
			columns: {
				mappingMode: 'defineBelow',
				value: { url: 'https://example.com/new', custom: 'new', description: 'A note' },
			},
		},
		// Where else short links were seen is asked too.
		before: expect.arrayContaining([
			['GET', '/api/urls?q=new&page=1&limit=100'],
			['GET', `/api/urls?short=${BASE}/new`],
		]) as Case['before'],
		request: ['POST', '/api/url/add', { url: 'https://example.com/new', custom: 'new', description: 'A note' }],
		items: [
			{
				id: anId,
				alias: 'new',
				shorturl: `${BASE}/new`,
				longurl: 'https://example.com/new',
				description: 'A note',
				action: 'created',
			},
		],
	},
	{
		operation: 'link:update',
		parameters: { linkId: by('id', 11), linkFields: { url: 'https://example.com/moved', description: 'Else' } },
		before: [['GET', '/api/url/11']],
		request: [
			'PUT',
			'/api/url/11/update',
			{ url: 'https://example.com/moved', metatitle: 'Spring', description: 'Else' },
		],
		items: [{ success: true, shorturl: `${BASE}/spring`, id: 11, alias: 'spring' }],
	},
	{
		operation: 'link:update',
		when: 'by short URL, another alias',
		parameters: { linkId: by('shortUrl', `${BASE}/summer?utm_source=mail`), linkFields: { custom: 'sun' } },
		before: [['GET', `/api/urls?short=${BASE}/summer`]],
		request: ['PUT', '/api/url/12/update', { url: 'https://example.com/summer', metatitle: 'Summer', custom: 'sun' }],
		items: [{ success: true, shorturl: `${BASE}/sun`, id: 12, alias: 'sun' }],
	},
	{
		operation: 'link:get',
		when: 'by ID, simplified',
		parameters: { linkId: by('id', 11) },
		request: ['GET', '/api/url/11'],
		items: [springFlat],
	},
	{
		operation: 'link:get',
		when: 'by short URL, simplified',
		parameters: { linkId: by('shortUrl', `${BASE}/spring`) },
		request: ['GET', `/api/urls?short=${BASE}/spring`],
		items: [springFlat],
	},
	{
		operation: 'link:get',
		when: 'never clicked, simplified',
		parameters: { linkId: by('list', 12) },
		request: ['GET', '/api/url/12'],
		items: [
			{
				...summerDetails,
				clicks: 0,
				uniqueClicks: 0,
				topCountries: {},
				topReferrers: {},
				topBrowsers: {},
				topOs: {},
				socialCount: noSocial,
			},
		],
	},
	{
		operation: 'link:get',
		when: 'as sent',
		parameters: { linkId: by('id', 12), simplify: false },
		request: ['GET', '/api/url/12'],
		items: [
			{
				id: 12,
				details: summerDetails,
				data: {
					clicks: 0,
					uniqueClicks: 0,
					topCountries: 0,
					topReferrers: 0,
					topBrowsers: 0,
					topOs: 0,
					socialCount: noSocial,
				},
			},
		],
	},
	{
		operation: 'link:getAll',
		parameters: { returnAll: true },
		request: ['GET', '/api/urls?page=1&limit=100'],
		items: [summer, spring],
	},
	{
		operation: 'link:getAll',
		when: 'searched and ordered',
		parameters: { limit: 5, filters: { q: 'spring & co', order: 'click' } },
		request: ['GET', '/api/urls?order=click&q=spring & co&page=1&limit=5'],
		items: [],
	},
	{
		operation: 'link:getAll',
		when: 'by clicks',
		parameters: { returnAll: true, filters: { q: 'example.com', order: 'click' } },
		request: ['GET', '/api/urls?order=click&q=example.com&page=1&limit=100'],
		items: [spring, summer],
	},
	{
		operation: 'pixel:create',
		parameters: { pixelType: 'fbpixel', name: 'Shop', tag: 12345 },
		request: ['POST', '/api/pixel/add', { type: 'fbpixel', name: 'Shop', tag: '12345' }],
		items: [{ id: anId }],
	},
	{
		operation: 'pixel:create',
		when: 'a type that the list does not have',
		parameters: { pixelType: '={{ "matomo" }}', name: 'Shop', tag: 'M-1' },
		request: ['POST', '/api/pixel/add', { type: 'matomo', name: 'Shop', tag: 'M-1' }],
		items: [{ id: anId }],
	},
	{
		operation: 'pixel:update',
		parameters: { pixelId: by('list', 91), tag: 'GTM-2', pixelFields: { name: 'Every page' } },
		request: ['PUT', '/api/pixel/91/update', { tag: 'GTM-2', name: 'Every page' }],
		items: done(text, { id: 91 }),
	},
	{
		operation: 'qrCode:create',
		when: 'link, with every field',
		parameters: {
			type: 'link',
			data: 'https://example.com/a',
			qrCodeFields: {
				name: 'Flyer',
				background: '#ffffff',
				foreground: 'rgb(10, 20, 30)',
				logo: 'https://example.com/logo.png',
			},
		},
		request: [
			'POST',
			'/api/qr/add',
			{
				type: 'link',
				data: 'https://example.com/a',
				name: 'Flyer',
				background: 'rgb(255,255,255)',
				foreground: 'rgb(10,20,30)',
				logo: 'https://example.com/logo.png',
			},
		],
		items: [{ id: anId, link: expect.stringContaining(BASE) as string }],
	},
	{
		operation: 'qrCode:download',
		parameters: { qrCodeId: by('list', 21), binaryPropertyName: 'code' },
		request: ['GET', '/api/qr/21'],
		items: [poster],
	},
	{
		operation: 'qrCode:get',
		when: 'simplified',
		parameters: { qrCodeId: by('list', 21) },
		request: ['GET', '/api/qr/21'],
		items: [
			{
				...poster,
				clicks: 2,
				uniqueClicks: 1,
				topCountries: { Germany: 1, France: 1 },
				topReferrers: { 'Direct, email and other': 1, 'https://www.example.org': 1 },
				topBrowsers: { Chrome: 1, Firefox: 1 },
				topOs: { Android: 1, iOS: 1 },
				socialCount: noSocial,
			},
		],
	},
	{
		operation: 'qrCode:get',
		when: 'as sent',
		parameters: { qrCodeId: by('id', 21), simplify: false },
		request: ['GET', '/api/qr/21'],
		items: [
			{
				details: either({ document: poster, field: posterWithDateInData }),
				data: {
					clicks: 2,
					uniqueClicks: 1,
					topCountries: { Germany: '1', France: '1' },
					topReferrers: { 'Direct, email and other': '1', 'https://www.example.org': '1' },
					topBrowsers: { Chrome: '1', Firefox: '1' },
					topOs: { Android: '1', iOS: '1' },
					socialCount: noSocial,
				},
			},
		],
	},
	{
		operation: 'qrCode:update',
		when: 'the content alone',
		parameters: { qrCodeId: by('id', 21), data: 'https://example.com/b' },
		request: ['PUT', '/api/qr/21/update', { data: 'https://example.com/b' }],
		items: done('QR has been updated successfully.', { id: 21 }),
	},
	{
		operation: 'qrCode:update',
		when: 'content and look',
		parameters: {
			qrCodeId: by('id', 21),
			dataFormat: 'fields',
			dataFields: { values: [{ name: 'ssid', value: 'Guests' }] },
			qrCodeFields: { type: 'wifi', background: '#000000', foreground: '#FFF', logo: 'logo.png' },
		},
		request: [
			'PUT',
			'/api/qr/21/update',
			{
				data: { ssid: 'Guests' },
				type: 'wifi',
				background: 'rgb(0,0,0)',
				foreground: 'rgb(255,255,255)',
				logo: 'logo.png',
			},
		],
		items: done('QR has been updated successfully.', { id: 21 }),
	},
	...(
		[
			['overlay:getAll', '/api/overlay', { id: 71, type: 'poll', name: 'Vote', date: '2024-01-02 00:00:00' }],
			[
				'pixel:getAll',
				'/api/pixels',
				{ id: 91, type: 'gtmpixel', name: 'All pages', tag: 'GTM-1', date: '2024-01-05 00:00:00' },
			],
			['qrCode:getAll', '/api/qr', poster],
			['splashPage:getAll', '/api/splash', { id: 61, name: 'Wait a moment', date: '2024-01-01 00:00:00' }],
		] as Array<[string, string, IDataObject]>
	).map(([operation, path, item]): Case => ({
		operation,
		parameters: { returnAll: true },
		request: ['GET', `${path}?page=1&limit=100`],
		items: [item],
	})),
	...(
		[
			['campaign:delete', '/api/campaign', 'campaignId', by('id', '32'), 'Campaign has been deleted successfully.'],
			['channel:delete', '/api/channel', 'channelId', by('id', 41), 'Channel has been deleted successfully.'],
			['domain:delete', '/api/domain', 'domainId', by('id', 51), 'Domain has been deleted successfully.'],
			['link:delete', '/api/url', 'linkId', by('id', 12), 'Link has been deleted successfully'],
			['pixel:delete', '/api/pixel', 'pixelId', by('id', '91'), text],
			['qrCode:delete', '/api/qr', 'qrCodeId', by('id', 21), 'QR code has been deleted successfully.'],
		] as Array<[string, string, string, IDataObject, string]>
	).map(([operation, path, parameter, locator, message]): Case => ({
		operation,
		parameters: { [parameter]: locator },
		request: ['DELETE', `${path}/${String(locator.value)}/delete`],
		items: [{ deleted: true, message, id: Number(locator.value) }],
	})),
	...(
		[
			['phone, a number', { type: 'phone', data: '={{ 4930123456 }}' }, { type: 'phone', data: '4930123456' }],
			[
				'vCard from fields, one without a value',
				{
					type: 'vcard',
					dataFormat: 'fields',
					dataFields: {
						values: [
							{ name: 'fname', value: 'Ada' },
							{ name: 'phone', value: 12345 },
							{ name: 'fax', value: '' },
						],
					},
				},
				{ type: 'vcard', data: { fname: 'Ada', phone: '12345' } },
			],
			[
				'WiFi',
				{ type: 'wifi', ssid: 'Guests', pass: 'come in' },
				{ type: 'wifi', data: { ssid: 'Guests', encryption: 'WPA', pass: 'come in' } },
			],
			[
				'email, with a field of the service',
				{
					type: 'email',
					email: 'hello@example.com',
					subject: 'Hello',
					body: '',
					dataFields: { values: [{ name: 'cc', value: 'office@example.com' }] },
				},
				{ type: 'email', data: { email: 'hello@example.com', subject: 'Hello', cc: 'office@example.com' } },
			],
			[
				'SMS',
				{ type: 'sms', phone: '={{ 4930123456 }}', message: 'Hello' },
				{ type: 'sms', data: { phone: '4930123456', message: 'Hello' } },
			],
			[
				'contact',
				{ type: 'vcard', contact: { fname: 'Ada', lname: 'Lovelace', cell: '+49170', fax: '' } },
				{ type: 'vcard', data: { lname: 'Lovelace', fname: 'Ada', cell: '+49170' } },
			],
			[
				'WiFi from JSON',
				{ type: 'wifi', dataFormat: 'json', dataJson: '{"ssid": "Guests", "hidden": false}' },
				{ type: 'wifi', data: { ssid: 'Guests', hidden: false } },
			],
			[
				'SMS from a JSON array of an expression',
				{ type: 'sms', dataFormat: 'json', dataJson: '={{ ["+49301", "Hello"] }}' },
				{ type: 'sms', data: ['+49301', 'Hello'] },
			],
			[
				'email from text',
				{ type: 'email', dataFormat: 'text', data: 'mailto:a@example.com' },
				{ type: 'email', data: 'mailto:a@example.com' },
			],
		] as Array<[string, IDataObject, IDataObject]>
	).map(([when, parameters, body]): Case => ({
		operation: 'qrCode:create',
		when,
		parameters,
		request: ['POST', '/api/qr/add', body],
		items: [{ id: anId, link: text }],
	})),
];

function parametersOf({ operation, parameters }: Pick<Case, 'operation' | 'parameters'>): IDataObject {
	const [resource, name] = operation.split(':');
	const here = JSON.parse(JSON.stringify(parameters).replaceAll(BASE, shortAddress())) as IDataObject;
	return { resource, operation: name, ...here };
}

test.each(
	cases.map((entry) => [`${entry.operation}${entry.when === undefined ? '' : `, ${entry.when}`}`, entry] as const),
)('%s', async (_name, entry) => {
	const { items, error, run: execution } = await run(parametersOf(entry), { credential: credential() });
	expect(error).toBeUndefined();
	expect(execution.status).toBe('success');

	const requests = await sandbox.requests();
	const shown = (request: (typeof requests)[number]) => {
		const search = Object.entries(request.query).map(([name, value]) => `${name}=${String(value)}`);
		return [request.method, request.path + (search.length === 0 ? '' : `?${search.join('&')}`)];
	};
	expect(withBase(requests.slice(0, -1).map(shown))).toEqual(entry.before ?? []);
	const last = requests[requests.length - 1];
	const [expectedMethod, expectedPath, expectedBody = null] = entry.request;
	expect(withBase([...shown(last), last.body])).toEqual([expectedMethod, expectedPath, expectedBody]);
	expect(await sandbox.violations()).toEqual([]);

	const got = withBase(items);
	expect(got.map(({ json }) => json)).toEqual(entry.items);
	expect(got.map(({ pairedItem }) => pairedItem)).toEqual(entry.items.map(() => ({ item: 0 })));
});

test('each endpoint of the contract is reached by exactly one operation', async () => {
	const endpoints = (await loadContract()).endpoints.map(({ operationId }) => operationId);
	expect(endpoints.length).toBeGreaterThanOrEqual(27);

	const reached = new Map<string, string[]>(endpoints.map((endpoint) => [endpoint, []]));
	const offered = operationsOf(linkManagement).map(({ resource, operation }) => `${resource}:${operation}`);
	for (const operation of offered) {
		const isOwn = (entry: { operation: string }) => entry.operation === operation;
		const own = cases.filter(isOwn);
		await sandbox.clearRequests();
		for (const entry of own.length > 0 ? own : EXAMPLES.filter(isOwn))
			await run(parametersOf(entry), { credential: credential() });
		const read = own.some(({ before }) => before !== undefined);
		const requests = (await sandbox.requests()).filter(({ method }) => !read || method !== 'GET');
		for (const endpoint of new Set(requests.map(({ operationId }) => String(operationId)))) {
			reached.set(endpoint, [...(reached.get(endpoint) ?? []), operation]);
		}
	}
	for (const [endpoint, operations] of reached) {
		// A link is also found by its short URL, which is a search in the list (spec, GET /api/urls, `short`); a QR code's record
		// has the address of its picture.
		const shared: Record<string, string[]> = {
			linkGetAll: ['link:get', 'link:getAll'],
			qrCodeGet: ['qrCode:download', 'qrCode:get'],
			linkCreate: ['link:create', 'link:upsert'],
		};
		const expected = shared[endpoint] ?? [expect.any(String)];
		expect([endpoint, operations]).toEqual([endpoint, expected]);
	}
});

test('an item for each row, in the order of the rows, each paired with its own', async () => {
	const rows = [{ link: 12 }, { link: 11 }, { link: 12 }];
	const { items } = await run(
		{ resource: 'link', operation: 'get', linkId: by('id', '={{ $json.link }}') },
		{ credential: credential(), rows },
	);
	expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
		[12, { item: 0 }],
		[11, { item: 1 }],
		[12, { item: 2 }],
	]);
});

test('campaign:update without a name keeps the present one, and reads the list of campaigns once for all rows', async () => {
	const rows = [{ campaign: 31 }, { campaign: 32 }];
	const parameters = {
		resource: 'campaign',
		operation: 'update',
		campaignId: by('id', '={{ $json.campaign }}'),
		name: '={{ $json.none }}',
		campaignFields: { public: true },
	};
	const items = await itemsOf(parameters, { credential: credential(), rows });
	expect(items.map(({ id, name }) => [id, name])).toEqual([
		[31, 'Launch'],
		[32, 'Autumn'],
	]);
	expect((await sandbox.requests()).map(({ method, body }) => [method, body])).toEqual([
		['GET', null],
		['PUT', { name: 'Launch', public: true }],
		['PUT', { name: 'Autumn', public: true }],
	]);
	const { error } = await run({ ...parameters, campaignId: by('id', 99) }, { credential: credential() });
	expect(error?.message).toBe('Name is empty, and the account has no campaign with the ID 99 [item 0]');
});

test('an expression for the type chooses the content row by row', async () => {
	const rows = [
		{ kind: 'link', url: 'https://example.com/1' },
		{ kind: 'wifi', ssid: 'Guests' },
	];
	const parameters = {
		resource: 'qrCode',
		operation: 'create',
		type: '={{ $json.kind }}',
		data: '={{ $json.url }}',
		dataFormat: 'fields',
		dataFields: { values: [{ name: 'ssid', value: '={{ $json.ssid }}' }] },
	};
	await itemsOf(parameters, { credential: credential(), rows });
	expect((await sandbox.requests()).map(({ body }) => body)).toEqual([
		{ type: 'link', data: 'https://example.com/1' },
		{ type: 'wifi', data: { ssid: 'Guests' } },
	]);
});

test.each(['full', 'shorturl'] as const)('link:create gives whatever the service answers: %s', async (createReply) => {
	await sandbox.configure({ deviations: { createReply } });
	const [item] = await itemsOf(
		{ resource: 'link', operation: 'create', url: 'https://example.com' },
		{ credential: credential() },
	);
	expect(item).not.toHaveProperty('error');
	expect(Object.keys(item)).toEqual(
		{ full: ['id', 'shorturl', 'alias', 'longurl'], shorturl: ['shorturl', 'alias', 'longurl'] }[createReply],
	);
});

test.each([
	['bare', 'The service answered the creation without a link'],
	['nothingMade', 'The link could not be made.'],
] as const)('an answer to link:create without a link is a failure: %s', async (createReply, message) => {
	await sandbox.configure({ deviations: { createReply } });
	const { error, items } = await run(
		{ resource: 'link', operation: 'create', url: 'https://example.com' },
		{ credential: credential() },
	);
	expect(error?.message).toBe(message);
	expect(items).toEqual([]);
});

/** The searchable dropdowns, filled as the editor does when it opens, searches and scrolls them. */
import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';

import { DIALECTS, startSandbox, type Behaviour, type Sandbox, type SandboxOptions } from '../sandbox';
import { quickClock } from './clock';
import { askingSearches, by, createFromList, itemsOf, linkManagement, loadOptions, run, search } from './host';

let sandbox: Sandbox;

/** Starts a service of its own for a test: the node remembers of each which page sizes work. It grants 100 unless stated. */
async function start({ deviations, ...options }: SandboxOptions = {}): Promise<void> {
	await sandbox?.stop();
	sandbox = await startSandbox({
		limit: { requests: null },
		...options,
		deviations: { pageCap: 100, sharedDomains: 0, ...deviations },
	});
}

beforeEach(async () => {
	await start();
});

afterEach(() => {
	jest.restoreAllMocks();
});

afterAll(async () => {
	await sandbox.stop();
});

function credential() {
	return { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
}

/** Scrolls a dropdown to its end. */
async function scroll(method: string, filter?: string): Promise<INodeListSearchItems[]> {
	const results: INodeListSearchItems[] = [];
	let token: string | undefined;
	do {
		const part = await search(method, credential(), filter, token);
		results.push(...part.results);
		token = part.paginationToken as string | undefined;
	} while (token !== undefined);
	return results;
}

const methods = [
	['searchCampaigns', 'campaigns', '/api/campaigns'],
	['searchChannels', 'channels', '/api/channels'],
	['searchDomains', 'domains', '/api/domains'],
	['searchDomainUrls', 'domains', '/api/domains'],
	['searchLinks', 'links', '/api/urls'],
	['searchPixels', 'pixels', '/api/pixels'],
	['searchQrCodes', 'qrs', '/api/qr'],
] as const;

test('every dropdown of the node has its method, and every method a dropdown', () => {
	const used = new Set<string>();
	JSON.stringify(linkManagement.description.properties, (key, value: unknown) => {
		if (key === 'searchListMethod') used.add(String(value));
		return value;
	});
	expect([...used].sort()).toEqual(Object.keys(linkManagement.methods?.listSearch ?? {}).sort());
});

test('a service that makes larger pages than a dropdown asks for, and says nothing of them, is scrolled through', async () => {
	await start({ deviations: { pageCap: null, pageFloor: 150, figures: 'missing' } });
	await sandbox.reset({ records: { links: 500 } });
	const values = (await scroll('searchLinks')).map(({ value }) => value);
	expect(values.sort()).toEqual((await sandbox.links()).map(({ id }) => id).sort());
});

describe.each(DIALECTS)('at a service of the %s', (dialect) => {
	beforeEach(async () => {
		await start({ dialect });
	});

	test.each(methods)('%s pages through all of them', async (method, collection, path) => {
		await sandbox.seedRecords({ [collection]: 230 });
		const records = await sandbox.records(collection);
		const results = await scroll(method);
		expect(results).toHaveLength(records.length);
		expect(new Set(results.map(({ value }) => value)).size).toBe(records.length);
		if (method !== 'searchDomainUrls') {
			expect(results.map(({ value }) => value).sort()).toEqual(records.map(({ id }) => id).sort());
		}
		const requests = await sandbox.requests();
		expect(requests.map(({ path: asked, query }) => [asked, query.page])).toEqual([
			[path, '1'],
			[path, '2'],
			[path, '3'],
		]);
		expect(await sandbox.violations()).toEqual([]);
	});

	test('entries name the record, carry its ID, and link to it', async () => {
		await sandbox.reset({
			records: { links: 0, qrs: 0, campaigns: 0, channels: 0, domains: 0, splash: 0, overlays: 0 },
		});
		const { links } = await sandbox.createRecords({
			links: [{ id: 1, alias: 'a', title: 'Title' }],
			qrs: [
				{ id: 2, code: 'q', name: 'Poster' },
				{ id: 3, code: 'r', name: '' },
			],
			campaigns: [{ id: 4, name: 'Launch', listedUnderDomain: true }],
			channels: [{ id: 5, name: 'Press' }],
			domains: [{ id: 6, domain: 'https://go.example.com' }],
		});
		const entries = async (method: string) => (await search(method, credential())).results;
		expect(await entries('searchLinks')).toEqual([
			{ name: `${links[0].shorturl} · Title`, value: 1, url: links[0].shorturl },
		]);
		expect(await entries('searchQrCodes')).toEqual([
			{ name: `${sandbox.url}/qr/r`, value: 3, url: `${sandbox.url}/qr/r` },
			{ name: 'Poster', value: 2, url: `${sandbox.url}/qr/q` },
		]);
		expect(await entries('searchCampaigns')).toEqual([
			{ name: 'Launch', value: 4, url: expect.stringContaining(sandbox.url) },
		]);
		expect(await entries('searchChannels')).toEqual([{ name: 'Press', value: 5 }]);
		expect(await entries('searchDomains')).toEqual([
			{ name: 'https://go.example.com', value: 6, url: 'https://go.example.com' },
		]);
		expect(await entries('searchDomainUrls')).toEqual([
			{ name: 'https://go.example.com', value: 'https://go.example.com', url: 'https://go.example.com' },
		]);
	});

	describe('searching', () => {
		test('links are searched by the service', async () => {
			await sandbox.seedRecords({ links: 500 });
			const { links } = await sandbox.createRecords({ links: [{ alias: 'needle', title: 'Haystack' }] });
			const { results, paginationToken } = await search('searchLinks', credential(), ' needle ');
			expect(results.map(({ name }) => name)).toEqual([`${links[0].shorturl} · Haystack`]);
			expect(paginationToken).toBeUndefined();
			expect((await sandbox.requests()).map(({ query }) => query.q)).toEqual(['needle']);
		});

		test('the others are looked through, in any case', async () => {
			await sandbox.seedRecords({ campaigns: 350 });
			await sandbox.createRecords({ campaigns: [{ id: 1, name: 'The Needle' }] });
			const { results } = await search('searchCampaigns', credential(), 'nEEdle');
			expect(results).toMatchObject([{ name: 'The Needle', value: 1 }]);
			// The oldest of 356, so on the last page.
			expect(await sandbox.requests()).toHaveLength(4);
		});

		test('a long list is looked through in parts, and none is left out', async () => {
			await sandbox.seedRecords({ channels: 1150 });
			await sandbox.createRecords({ channels: [{ id: 1, name: 'The Needle' }] });
			const { results, paginationToken } = await search('searchChannels', credential(), 'needle');
			expect(results).toEqual([]);
			expect(paginationToken).toBeDefined();
			expect(await sandbox.requests()).toHaveLength(5);
			expect(await scroll('searchChannels', 'needle')).toEqual([{ name: 'The Needle', value: 1 }]);
		});

		test('what is not there gives an empty list', async () => {
			expect(await search('searchQrCodes', credential(), 'no such thing')).toEqual({ results: [] });
		});
	});

	describe('searchRedirectionTypes', () => {
		beforeEach(async () => {
			await sandbox.reset({ records: { splash: 0, overlays: 0 } });
			await sandbox.createRecords({
				splash: [{ id: 7, name: 'Wait' }],
				overlays: [{ id: 8, name: 'Vote', type: 'poll' }],
			});
		});

		test('the words of the interface, then splash pages, then overlays', async () => {
			expect(await scroll('searchRedirectionTypes')).toEqual([
				{ name: 'Direct', value: 'direct' },
				{ name: 'Frame', value: 'frame' },
				{ name: 'Splash', value: 'splash' },
				{ name: 'Splash Page: Wait', value: 7 },
				{ name: 'Overlay: Vote (poll)', value: 'overlay-8' },
			]);
		});

		test('all pages of both', async () => {
			await sandbox.seedRecords({ splash: 120, overlays: 240 });
			const results = await scroll('searchRedirectionTypes');
			expect(results).toHaveLength(3 + 121 + 241);
			expect((await sandbox.requests()).map(({ path, query }) => `${path} ${String(query.page)}`)).toEqual([
				'/api/splash 1',
				'/api/splash 2',
				'/api/overlay 1',
				'/api/overlay 2',
				'/api/overlay 3',
			]);
		});

		test.each([
			['frame', ['Frame']],
			['spl', ['Splash', 'Splash Page: Wait']],
			['vote', ['Overlay: Vote (poll)']],
			['overlay', ['Overlay: Vote (poll)']],
		])('searched for %s', async (filter, names) => {
			expect((await scroll('searchRedirectionTypes', filter)).map(({ name }) => name)).toEqual(names);
		});
	});

	describe('a name in the place of an ID', () => {
		test.each(['list', 'id', 'name'])('is taken for what it is, given by %s', async (mode) => {
			await sandbox.createRecords({
				campaigns: [{ id: 901, name: 'Spring sale' }],
				channels: [{ id: 902, name: 'Press' }],
			});
			const { error } = await run(
				{
					resource: 'link',
					operation: 'create',
					url: 'https://example.com',
					linkFields: { campaign: by(mode, '={{ $json.campaign }}'), channel: by(mode, '={{ $json.channel }}') },
				},
				{ credential: credential(), rows: [{ campaign: 'Spring sale', channel: 'Press' }] },
			);
			expect(error).toBeUndefined();
			const [{ body }] = (await sandbox.requests()).filter(({ method }) => method === 'POST');
			expect(body).toEqual({ url: 'https://example.com', campaign: 901, channel: 902 });
			const { error: refused } = await run(
				{ resource: 'campaign', operation: 'delete', campaignId: by(mode, '={{ $json.campaign }}') },
				{ credential: credential(), rows: [{ campaign: 'Spring sael' }] },
			);
			expect(refused?.message).toContain('Spring sale');
			expect((await sandbox.records('campaigns')).map(({ id }) => id)).toContain(901);
		});
	});

	describe('when the service fails', () => {
		test.each(askingSearches)('%s shows its message', async (method) => {
			await sandbox.setFaults([{ kind: 'errorEnvelope', message: 'The plan has ended.' }]);
			await expect(search(method, credential())).rejects.toMatchObject({ message: 'The plan has ended.' });
		});

		test('a wrong key points to the credential, and stands nowhere', async () => {
			const error = await search('searchLinks', { baseUrl: sandbox.url, apiKey: 'wrong-key-1234' }).catch(
				(reason: unknown) => reason,
			);
			expect(error).toMatchObject({ description: expect.stringContaining('API Key') as string });
			expect(JSON.stringify(error)).not.toContain('wrong-key-1234');
		});

		test.each(['', 'nowhere'])('a base URL such as %j is named', async (baseUrl) => {
			await expect(search('searchLinks', { baseUrl, apiKey: 'k' })).rejects.toThrow('Base URL');
		});

		test('garbled paging figures end the list', async () => {
			await sandbox.setFaults([
				{ kind: 'listFields', fields: { result: null, perpage: null, maxpage: null, nextpage: null } },
			]);
			expect(await scroll('searchLinks')).toHaveLength(25);
		});

		test('a list that promises ever further pages ends as well', async () => {
			await sandbox.setFaults([{ kind: 'endlessList', pages: 'empty' }]);
			expect(await scroll('searchLinks')).toEqual([]);
		});
	});
});

describe('what a target applies to', () => {
	const link = 'https://example.com/de';
	const create = (linkFields: IDataObject) => ({
		resource: 'link',
		operation: 'create',
		url: 'https://example.com',
		linkFields,
	});

	test.each([
		['loadCountries', 240, { name: 'Bosnia and Herzegovina', value: 'Bosnia and Herzegovina' }],
		['loadLanguages', 150, { name: 'German (de)', value: 'de' }],
		['loadDevices', 5, { name: 'iPad', value: 'iPad' }],
	])('%s gives each once, by name, without a request', async (method, least, one) => {
		const entries = await loadOptions(method, credential());
		const names = entries.map(({ name }) => name);
		expect(entries).toContainEqual(one);
		expect(names.length).toBeGreaterThan(least);
		expect(new Set(names).size).toBe(names.length);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
		expect(names.filter((name) => /Union|Nations|Region|Pseudo|Eurozone/.test(name))).toEqual([]);
		expect(await sandbox.requests()).toEqual([]);
	});

	test.each<[string, unknown, string[]]>([
		['chosen from the list', ['Germany', 'Austria'], ['Germany', 'Austria']],
		['an array of an expression', '={{ $json.list }}', ['Germany', 'Korea, Republic of']],
		['text with commas', '={{ $json.text }}', ['Austria', 'Korea, Republic of', 'Germany']],
		['one name', 'Germany', ['Germany']],
		['one twice', ['Germany', 'Germany'], ['Germany']],
	])('several countries have one address: %s', async (_way, location, countries) => {
		const { error } = await run(create({ geotarget: { values: [{ location, link }] } }), {
			credential: credential(),
			rows: [{ list: ['Germany', '', 'Korea, Republic of'], text: 'Austria,Korea, republic of , Germany' }],
		});
		expect(error).toBeUndefined();
		const [{ body }] = await sandbox.requests();
		const spelled = (name: unknown) => String(name).replace('republic', 'Republic');
		expect((body as { geotarget: IDataObject[] }).geotarget.map((one) => [spelled(one.location), one.link])).toEqual(
			countries.map((name) => [name, link]),
		);
		expect(await sandbox.violations()).toEqual([]);
	});

	test('devices and languages likewise, and a row without an address is left out', async () => {
		const { error } = await run(
			create({
				geotarget: { values: [{ location: ['Germany', 'Austria'], link: '={{ $json.none }}' }] },
				languagetarget: { values: [{ language: ['de', 'fr'], link }] },
				devicetarget: {
					values: [
						{ device: 'iPhone, iPad', link },
						{ device: '', link: '' },
					],
				},
			}),
			{ credential: credential(), rows: [{ none: '' }] },
		);
		expect(error).toBeUndefined();
		const [{ body }] = await sandbox.requests();
		expect(body).toEqual({
			url: 'https://example.com',
			languagetarget: ['de', 'fr'].map((language) => ({ language, link })),
			devicetarget: ['iPhone', 'iPad'].map((device) => ({ device, link })),
		});
	});

	test.each<[unknown[], string]>([
		[[{ location: [], link }], 'Geo Targeting → row 1 → Country is empty'],
		[
			[
				{ location: ['Germany'], link },
				{ location: 'Austria, germany', link: `${link}/2` },
			],
			`Geo Targeting has germany twice: for ${link} and for ${link}/2`,
		],
	])('%j says what is wrong', async (values, message) => {
		const { error } = await run(create({ geotarget: { values } }), { credential: credential() });
		expect(error?.message).toContain(message);
		expect(await sandbox.requests()).toEqual([]);
	});
});

test('the field for several pixels has all of them', async () => {
	await sandbox.seedRecords({ pixels: 230 });
	const records = await sandbox.records('pixels');
	const options = await loadOptions('loadPixels', credential());
	expect(options.map(({ value }) => value).sort()).toEqual(records.map(({ id }) => id).sort());
	expect(options[0].name).toMatch(/ · /);
});

describe('a short URL pasted into the search of links', () => {
	const lost = { alias: 'lost-and-found', title: 'Needle' };

	test.each<[string, Partial<Behaviour>]>([
		['a service that finds it', {}],
		['a service that ignores it', { shortMiss: 'wholeList' }],
		['a service whose short links stand elsewhere', { shortLinksElsewhere: true }],
	])('%s: the link, and nothing else', async (_name, deviations) => {
		await start({ dialect: 'field', deviations, records: { links: 300 } });
		const { id } = (await sandbox.createRecords({ links: [lost] })).links[0];
		const shortUrl = (await sandbox.links()).find((link) => link.id === id)!.shorturl;
		for (const pasted of [shortUrl, ` ${shortUrl}/ `, shortUrl.replace('http', 'hxxp'), `${shortUrl}?from=mail`]) {
			const { results, paginationToken } = await search('searchLinks', credential(), pasted);
			expect(results).toMatchObject([{ value: id }]);
			expect(paginationToken).toBeUndefined();
		}
		expect(await sandbox.violations()).toEqual([]);
	});

	test.each<[string, Partial<Behaviour>]>([
		['the error envelope', { shortMiss: 'error' }],
		['an empty list', { shortMiss: 'emptyList' }],
		['the whole list', { shortMiss: 'wholeList' }],
	])('is never taken for another link: the service answers with %s', async (_name, deviations) => {
		await start({ dialect: 'field', deviations, records: { links: 30 } });
		expect(await search('searchLinks', credential(), `${sandbox.url}/no-such-alias`)).toEqual({ results: [] });
	});

	test('a long URL is searched for as other words are', async () => {
		const longurl = 'https://www.example.org/a/page?of=mine';
		const { links } = await sandbox.createRecords({ links: [{ ...lost, longurl }] });
		const { results } = await search('searchLinks', credential(), longurl);
		expect(results.map(({ name }) => name)).toEqual([`${links[0].shorturl} · Needle`]);
	});

	test('a refusal is not taken for a link that is not there', async () => {
		await sandbox.setFaults([{ kind: 'errorEnvelope', status: 403, message: 'Your plan has no API access.' }]);
		const refused = search('searchLinks', credential(), `${sandbox.url}/some-alias`);
		await expect(refused).rejects.toMatchObject({ message: 'Your plan has no API access.' });
	});
});

describe('what services of the field send', () => {
	test('shared domains have no ID, so only their URL can be chosen', async () => {
		await start({ dialect: 'field', deviations: { sharedDomains: 2 }, records: { domains: 3 } });
		expect(await scroll('searchDomains')).toHaveLength(3);
		expect(await scroll('searchDomainUrls')).toHaveLength(5);
	});

	test.each(methods)('%s gives IDs as numbers, though they come as text', async (method) => {
		await start({ dialect: 'field', records: { pixels: 3 } });
		const results = await scroll(method);
		expect(results.length).toBeGreaterThan(0);
		if (method !== 'searchDomainUrls') for (const { value } of results) expect(value).toEqual(expect.any(Number));
	});

	test('pixels for a field that takes several', async () => {
		await start({ dialect: 'field', records: { pixels: 130 } });
		expect(await loadOptions('loadPixels', credential())).toHaveLength(130);
		expect((await sandbox.requests()).length).toBe(2);
	});

	test.each(['status200', 'status429', 'status429Body', 'status429Text'] as const)(
		'a look-up that is refused for the rate limit waits, and is no empty list: %s',
		async (refusal) => {
			await start({
				dialect: 'field',
				deviations: { refusal },
				limit: { requests: 2, windowMs: 2000 },
				records: { campaigns: 4 },
			});
			await sandbox.useBudget(2);
			quickClock(5);
			expect(await scroll('searchCampaigns')).toHaveLength(4);
		},
	);

	test('a redirection type that is chosen from the list is taken', async () => {
		await start({ dialect: 'field', records: { splash: 2, overlays: 2 } });
		const types = (await scroll('searchRedirectionTypes')).map(({ value }) => value);
		expect(types).toHaveLength(7);
		for (const type of types) {
			const parameters = {
				resource: 'link',
				operation: 'create',
				url: `https://example.com/${type}`,
				linkFields: { type: by('list', type) },
			};
			await itemsOf(parameters, { credential: credential() });
		}
		const made = (await sandbox.requests()).filter(({ method }) => method === 'POST');
		expect(made.map(({ body }) => (body as { type: string }).type)).toEqual(types.map(String));
		expect((await sandbox.links()).filter(({ longurl }) => longurl.startsWith('https://example.com/'))).toHaveLength(7);
	});
});

describe.each(DIALECTS)('creating what a dropdown does not list, %s', (dialect) => {
	beforeEach(async () => {
		await start({ dialect, records: { campaigns: 1, channels: 1, domains: 1 } });
	});

	test('every dropdown that creates has its method, and every method a dropdown', () => {
		const used = new Set<string>();
		JSON.stringify(linkManagement.description.properties, (key, value: unknown) => {
			if (key === 'allowNewResource') used.add((value as { method: string }).method);
			return value;
		});
		expect([...used].sort()).toEqual(Object.keys(linkManagement.methods?.actionHandler ?? {}).sort());
	});

	test.each([
		['createCampaign', 'Spring Sale', 'searchCampaigns', 'Spring Sale'],
		['createChannel', 'Press', 'searchChannels', 'Press'],
		['createDomainUrl', 'go.example.org', 'searchDomainUrls', 'https://go.example.org'],
		['createDomainUrl', 'http://go.example.org', 'searchDomainUrls', 'http://go.example.org'],
	])('%s from %s: chosen, and in the list from then on', async (method, typed, list, name) => {
		// n8n shows what was chosen as it is: a name, or a URL.
		expect(await createFromList(method, credential(), ` ${typed} `)).toBe(name);
		expect(await scroll(list, typed)).toMatchObject([{ name }]);
		expect(await sandbox.violations()).toEqual([]);
	});

	test('a campaign whose name reads as an ID is chosen by its ID', async () => {
		const value = await createFromList('createCampaign', credential(), '2024');
		expect(await scroll('searchCampaigns', '2024')).toMatchObject([{ name: '2024', value }]);
	});

	test.each([
		['createCampaign', ''],
		['createChannel', '  '],
		['createDomainUrl', ''],
		['createDomainUrl', 'two words'],
		['createDomainUrl', 'nothing'],
	])('%s from %j asks for a name, and sends nothing', async (method, typed) => {
		await expect(createFromList(method, credential(), typed)).rejects.toMatchObject({
			message: expect.stringContaining('There is no name for the new') as string,
			description: expect.stringContaining('for example') as string,
		});
		expect(await sandbox.requests()).toEqual([]);
	});

	test('what the service refuses says why', async () => {
		await sandbox.setFaults([{ kind: 'errorEnvelope', status: 400, message: 'You already have one.' }]);
		await expect(createFromList('createCampaign', credential(), 'Spring')).rejects.toMatchObject({
			message: 'You already have one.',
		});
	});
});

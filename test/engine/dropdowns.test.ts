/** The searchable dropdowns, filled as the editor does when it opens, searches and scrolls them. */
import type { IDataObject, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';

import { searches, by, linkManagement, loadOptions, search as searchAt } from './host';
import { begin, bodies, createLink, credential, itemsOf, openService, run, sandbox } from './service';

openService({ deviations: { pageCap: 100, sharedDomains: 0 } });

afterEach(() => jest.restoreAllMocks());

/** Opens a dropdown, searches it, or scrolls on from a place. */
async function search(method: string, filter?: string, token?: string): Promise<INodeListSearchResult> {
	return await searchAt(method, credential(), filter, token);
}

/** Scrolls a dropdown to its end. */
async function scroll(method: string, filter?: string): Promise<INodeListSearchItems[]> {
	const results: INodeListSearchItems[] = [];
	let token: string | undefined;
	do {
		const part = await search(method, filter, token);
		results.push(...part.results);
		token = part.paginationToken as string | undefined;
	} while (token !== undefined);
	return results;
}

const valuesOf = (entries: Array<{ value: unknown }>) => entries.map(({ value }) => value);
const namesOf = (entries: INodeListSearchItems[]) => entries.map(({ name }) => name);
const idsOf = (records: Array<{ id: number }>) => records.map(({ id }) => id).sort();

const url = 'https://example.com';
const NONE = { links: 0, qrs: 0, campaigns: 0, channels: 0, domains: 0, splash: 0, overlays: 0, pixels: 0 };

test('every list search of a field has its method, and every method a field', () => {
	const used = new Set<string>();
	JSON.stringify(linkManagement.description.properties, (key, value: unknown) => {
		if (key === 'searchListMethod') used.add(String(value));
		return value;
	});
	expect([...used].sort()).toEqual(Object.keys(linkManagement.methods?.listSearch ?? {}).sort());
});

test('an empty list is asked for once: nothing is decided on it', async () => {
	await begin({ records: NONE });
	await sandbox.clearRequests();
	expect((await search('searchCampaigns')).results).toEqual([]);
	expect(await sandbox.requests()).toHaveLength(1);
});

test('a service that says nothing of its pages is scrolled through', async () => {
	await begin({ deviations: { pageCap: null, figures: 'missing' }, records: { links: 500 } });
	expect(valuesOf(await scroll('searchLinks')).sort()).toEqual(idsOf(await sandbox.links()));
});

/** An address without its scheme. */
const bare = (address: string) => address.replace(/^https?:\/\//, '');

describe('at a service of the field', () => {
	const dialect = 'field';

	beforeEach(async () => await begin({ dialect }));

	test.each([
		['searchCampaigns', 'campaigns', '/api/campaigns'],
		['searchChannels', 'channels', '/api/channels'],
		['searchDomains', 'domains', '/api/domains'],
		['searchDomainUrls', 'domains', '/api/domains'],
		['searchLinks', 'links', '/api/urls'],
		['searchPixels', 'pixels', '/api/pixels'],
		['searchQrCodes', 'qrs', '/api/qr'],
	] as const)('%s pages through all of them', async (method, collection, path) => {
		await sandbox.seedRecords({ [collection]: 230 });
		const records = await sandbox.records(collection);
		const values = valuesOf(await scroll(method));
		expect(values).toHaveLength(records.length);
		expect(new Set(values).size).toBe(records.length);
		if (method !== 'searchDomainUrls') expect(values.sort()).toEqual(idsOf(records));
		const requests = await sandbox.requests();
		expect(requests.map((request) => [request.path, request.query.page])).toEqual(
			['1', '2', '3'].map((at) => [path, at]),
		);
		expect(await sandbox.violations()).toEqual([]);
	});

	test('entries name the record, carry its ID, and link to it', async () => {
		await begin({ dialect, records: NONE });
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
		const [{ shorturl }] = links;
		const go = { name: 'https://go.example.com', url: 'https://go.example.com' };
		for (const [method, entries] of Object.entries({
			searchLinks: [{ name: `Title · ${bare(shorturl)}`, value: 1, url: shorturl }],
			searchQrCodes: [
				{ name: `${sandbox.url}/qr/r`, value: 3, url: `${sandbox.url}/qr/r` },
				{ name: 'Poster', value: 2, url: `${sandbox.url}/qr/q` },
			],
			searchCampaigns: [{ name: 'Launch', value: 4, url: expect.stringContaining(sandbox.url) as string }],
			searchChannels: [{ name: 'Press', value: 5 }],
			searchDomains: [{ ...go, value: 6 }],
			searchDomainUrls: [{ ...go, value: go.url }],
		}))
			expect([method, (await search(method)).results]).toEqual([method, entries]);
	});

	describe('searching', () => {
		test('links are searched by the service', async () => {
			await sandbox.seedRecords({ links: 500 });
			const { links } = await sandbox.createRecords({ links: [{ alias: 'needle', title: 'Haystack' }] });
			const { results, paginationToken } = await search('searchLinks', ' needle ');
			expect(namesOf(results)).toEqual([`Haystack · ${bare(links[0].shorturl)}`]);
			expect(paginationToken).toBeUndefined();
			expect((await sandbox.requests()).map(({ query }) => query.q)).toEqual(['needle']);
		});

		test('links are looked through, a page at a time, where the service ignores the search', async () => {
			await begin({ dialect, deviations: { searchIgnored: true }, records: { links: 250 } });
			const { links } = await sandbox.createRecords({
				links: [{ alias: 'needle', title: 'Haystack', date: '2001-01-01 00:00:00' }],
			});
			expect(valuesOf(await scroll('searchLinks', 'Needle'))).toEqual([links[0].id]);
			expect((await search('searchLinks', 'no such thing')).results).toEqual([]);
			expect(await sandbox.requests()).toHaveLength(6);
		});

		test('an address that was begun finds those that hold it, at a service that ignores the search, too', async () => {
			await begin({ dialect, deviations: { searchIgnored: true }, records: NONE });
			const { links } = await sandbox.createRecords({
				links: Array.from({ length: 120 }, (_, at) => ({ alias: `a${at}`, longurl: `https://seed.example/${at}` })),
			});
			const having = links.filter(({ longurl }) => longurl.includes('seed.example/7')).map(({ id }) => id);
			expect(having).toHaveLength(11);
			for (const entered of ['seed.example/7', 'https://seed.example/7', 'SEED.example/7'])
				expect(valuesOf(await scroll('searchLinks', entered)).sort()).toEqual(having.sort());
		});

		test('the others are looked through, in any case, a long list in parts, and none is left out', async () => {
			await sandbox.seedRecords({ channels: 1150 });
			await sandbox.createRecords({ channels: [{ id: 1, name: 'The Needle' }] });
			const { results, paginationToken } = await search('searchChannels', 'nEEdle');
			expect(results).toEqual([]);
			expect(paginationToken).toBeDefined();
			expect(await sandbox.requests()).toHaveLength(5);
			expect(await scroll('searchChannels', 'nEEdle')).toEqual([{ name: 'The Needle', value: 1 }]);
			expect(await search('searchQrCodes', 'no such thing')).toEqual({ results: [] });
		});
	});

	describe('searchRedirectionTypes', () => {
		beforeEach(async () => {
			await begin({ dialect, records: { splash: 0, overlays: 0 } });
			await sandbox.createRecords({
				splash: [{ id: 7, name: 'Wait' }],
				overlays: [{ id: 8, name: 'Vote', type: 'poll' }],
			});
		});

		test('the words of the interface, then splash pages, then overlays, all of them', async () => {
			expect(await scroll('searchRedirectionTypes')).toEqual([
				{ name: 'Direct', value: 'direct' },
				{ name: 'Frame', value: 'frame' },
				{ name: 'Splash', value: 'splash' },
				{ name: 'Splash Page: Wait', value: 7 },
				{ name: 'Overlay: Vote (poll)', value: 'overlay-8' },
			]);
			await sandbox.seedRecords({ splash: 120, overlays: 240 });
			await sandbox.clearRequests();
			expect(await scroll('searchRedirectionTypes')).toHaveLength(3 + 121 + 241);
			const asked = (await sandbox.requests()).map(({ path, query }) => `${path} ${String(query.page)}`);
			const pages = (path: string, count: number) => Array.from({ length: count }, (_, at) => `${path} ${at + 1}`);
			expect(asked).toEqual([...pages('/api/splash', 2), ...pages('/api/overlay', 3)]);
		});

		test('is searched', async () => {
			expect(namesOf(await scroll('searchRedirectionTypes', 'spl'))).toEqual(['Splash', 'Splash Page: Wait']);
			expect(namesOf(await scroll('searchRedirectionTypes', 'vote'))).toEqual(['Overlay: Vote (poll)']);
		});

		test.each<[string, number, string]>([
			['is missing', 404, ''],
			['may not be read with this key', 200, 'You do not have access to this endpoint with this API key.'],
			['fails', 500, `Something is broken ${'x'.repeat(5_000)}`],
		])('a list that %s hides no other, and is named', async (_what, status, message) => {
			await sandbox.setFaults([{ kind: 'errorEnvelope', status, message, match: { path: '^/api/splash' } }]);
			const names = namesOf(await scroll('searchRedirectionTypes'));
			expect(names).toHaveLength(5);
			expect(names.filter((_name, at) => at !== 3)).toEqual(['Direct', 'Frame', 'Splash', 'Overlay: Vote (poll)']);
			expect(names[3]).toMatch(/^\(Splash pages are not listed: .*(?:does not offer|to use \/api\/splash|is broken)/);
			expect(names[3].length).toBeLessThan(600);
			await sandbox.setFaults([{ kind: 'status', status: 401 }]);
			await expect(search('searchRedirectionTypes')).rejects.toThrow('refused the API Key');
		});

		test('what is chosen from it is taken', async () => {
			const types = valuesOf(await scroll('searchRedirectionTypes'));
			for (const type of types) {
				const linkFields = { type: by('list', type as string) };
				await itemsOf({ ...createLink, url: `${url}/${String(type)}`, linkFields });
			}
			const made = (await bodies()).filter((body) => body !== null);
			expect(made.map(({ type }) => type)).toEqual(types.map(String));
			expect((await sandbox.links()).filter(({ longurl }) => longurl.startsWith(`${url}/`))).toHaveLength(types.length);
		});
	});

	test.each(['list', 'id', 'name'])(
		'a name in the place of an ID is taken for what it is, given by %s',
		async (mode) => {
			const campaigns = [{ id: 901, name: 'Spring sale' }];
			await sandbox.createRecords({ campaigns, channels: [{ id: 902, name: 'Press' }] });
			const linkFields = { campaign: by(mode, '={{ $json.campaign }}'), channel: by(mode, '={{ $json.channel }}') };
			await itemsOf({ ...createLink, url, linkFields }, { rows: [{ campaign: 'Spring sale', channel: 'Press' }] });
			expect((await bodies()).at(-1)).toEqual({ url, campaign: 901, channel: 902 });
			const { error } = await run(
				{ resource: 'campaign', operation: 'delete', campaignId: by(mode, '={{ $json.campaign }}') },
				{ rows: [{ campaign: 'Spring sael' }] },
			);
			expect(error?.description).toContain('Spring sale');
			expect(idsOf(await sandbox.records('campaigns'))).toContain(901);
		},
	);

	test('the field for several pixels has all of them', async () => {
		await sandbox.seedRecords({ pixels: 130 });
		const options = await loadOptions('loadPixels', credential());
		expect(valuesOf(options).sort()).toEqual(idsOf(await sandbox.records('pixels')));
		expect(options[0].name).toMatch(/ · /);
		expect(await sandbox.requests()).toHaveLength(2);
	});
});

test.each(searches)('%s shows the message of the service when it fails', async (method) => {
	await sandbox.setFaults([{ kind: 'errorEnvelope', message: 'The plan has ended.' }]);
	const shown = await search(method).then(
		({ results }) => namesOf(results).join(),
		({ message }: Error) => message,
	);
	expect(shown).toContain('The service says "The plan has ended"');
});

test('shared domains have no ID, so only their URL can be chosen', async () => {
	await begin({ dialect: 'field', deviations: { sharedDomains: 2 }, records: { domains: 3 } });
	expect(await scroll('searchDomains')).toHaveLength(3);
	expect(await scroll('searchDomainUrls')).toHaveLength(5);
});

describe('what a target applies to', () => {
	const link = 'https://example.com/de';
	const create = (linkFields: IDataObject) => ({ ...createLink, url, linkFields });

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

	test('several have one address, and a row without an address is left out', async () => {
		const linkFields = {
			geotarget: { values: [{ location: ['Germany', 'Austria'], link: '={{ $json.none }}' }] },
			languagetarget: { values: [{ language: ['de', 'fr'], link }] },
			devicetarget: {
				values: [
					{ device: 'iPhone, iPad', link },
					{ device: '', link: '' },
				],
			},
		};
		await itemsOf(create(linkFields), { rows: [{ none: '', number: 1 }] });
		const languagetarget = ['de', 'fr'].map((language) => ({ language, link }));
		const devicetarget = ['iPhone', 'iPad'].map((device) => ({ device, link }));
		expect(await bodies()).toEqual([{ url, languagetarget, devicetarget }]);
	});

	test('a row with an address and for nobody is refused', async () => {
		const { error } = await run(create({ geotarget: { values: [{ location: [], link }] } }));
		expect(error?.message).toContain('Geo Targeting → row 1 → Countries is empty');
		expect(await sandbox.requests()).toEqual([]);
	});
});

test('a long URL is searched for as other words are', async () => {
	const longurl = 'https://www.example.org/a/page?of=mine';
	const { links } = await sandbox.createRecords({ links: [{ alias: 'lost-and-found', title: 'Needle', longurl }] });
	const { results } = await search('searchLinks', longurl);
	expect(namesOf(results)).toEqual([`Needle · ${bare(links[0].shorturl)}`]);
});

test('a refusal is not taken for a link that is not there', async () => {
	const message = 'Your plan has no API access.';
	await sandbox.setFaults([{ kind: 'errorEnvelope', status: 403, message }]);
	await expect(search('searchLinks', 'needle')).rejects.toMatchObject({
		message: `The service says "${message.slice(0, -1)}"`,
	});
});

/** The searchable dropdowns, filled as the editor does when it opens, searches and scrolls them. */
import type { INodeListSearchItems } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../sandbox';
import { linkManagement, search } from './host';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ limit: { requests: null } });
});

beforeEach(async () => {
	await sandbox.reset();
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
	await sandbox.reset({ records: { links: 0, qrs: 0, campaigns: 0, channels: 0, domains: 0, splash: 0, overlays: 0 } });
	await sandbox.createRecords({
		links: [{ id: 1, alias: 'a', title: 'Title' }],
		qrs: [{ id: 2, code: 'q', name: 'Poster' }, { id: 3, code: 'r', name: '' }],
		campaigns: [{ id: 4, name: 'Launch', listedUnderDomain: true }],
		channels: [{ id: 5, name: 'Press' }],
		domains: [{ id: 6, domain: 'https://go.example.com' }],
	});
	const entries = async (method: string) => (await search(method, credential())).results;
	expect(await entries('searchLinks')).toEqual([{ name: `${sandbox.url}/a · Title`, value: 1, url: `${sandbox.url}/a` }]);
	expect(await entries('searchQrCodes')).toEqual([
		{ name: `${sandbox.url}/qr/r`, value: 3, url: `${sandbox.url}/qr/r` },
		{ name: 'Poster', value: 2, url: `${sandbox.url}/qr/q` },
	]);
	expect(await entries('searchCampaigns')).toEqual([{ name: 'Launch', value: 4, url: expect.stringContaining(sandbox.url) }]);
	expect(await entries('searchChannels')).toEqual([{ name: 'Press', value: 5 }]);
	expect(await entries('searchDomains')).toEqual([{ name: 'https://go.example.com', value: 6, url: 'https://go.example.com' }]);
	expect(await entries('searchDomainUrls')).toEqual([
		{ name: 'https://go.example.com', value: 'https://go.example.com', url: 'https://go.example.com' },
	]);
});

describe('searching', () => {
	test('links are searched by the service', async () => {
		await sandbox.seedRecords({ links: 500 });
		await sandbox.createRecords({ links: [{ alias: 'needle', title: 'Haystack' }] });
		const { results, paginationToken } = await search('searchLinks', credential(), ' needle ');
		expect(results.map(({ name }) => name)).toEqual([`${sandbox.url}/needle · Haystack`]);
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
		await sandbox.createRecords({ splash: [{ id: 7, name: 'Wait' }], overlays: [{ id: 8, name: 'Vote', type: 'poll' }] });
	});

	test('the words of the interface, then splash pages, then overlays', async () => {
		expect(await scroll('searchRedirectionTypes')).toEqual([
			{ name: 'Direct', value: 'direct' },
			{ name: 'Frame', value: 'frame' },
			{ name: 'Splash', value: 'splash' },
			{ name: 'Splash Page: Wait', value: 7 },
			{ name: 'Overlay: Vote (poll)', value: 8 },
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

describe('when the service fails', () => {
	test.each(Object.keys(linkManagement.methods?.listSearch ?? {}))('%s shows its message', async (method) => {
		await sandbox.setFaults([{ kind: 'errorEnvelope', message: 'The plan has ended.' }]);
		await expect(search(method, credential())).rejects.toMatchObject({ message: 'The plan has ended.' });
	});

	test('a wrong key points to the credential, and stands nowhere', async () => {
		const error = await search('searchLinks', { baseUrl: sandbox.url, apiKey: 'wrong-key-1234' }).catch((reason: unknown) => reason);
		expect(error).toMatchObject({ description: expect.stringContaining('API Key') as string });
		expect(JSON.stringify(error)).not.toContain('wrong-key-1234');
	});

	test.each(['', 'nowhere'])('a base URL such as %j is named', async (baseUrl) => {
		await expect(search('searchLinks', { baseUrl, apiKey: 'k' })).rejects.toThrow('Base URL');
	});

	test('garbled paging figures end the list', async () => {
		await sandbox.setFaults([{ kind: 'listFields', fields: { result: null, perpage: null, maxpage: null, nextpage: null } }]);
		expect(await scroll('searchLinks')).toHaveLength(25);
	});

	test('a list that promises ever further pages ends as well', async () => {
		await sandbox.setFaults([{ kind: 'endlessList', pages: 'empty' }]);
		expect(await scroll('searchLinks')).toEqual([]);
	});
});

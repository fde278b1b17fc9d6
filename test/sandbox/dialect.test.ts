/** Each deviation of deviations/, set alone: a request, and the answer over HTTP. */
import axios, { type AxiosInstance, type AxiosResponse } from 'axios';

import { startSandbox, type Behaviour, type Sandbox, type SandboxState } from '.';
import { clientOf } from './client';
import { loadContract } from './contract';
import { behaviourOf, describeDeviations, DEVIATIONS, readDeviations, type DeviationName } from './dialect';

type Body = Record<string, unknown> & { data: Record<string, unknown>; details: Record<string, unknown> };

let sandbox: Sandbox;
let api: AxiosInstance;

beforeAll(async () => {
	sandbox = await startSandbox({ limit: { requests: null } });
	api = clientOf(sandbox);
});

afterEach(async () => {
	expect(await sandbox.violations()).toEqual([]);
});

afterAll(async () => {
	await sandbox.stop();
});

/** The document's service with these deviations. */
async function withDeviations(deviations: Partial<Behaviour>, state: SandboxState = {}): Promise<void> {
	await sandbox.reset({ ...state, deviations });
}

const get = async (path: string): Promise<AxiosResponse<Body>> => await api.get<Body>(path);
const create = async (path: string, body: object): Promise<AxiosResponse<Body>> => await api.post<Body>(path, body);
const newLink = async (fields: object = {}) =>
	await create('/api/url/add', { url: 'https://example.com/new', ...fields });

async function firstLink() {
	const [link] = await sandbox.links();
	return link;
}

async function links(): Promise<number> {
	return (await sandbox.links()).length;
}

/** The forms that an answer takes over some turns. */
async function flags(path: string): Promise<Set<unknown>> {
	const seen = new Set<unknown>();
	for (let turn = 0; turn < 3; turn++) seen.add((await get(path)).data.error);
	return seen;
}

const tests: Record<DeviationName, () => Promise<void>> = {
	refusal: async () => {
		const expected: Array<[Behaviour['refusal'], number, unknown]> = [
			['status429', 429, { error: 1, message: expect.any(String) as string }],
			[
				'status200',
				200,
				{ error: 429, message: expect.any(String) as string, 'Retry-After': expect.any(Number) as number },
			],
			[
				'status429Body',
				429,
				{ error: 429, message: expect.any(String) as string, 'Retry-After': expect.any(Number) as number },
			],
			['status429Text', 429, expect.stringMatching(/^\w+/)],
		];
		for (const [refusal, status, body] of expected) {
			await withDeviations({ refusal }, { limit: { requests: 0 } });
			const answer = await get('/api/account');
			expect([refusal, answer.status, answer.data]).toEqual([refusal, status, body]);
			expect((await sandbox.stats()).refused).toBe(1);
		}
	},

	window: async () => {
		await withDeviations({ window: 'wholeSeconds', refusal: 'status200' }, { limit: { requests: 1, windowMs: 1200 } });
		const began = Date.now();
		const { headers } = await get('/api/account');
		const reset = Number(headers['x-ratelimit-reset']);
		expect(Math.abs(reset - Math.floor((began + 1200) / 1000))).toBeLessThanOrEqual(1);
		await new Promise((resolve) => setTimeout(resolve, reset * 1000 + 100 - Date.now()));
		expect((await get('/api/account')).data).toMatchObject({ error: 429, 'Retry-After': 0 });
		await new Promise((resolve) => setTimeout(resolve, (reset + 1) * 1000 + 20 - Date.now()));
		expect((await get('/api/account')).data).toMatchObject({ error: 0 });
	},

	noRateLimitHeaders: async () => {
		await withDeviations({ noRateLimitHeaders: true });
		const { headers } = await get('/api/account');
		expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
	},

	unlimited: async () => {
		const other = await startSandbox({ deviations: { unlimited: true } });
		try {
			for (let request = 0; request < 40; request++)
				await axios.get(other.url + '/api/account', { validateStatus: null });
			expect(await other.stats()).toMatchObject({ requests: 40, refused: 0 });
		} finally {
			await other.stop();
		}
	},

	authStatus: async () => {
		await withDeviations({ authStatus: 403 }, { apiKeys: ['another'] });
		const { status, data } = await get('/api/account');
		expect([status, data]).toEqual([403, { error: 1, message: expect.stringMatching(/API key/) as string }]);
	},

	authorizationDropped: async () => {
		await withDeviations({ authorizationDropped: true });
		expect(await get('/api/account')).toMatchObject({
			status: 401,
			data: { message: 'A valid API key is required to use this service.' },
		});
	},

	front: async () => {
		for (const [front, status] of [
			['script', 200],
			['page403', 403],
		] as const) {
			await withDeviations({ front });
			const answer = await get('/api/account');
			expect([answer.status, answer.headers['content-type']]).toEqual([status, expect.stringContaining('text/html')]);
			const passed = await api.get<Body>('/api/account', { headers: { Cookie: 'a=b; passage=granted' } });
			expect(passed.data).toMatchObject({ error: 0 });
		}
	},

	access: async () => {
		for (const [access, account, list] of [
			['plan', 403, 403],
			['suspended', 403, 403],
			['account', 403, 200],
		] as const) {
			await withDeviations({ access });
			expect([(await get('/api/account')).status, (await get('/api/urls')).status]).toEqual([account, list]);
		}
	},

	errorStatus: async () => {
		await withDeviations({ errorStatus: 422 });
		const { status, data } = await newLink({ url: 'nonsense' });
		expect([status, data.error]).toEqual([422, 1]);
	},

	notFoundStatus: async () => {
		await withDeviations({ notFoundStatus: 404 });
		const { status, data } = await get('/api/url/9');
		expect([status, data.error]).toEqual([404, 1]);
	},

	messageIn: async () => {
		await withDeviations({ messageIn: 'msg' });
		expect((await get('/api/url/9')).data).toEqual({ error: 1, msg: 'Link does not exist.' });
	},

	success: async () => {
		for (const [success, list, one] of [
			['number', ['0'], [0]],
			['zero', [0], [0]],
			['text', ['0'], ['0']],
			['boolean', [false], [false]],
			['inTurn', [false, '0', 0], [false, '0', 0]],
		] as const) {
			await withDeviations({ success });
			expect([await flags('/api/qr'), await flags('/api/account')]).toEqual([new Set(list), new Set(one)]);
		}
	},

	failure: async () => {
		const message = 'Link does not exist.';
		for (const [failure, expected] of [
			['number', [1]],
			['boolean', [true]],
			['text', [message]],
			['inTurn', [true, message, 1]],
		] as const) {
			await withDeviations({ failure });
			expect(await flags('/api/url/9')).toEqual(new Set(expected));
		}
	},

	createdStatus: async () => {
		await withDeviations({ createdStatus: 201 });
		expect((await newLink()).status).toBe(201);
		expect((await create('/api/channel/add', { name: 'New' })).status).toBe(201);
		expect((await get('/api/urls')).status).toBe(200);
	},

	createdIdIn: async () => {
		await withDeviations({ createdIdIn: 'data' });
		const { data } = await newLink();
		expect(Object.keys(data).sort()).toEqual(['data', 'error', 'shorturl']);
		expect(data.data).toEqual({ id: (await sandbox.links()).at(-1)?.id });
	},

	recordsAs: async () => {
		await withDeviations({ recordsAs: 'object' });
		expect(Object.keys((await get('/api/qr?limit=3')).data.data.qrs as object)).toEqual(['0', '1', '2']);
	},

	recordsAt: async () => {
		await withDeviations({ recordsAt: 'top' });
		const { data } = await get('/api/urls?limit=3');
		expect(data).toMatchObject({ error: '0', result: await links(), urls: [{}, {}, {}] });
		expect(data).not.toHaveProperty('data');
	},

	figures: async () => {
		await withDeviations({ figures: 'text' });
		expect((await get('/api/qr?limit=50')).data.data).toMatchObject({ result: '12', maxpage: '1', nextpage: null });
		await withDeviations({ figures: 'missing' });
		expect(Object.keys((await get('/api/qr')).data.data)).toEqual(['qrs']);
	},

	numbersAsText: async () => {
		await withDeviations({ numbersAsText: true });
		expect((await get('/api/urls')).data.data.urls).toContainEqual(
			expect.objectContaining({
				id: expect.stringMatching(/^\d+$/) as string,
				clicks: expect.stringMatching(/^\d+$/) as string,
			}),
		);
		expect((await newLink()).data.id).toMatch(/^\d+$/);
		const link = await firstLink();
		expect((await get(`/api/url/${link.id}`)).data.details.id).toBe(link.id);
	},

	lastNextPage: async () => {
		for (const [lastNextPage, nextpage] of [
			['null', null],
			['same', 1],
			['plusOne', 2],
		] as const) {
			await withDeviations({ lastNextPage });
			expect((await get('/api/qr?limit=50')).data.data.nextpage).toBe(nextpage);
		}
	},

	defaultPageSize: async () => {
		await withDeviations({ defaultPageSize: 7 });
		expect((await get('/api/urls')).data.data).toMatchObject({ perpage: 7 });
	},

	pageCap: async () => {
		await withDeviations({ pageCap: 5 });
		expect((await get('/api/urls?limit=20')).data.data).toMatchObject({ perpage: 5, maxpage: 5 });
		await withDeviations({ pageCap: null });
		expect((await get('/api/urls?limit=5000')).data.data).toMatchObject({ perpage: 5000, maxpage: 1 });
	},

	pageFloor: async () => {
		await withDeviations({ pageFloor: 30, pageCap: 30 });
		expect((await get('/api/urls?limit=7')).data.data).toMatchObject({ perpage: 30 });
		expect((await get('/api/urls?limit=40')).data.data).toMatchObject({ perpage: 30 });
	},

	toldPageSize: async () => {
		await withDeviations({ pageCap: 5, toldPageSize: 'asked' });
		expect((await get('/api/urls?limit=20')).data.data).toMatchObject({ perpage: 20, maxpage: 5 });
		await withDeviations({ pageCap: 5, toldPageSize: 'granted' });
		expect((await get('/api/urls?limit=20')).data.data).toMatchObject({ perpage: 5, maxpage: 5 });
	},

	emptyCollection: async () => {
		await withDeviations({ emptyCollection: 'missing' }, { records: { qrs: 0 } });
		expect((await get('/api/qr')).data.data).not.toHaveProperty('qrs');
		expect((await get('/api/urls')).data.data).toHaveProperty('urls');
	},

	msPerRecord: async () => {
		await withDeviations({ msPerRecord: 10 });
		const began = Date.now();
		await get('/api/urls?limit=20');
		expect(Date.now() - began).toBeGreaterThanOrEqual(195);
	},

	gatewayMs: async () => {
		await withDeviations({ msPerRecord: 100, gatewayMs: 150 });
		const began = Date.now();
		expect((await get('/api/urls?limit=20')).status).toBe(504);
		expect(Date.now() - began).toBeLessThan(1900);
		expect((await get('/api/urls?limit=1')).status).toBe(200);
	},

	gatewayAnswer: async () => {
		const slow = { msPerRecord: 10, gatewayMs: 20 };
		for (const [gatewayAnswer, status] of [
			['status504', 504],
			['status502', 502],
		] as const) {
			await withDeviations({ ...slow, gatewayAnswer });
			const answer = await get('/api/urls');
			expect([answer.status, answer.headers['content-type']]).toEqual([status, expect.stringContaining('text/html')]);
		}
		for (const gatewayAnswer of ['dropped', 'cutOff'] as const) {
			await withDeviations({ ...slow, gatewayAnswer });
			await expect(get('/api/urls')).rejects.toThrow(/socket hang up|aborted/);
		}
	},

	validationError: async () => {
		await withDeviations({ validationError: 'empty' });
		expect(await newLink({ url: 'nonsense' })).toMatchObject({ status: 200, data: '' });
		expect((await newLink({ campaign: 9 })).data).toMatchObject({ error: 1 });
	},

	planFull: async () => {
		const before = await links();
		await withDeviations({ planFull: 'envelope' });
		expect((await newLink()).data).toMatchObject({ error: 1 });
		await withDeviations({ planFull: 'page' });
		const { status, headers } = await newLink();
		expect([status, headers['content-type']]).toEqual([500, expect.stringContaining('text/html')]);
		expect(await links()).toBe(before);
	},

	wrongQrData: async () => {
		await withDeviations({ wrongQrData: 'page' });
		const { status, headers } = await create('/api/qr/add', { type: 'link', data: { address: 'x' } });
		expect([status, headers['content-type']]).toEqual([500, expect.stringContaining('text/html')]);
	},

	missing: async () => {
		const lacking = async () => {
			const { endpoints } = await loadContract();
			const answers = await Promise.all(
				endpoints
					.filter(({ method }) => method === 'GET' || method === 'DELETE')
					.map(async ({ operationId, method, path }) => {
						const { status } = await api.request({ method, url: path.replace(/\{\w+\}/g, '9') });
						return status === 404 ? operationId : undefined;
					}),
			);
			return answers.filter((name) => name !== undefined).sort();
		};
		for (const [missing, expected] of [
			['none', []],
			['pixels', ['pixelDelete', 'pixelGetAll']],
			['linkChanges', ['linkDelete']],
			['leftOut', ['linkDelete', 'pixelDelete', 'pixelGetAll']],
			[
				'lists',
				[
					'campaignGetAll',
					'channelGetAll',
					'channelGetItems',
					'domainGetAll',
					'overlayGetAll',
					'pixelGetAll',
					'qrCodeGetAll',
					'splashPageGetAll',
				],
			],
		] as const) {
			await withDeviations({ missing });
			expect([missing, await lacking()]).toEqual([missing, expected]);
		}
	},

	missingAnswer: async () => {
		for (const [missingAnswer, status, type] of [
			['status404', 404, 'application/json'],
			['status405', 405, 'application/json'],
			['page', 404, 'text/html'],
			['page405', 405, 'text/html'],
		] as const) {
			await withDeviations({ missing: 'pixels', missingAnswer });
			const answer = await get('/api/pixels');
			expect([answer.status, answer.headers['content-type']]).toEqual([status, expect.stringContaining(type)]);
		}
	},

	knownLongUrl: async () => {
		await withDeviations({ knownLongUrl: 'returned' });
		const first = (await newLink({ custom: 'first' })).data;
		expect((await newLink({ custom: 'second' })).data).toEqual(first);
		expect((await sandbox.stats()).created.links).toBe(1);
	},

	aliasDropped: async () => {
		await withDeviations({ aliasDropped: true });
		expect((await newLink({ custom: 'wanted' })).data).toMatchObject({
			error: 0,
			shorturl: expect.not.stringContaining('wanted') as string,
		});
	},

	domainDropped: async () => {
		await withDeviations({ domainDropped: true });
		const [{ domain }] = await sandbox.records('domains');
		expect((await newLink({ domain, custom: 'wanted' })).data.shorturl).toBe(`${sandbox.url}/wanted`);
	},

	targetsDropped: async () => {
		await withDeviations({ targetsDropped: true });
		const geotarget = [{ location: 'Germany', link: 'https://example.com/de' }];
		const { id } = (await newLink({ geotarget })).data;
		expect((await get(`/api/url/${String(id)}`)).data.details.location).toEqual({});
	},

	aliasLength: async () => {
		await withDeviations({ aliasLength: '3to50' });
		for (const [length, error] of [
			[2, 1],
			[3, 0],
			[50, 0],
			[51, 1],
		])
			expect([length, (await newLink({ custom: 'x'.repeat(length) })).data.error]).toEqual([length, error]);
	},

	aliasUnique: async () => {
		for (const [aliasUnique, error] of [
			['domain', 0],
			['account', 1],
		] as const) {
			await withDeviations({ aliasUnique });
			const [{ domain }] = await sandbox.records('domains');
			await newLink({ custom: 'wanted' });
			expect((await newLink({ custom: 'wanted', domain })).data.error).toBe(error);
			expect((await newLink({ custom: 'wanted' })).data.error).toBe(1);
		}
	},

	expiryAhead: async () => {
		await withDeviations({ expiryAhead: true });
		const expiry = '2020-01-01 00:00:00';
		expect((await newLink({ expiry })).data.error).toBe(1);
		const { id } = (await sandbox.createRecords({ links: [{ expiry }] })).links[0];
		const update = async (to: string) =>
			(await api.put<Body>(`/api/url/${id}/update`, { url: 'https://example.com', expiry: to })).data.error;
		expect([await update(expiry), await update('2020-02-02 00:00:00')]).toEqual([0, 1]);
	},

	unknownDomain: async () => {
		await withDeviations({ unknownDomain: 'replaced' });
		const { shorturl } = (await newLink({ domain: 'https://unknown.example', custom: 'wanted' })).data;
		expect(shorturl).toBe(`${sandbox.url}/wanted`);
	},

	createReply: async () => {
		for (const [createReply, keys, made] of [
			['full', ['error', 'id', 'shorturl'], 1],
			['shorturl', ['error', 'shorturl'], 1],
			['bare', ['error'], 1],
			['nothingMade', ['error', 'message'], 0],
		] as const) {
			await withDeviations({ createReply });
			const { data } = await newLink();
			expect([createReply, data.error, Object.keys(data)]).toEqual([createReply, 0, keys]);
			expect((await sandbox.stats()).created.links).toBe(made);
		}
	},

	shortLinksElsewhere: async () => {
		await withDeviations({ shortLinksElsewhere: true });
		const shorturl = String((await newLink({ custom: 'wanted' })).data.shorturl);
		expect(new URL(shorturl).host).not.toBe(new URL(sandbox.url).host);
		expect((await api.get(shorturl)).headers.location).toBe('https://example.com/new');
		expect((await get(`/api/urls?short=${shorturl}`)).data).toMatchObject({ details: { shorturl } });
		expect((await get(`/api/urls?short=${sandbox.url}/wanted`)).data).toMatchObject({ error: 1 });
	},

	shortMiss: async () => {
		const path = `/api/urls?short=${sandbox.url}/none`;
		await withDeviations({ shortMiss: 'error' });
		expect(await get(path)).toMatchObject({ status: 200, data: { error: 1 } });
		await withDeviations({ shortMiss: 'emptyList' });
		expect((await get(path)).data.data).toMatchObject({ result: 0, urls: [] });
		await withDeviations({ shortMiss: 'wholeList' });
		expect((await get(path)).data.data).toMatchObject({ result: await links() });
	},

	shortHit: async () => {
		await withDeviations({ shortHit: 'list' });
		const { id, shorturl } = await firstLink();
		expect((await get(`/api/urls?short=${shorturl}`)).data.data).toMatchObject({ result: 1, urls: [{ id, shorturl }] });
		await withDeviations({ shortHit: 'wholeList' });
		expect((await get(`/api/urls?short=${shorturl}`)).data.data).toMatchObject({ result: await links() });
	},

	shortRead: async () => {
		await withDeviations({ shortRead: 'alias' });
		const { alias, shorturl } = await firstLink();
		const path = `/api/urls?short=https://elsewhere.example/below/${alias}`;
		expect((await get(path)).data.details).toMatchObject({ shorturl });
		await withDeviations({ shortRead: 'address' });
		expect((await get(path)).data).toMatchObject({ error: 1 });
	},

	orders: async () => {
		const ids = async (order: string) =>
			((await get(`/api/urls?limit=100&order=${order}`)).data.data.urls as Body[]).map(({ id }) => id);
		const inOrder = async () => [await ids('date'), await ids('click')];
		await withDeviations({ orders: 'both' });
		const [byDate, byClick] = await inOrder();
		expect(byClick).not.toEqual(byDate);
		await withDeviations({ orders: 'date' });
		expect(await inOrder()).toEqual([byDate, byDate]);
		await withDeviations({ orders: 'none' });
		const oldestFirst = [...byDate].reverse();
		expect(await inOrder()).toEqual([oldestFirst, oldestFirst]);
	},

	searchIgnored: async () => {
		await withDeviations({ searchIgnored: true });
		expect((await get('/api/urls?q=nothing-like-that')).data.data).toMatchObject({ result: await links() });
	},

	msPerTarget: async () => {
		await withDeviations({ msPerTarget: 10 });
		const geotarget = ['Germany', 'France'].map((location) => ({ location, link: 'https://example.com/de' }));
		const began = Date.now();
		await newLink({ geotarget });
		expect(Date.now() - began).toBeGreaterThanOrEqual(19);
	},

	overlayTarget: async () => {
		const [{ id }] = await sandbox.records('overlays');
		await withDeviations({ overlayTarget: 'prefixed' });
		expect((await newLink({ type: `overlay-${id}` })).data).toMatchObject({ error: 0 });
		expect((await newLink({ type: String(id) })).data).toMatchObject({ error: 1 });
	},

	statesInLocation: async () => {
		await withDeviations({ statesInLocation: true });
		const location = { germany: 'https://example.com/de', 'united states': { texas: 'https://example.com/tx' } };
		const { id } = (await sandbox.createRecords({ links: [{ location }] })).links[0];
		expect((await get(`/api/url/${id}`)).data.details.location).toEqual({
			germany: { all: 'https://example.com/de' },
			'united states': { texas: 'https://example.com/tx' },
		});
	},

	nullDevice: async () => {
		await withDeviations({ nullDevice: true });
		const devicetarget = [{ device: 'iPhone', link: 'https://example.com/ios' }];
		const [without, having] = [(await newLink()).data.id, (await newLink({ devicetarget })).data.id];
		expect((await get(`/api/url/${String(without)}`)).data.details.device).toBeNull();
		expect((await get(`/api/url/${String(having)}`)).data.details.device).toEqual({
			iphone: 'https://example.com/ios',
		});
	},

	emptyStatistics: async () => {
		for (const [emptyStatistics, topOs] of [
			['zero', 0],
			['object', {}],
		] as const) {
			await withDeviations({ emptyStatistics });
			const { id } = (await newLink()).data;
			expect((await get(`/api/url/${String(id)}`)).data.data).toMatchObject({ topOs });
		}
	},

	linkUpdate: async () => {
		const fields = { custom: 'wanted', expiry: '2031-01-01 00:00:00', description: 'note', password: 'open' };
		for (const [linkUpdate, expiry, description, unseen] of [
			['keeps', fields.expiry, 'note', { password: 'open' }],
			['resets', null, '', {}],
		] as const) {
			await withDeviations({ linkUpdate });
			const { id } = (await newLink(fields)).data;
			await api.put(`/api/url/${String(id)}/update`, { url: 'https://example.com/changed' });
			expect((await sandbox.links()).find((link) => link.id === id)).toMatchObject({
				longurl: 'https://example.com/changed',
				alias: 'wanted',
				expiry,
				description,
				unseen,
			});
			expect((await sandbox.ledger()).at(-1)).toMatchObject({ kind: 'updated', collection: 'links', id });
		}
	},

	linkUpdateReply: async () => {
		for (const linkUpdateReply of ['short', 'shorturl'] as const) {
			await withDeviations({ linkUpdateReply });
			const { id, longurl, shorturl } = await firstLink();
			const { data } = await api.put<Body>(`/api/url/${id}/update`, { url: longurl });
			expect(data).toEqual({ error: 0, id, [linkUpdateReply]: shorturl });
		}
	},

	moreFields: async () => {
		await withDeviations({ moreFields: true });
		const record = async (path: string, name: string) =>
			Object.keys(((await get(path)).data.data[name] as object[])[0]);
		expect(await record('/api/urls', 'urls')).toEqual(
			expect.arrayContaining(['uniqueclicks', 'domain', 'campaign', 'channel']),
		);
		expect(await record('/api/campaigns', 'campaigns')).toEqual(expect.arrayContaining(['views', 'slug', 'date']));
		expect((await get('/api/account')).data.data).toHaveProperty('planid');
	},

	overlayCollection: async () => {
		await withDeviations({ overlayCollection: 'overlay' });
		const { data } = (await get('/api/overlay')).data;
		expect(data).not.toHaveProperty('cta');
		expect(data.overlay).toHaveLength(4);
	},

	campaignNameIn: async () => {
		await withDeviations({ campaignNameIn: 'campaign' });
		const { data } = await create('/api/campaign/add', { name: 'Fair' });
		expect(data).toMatchObject({ campaign: 'Fair' });
		expect(data).not.toHaveProperty('domain');
		const { data: updated } = await api.put<Body>(`/api/campaign/${String(data.id)}/update`, { name: 'Market' });
		expect(updated).toMatchObject({ campaign: 'Market' });
	},

	capitalNames: async () => {
		await withDeviations({ capitalNames: true });
		expect((await create('/api/campaign/add', { name: 'spring sale' })).data.domain).toBe('Spring sale');
	},

	uniqueNames: async () => {
		await withDeviations({ uniqueNames: true });
		expect((await create('/api/campaign/add', {})).data).toMatchObject({ error: 1 });
		for (const [path, message] of [
			['/api/campaign', 'You already have a campaign with that name.'],
			['/api/channel', 'You already have a channel with this name.'],
		]) {
			const { id } = (await create(`${path}/add`, { name: 'Once' })).data;
			const again = await create(`${path}/add`, { name: 'Once' });
			expect([again.status, again.data]).toEqual([400, { error: 1, message }]);
			expect((await api.put(`${path}/${String(id)}/update`, { name: 'Once' })).status).toBe(200);
		}
	},

	shortestName: async () => {
		await withDeviations({ shortestName: 2 });
		for (const path of ['/api/campaign/add', '/api/channel/add'])
			expect([(await create(path, { name: 'x' })).data.error, (await create(path, { name: 'xy' })).data.error]).toEqual(
				[1, 0],
			);
	},

	channelUpdateReply: async () => {
		await withDeviations({ channelUpdateReply: 'channel' });
		const [{ id, name, color, starred }] = await sandbox.records('channels');
		const { data } = await api.put<Body>(`/api/channel/${id}/update`, { description: 'Other' });
		expect(data).toEqual({ error: 0, id, name, description: 'Other', color, starred });
	},

	sharedDomains: async () => {
		await withDeviations({ sharedDomains: 2 });
		const { result, domains } = (await get('/api/domains')).data.data as { result: number; domains: Body[] };
		expect([result, domains.map(({ id }) => id === null)]).toEqual([3, [false, false, false, true, true]]);
		expect(((await get('/api/domains?limit=2')).data.data.domains as Body[]).map(({ id }) => id)).not.toContain(null);
	},

	qrTypes: async () => {
		for (const [qrTypes, error] of [
			['document', 1],
			['more', 0],
		] as const) {
			await withDeviations({ qrTypes });
			const { data } = await create('/api/qr/add', { type: 'whatsapp', data: { phone: '+49 30 123456' } });
			expect([qrTypes, data.error]).toEqual([qrTypes, error]);
		}
	},

	qrLink: async () => {
		const follow = async () => {
			const { link } = (await create('/api/qr/add', { type: 'link', data: 'https://example.com/poster' })).data;
			const answers = [await api.get(String(link)), await api.get(String(link))];
			return answers.map(({ headers }) => String(headers.location ?? headers['content-type']));
		};
		await withDeviations({ qrLink: 'content' });
		expect(await follow()).toEqual(['https://example.com/poster', 'https://example.com/poster']);
		await withDeviations({ qrLink: 'picture' });
		expect(await follow()).toEqual(['image/svg+xml', 'image/svg+xml']);
		await withDeviations({ qrLink: 'storedPicture' });
		const [picture, stored] = await follow();
		expect(picture).toBe('image/svg+xml');
		expect(new URL(stored).host).not.toBe(new URL(sandbox.url).host);
		expect((await axios.get(stored)).headers['content-type']).toBe('image/png');
		expect((await sandbox.pictureRequests()).map(({ host, authorized }) => [host, authorized])).toEqual([
			['service', true],
			['service', true],
			['store', false],
		]);
	},

	qrDateInData: async () => {
		await withDeviations({ qrDateInData: true });
		const [{ id, date }] = await sandbox.qrs();
		const { details } = (await get(`/api/qr/${id}`)).data;
		expect(details).toMatchObject({ id, data: date });
		expect(details).not.toHaveProperty('date');
	},

	qrStatistics: async () => {
		await withDeviations({ qrStatistics: 'links' });
		for (const [type, statistics] of [
			['link', true],
			['text', false],
		] as const) {
			const { id } = (await create('/api/qr/add', { type, data: 'https://example.com' })).data;
			expect([type, 'data' in (await get(`/api/qr/${String(id)}`)).data]).toEqual([type, statistics]);
		}
	},

	qrUpdateType: async () => {
		for (const [qrUpdateType, type] of [
			['taken', 'text'],
			['ignored', 'link'],
		] as const) {
			await withDeviations({ qrUpdateType });
			const [{ id }] = await sandbox.qrs();
			await api.put(`/api/qr/${id}/update`, { type: 'text', data: 'hello' });
			expect((await sandbox.qrs())[0]).toMatchObject({ type, data: 'hello' });
		}
	},
};

test.each(Object.keys(DEVIATIONS) as DeviationName[])('%s', async (name) => {
	await tests[name]();
});

test("the field's dialect sets all of its values at once, and single ones go before it", async () => {
	await sandbox.reset({ dialect: 'field', deviations: { numbersAsText: false }, limit: { requests: 1 } });
	const { headers, data } = await get('/api/overlay');
	expect(data.data.overlay).toContainEqual(expect.objectContaining({ id: expect.any(Number) as number }));
	expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThan(Date.now() / 1000);
	expect(await get('/api/account')).toMatchObject({ status: 200, data: { error: 429 } });
	await sandbox.configure({ deviations: { refusal: 'status429' } });
	expect((await get('/api/account')).status).toBe(429);
});

test('requests are counted by operation', async () => {
	await sandbox.reset();
	await get('/api/urls');
	await get('/api/urls?page=2');
	await newLink();
	expect((await sandbox.stats()).byOperation).toEqual({ linkGetAll: 2, linkCreate: 1 });
});

test('are read from the command line', () => {
	expect(readDeviations(['refusal=status429Body', 'capitalNames', 'pageCap=none', 'msPerRecord=8'])).toEqual({
		refusal: 'status429Body',
		capitalNames: true,
		pageCap: null,
		msPerRecord: 8,
	});
	expect(() => readDeviations(['refusals=1'])).toThrow('no deviation refusals');
	expect(() => readDeviations(['refusal=loud'])).toThrow('refusal must be one of status429, status200');
	expect(() => readDeviations(['msPerRecord=soon'])).toThrow('whole number');
});

test('are all described, with the values of either dialect', () => {
	const text = describeDeviations();
	for (const name of Object.keys(behaviourOf('field'))) expect(text).toContain(`  ${name} (document: `);
});

/**
 * Deviations that the doctor does not see, or that few services drawn for it have, each set alone: a request, and the answer over
 * HTTP. All others test/anyService/doctor.test.ts finds.
 */
import axios, { type AxiosInstance, type AxiosResponse } from 'axios';

import { startSandbox, type Behaviour, type Sandbox, type SandboxState } from '.';
import { clientOf } from './client';
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

async function links(): Promise<number> {
	return (await sandbox.links()).length;
}

const tests: Partial<Record<DeviationName, () => Promise<void>>> = {
	refusal: async () => {
		const message = expect.any(String) as string;
		const limited = { error: 429, message, 'Retry-After': expect.any(Number) as number };
		const expected: Array<[Behaviour['refusal'], number, unknown]> = [
			['status429', 429, { error: 1, message }],
			['status200', 200, limited],
			['status429Body', 429, limited],
			['status429Text', 429, expect.stringMatching(/^\w+/)],
		];
		for (const [refusal, status, body] of expected) {
			await withDeviations({ refusal }, { limit: { requests: 0 } });
			const answer = await get('/api/account');
			expect([refusal, answer.status, answer.data]).toEqual([refusal, status, body]);
			expect((await sandbox.stats()).refused).toBe(1);
		}
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

	authorizationDropped: async () => {
		await withDeviations({ authorizationDropped: true });
		expect(await get('/api/account')).toMatchObject({
			status: 401,
			data: { message: 'A valid API key is required to use this service.' },
		});
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

	planFull: async () => {
		const before = await links();
		await withDeviations({ planFull: 'envelope' });
		expect((await newLink()).data).toMatchObject({ error: 1 });
		await withDeviations({ planFull: 'page' });
		const { status, headers } = await newLink();
		expect([status, headers['content-type']]).toEqual([500, expect.stringContaining('text/html')]);
		expect(await links()).toBe(before);
	},

	msPerTarget: async () => {
		await withDeviations({ msPerTarget: 10 });
		const geotarget = ['Germany', 'France'].map((location) => ({ location, link: 'https://example.com/de' }));
		const began = Date.now();
		await newLink({ geotarget });
		expect(Date.now() - began).toBeGreaterThanOrEqual(19);
	},

	shortestName: async () => {
		await withDeviations({ shortestName: 2 });
		for (const path of ['/api/campaign/add', '/api/channel/add'])
			expect([(await create(path, { name: 'x' })).data.error, (await create(path, { name: 'xy' })).data.error]).toEqual(
				[1, 0],
			);
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

test.each(Object.entries(tests))('%s', async (_name, check) => {
	await check();
});

/** Shown by the limiter's own test, and by test/engine/lists.test.ts. */
const ELSEWHERE: DeviationName[] = ['window', 'msPerRecord', 'gatewayMs', 'gatewayAnswer'];

test('each deviation that the doctor does not see is shown here or elsewhere', () => {
	const names = Object.keys(DEVIATIONS) as DeviationName[];
	const unseen = names.filter((name) => DEVIATIONS[name].seen.startsWith('never'));
	expect([...Object.keys(tests), ...ELSEWHERE]).toEqual(expect.arrayContaining(unseen));
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

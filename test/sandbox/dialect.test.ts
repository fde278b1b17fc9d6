/**
 * Deviations that the doctor does not see, or that few services drawn for it have, each set alone: a request, and the answer over
 * HTTP. All others test/anyService/doctor.test.ts finds.
 */
import type { AxiosInstance } from 'axios';

import type { Behaviour, Sandbox } from '.';
import { clientOf } from './client';
import { DEVIATION_NAMES, DEVIATIONS } from './dialect';
import { freshSandbox } from './fresh';

let sandbox: Sandbox;
let api: AxiosInstance;

freshSandbox({}, (started) => {
	sandbox = started;
	api = clientOf(started);
});

afterEach(async () => {
	expect(await sandbox.violations()).toEqual([]);
});

type Request = [method: string, path: string, body?: object];

async function send([method, url, data]: Request): Promise<[status: number, answer: unknown]> {
	const { status, data: answer } = await api.request<unknown>({ method, url, data });
	return [status, answer];
}

const ACCOUNT: Request = ['GET', '/api/account'];
const LIST: Request = ['GET', '/api/urls'];
const LINK: Request = ['POST', '/api/url/add', { url: 'https://example.com/new' }];
const campaign = (name: string): Request => ['POST', '/api/campaign/add', { name }];
const channel = (name: string): Request => ['POST', '/api/channel/add', { name }];
const message = expect.any(String) as string;
const error = { error: 1, message };
const limited = { error: 429, message, 'Retry-After': expect.any(Number) as number };

const ANSWERS: Array<[Partial<Behaviour>, Request, status: number, answer: unknown]> = [
	[{ refusal: 'status429' }, ACCOUNT, 429, error],
	[{ refusal: 'status200' }, ACCOUNT, 200, limited],
	[{ refusal: 'status429Body' }, ACCOUNT, 429, limited],
	[{ refusal: 'status429Text' }, ACCOUNT, 429, expect.stringMatching(/^\w+/)],
	[{ authorizationDropped: true }, ACCOUNT, 401, { error: 1, message: expect.stringMatching(/^A valid API key/) }],
	[{ access: 'plan' }, ACCOUNT, 403, error],
	[{ access: 'plan' }, LIST, 403, error],
	[{ access: 'suspended' }, ACCOUNT, 403, error],
	[{ access: 'suspended' }, LIST, 403, error],
	[{ access: 'account' }, ACCOUNT, 403, error],
	[{ access: 'account' }, LIST, 200, expect.objectContaining({ error: '0' })],
	[{ rights: 'link' }, ACCOUNT, 200, error],
	[{ rights: 'link' }, LIST, 200, expect.objectContaining({ error: '0' })],
	[{ rights: 'others' }, ACCOUNT, 200, error],
	[{ planFull: 'envelope' }, LINK, 200, error],
	[{ planFull: 'page' }, LINK, 500, expect.stringMatching(/^<!DOCTYPE html>/)],
	[{ shortestName: 2 }, campaign('x'), 200, error],
	[{ shortestName: 2 }, channel('x'), 200, error],
	[{ shortestName: 2 }, campaign('xy'), 200, expect.objectContaining({ error: 0 })],
	[{ shortestName: 2 }, channel('xy'), 200, expect.objectContaining({ error: 0 })],
];

test.each(ANSWERS)('%j: %j', async (deviations, request, status, answer) => {
	await sandbox.reset({ deviations, ...('refusal' in deviations ? { limit: { requests: 0 } } : {}) });
	const received = await send(request);
	expect(received).toEqual([status, answer]);
	expect(await sandbox.ledger()).toHaveLength((received[1] as { error?: unknown }).error === 0 ? 1 : 0);
	expect((await sandbox.stats()).refused).toBe('refusal' in deviations ? 1 : 0);
});

/** The limiter's own test shows the first, test/engine/lists.test.ts the others. */
const ELSEWHERE = ['window', 'msPerRecord', 'gatewayMs', 'gatewayAnswer'];

test('each deviation that the doctor does not see is shown here or elsewhere', () => {
	const unseen = DEVIATION_NAMES.filter((name) => DEVIATIONS[name].seen.startsWith('never'));
	const shown = [...ANSWERS.flatMap(([deviations]) => Object.keys(deviations)), ...ELSEWHERE];
	expect([...shown, 'unlimited', 'msPerTarget', 'qrUpdateType']).toEqual(expect.arrayContaining(unseen));
});

test('unlimited', async () => {
	await sandbox.reset({ deviations: { unlimited: true } });
	for (let request = 0; request < 40; request++) await send(ACCOUNT);
	expect(await sandbox.stats()).toMatchObject({ requests: 40, refused: 0 });
});

test('msPerTarget', async () => {
	await sandbox.reset({ deviations: { msPerTarget: 10 } });
	const geotarget = ['Germany', 'France'].map((location) => ({ location, link: 'https://example.com/de' }));
	const began = Date.now();
	await send(['POST', '/api/url/add', { url: 'https://example.com/new', geotarget }]);
	expect(Date.now() - began).toBeGreaterThanOrEqual(19);
});

test.each([
	['taken', 'text'],
	['ignored', 'link'],
] as const)('qrUpdateType: %s', async (qrUpdateType, type) => {
	await sandbox.reset({ deviations: { qrUpdateType } });
	const [{ id }] = await sandbox.qrs();
	await send(['PUT', `/api/qr/${id}/update`, { type: 'text', data: 'hello' }]);
	expect((await sandbox.qrs())[0]).toMatchObject({ type, data: 'hello' });
});

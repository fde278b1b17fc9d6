import type { AxiosInstance, AxiosResponse } from 'axios';
import type { LimitSettings, Sandbox } from '.';
import { clientOf } from './client';
import { freshSandbox } from './fresh';
import { DEFAULT_LIMIT, Limiter } from './limit';

describe('the limiter', () => {
	const limiter = (settings: Partial<LimitSettings>) =>
		new Limiter({ ...DEFAULT_LIMIT, requests: 3, windowMs: 1000, ...settings });
	const refused = (subject: Limiter, times: number[]) => times.filter((at) => !subject.take('key', at).allowed);

	it('begins fixed windows on whole multiples of the window', () => {
		expect(refused(limiter({}), [900, 910, 920, 930, 999, 1000, 1001, 1002, 1003, 2000])).toEqual([930, 999, 1003]);
		expect(limiter({}).take('key', 1234)).toEqual({ allowed: true, limit: 3, remaining: 2, resetAt: 2000 });
	});

	it('begins fixed windows at the first request when asked to', () => {
		const subject = limiter({ begin: 'firstRequest' });
		expect(refused(subject, [900, 910, 920, 1000, 1899, 1900])).toEqual([1000, 1899]);
		expect(subject.take('key', 1950).resetAt).toBe(2900);
	});

	it('refuses through the whole second of its reset when asked to', () => {
		const subject = limiter({ requests: 1, begin: 'firstRequest', wholeSeconds: true });
		expect(refused(subject, [900, 1900, 1999, 2000])).toEqual([1900, 1999]);
		const verdict = subject.take('key', 3100);
		expect([verdict.allowed, subject.secondsToReset(verdict, 3100)]).toEqual([false, 0]);
		expect(subject.headers(verdict)).toMatchObject({ 'X-RateLimit-Reset': '3' });
	});

	it('slides: each request leaves the window on its own', () => {
		const subject = limiter({ kind: 'sliding' });
		expect(refused(subject, [100, 500, 900, 1000, 1099, 1100, 1101, 1500])).toEqual([1000, 1099, 1101]);
		expect(subject.take('key', 1600)).toMatchObject({ allowed: false, remaining: 0, resetAt: 1900 });
	});

	it('counts each key apart and follows a changed limit', () => {
		const subject = limiter({ kind: 'sliding' });
		expect(refused(subject, [0, 10, 20, 30])).toEqual([30]);
		expect(subject.take('other', 30).remaining).toBe(2);
		subject.settings = { ...subject.settings, requests: 1 };
		expect(subject.take('key', 40)).toMatchObject({ allowed: false, limit: 1, resetAt: 1020 });
		subject.settings = { ...subject.settings, requests: 5 };
		expect(subject.take('key', 50)).toMatchObject({ allowed: true, limit: 5, remaining: 1 });
	});
});

describe('the limit over HTTP', () => {
	let sandbox: Sandbox;
	let api: AxiosInstance;

	freshSandbox({}, (started) => {
		sandbox = started;
		api = clientOf(started);
	});

	const send = async (key = sandbox.apiKey): Promise<AxiosResponse> =>
		await api.get('/api/account', { headers: { Authorization: `Bearer ${key}` } });

	// Windows of almost 32 years: no new one begins while a test runs.
	const LONG = 1_000_000_000_000;

	it('is 30 requests a minute unless told otherwise, and refuses before any work', async () => {
		await sandbox.reset({ limit: { windowMs: LONG } });
		const answers = [];
		for (let index = 0; index < 31; index++) answers.push(await send());
		expect(answers.map(({ headers }) => Number(headers['x-ratelimit-remaining']))).toEqual([
			...[...Array(30).keys()].reverse(),
			0,
		]);
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
		expect(answers[30]).toMatchObject({ status: 429, headers: { 'x-ratelimit-limit': '30' } });
		expect(answers[30].headers['retry-after']).toBeUndefined();
		expect((await sandbox.requests()).at(-1)).toMatchObject({ refused: true, worked: false, status: 429 });
	});

	it('has a budget for each key and lets another client use one up', async () => {
		await sandbox.reset({ limit: { requests: 4, windowMs: LONG }, apiKeys: ['first', 'second'] });
		await sandbox.useBudget(3);
		expect((await send('first')).headers['x-ratelimit-remaining']).toBe('0');
		expect((await send('second')).headers['x-ratelimit-remaining']).toBe('3');
		await sandbox.setLimit({ requests: 6 });
		expect((await send('first')).headers['x-ratelimit-remaining']).toBe('1');
	});

	it.each([
		['seconds', (text: string) => Number(text) * 1000],
		['milliseconds', Number],
	] as const)('tells the reset in %s', async (reset, read) => {
		await sandbox.reset({ limit: { windowMs: LONG, reset } });
		const expected = Math.ceil(Date.now() / LONG) * LONG;
		expect(read(String((await send()).headers['x-ratelimit-reset']))).toBe(expected);
	});

	it('shifts the clock of the reset, and of the Date header', async () => {
		await sandbox.reset({ limit: { windowMs: LONG } });
		await sandbox.setClock({ skewMs: 2 * LONG });
		const { headers } = await send();
		expect(Number(headers['x-ratelimit-reset'])).toBe((Math.ceil(Date.now() / LONG) + 2) * (LONG / 1000));
		expect(Math.abs(Date.parse(String(headers.date)) - Date.now() - 2 * LONG)).toBeLessThan(5000);
	});
});

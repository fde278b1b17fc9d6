/**
 * The package between a user who pastes anything and a service that answers anything: the key leaves for the service alone
 * and stands in nothing that n8n shows or saves, and no answer does harm.
 */
import { gzipSync } from 'zlib';

import { OPERATIONS } from '../documentation/examples';
import { CONTINUE } from './account';
import { quickTime } from './clock';
import { by, type Credential } from './host';
import { serve } from './serve';
import { openService, run, sandbox } from './service';
import { operationWay, textsOf, WAYS, type Way } from './ways';

quickTime(2);
openService({ onViolation: () => undefined });

/** A key with characters that other notations write in another way. */
const KEY = 'k3y/secret+"quoted"=1';

const continued = OPERATIONS.map((example): [string, Way] => [
	`${example.operation}, continued`,
	operationWay(example, CONTINUE),
]);

/** Goes every way at once, each with a key of its own, lest one wait for another: its name, what is seen and kept of it, and its failure. */
async function everyWay(credential: Credential, names?: string[]): Promise<Array<[string, string, string?]>> {
	const ways = [...WAYS, ...continued].filter(([name]) => names?.includes(name) ?? true);
	return await Promise.all(
		ways.map(async ([name, go], at): Promise<[string, string, string?]> => {
			const { left, message } = await go({ ...credential, apiKey: `${credential.apiKey}${at}` });
			return [name, textsOf(left).join('\n'), message];
		}),
	);
}

/** Goes every way to a service where each but one fails with this, and holds it against what may not leave. */
async function expectEachFails(credential: Credential, told: unknown, secrets: string[], but?: string): Promise<void> {
	for (const [name, text, message] of await everyWay(credential)) {
		if (!name.endsWith(', continued') && name !== but) expect([name, message]).toEqual([name, told]);
		for (const secret of secrets) expect([name, text]).toEqual([name, expect.not.stringContaining(secret)]);
	}
}

const jsonText = (text: string) => JSON.stringify(text).slice(1, -1);
/** The key in the notations in which it could get into text. */
const NOTATIONS = [KEY, jsonText(KEY), jsonText(jsonText(KEY)), encodeURIComponent(KEY)];

const json = { 'Content-Type': 'application/json' };
type Answer = [status: number, headers: Record<string, string>, body: string | Buffer];

/** A service that answers each request so. */
async function answering(answer: (key: string, path: string) => Answer): Promise<Credential> {
	const baseUrl = await serve((request, response) => {
		request.resume();
		const key = (request.headers.authorization ?? '').replace(/^Bearer /, '');
		const [status, headers, body] = answer(key, request.url ?? '');
		response.writeHead(status, headers).end(body);
	});
	return { baseUrl, apiKey: KEY };
}

describe('the key', () => {
	test('stands nowhere when the service can not be reached', async () => {
		const nobody = { baseUrl: 'http://127.0.0.1:9', apiKey: KEY };
		await expectEachFails(nobody, expect.stringMatching(/refused the connection/), NOTATIONS);
	});

	test.each([301, 302, 303, 307, 308])('goes to no other host by a redirect with %d', async (status) => {
		const strangers: string[] = [];
		const elsewhere = await serve((request, response) => {
			strangers.push(`${request.method} ${request.url}`);
			response.end('{"error":0}');
		});
		const credential = await answering((_key, path) => [status, { Location: elsewhere + path }, '']);
		await expectEachFails(credential, expect.stringContaining(`redirects to ${elsewhere}`), NOTATIONS);
		expect(strangers).toEqual([]);
	});

	test.each(['key\r\nX-Injected: 1', 'key\nX-Injected: 1', 'k\u0000ey', 'clé-Ω'])(
		'that no header can hold is refused as such: %j',
		async (apiKey) => {
			const seen: string[] = [];
			const { baseUrl } = await answering((key) => {
				seen.push(key);
				return [200, {}, '{"error":0}'];
			});
			await expectEachFails({ baseUrl, apiKey }, expect.stringMatching(/API Key/), [apiKey, jsonText(apiKey)]);
			expect(seen).toEqual([]);
		},
	);
});

describe('answers that would do harm', () => {
	const MEGABYTE = 1024 * 1024;
	const nested = (depth: number) => `{"error":0,"id":1,"data":${'['.repeat(depth)}${']'.repeat(depth)}}`;

	test.each<[string, Record<string, string>, () => string | Buffer]>([
		['a web page of 1 MB', { 'Content-Type': 'text/html' }, () => `<html>${'<p>x</p>'.repeat(MEGABYTE / 8)}`],
		[
			'4 MB of spaces, compressed to 4 KB',
			{ ...json, 'Content-Encoding': 'gzip' },
			() => gzipSync(' '.repeat(4 * MEGABYTE)),
		],
		['JSON that is 20,000 levels deep', json, () => nested(20_000)],
		['a message of 1 MB', json, () => JSON.stringify({ error: 1, message: 'x'.repeat(MEGABYTE) })],
	])('%s: said in a few words', async (_what, headers, body) => {
		const content = body();
		const credential = await answering(() => [200, headers, content]);
		const operations = ['account:get', 'account:update', 'link:create', 'link:getAll'];
		const ways = [...operations, 'searchLinks', 'linkCreated, activated', 'credential test'];
		for (const [name, text, message] of await everyWay(credential, ways)) {
			expect([name, message]).toEqual([name, expect.any(String)]);
			expect([name, message!.length < 1000, text.length < 200_000]).toEqual([name, true, true]);
		}
	});

	test('names that every object has already change nothing but the record that holds them', async () => {
		const hostile =
			'"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":2';
		const record = `{"id":1,${hostile},"topCountries":{${hostile}}}`;
		const lists = ['campaigns', 'channels', 'items', 'qrs', 'domains', 'cta', 'splash', 'urls']
			.map((name) => `"${name}":[${record}]`)
			.join(',');
		const data = `{"result":1,"perpage":9,"maxpage":1,${hostile},${lists}}`;
		const body = `{"error":"0",${hostile},"id":1,"details":${record},"data":${data}}`;
		const traces = await everyWay(await answering(() => [200, json, body]));
		expect({}).not.toHaveProperty('polluted');
		expect(Object.keys(Object.prototype)).toEqual([]);
		expect(traces.filter(([, , message]) => /is not a function|Cannot|undefined/.test(message ?? ''))).toEqual([]);
	});
});

describe('input that would do harm', () => {
	test.each(['id', 'list', 'name'])('an ID that leads elsewhere is none, by %s', async (mode) => {
		const traversals = ['../../account', '1/../../account', '1%2F..%2Faccount', '..%2f..%2faccount', '1?page=2', '1#x'];
		const others = [
			'1\r\nX-Injected: 1',
			'1\u0000',
			'http://elsewhere.example/1',
			'//elsewhere.example/1',
			'1e3',
			'０１',
		];
		const rows = [...traversals, ...others].map((id) => ({ id }));
		const campaignId = by(mode, '={{ $json.id }}');
		const { items } = await run({ resource: 'campaign', operation: 'delete', campaignId }, { rows, node: CONTINUE });
		const refused = expect.stringMatching(/^Campaign is not an ID|^There is no campaign named/) as string;
		expect(items.map(({ json: { id, error } }) => [id, error])).toEqual(rows.map(({ id }) => [id, refused]));
		// A name is looked for among those of the service.
		for (const { method, path } of await sandbox.requests()) expect([method, path]).toEqual(['GET', '/api/campaigns']);
	});

	test.each([
		'https://user:pass@links.example.com',
		'https://links.example.com/?key=1',
		'javascript:alert(1)',
		'file:///etc/passwd',
		'https://',
	])('a base URL that is more or less than an address: %s', async (baseUrl) => {
		const told = expect.stringContaining('Base URL') as unknown;
		await expectEachFails({ baseUrl, apiKey: KEY }, told, ['user:pass']);
	});
});

/**
 * The package before a service that answers anything: the key leaves for the service alone and stands in nothing that n8n shows or
 * saves, and no answer does harm.
 */
import { gzipSync } from 'zlib';

import { OPERATIONS } from '../documentation/examples';
import { CONTINUE } from './account';
import { quickClock } from './clock';
import type { Credential } from './host';
import { serve } from './serve';
import { operationWay, textsOf, WAYS, type Way } from './ways';

afterEach(() => jest.restoreAllMocks());

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

/** Goes every way, or these, to a service where each fails with this, and holds it against what may not leave. */
async function expectEachFails(
	credential: Credential,
	told: unknown,
	secrets: string[],
	names?: string[],
): Promise<void> {
	for (const [name, text, message] of await everyWay(credential, names)) {
		if (!name.endsWith(', continued')) expect([name, message]).toEqual([name, told]);
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
		// For the pauses between tries.
		quickClock(2);
		const nobody = { baseUrl: 'http://127.0.0.1:9', apiKey: KEY };
		await expectEachFails(nobody, expect.stringMatching(/refused the connection/), NOTATIONS);
	});

	/** What is special about a status, the transport decides, and not who sends. */
	const aFew = ['account:get', 'account:update', 'link:create', 'link:delete', 'credential test'];

	test.each<[number, string[] | undefined]>([
		[302, undefined],
		[301, aFew],
		[303, aFew],
		[307, aFew],
		[308, aFew],
	])('goes to no other host by a redirect with %d', async (status, names) => {
		const strangers: string[] = [];
		const elsewhere = await serve((request, response) => {
			strangers.push(`${request.method} ${request.url}`);
			response.end('{"error":0}');
		});
		const credential = await answering((_key, path) => [status, { Location: elsewhere + path }, '']);
		await expectEachFails(credential, expect.stringContaining(`redirects to ${elsewhere}`), NOTATIONS, names);
		expect(strangers).toEqual([]);
	});
});

describe('answers that would do harm', () => {
	const MEGABYTE = 1024 * 1024;

	test.each<[string, Record<string, string>, () => string | Buffer]>([
		['a web page of 1 MB', { 'Content-Type': 'text/html' }, () => `<html>${'<p>x</p>'.repeat(MEGABYTE / 8)}`],
		[
			'4 MB of spaces, compressed to 4 KB',
			{ ...json, 'Content-Encoding': 'gzip' },
			() => gzipSync(' '.repeat(4 * MEGABYTE)),
		],
		[
			'15 million empty records, compressed to 44 KB',
			{ ...json, 'Content-Encoding': 'gzip' },
			() => gzipSync(`{"error":"0","data":{"urls":[${'{},'.repeat(15_000_000)}{}]}}`),
		],
		['half of an answer of 2 MB', json, () => `{"error":0,"data":"${'\\"'.repeat(MEGABYTE)}`],
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
});

/**
 * The package between a user who pastes anything and a service that answers anything: the key leaves for the service alone
 * and stands in nothing that n8n shows or saves, and no answer does harm.
 */
import { gzipSync } from 'zlib';

import * as core from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';

import { accepted } from '../fuzz/answers';
import { entriesFor, operationsOf, type Entered } from '../fuzz/parameters';
import { startSandbox, type Sandbox } from '../sandbox';
import { quickTime } from './clock';
import {
	askingSearches,
	by,
	linkManagement,
	run,
	search,
	testCredential,
	type Credential,
	type NodeSettings,
} from './host';
import { TriggerHost } from './pollHost';
import { serve } from './serve';

quickTime(5);

/** A key with characters that other notations write in another way. */
const KEY = 'k3y/secret+"quoted"=1';

let sandbox: Sandbox;
/** For each operation an input that the node takes. */
const inputs = new Map<string, Entered>();

beforeAll(async () => {
	sandbox = await startSandbox({ limit: { requests: null }, onViolation: () => undefined });
	for (const operation of operationsOf(linkManagement)) {
		const entries = entriesFor(linkManagement, operation)
			// A dry run creates nothing that could fail, and a service may answer that it has no such link with an error.
			.filter(({ parameters }) => !('dryRun' in ((parameters.options ?? {}) as IDataObject)));
		const [entered] = await accepted(sandbox, entries, 1);
		inputs.set(`${operation.resource}:${operation.operation}`, entered);
	}
	expect([...inputs.keys()].sort()).toEqual(
		operationsOf(linkManagement)
			.map(({ resource, operation }) => `${resource}:${operation}`)
			.sort(),
	);
});

afterAll(async () => {
	await sandbox.stop();
});

/** All that an error carries, its stack and causes included. */
function everythingOf(error: unknown): string {
	if (!(error instanceof Error)) return JSON.stringify(error) ?? '';
	return [
		error.message,
		error.stack,
		JSON.stringify(error),
		JSON.stringify(
			Object.getOwnPropertyNames(error).map((name) => [name, String((error as unknown as IDataObject)[name])]),
		),
		error.cause === undefined ? '' : everythingOf(error.cause),
	].join('\n');
}

/** What a user sees and n8n keeps of one way to the service. */
interface Trace {
	text: string;
	/** What it failed with, where it did. */
	message?: string;
}

async function traceOf(work: Promise<unknown>): Promise<Trace> {
	try {
		return { text: JSON.stringify(await work) ?? '' };
	} catch (error) {
		return { text: everythingOf(error), message: (error as Error).message };
	}
}

async function runTrace(entered: Entered, credential: Credential, node?: NodeSettings): Promise<Trace> {
	const { saved, error } = await run(entered.parameters, { credential, rows: [entered.row], node });
	return { text: saved, message: error?.message };
}

/** Later engines activate pollers in another class; there, the trigger's side is tested in a real n8n. */
const ACTIVATES = 'ActiveWorkflows' in core;

const EVENTS: IDataObject[] = [
	{ event: 'linkCreated' },
	{ event: 'linkClicked' },
	{ event: 'linkClickThreshold', threshold: 5 },
	{ event: 'qrCodeCreated' },
	{ event: 'qrCodeScanned' },
	{ event: 'qrCodeScanThreshold', threshold: 5 },
	{ event: 'linkClicked', watch: 'selected', linkIds: [1] },
	{ event: 'qrCodeScanned', watch: 'selected', qrCodeIds: [1] },
];

async function activationTrace(credential: Credential, parameters: IDataObject): Promise<Trace> {
	const host = new TriggerHost({ credential, parameters });
	const { text, message } = await traceOf(host.activate());
	return { text: text + host.saved + host.warnings.join('\n'), message };
}

async function credentialTestTrace(credential: Credential): Promise<Trace> {
	const { status, message } = await testCredential(credential);
	return { text: message, message: status === 'Error' ? message : undefined };
}

/** Every way in which the package speaks to the service, by name. */
function waysToSpeak(credential: Credential): Array<[string, () => Promise<Trace>]> {
	return [
		...[...inputs].flatMap(([name, entered]): Array<[string, () => Promise<Trace>]> => [
			[name, async () => await runTrace(entered, credential)],
			[`${name}, continued`, async () => await runTrace(entered, credential, { onError: 'continueRegularOutput' })],
		]),
		...askingSearches.map((method): [string, () => Promise<Trace>] => [
			method,
			async () => await traceOf(search(method, credential, 'a')),
		]),
		...(ACTIVATES ? EVENTS : []).flatMap((parameters): Array<[string, () => Promise<Trace>]> => [
			[`${String(parameters.event)}, activated`, async () => await activationTrace(credential, parameters)],
			[
				`${String(parameters.event)}, tested`,
				async () => await traceOf(new TriggerHost({ credential, parameters }).fetchTestEvent()),
			],
		]),
		['credential test', async () => await credentialTestTrace(credential)],
	];
}

/** Goes all of these ways at once. */
async function everyWay(credential: Credential, names?: string[]): Promise<Array<[string, Trace]>> {
	const ways = waysToSpeak(credential).filter(([name]) => names?.includes(name) ?? true);
	return await Promise.all(ways.map(async ([name, go]): Promise<[string, Trace]> => [name, await go()]));
}

/** The key in the notations in which it could get into text. */
const NOTATIONS = [
	KEY,
	JSON.stringify(KEY).slice(1, -1),
	JSON.stringify(JSON.stringify(KEY).slice(1, -1)).slice(1, -1),
	encodeURIComponent(KEY),
];

describe('the key', () => {
	/** Answers of a service, or of something in between, that repeats what it was sent. */
	const mirrors: Array<[string, (key: string) => [status: number, headers: Record<string, string>, body: string]]> = [
		[
			'an error envelope',
			(key) => [
				200,
				{ 'Content-Type': 'application/json' },
				JSON.stringify({ error: 1, message: `Bearer ${key} is no key` }),
			],
		],
		[
			'an error envelope within another',
			(key) => [
				401,
				{ 'Content-Type': 'application/json' },
				JSON.stringify({ error: 1, message: JSON.stringify({ key }) }),
			],
		],
		[
			'a message that is an object',
			(key) => [
				400,
				{ 'Content-Type': 'application/json' },
				JSON.stringify({ error: 1, message: { authorization: [`Bearer ${key}`] } }),
			],
		],
		['a web page', (key) => [400, { 'Content-Type': 'text/html' }, `<pre>Authorization: Bearer ${key}</pre>`]],
		['a redirect', (key) => [302, { Location: `https://elsewhere.example/?key=${encodeURIComponent(key)}` }, '']],
		['a header', (key) => [403, { 'X-Sent': key }, 'Forbidden']],
	];

	test.each(mirrors)('stands nowhere though it is repeated in %s', async (_what, answer) => {
		const url = await serve((request, response) => {
			const key = (request.headers.authorization ?? '').replace(/^Bearer /, '');
			const [status, headers, body] = answer(key);
			request.resume();
			response.writeHead(status, headers).end(body);
		});
		for (const [name, { text, message }] of await everyWay({ baseUrl: url, apiKey: KEY })) {
			// The dropdown of redirection types has entries of its own, also where the service has neither of its lists.
			if (!name.endsWith(', continued') && name !== 'searchRedirectionTypes')
				expect([name, message]).toEqual([name, expect.any(String)]);
			for (const notation of NOTATIONS) expect([name, text]).toEqual([name, expect.not.stringContaining(notation)]);
		}
	});

	test('stands nowhere when the service can not be reached', async () => {
		for (const [name, { text, message }] of await everyWay({ baseUrl: 'http://127.0.0.1:9', apiKey: KEY })) {
			if (!name.endsWith(', continued'))
				expect([name, message]).toEqual([name, expect.stringMatching(/refused the connection/)]);
			for (const notation of NOTATIONS) expect([name, text]).toEqual([name, expect.not.stringContaining(notation)]);
		}
	});

	test.each([301, 302, 303, 307, 308])('goes to no other host by a redirect with %d', async (status) => {
		const strangers: string[] = [];
		const elsewhere = await serve((request, response) => {
			strangers.push(`${request.method} ${request.url}`);
			response.end('{"error":0}');
		});
		const url = await serve((request, response) => {
			request.resume();
			response.writeHead(status, { Location: elsewhere + (request.url ?? '') }).end();
		});
		for (const [name, { message }] of await everyWay({ baseUrl: url, apiKey: KEY })) {
			if (!name.endsWith(', continued'))
				expect([name, message]).toEqual([name, expect.stringContaining(`redirects to ${elsewhere}`)]);
		}
		expect(strangers).toEqual([]);
	});

	test.each(['key\r\nX-Injected: 1', 'key\nX-Injected: 1', 'k\u0000ey', 'clé-Ω'])(
		'that no header can hold is refused as such: %j',
		async (apiKey) => {
			const seen: string[][] = [];
			const url = await serve((request, response) => {
				seen.push(request.rawHeaders);
				response.end('{"error":0}');
			});
			for (const [name, { text, message }] of await everyWay({ baseUrl: url, apiKey })) {
				if (!name.endsWith(', continued')) expect([name, message]).toEqual([name, expect.stringMatching(/API Key/)]);
				expect([name, text]).toEqual([name, expect.not.stringContaining(JSON.stringify(apiKey).slice(1, -1))]);
			}
			expect(seen).toEqual([]);
		},
	);
});

describe('answers that would do harm', () => {
	const MEGABYTE = 1024 * 1024;
	const nested = (depth: number) => `{"error":0,"id":1,"data":${'['.repeat(depth)}${']'.repeat(depth)}}`;
	const json = { 'Content-Type': 'application/json' };
	const bodies: Array<[string, Record<string, string>, () => string | Buffer]> = [
		['a web page of 1 MB', { 'Content-Type': 'text/html' }, () => `<html>${'<p>x</p>'.repeat(MEGABYTE / 8)}`],
		[
			'4 MB of spaces, compressed to 4 KB',
			{ ...json, 'Content-Encoding': 'gzip' },
			() => gzipSync(' '.repeat(4 * MEGABYTE)),
		],
		['JSON that is 20,000 levels deep', json, () => nested(20_000)],
		['a message of 1 MB', json, () => JSON.stringify({ error: 1, message: 'x'.repeat(MEGABYTE) })],
	];

	test.each(bodies)('%s: said in a few words', async (_what, headers, body) => {
		const content = body();
		const url = await serve((request, response) => {
			request.resume();
			response.writeHead(200, headers).end(content);
		});
		const credential = { baseUrl: url, apiKey: KEY };
		const ways = [
			'account:get',
			'account:update',
			'link:create',
			'link:getAll',
			'searchLinks',
			'linkCreated, activated',
			'credential test',
		];
		for (const [name, { text, message }] of await everyWay(credential, ways)) {
			expect([name, message]).toEqual([name, expect.any(String)]);
			expect([name, message!.length < 1000, text.length < 100_000]).toEqual([name, true, true]);
		}
	});

	test('names that every object has already change nothing but the record that holds them', async () => {
		const hostile =
			'"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":2';
		const record = `{"id":1,${hostile},"topCountries":{${hostile}}}`;
		const lists = ['campaigns', 'channels', 'items', 'qrs', 'domains', 'cta', 'splash', 'urls']
			.map((name) => `"${name}":[${record}]`)
			.join(',');
		const url = await serve((request, response) => {
			request.resume();
			response
				.writeHead(200, json)
				.end(
					`{"error":"0",${hostile},"id":1,"details":${record},"data":{"result":1,"perpage":9,"maxpage":1,${hostile},${lists}}}`,
				);
		});
		const trace = await everyWay({ baseUrl: url, apiKey: KEY });
		expect({}).not.toHaveProperty('polluted');
		expect(Object.keys(Object.prototype)).toEqual([]);
		expect(trace.filter(([, { message }]) => /is not a function|Cannot|undefined/.test(message ?? ''))).toEqual([]);
	});
});

describe('input that would do harm', () => {
	test.each([
		'../../account',
		'1/../../account',
		'1%2F..%2Faccount',
		'..%2f..%2faccount',
		'1?page=2',
		'1#x',
		'1\r\nX-Injected: 1',
		'1\u0000',
		'http://elsewhere.example/1',
		'//elsewhere.example/1',
		'1e3',
		'０１',
	])('an ID that leads elsewhere is none: %j', async (value) => {
		await sandbox.clearRequests();
		for (const mode of ['id', 'list', 'name']) {
			const { error } = await run(
				{ resource: 'campaign', operation: 'delete', campaignId: by(mode, '={{ $json.id }}') },
				{ credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey }, rows: [{ id: value }] },
			);
			expect(error?.message).toMatch(/^Campaign is not an ID|^There is no campaign named/);
		}
		// A name is looked for among those of the service.
		for (const { method, path } of await sandbox.requests()) expect([method, path]).toEqual(['GET', '/api/campaigns']);
	});

	test('names that every object has already go out as fields like others', async () => {
		await sandbox.clearRequests();
		const names = ['toString', 'hasOwnProperty'];
		const { error } = await run(
			{
				resource: 'qrCode',
				operation: 'create',
				type: 'wifi',
				dataFormat: 'fields',
				// Newer engines leave out the first two themselves.
				dataFields: { values: ['__proto__', 'constructor', ...names].map((name) => ({ name, value: 'x' })) },
			},
			{ credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey } },
		);
		expect(error).toBeUndefined();
		const [{ body }] = await sandbox.requests();
		expect(Object.keys((body as { data: object }).data)).toEqual(expect.arrayContaining(names));
		expect({}).not.toHaveProperty('polluted');
	});

	test.each([
		'https://user:pass@links.example.com',
		'https://links.example.com/#x',
		'https://links.example.com/?key=1',
		'javascript:alert(1)',
		'file:///etc/passwd',
		'https://',
	])('a base URL that is more or less than an address: %s', async (baseUrl) => {
		const traces = await everyWay({ baseUrl, apiKey: KEY });
		for (const [name, { text, message }] of traces) {
			if (!name.endsWith(', continued'))
				expect([name, message]).toEqual([name, expect.stringContaining('Base URL of the credential')]);
			expect([name, text]).toEqual([name, expect.not.stringContaining('user:pass')]);
		}
	});
});

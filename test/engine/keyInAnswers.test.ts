/**
 * Answers that hold the API key or the custom header, in data and in failures, and redirects: the key leaves the node by no way, to no
 * other host and in no notation that docs/proof/adversarial.md names, the node sends what it would send if the answers did not hold it,
 * and items lose nothing else.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { OPERATIONS } from '../documentation/examples';
import { startSandbox, type Dialect, type Sandbox } from '../sandbox';
import { loadContract, type Contract } from '../sandbox/contract';
import { CONTINUE } from './account';
import { agentWith, answersTo } from './agent';
import { skipWaits } from './clock';
import { by, itemsOf, type Credential } from './host';
import { serve } from './serve';
import { operationWay, textsOf, WAYS, type Way } from './ways';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const hex = (part: string) => part.charCodeAt(0).toString(16).padStart(2, '0');
const perCharacter = (write: (part: string) => string) => (text: string) => [...text].map(write).join('');
const special = (write: (part: string) => string, plain = '-_.~') =>
	perCharacter((part) => ((LETTERS + plain).includes(part) ? part : write(part)));
const percent = special((part) => `%${hex(part).toUpperCase()}`);
const form = special((part) => `%${hex(part).toUpperCase()}`, '-_. ');

/** Notations of text as it may stand in data. */
const NOTATIONS: Record<string, (text: string) => string> = {
	'as it is': (text) => text,
	'in small letters': (text) => text.toLowerCase(),
	'as JSON in text': (text) => JSON.stringify(text).slice(1, -1),
	'as JSON with slashes escaped': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
};
/** Those that may stand in an address. */
const IN_ADDRESSES: Record<string, (text: string) => string> = {
	'percent-encoded': percent,
	'percent-encoded in small letters': special((part) => `%${hex(part)}`),
	'percent-encoded as in a form': (text) => form(text).replaceAll(' ', '+'),
	'percent-encoded as browsers do': encodeURIComponent,
};

const keys = fc
	.tuple(
		fc.constantFrom(...LETTERS),
		fc.array(fc.constantFrom(...LETTERS, ...LETTERS, ...'-_.~+/=\\"\'<>&%$*!?#:;,@()[]{}|^ '), {
			minLength: 8,
			maxLength: 40,
		}),
		fc.constantFrom(...LETTERS),
	)
	.map(([first, middle, last]) => `${first}${middle.join('')}${last}`);

/** A text that differs from a key in each letter and digit, and in nothing else. */
const innocent = perCharacter((part) => {
	const place = LETTERS.indexOf(part);
	return place < 0 ? part : LETTERS[(Math.floor(place / 26) * 26 + (((place % 26) + 1) % (place < 52 ? 26 : 10))) % 62];
});

const upsert = (dryRun: boolean): Way =>
	operationWay({
		operation: 'link:upsert',
		parameters: {
			columns: { mappingMode: 'defineBelow', value: { custom: 'spring', metatitle: 'New' } },
			options: { dryRun },
		},
	});
/** Two calls as an agent's tool: of a record, and of a creation. */
const asTool: Way = async (credential) => {
	const tools = Object.fromEntries(
		['account:get', 'link:create'].map((name) => {
			const [resource, operation] = name.split(':');
			return [operation, { resource, operation, ...OPERATIONS.find((one) => one.operation === name)!.parameters }];
		}),
	);
	const calls = Object.keys(tools).map((name): [string, IDataObject] => [name, {}]);
	return { left: [await answersTo(agentWith(credential, tools, calls), credential)] };
};
const newTitle = { linkId: by('id', '12'), linkFields: { metatitle: 'New' } };

const DEEDS: Array<[string, Way]> = [
	...WAYS,
	["as an agent's tool", asTool],
	['link:upsert, dry run', upsert(true)],
	['link:upsert of the title', upsert(false)],
	['link:update of the title', operationWay({ operation: 'link:update', parameters: newTitle })],
];

const deeds = fc.shuffledSubarray(DEEDS, { minLength: 12, maxLength: 12 });

afterEach(() => jest.restoreAllMocks());

let contract: Contract;

beforeAll(async () => {
	contract = await loadContract();
});

/** The examples' account, with a text in all that is written by people. */
async function fill(sandbox: Sandbox, dialect: Dialect, apiKey: string, [text, inAddress]: string[]): Promise<void> {
	const none = { links: 0, qrs: 0, campaigns: 0, channels: 0, domains: 0, splash: 0, overlays: 0, bios: 0, pixels: 0 };
	await sandbox.reset({ dialect, limit: { requests: null }, records: none });
	await sandbox.configure({ apiKeys: [apiKey] });
	const longurl = `https://example.com/hook?token=${inAddress}`;
	const [name, date] = [`My ${text}!`, '2026-01-02 00:00:00'];
	await sandbox.createRecords({
		links: [{ id: 12, alias: 'spring', longurl, title: name, description: text, date }],
		qrs: [{ id: 21, code: 'poster', name, type: 'link', data: longurl, date }],
		campaigns: [{ id: 31, name, slug: 'launch', public: true, listedUnderDomain: false }],
		channels: [
			{ id: 41, name, description: text, color: '#1A2B3C', starred: true, items: [{ type: 'links', id: 12 }] },
		],
		domains: [{ id: 51, domain: 'https://go.example.com', redirectroot: longurl, redirect404: null }],
		splash: [{ id: 61, name, date }],
		pixels: [{ id: 91, type: 'gtmpixel', name, tag: 'GTM-ABC123', date }],
		overlays: [{ id: 71, type: 'poll', name, date }],
	});
	await sandbox.simulate({ clicks: [{ id: 12, count: 97 }], scans: [{ id: 21, count: 98 }] });
}

/** Does all deeds at a service of its own whose records hold these texts. @returns what left, and what was sent, with stars for them */
async function doAll(todo: Array<[string, Way]>, apiKey: string, dialect: Dialect, texts: string[]) {
	const sandbox = await startSandbox({ contract, dialect, onViolation: () => undefined });
	const sent: string[] = [];
	const left: Array<[string, string[]]> = [];
	for (const [name, deed] of todo) {
		await fill(sandbox, dialect, apiKey, texts);
		left.push([name, textsOf((await deed({ baseUrl: sandbox.url, apiKey }, sandbox)).left)]);
		for (const { method, path, query, body, authorized } of await sandbox.requests()) {
			const request = textsOf([name, method, path, query, body, String(authorized)]).join('\n');
			sent.push(texts.reduce((written, text) => written.replaceAll(text, '*'), request.replaceAll(sandbox.url, '')));
		}
	}
	await sandbox.stop();
	return { left, sent: sent.sort() };
}

/** Names of the deeds by which one of these texts left, in whatever case. */
function holding(left: Array<[string, string[]]>, texts: string[]): string[] {
	const unwanted = texts.map((text) => text.toLowerCase());
	const holds = (text: string) => unwanted.some((one) => text.toLowerCase().includes(one));
	return left.filter(([, found]) => found.some(holds)).map(([name]) => name);
}

const notation = fc.constantFrom(...Object.keys(NOTATIONS), ...Object.keys(IN_ADDRESSES));
const inAddress = fc.constantFrom(...Object.keys(IN_ADDRESSES));
const write = (name: string, text: string) => (NOTATIONS[name] ?? IN_ADDRESSES[name])(text);

test('records that hold the key: it leaves by no way, and what is sent is what it would be without it', async () => {
	let shown = 0;
	await fc.assert(
		fc.asyncProperty(
			keys,
			notation,
			inAddress,
			fc.constantFrom<Dialect>('document', 'field'),
			deeds,
			async (key, inText, inUrl, dialect, todo) => {
				const textsFor = (text: string) => [write(inText, text), write(inUrl, text)];
				const withKey = await doAll(todo, key, dialect, textsFor(key));
				const without = await doAll(todo, key, dialect, textsFor(innocent(key)));
				expect(holding(withKey.left, [key, ...textsFor(key)])).toEqual([]);
				expect(withKey.sent).toEqual(without.sent);
				shown += holding(without.left, textsFor(innocent(key))).length;
			},
		),
		{ numRuns: 3 },
	);
	// Another text does come out: what the key was taken out of are data that leave.
	expect(shown).toBeGreaterThan(0);
});

test('failures that repeat the key: it leaves by no way', async () => {
	// For the pauses between tries.
	skipWaits();
	type Answer = [status: number, headers: Record<string, string>, body: string];
	let answers: (key: string) => Answer[];
	let kind = 0;
	const baseUrl = await serve((request, response) => {
		request.resume();
		const [status, headers, body] = answers((request.headers.authorization ?? '').replace(/^Bearer /, ''))[kind];
		response.writeHead(status, headers).end(body);
	});
	const json = { 'Content-Type': 'application/json' };
	const said = (message: unknown) => JSON.stringify({ error: 1, message });
	await fc.assert(
		fc.asyncProperty(keys, notation, inAddress, deeds, async (key, inText, inUrl, todo) => {
			answers = (sent) => {
				const text = write(inText, sent);
				const address = `https://${sent.replace(/[^a-z0-9]/gi, '')}.example/${write(inUrl, sent)}`;
				return [
					[200, json, said(`${text} is no key`)],
					[400, json, said({ [text]: [`Bearer ${text}`] })],
					[401, json, said(JSON.stringify({ text }))],
					[403, { 'Content-Type': 'text/html' }, `<pre>${text}</pre>`],
					[302, { Location: address }, ''],
					[200, json, JSON.stringify({ error: 0, id: 1, [text]: text, data: { [text]: text } })],
					[403, { 'X-Sent': encodeURIComponent(sent) }, 'Forbidden'],
					[200, json, ''],
				];
			};
			kind = (kind + 1) % answers(key).length;
			const left: Array<[string, string[]]> = [];
			for (const [name, deed] of todo) left.push([name, textsOf((await deed({ baseUrl, apiKey: key })).left)]);
			const plain = key.replace(/[^a-z0-9]/gi, '');
			const host = plain === key ? [`${plain}.example`] : [];
			expect(holding(left, [key, write(inText, key), write(inUrl, key), ...host])).toEqual([]);
		}),
		{ numRuns: 8 },
	);
});

// By some of these, the same request goes on, by others a GET.
test.each([301, 302, 303, 307, 308])(
	'a redirect with %d leads to another host by no way, and each says so',
	async (status) => {
		let strangers = 0;
		const elsewhere = await serve((_request, response) => {
			strangers++;
			response.end('{"error":0}');
		});
		const baseUrl = await serve((request, response) => {
			request.resume();
			response.writeHead(status, { Location: `${elsewhere}${request.url}` }).end();
		});
		// Each has a key of its own, lest one wait for another.
		const messages = await Promise.all(
			WAYS.map(async ([name, go], at) => [name, (await go({ baseUrl, apiKey: `key-of-redirects-${at}` })).message]),
		);
		const isTold = expect.stringContaining(`redirects to ${elsewhere}`) as string;
		expect(messages).toEqual(WAYS.map(([name]) => [name, isTold]));
		expect(strangers).toBe(0);
	},
);

/** Headers as users add them: public ones, what the address says anyhow, words that records hold, short ones, and secrets. */
const headers = fc.oneof(
	fc.constantFrom('Referer', 'Origin', 'User-Agent', 'Cookie').map((name) => [name, 'the address'] as const),
	fc.tuple(
		fc.constantFrom('User-Agent', 'X-Tenant', 'Cookie'),
		fc.constantFrom('the host', 'spring', 'example', 'marketing', 'id', '1', 'https://example.com', 'direct'),
	),
	fc.tuple(fc.constantFrom('Cookie', 'X-Pass'), keys),
);

test('a custom header takes nothing out of items, whatever its value, and errors without it', async () => {
	const sandbox = await startSandbox({ contract, limit: { requests: null }, onViolation: () => undefined });
	const rows = [{ id: 12, note: 'spring https://example.com marketing 1' }, { id: 999 }];
	const get = { resource: 'link', operation: 'get', linkId: by('id', '={{ $json.id }}'), linkFields: {} };
	const all = { resource: 'link', operation: 'getAll', returnAll: true };
	const itemsWith = async (more: Partial<Credential>, [name, value] = ['', '']) => {
		const texts = [`spring marketing ${value}`, encodeURIComponent(value)];
		await fill(sandbox, 'document', sandbox.apiKey, texts);
		const credential = { baseUrl: sandbox.url, apiKey: sandbox.apiKey, ...more };
		await sandbox.setFaults([
			{ kind: 'errorEnvelope', message: `No ${name}: ${value}`, match: { path: '/api/url/999' } },
		]);
		return [
			...(await itemsOf(all, { credential })),
			...(await itemsOf(get, {
				credential,
				rows: [
					{ ...rows[0], value },
					{ ...rows[1], value },
				],
				node: CONTINUE,
			})),
		];
	};
	await fc.assert(
		fc.asyncProperty(headers, async ([headerName, drawn]) => {
			const places: Record<string, string> = { 'the address': sandbox.url, 'the host': new URL(sandbox.url).host };
			const headerValue = places[drawn] ?? drawn;
			const header: [string, string] = [headerName, headerValue];
			const plain = await itemsWith({}, header);
			const items = await itemsWith({ header: true, headerName, headerValue }, header);
			const withoutError = ({ error, ...others }: IDataObject) => [typeof error, others];
			expect(items.map(withoutError)).toEqual(plain.map(withoutError));
			const isSecret = headerValue.length >= 8 && places[drawn] === undefined;
			if (isSecret) expect(items.at(-1)!.error).not.toContain(`: ${headerValue}`);
			else expect(items.at(-1)!.error).toContain(headerValue);
		}),
		{ numRuns: 20 },
	);
	await sandbox.stop();
});

/** The node as a tool of an AI agent, called as the engine calls tools: never the key, and nothing that is too much for the agent. */
import type { IDataObject } from 'n8n-workflow';

import { TRIES } from './account';
import { agentWith, answersTo } from './agent';
import { by, type Credential, type NodeSettings } from './host';
import { skipWaits } from './clock';
import { serve } from './serve';
import { bodies, createLink, credential, getAccount, openService, sandbox } from './service';

openService();

afterEach(() => jest.restoreAllMocks());

const shorten = {
	...createLink,
	url: "={{ $fromAI('url', 'The address to shorten', 'string') }}",
	linkFields: { custom: "={{ $fromAI('alias', '', 'string', '') }}" },
};
const look = { resource: 'link', operation: 'get', linkId: by('id', "={{ $fromAI('id', '', 'string') }}") };

type Calls = Array<[tool: string, input: IDataObject]>;

/** What the agent got for each call of these tools, and all that n8n keeps of it. */
async function asked(calls: Calls, settings?: NodeSettings, service: Credential = credential()) {
	return await answersTo(agentWith(service, { account: getAccount, shorten, look }, calls, settings), service);
}

const answers = async (calls: Calls, settings?: NodeSettings) => (await asked(calls, settings)).answers;
const shortening = (path: string, alias = ''): Calls[number] => [
	'shorten',
	{ url: `https://example.com/${path}`, alias },
];
const madeTo = async (path: string) =>
	(await sandbox.links()).filter(({ longurl }) => longurl === `https://example.com/${path}`).length;

test('an agent shortens a link and gets the record', async () => {
	const [{ answer }] = await answers([shortening('ai', 'ai')]);
	expect(JSON.parse(String(answer))).toEqual([
		{ id: expect.any(Number), shorturl: `${sandbox.url}/ai`, alias: 'ai', longurl: 'https://example.com/ai' },
	]);
});

test('calls made at once get each its own answer, and one that fails tells the agent why, and stops no other', async () => {
	const ids = (await sandbox.links()).slice(0, 12).map(({ id }) => id);
	const [failed, bad, ...got] = await answers([
		['look', { id: '999999' }],
		['shorten', { url: 'nowhere', alias: '' }],
		...ids.map((id): Calls[number] => ['look', { id: String(id) }]),
	]);
	expect(failed.failure).toContain('There is no short link with the ID 999999');
	expect(bad.failure).toContain('Long URL is not a web address: "nowhere"');
	expect(got.map(({ answer }) => (JSON.parse(String(answer)) as IDataObject[])[0].id)).toEqual(ids);
});

test('an error says each of its sentences once, whatever it quotes', async () => {
	const url = 'nowhere?a=1&b=<b>bold</b>';
	await sandbox.setFaults([
		{ kind: 'errorEnvelope', match: { method: 'POST' }, message: `No & never: <b>${url}</b>.` },
	]);
	const told = await answers([
		['shorten', { url, alias: '' }],
		['shorten', { url: 'https://example.com/', alias: 'not <one> & the same' }],
		['shorten', { url: 'https://example.com/', alias: '' }],
		['look', { id: '99999' }],
	]);
	for (const { failure } of told) {
		const sentences = String(failure).split(/(?<=[.!?"]) +|\n+/);
		expect(sentences.length).toBeGreaterThan(1);
		expect(sentences).toEqual([...new Set(sentences)]);
		// So n8n would add what the message does not hold.
		expect(failure).not.toContain('Details:');
	}
});

test.each(['null', 'None', ' undefined '])(
	'Create or Update offers its fields to the model, which leaves one out: %j',
	async (left) => {
		const parameters = { resource: 'link', operation: 'upsert' };
		const input = { Long_URL: 'https://example.com/kept', Alias: 'kept', Meta_Title: left, Description: 'A note' };
		const service = credential();
		const { answers: got } = await answersTo(agentWith(service, { keep: parameters }, [['keep', input]]), service);
		const [record] = JSON.parse(String(got[0].answer)) as IDataObject[];
		expect(record).toMatchObject({ action: 'created', alias: 'kept', longurl: input.Long_URL, description: 'A note' });
		expect((await bodies()).find((body) => (body as IDataObject | null)?.url === input.Long_URL)).not.toHaveProperty(
			'metatitle',
		);
	},
);

test('a call of Create or Update without arguments tells the model what is missing', async () => {
	const service = credential();
	const tools = { keep: { resource: 'link', operation: 'upsert' } };
	const { answers: got } = await answersTo(agentWith(service, tools, [['keep', {}]]), service);
	expect(got[0].failure).toContain('There is neither a Long URL nor an Alias');
	expect(got[0].failure).toContain('Pass the long URL of a new link, or the alias of a link to update.');
	expect(await bodies()).toEqual([]);
});

test('a call that n8n tries again creates nothing twice', async () => {
	await sandbox.setFaults([{ kind: 'dropAfter', match: { method: 'POST' }, times: 1 }]);
	const [{ failure }] = await answers([shortening('once')], TRIES);
	expect(failure).toContain('may have been created');
	expect(await madeTo('once')).toBe(1);
});

describe.each([undefined, 'continueRegularOutput'] as const)('with On Error %s', (onError) => {
	const settings = { onError } as NodeSettings;

	test('a failed call is the failure alone: nothing of what the agent works on reaches the model', async () => {
		const tools = { shorten: { ...shorten, options: { includeInput: true } } };
		const calls: Calls = [
			['shorten', { url: 'nowhere', alias: '' }],
			['shorten', { url: 'https://example.com/', alias: '' }],
		];
		const service = credential();
		const agent = agentWith(service, tools, calls, settings);
		const secret = 'IBAN DE02 1203 0000 0000 2020 51';
		Object.assign(agent.pinData!.Start[0].json, { headers: { authorization: secret }, body: { secret } });
		const { answers: got } = await answersTo(agent, service);
		const [bad, good] = got.map(({ answer, failure }) => String(answer ?? failure));
		expect(bad).toContain('Long URL is not a web address');
		expect(good).toContain(`${sandbox.url}/`);
		expect(bad + good).not.toContain(secret);
		if (onError !== undefined) expect(JSON.parse(bad)).toEqual([{ error: expect.any(String) }]);
	});
});

test('a call waits 45 seconds in all for the rate limit, says when to call again, and nothing is sent for it later', async () => {
	skipWaits();
	const told = async () => {
		const from = Date.now();
		const [{ failure }] = await answers([shortening('late')], TRIES);
		return { failure: String(failure), took: Date.now() - from };
	};
	await sandbox.setLimit({ requests: 0, windowMs: 120_000, reset: 'seconds' });
	const first = await told();
	expect(first.failure).toMatch(/Rate limit reached\. Nothing was sent\. Call again in \d+ (?:seconds|minutes)\./);
	expect(first.took).toBeLessThan(58_000);
	await sandbox.setLimit({ requests: null });
	await new Promise((resolve) => setTimeout(resolve, 130_000));
	expect(await madeTo('late')).toBe(0);
	expect(first.failure).not.toMatch(/Options|Settings|expression/);
});

test('a call waits 45 seconds in all for a service that is down', async () => {
	skipWaits();
	await answers([['account', {}]]);
	await sandbox.setFaults([{ kind: 'status', status: 503 }]);
	const from = Date.now();
	const [{ failure }] = await answers([['account', {}]]);
	expect(failure).toMatch(/the node has waited for 4\d seconds/);
	expect(Date.now() - from).toBeLessThan(60_000);
});

test('the same call twice is two calls', async () => {
	await answers([shortening('twice'), shortening('twice')]);
	expect(await madeTo('twice')).toBe(2);
});

describe('a service that answers anything', () => {
	const KEY = 'key-that-no-agent-sees-4711';

	/** Asks a service that answers so. */
	async function askOne(answer: (key: string) => string, calls: Calls) {
		const seen: string[] = [];
		const baseUrl = await serve((request, response) => {
			seen.push(request.url ?? '');
			request.resume();
			const key = (request.headers.authorization ?? '').replace('Bearer ', '');
			response.writeHead(400, { 'Content-Type': 'application/json' }).end(answer(key));
		});
		return { ...(await asked(calls, {}, { baseUrl, apiKey: KEY })), seen };
	}

	test('an agent that was talked into it leads no request elsewhere', async () => {
		const { answers: told, seen } = await askOne(
			() => '{}',
			[
				['look', { id: '12/../../account' }],
				['look', { id: '../../account/update' }],
				['shorten', { url: 'javascript:alert(1)', alias: '' }],
			],
		);
		expect(told.map(({ answer }) => answer)).toEqual([undefined, undefined, undefined]);
		expect(seen.filter((url) => !/^\/api\/(?:urls|domains)\?/.test(url))).toEqual([]);
	});
});

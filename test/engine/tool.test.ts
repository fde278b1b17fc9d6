/** The node as a tool of an AI agent, called as the engine calls tools: never the key, and nothing that is too much for the agent. */
import type { IDataObject } from 'n8n-workflow';

import { type Sandbox } from '../sandbox';
import { freshSandbox } from '../sandbox/fresh';
import { agentWith, answersTo } from './agent';
import { by, linkManagement, type Credential, type NodeSettings } from './host';
import { serve } from './serve';

let sandbox: Sandbox;

freshSandbox({ limit: { requests: null } }, (started) => (sandbox = started));

function credential() {
	return { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
}

const account = { resource: 'account', operation: 'get' };
const shorten = {
	resource: 'link',
	operation: 'create',
	url: "={{ $fromAI('url', 'The address to shorten', 'string') }}",
	linkFields: { custom: "={{ $fromAI('alias', '', 'string', '') }}" },
};
const look = { resource: 'link', operation: 'get', linkId: by('id', "={{ $fromAI('id', '', 'string') }}") };

type Calls = Array<[tool: string, input: IDataObject]>;

/** What the agent got for each call of these tools, and all that n8n keeps of it. */
async function asked(calls: Calls, settings?: NodeSettings, service: Credential = credential()) {
	return await answersTo(agentWith(service, { account, shorten, look }, calls, settings), service);
}

async function answers(calls: Calls, settings?: NodeSettings): Promise<IDataObject[]> {
	return (await asked(calls, settings)).answers;
}

test('the node is usable as a tool', () => {
	expect(linkManagement.description.usableAsTool).toBe(true);
});

test('an agent shortens a link and gets the record', async () => {
	const [{ answer }] = await answers([['shorten', { url: 'https://example.com/ai', alias: 'ai' }]]);
	expect(JSON.parse(String(answer))).toEqual([
		{ id: expect.any(Number), shorturl: `${sandbox.url}/ai`, alias: 'ai', longurl: 'https://example.com/ai' },
	]);
	expect((await sandbox.requests())[0].body).toEqual({ url: 'https://example.com/ai', custom: 'ai' });
});

test('calls made at once get each its own answer', async () => {
	const ids = (await sandbox.links()).slice(0, 12).map(({ id }) => id);
	const got = await answers(ids.map((id) => ['look', { id: String(id) }]));
	expect(got.map(({ answer }) => (JSON.parse(String(answer)) as IDataObject[])[0].id)).toEqual(ids);
});

test('a call that fails tells the agent why, and stops no other', async () => {
	const [{ id }] = await sandbox.links();
	const got = await answers([
		['look', { id: '999999' }],
		['shorten', { url: 'nowhere', alias: '' }],
		['look', { id: String(id) }],
		['shorten', { url: 'https://example.com/good', alias: '' }],
	]);
	expect(got[0].failure).toContain('Link does not exist.');
	expect(got[1].failure).toContain('Long URL is not a web address: "nowhere"');
	expect(got[2].answer).toContain(`"id":${id}`);
	expect(got[3].answer).toContain('shorturl');
});

test('a call that n8n tries again creates nothing twice', async () => {
	await sandbox.setFaults([{ kind: 'dropAfter', match: { method: 'POST' }, times: 1 }]);
	const tries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const [{ failure }] = await answers([['shorten', { url: 'https://example.com/once', alias: '' }]], tries);
	expect(failure).toContain('may have been created');
	expect((await sandbox.links()).filter(({ longurl }) => longurl === 'https://example.com/once')).toHaveLength(1);
});

test('the same call twice is two calls', async () => {
	await answers(Array.from({ length: 2 }, () => ['shorten', { url: 'https://example.com/twice', alias: '' }]));
	expect((await sandbox.links()).filter(({ longurl }) => longurl === 'https://example.com/twice')).toHaveLength(2);
});

describe('a service that answers anything', () => {
	const KEY = 'key-that-no-agent-sees-4711';
	let baseUrl: string;
	let seen: string[];
	let answer: (key: string) => [status: number, body: string];
	const ask = async (calls: Calls) => await asked(calls, {}, { baseUrl, apiKey: KEY });

	beforeEach(async () => {
		seen = [];
		baseUrl = await serve((request, response) => {
			seen.push(request.url ?? '');
			request.resume();
			const [status, body] = answer((request.headers.authorization ?? '').replace('Bearer ', ''));
			response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
		});
	});

	test('the key stands in no answer to an agent, and in nothing that is kept of it, though the service repeats it', async () => {
		answer = (key) => [400, JSON.stringify({ error: 1, message: `Bearer ${key} may not do that` })];
		const { answers, saved } = await ask([
			['account', {}],
			['shorten', { url: 'https://example.com', alias: '' }],
			['look', { id: '12' }],
		]);
		for (const { failure } of answers) expect(failure).toContain('Bearer ***** may not do that');
		expect(answers).toHaveLength(3);
		expect(JSON.stringify(answers) + saved).not.toContain(KEY);
	});

	test('a web page of a megabyte is said in a few words', async () => {
		answer = () => [400, `<html>${'<p>x</p>'.repeat(131_072)}`];
		const { answers, saved } = await ask([['shorten', { url: 'https://example.com', alias: '' }]]);
		expect(answers).toEqual([{ failure: expect.stringContaining('a web page instead of data') }]);
		expect(String(answers[0].failure).length).toBeLessThan(1000);
		expect(saved.length).toBeLessThan(100_000);
	});

	test('an agent that was talked into it leads no request elsewhere', async () => {
		answer = () => [200, '{"error":0}'];
		const { answers } = await ask([
			['look', { id: '12/../../account' }],
			['look', { id: '../../account/update' }],
			['shorten', { url: 'javascript:alert(1)', alias: '' }],
		]);
		expect(answers.map(({ failure }) => failure)).toEqual([
			expect.stringContaining('is not an ID'),
			expect.stringContaining('is not an ID'),
			expect.stringContaining('is not a web address'),
		]);
		expect(seen).toEqual([]);
	});
});

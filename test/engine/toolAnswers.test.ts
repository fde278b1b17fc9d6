/** What an AI agent is given: never the key, and nothing that is too much for it, whatever the service says. */
import { agentWith, answersTo } from './agent';
import { by, type Credential } from './host';
import { serve } from './serve';

const KEY = 'key-that-no-agent-sees-4711';
const account = { resource: 'account', operation: 'get' };
const shorten = {
	resource: 'link',
	operation: 'create',
	url: "={{ $fromAI('url', 'The address to shorten', 'string') }}",
};
const look = { resource: 'link', operation: 'get', linkId: by('id', "={{ $fromAI('id', '', 'string') }}") };

let baseUrl: string;
let seen: string[];
let answer: (key: string) => [status: number, body: string];

beforeEach(async () => {
	seen = [];
	baseUrl = await serve((request, response) => {
		seen.push(request.url ?? '');
		request.resume();
		const [status, body] = answer((request.headers.authorization ?? '').replace('Bearer ', ''));
		response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
	});
});

function credential(): Credential {
	return { baseUrl, apiKey: KEY };
}

async function ask(calls: Array<[string, Record<string, string>]>) {
	return await answersTo(agentWith(credential(), { account, shorten, look }, calls), credential());
}

test('the key stands in no answer to an agent, and in nothing that is kept of it, though the service repeats it', async () => {
	answer = (key) => [400, JSON.stringify({ error: 1, message: `Bearer ${key} may not do that` })];
	const { answers, saved } = await ask([
		['account', {}],
		['shorten', { url: 'https://example.com' }],
		['look', { id: '12' }],
	]);
	for (const { failure } of answers) expect(failure).toContain('Bearer ***** may not do that');
	expect(answers).toHaveLength(3);
	expect(JSON.stringify(answers) + saved).not.toContain(KEY);
});

test('a web page of a megabyte is said in a few words', async () => {
	answer = () => [400, `<html>${'<p>x</p>'.repeat(131_072)}`];
	const { answers, saved } = await ask([['shorten', { url: 'https://example.com' }]]);
	expect(answers).toEqual([{ failure: expect.stringContaining('a web page instead of data') }]);
	expect(String(answers[0].failure).length).toBeLessThan(1000);
	expect(saved.length).toBeLessThan(100_000);
});

test('an agent that was talked into it leads no request elsewhere', async () => {
	answer = () => [200, '{"error":0}'];
	const { answers } = await ask([
		['look', { id: '12/../../account' }],
		['look', { id: '../../account/update' }],
		['shorten', { url: 'javascript:alert(1)' }],
	]);
	expect(answers.map(({ failure }) => failure)).toEqual([
		expect.stringContaining('is not an ID'),
		expect.stringContaining('is not an ID'),
		expect.stringContaining('is not a web address'),
	]);
	expect(seen).toEqual([]);
});

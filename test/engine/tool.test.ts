/** The node as a tool of an AI agent, called as the engine calls tools. */
import type { IDataObject, IWorkflowBase } from 'n8n-workflow';

import { type Sandbox } from '../sandbox';
import { freshSandbox } from '../sandbox/fresh';
import { agentWith as agentOf, answersTo } from './agent';
import { by, linkManagement } from './host';

let sandbox: Sandbox;

freshSandbox({ limit: { requests: null } }, (started) => (sandbox = started));

function credential() {
	return { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
}

function agentWith(
	...given: Parameters<typeof agentOf> extends [unknown, ...infer Rest] ? Rest : never
): IWorkflowBase {
	return agentOf(credential(), ...given);
}

/** What the agent got for each call. */
async function answers(workflow: IWorkflowBase): Promise<IDataObject[]> {
	return (await answersTo(workflow, credential())).answers;
}

const shorten = {
	resource: 'link',
	operation: 'create',
	url: "={{ $fromAI('url', 'The address to shorten', 'string') }}",
	linkFields: { custom: "={{ $fromAI('alias', '', 'string', '') }}" },
};
const look = { resource: 'link', operation: 'get', linkId: by('id', "={{ $fromAI('id', '', 'number') }}") };

test('the node is usable as a tool', () => {
	expect(linkManagement.description.usableAsTool).toBe(true);
});

test('an agent shortens a link and gets the record', async () => {
	const [{ answer }] = await answers(
		agentWith({ shorten }, [['shorten', { url: 'https://example.com/ai', alias: 'ai' }]]),
	);
	expect(JSON.parse(String(answer))).toEqual([
		{ id: expect.any(Number), shorturl: `${sandbox.url}/ai`, alias: 'ai', longurl: 'https://example.com/ai' },
	]);
	expect((await sandbox.requests())[0].body).toEqual({ url: 'https://example.com/ai', custom: 'ai' });
});

test('calls made at once get each its own answer', async () => {
	const ids = (await sandbox.links()).slice(0, 12).map(({ id }) => id);
	const got = await answers(
		agentWith(
			{ look },
			ids.map((id) => ['look', { id }]),
		),
	);
	expect(got.map(({ answer }) => (JSON.parse(String(answer)) as IDataObject[])[0].id)).toEqual(ids);
});

test('a call that fails tells the agent why, and stops no other', async () => {
	const [{ id }] = await sandbox.links();
	const got = await answers(
		agentWith({ look, shorten }, [
			['look', { id: 999_999 }],
			['shorten', { url: 'nowhere', alias: '' }],
			['look', { id }],
			['shorten', { url: 'https://example.com/good', alias: '' }],
		]),
	);
	expect(got[0].failure).toContain('Link does not exist.');
	expect(got[1].failure).toContain('Long URL is not a web address: "nowhere"');
	expect(got[2].answer).toContain(`"id":${id}`);
	expect(got[3].answer).toContain('shorturl');
});

test('a call that n8n tries again creates nothing twice', async () => {
	await sandbox.setFaults([{ kind: 'dropAfter', match: { method: 'POST' }, times: 1 }]);
	const workflow = agentWith({ shorten }, [['shorten', { url: 'https://example.com/once', alias: '' }]], {
		retryOnFail: true,
		maxTries: 3,
		waitBetweenTries: 1,
	});
	const [{ failure }] = await answers(workflow);
	expect(failure).toContain('may have been created');
	expect((await sandbox.links()).filter(({ longurl }) => longurl === 'https://example.com/once')).toHaveLength(1);
});

test('the same call twice is two calls', async () => {
	await answers(
		agentWith(
			{ shorten },
			Array.from({ length: 2 }, () => ['shorten', { url: 'https://example.com/twice', alias: '' }]),
		),
	);
	expect((await sandbox.links()).filter(({ longurl }) => longurl === 'https://example.com/twice')).toHaveLength(2);
});

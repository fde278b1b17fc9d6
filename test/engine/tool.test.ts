/** The node as a tool of an AI agent, called as the engine calls tools. */
import type { IDataObject, INode, IWorkflowBase } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../sandbox';
import { by, linkManagement, NODE_TYPE, start, workflowOf, type NodeSettings } from './host';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ limit: { requests: null } });
});

beforeEach(async () => {
	await sandbox.reset();
});

afterAll(async () => {
	await sandbox.stop();
});

function credential() {
	return { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
}

/** A workflow with an agent that has these tools, and makes these calls. */
function agentWith(tools: Record<string, IDataObject>, calls: Array<[string, IDataObject]>, settings: NodeSettings = {}): IWorkflowBase {
	const workflow = workflowOf({}, { credential: credential(), rows: [{ calls }] });
	const links = workflow.nodes.find(({ name }) => name === 'Links')!;
	const nodes: INode[] = Object.entries(tools).map(([name, parameters]) => ({
		...links,
		id: name,
		name,
		type: `${NODE_TYPE}Tool`,
		parameters: parameters as INode['parameters'],
		...settings,
	}));
	Object.assign(links, { type: '@n8n/n8n-nodes-langchain.agent', credentials: undefined });
	workflow.nodes.push(...nodes);
	for (const { name } of nodes) workflow.connections[name] = { ai_tool: [[{ node: 'Links', type: 'ai_tool', index: 0 }]] };
	return workflow;
}

/** What the agent got for each call. */
async function answers(workflow: IWorkflowBase): Promise<IDataObject[]> {
	const { data } = await start(workflow, credential()).finished;
	if (data.resultData.error !== undefined) throw data.resultData.error;
	return (data.resultData.runData.Links[0].data?.main[0] ?? []).map(({ json }) => json);
}

const shorten = {
	resource: 'link',
	operation: 'create',
	url: "={{ $fromAI('url', 'The address to shorten', 'string') }}",
	additionalFields: { custom: "={{ $fromAI('alias', '', 'string', '') }}" },
};
const look = { resource: 'link', operation: 'get', linkId: by('id', "={{ $fromAI('id', '', 'number') }}") };

test('the node is usable as a tool', () => {
	expect(linkManagement.description.usableAsTool).toBe(true);
});

test('an agent shortens a link and gets the record', async () => {
	const [{ answer }] = await answers(agentWith({ shorten }, [['shorten', { url: 'https://example.com/ai', alias: 'ai' }]]));
	expect(JSON.parse(String(answer))).toEqual([{ id: expect.any(Number), shorturl: `${sandbox.url}/ai` }]);
	expect((await sandbox.requests())[0].body).toEqual({ url: 'https://example.com/ai', custom: 'ai' });
});

test('calls made at once get each its own answer', async () => {
	const ids = (await sandbox.links()).slice(0, 12).map(({ id }) => id);
	const got = await answers(agentWith({ look }, ids.map((id) => ['look', { id }])));
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
	await answers(agentWith({ shorten }, Array.from({ length: 2 }, () => ['shorten', { url: 'https://example.com/twice', alias: '' }])));
	expect((await sandbox.links()).filter(({ longurl }) => longurl === 'https://example.com/twice')).toHaveLength(2);
});

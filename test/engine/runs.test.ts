/** A run happens once; what is a run of its own: each round of a loop, each call of a tool, each sub-execution, and each start. */
import type { IDataObject } from 'n8n-workflow';

import { openAccount, TRIES } from './account';
import { agentWith, answersTo } from './agent';
import { outcomeOf, probe, start, workflowOf } from './host';

const account = openAccount();

const url = 'https://example.com/page';
const create = { resource: 'link', operation: 'create', url: '={{ $json.url }}' };
const rows = [{ url }];

beforeEach(async () => await account.has('document', { deviations: { knownLongUrl: 'new' } }));

const made = async () => (await account.sandbox.links()).map(({ longurl }) => longurl);

test('each round of a loop, also with tries', async () => {
	const work = await account.loop(create, [...rows, ...rows, ...rows], TRIES, undefined, 1);
	expect(new Set(work.items.map(({ json }) => json.id)).size).toBe(3);
	expect(await made()).toEqual([url, url, url]);
});

test('each call of a tool, also of two with the same input at once', async () => {
	const input = { url };
	const tools = { shorten: { ...create, url: "={{ $fromAI('url', '', 'string') }}" } };
	const calls: Array<[string, IDataObject]> = [
		['shorten', input],
		['shorten', { ...input }],
	];
	const { answers } = await answersTo(agentWith(account.credential, tools, calls, TRIES), account.credential);
	expect(new Set(answers.map(({ answer }) => String(answer))).size).toBe(2);
	expect(await made()).toEqual([url, url]);
});

test('each sub-execution that a node starts', async () => {
	const { credential } = account;
	const workflow = workflowOf(create, { credential, rows });
	const caller = workflow.nodes.find(({ name }) => name === 'Links')!;
	const outer = { ...workflow, nodes: workflow.nodes.map((node) => ({ ...node })) };
	const own = outer.nodes.find(({ name }) => name === 'Links')!;
	Object.assign(own, { ...caller, type: 'test.probe', parameters: { resource: 'probe', operation: 'run' } });
	probe.run = async function () {
		const started = [start(workflow, credential), start(workflow, credential)];
		return [(await Promise.all(started.map(async (one) => (await outcomeOf(one)).items))).flat()];
	};
	const { items } = await outcomeOf(start(outer, credential));
	expect(new Set(items.map(({ json }) => json.id)).size).toBe(2);
	expect(await made()).toEqual([url, url]);
});

test('each start', async () => {
	const workflow = workflowOf(create, { credential: account.credential, rows });
	for (let time = 0; time < 2; time++) await outcomeOf(start(workflow, account.credential));
	expect(await made()).toEqual([url, url]);
});

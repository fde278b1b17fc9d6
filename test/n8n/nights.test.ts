/** A run in a whole n8n: tries get what the first one did, and nights with an n8n that is started anew see what each other have made. */
import { startSandbox, type Sandbox, type SandboxState } from '../sandbox';
import { startN8n, workflowOf, LINK_MANAGEMENT, type N8n } from './host';
import { credentialOf } from './host/shared';

const ROWS = 700;
const NIGHTS = 3;

let n8n: N8n;
const sandboxes: Sandbox[] = [];

async function service(state: SandboxState): Promise<Sandbox> {
	const sandbox = await startSandbox({ limit: { requests: null }, ...state });
	sandboxes.push(sandbox);
	await n8n.createCredential(credentialOf(sandbox));
	return sandbox;
}

beforeAll(async () => {
	n8n = await startN8n();
});

afterAll(async () => {
	await n8n.stop();
	for (const sandbox of sandboxes) await sandbox.stop();
});

test('700 rows, three nights: one link a night, which the error of each row names', async () => {
	const deviations = { aliasDropped: true, knownLongUrl: 'new' } as const;
	const sandbox = await service({ dialect: 'field', deviations, records: { links: 50 } });
	const before = (await sandbox.links()).length;
	const rows = Array.from({ length: ROWS }, (_, at) => ({ alias: `row-${at}`, url: `https://example.com/${at}` }));
	const columns = { mappingMode: 'autoMapInputData', value: null };
	const parameters = { resource: 'link', operation: 'upsert', columns };
	const workflow = await n8n.createWorkflow(workflowOf(parameters, rows, { onError: 'continueRegularOutput' }));
	for (let night = 0; night < NIGHTS; night++) {
		if (night > 0) await n8n.restart();
		const execution = await n8n.run(workflow);
		const items = execution.items(LINK_MANAGEMENT);
		expect(items).toHaveLength(ROWS);
		const byId = new Map((await sandbox.links()).map((link) => [link.id, link]));
		expect(byId.size - before).toBe(1 + night);
		for (const { json } of items) {
			const [, id] = /\(ID (\d+)\)/.exec(String(json.error)) ?? [];
			expect(byId.get(Number(id))?.longurl).toBe(rows[0].url);
		}
	}
});

test('tries of Retry On Fail get what the first one did', async () => {
	const sandbox = await service({ records: { links: 0 } });
	const match = { method: 'POST' };
	await sandbox.setFaults([{ kind: 'errorEnvelope', message: 'Not now.', match, after: 2, times: 1 }]);
	const rows = Array.from({ length: 5 }, (_, at) => ({ url: `https://example.com/${at}` }));
	const parameters = { resource: 'link', operation: 'create', url: '={{ $json.url }}' };
	const tries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const execution = await n8n.run(await n8n.createWorkflow(workflowOf(parameters, rows, tries)));
	expect(execution.error?.message).toContain('The service says "Not now"');
	const sent = await sandbox.requests();
	const made = (await sandbox.links()).map(({ longurl }) => longurl);
	expect(sent).toHaveLength(made.length + 1);
	expect(new Set(made).size).toBe(made.length);
});

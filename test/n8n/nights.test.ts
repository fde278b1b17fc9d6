/** A sheet night after night at a service that drops aliases, in an n8n that is started anew before each night. */
import { startSandbox, type Sandbox } from '../sandbox';
import { startN8n, workflowOf, LINK_MANAGEMENT, type N8n } from './host';
import { credentialOf } from './host/shared';

const ROWS = 700;
const NIGHTS = 3;

let n8n: N8n;
let sandbox: Sandbox;

beforeAll(async () => {
	n8n = await startN8n();
});

afterAll(async () => {
	await n8n.stop();
	await sandbox.stop();
});

test('700 rows, three nights: one link a night, which the error of each row names', async () => {
	sandbox = await startSandbox({
		dialect: 'field',
		deviations: { aliasDropped: true, knownLongUrl: 'new' },
		records: { links: 50 },
		limit: { requests: null },
	});
	const before = (await sandbox.links()).length;
	await n8n.createCredential(credentialOf(sandbox));
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

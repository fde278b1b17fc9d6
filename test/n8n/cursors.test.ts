/** Durable cursors that are turned on, and off again, in the life of one n8n: the trigger goes on each time. */
import { startSandbox, type Sandbox } from '../sandbox';
import { startN8n, type N8n } from './host';
import { credentialOf } from './host/shared';
import { SETTINGS } from './killing';
import { pollingWorkflow, reported } from './polling';

let n8n: N8n;
let sandbox: Sandbox;

beforeAll(async () => {
	n8n = await startN8n({ env: SETTINGS.plain });
	sandbox = await startSandbox({ records: { links: 0, qrs: 5 }, limit: { requests: null }, validate: false });
	await n8n.createCredential(credentialOf(sandbox));
});

afterAll(async () => {
	await n8n.stop();
	await sandbox.stop();
});

test('each scan is reported once, also what comes while n8n is down', async () => {
	const [{ id, scans }] = await sandbox.qrs();
	const workflow = await n8n.createWorkflow(pollingWorkflow({ event: 'qrCodeScanned' }, 3));
	await n8n.activate(workflow);
	let happened = scans;
	const scan = async () => {
		await sandbox.simulate({ scans: [{ id, count: 1 }] });
		happened++;
	};
	const modes = ['durable', 'plain', 'scheduled', 'durable', 'plain'] as const;
	for (const [at, mode] of modes.entries()) {
		await scan();
		await reported(n8n, workflow, 2 * at + 1);
		n8n.env = SETTINGS[mode];
		await n8n.process.stop();
		await scan();
		await n8n.start();
		const items = await reported(n8n, workflow, 2 * at + 2);
		const sum = items.reduce((total, { newScans }) => total + Number(newScans), 0);
		expect(sum).toBe(happened - scans);
	}
});

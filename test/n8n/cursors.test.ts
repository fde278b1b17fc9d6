/** Durable cursors that are turned on, and off again, in the life of one n8n, with another key each time: the trigger goes on, or starts over once. */
import { startSandbox, type Sandbox } from '../sandbox';
import { startN8n, type N8n } from './host';
import { credentialOf } from './host/shared';
import { SETTINGS } from './cursorModes';
import { until } from './host/until';
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

/** The credential gets another key, which the service knows as well. */
async function renewKey(key: string): Promise<void> {
	await sandbox.configure({ apiKeys: [sandbox.apiKey, key] });
	await n8n.changeCredential({ ...credentialOf(sandbox), apiKey: key });
}

const MODES = ['durable', 'durable', 'plain', 'scheduled', 'durable', 'plain'] as const;

async function restart(mode: (typeof MODES)[number], meanwhile: () => Promise<void>): Promise<void> {
	const isDurable = n8n.env === SETTINGS.durable;
	n8n.env = SETTINGS[mode];
	// A kill may fall between a report and its execution: with durable cursors, they are one.
	await (isDurable ? n8n.process.kill() : n8n.process.stop());
	await meanwhile();
	await n8n.start();
}

test('each scan is reported once, also what comes while n8n is down, whatever key of the account it has', async () => {
	const [{ id, scans }] = await sandbox.qrs();
	const workflow = await n8n.createWorkflow(pollingWorkflow({ event: 'qrCodeScanned' }, 3));
	await n8n.activate(workflow);
	let happened = scans;
	const scan = async () => {
		await sandbox.simulate({ scans: [{ id, count: 1 }] });
		happened++;
	};
	for (const [at, mode] of MODES.entries()) {
		await scan();
		await reported(n8n, workflow, 2 * at + 1);
		await renewKey(`key of round ${at}`);
		await restart(mode, scan);
		const items = await reported(n8n, workflow, 2 * at + 2);
		const sum = items.reduce((total, { newScans }) => total + Number(newScans), 0);
		expect(sum).toBe(happened - scans);
	}
	await n8n.deactivate(workflow);
});

test('with the key of another account, it starts over once, and reports what comes while n8n is down', async () => {
	for (const [at, mode] of MODES.entries()) {
		const workflow = await n8n.createWorkflow(pollingWorkflow({ event: 'qrCodeScanned' }, 3));
		await restart(mode, async () => undefined);
		await n8n.activate(workflow);
		// The service shows other records from now on.
		await sandbox.deleteRecords({ qrs: (await sandbox.qrs()).map((one) => one.id) });
		const { id } = (await sandbox.createRecords({ qrs: [{ scans: 7 }] })).qrs[0];
		await renewKey(`key of account ${at}`);
		await sandbox.clearRequests();
		await until('two polls with the new key', async () => (await sandbox.requests()).length >= 2);
		await restart(mode, async () => await sandbox.simulate({ scans: [{ id, count: 3 }] }));
		expect(await reported(n8n, workflow, 1)).toMatchObject([{ id, previousScans: 7, newScans: 3 }]);
		await n8n.deactivate(workflow);
	}
});

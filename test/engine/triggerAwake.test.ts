/** Others get their turns while the findings of a poll become items: counted in turns, not in time. */
import { startSandbox, type Sandbox } from '../sandbox';
import { TriggerHost } from './pollHost';
import { turnsDuring } from './turns';

let sandbox: Sandbox;

beforeEach(async () => {
	sandbox = await startSandbox({ records: { links: 0, qrs: 0 }, limit: { requests: null }, validate: false });
});

afterEach(async () => await sandbox.stop());

test('each finding of a poll gives a turn away while it is made an item', async () => {
	const { qrs } = await sandbox.createRecords({ qrs: Array.from({ length: 80 }, () => ({})) });
	const host = new TriggerHost({
		credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey },
		parameters: { event: 'qrCodeScanned' },
	});
	await host.activate();
	const poll = async (scanned: typeof qrs) => {
		await sandbox.simulate({ scans: scanned.map(({ id }) => ({ id, count: 1 })) });
		return await turnsDuring(async () => expect(await host.poll()).toHaveLength(scanned.length));
	};
	const many = await poll(qrs);
	const few = await poll(qrs.slice(0, 10));
	expect(many - few).toBeGreaterThan(60);
});

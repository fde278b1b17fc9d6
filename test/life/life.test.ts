/**
 * The life of a trigger: activation, polls with and without news, failures and odd answers, restarts, kills, edits, at accounts of any
 * size, in each way in which n8n polls. Each event is reported once, and none that did not happen. SEED sets which lives are drawn,
 * LIVES how many.
 */
import { testNoComplaints } from '../model/complaints';
import { SimulatedService } from '../unit/watchSimulation';
import { lifeStories } from './history';
import { complaintsOf, inAll } from './life';
import { PlayedN8n } from './n8n';
import { LifeService } from './service';
import { pass, passing, virtualTime } from './time';

const LIVES = Number(process.env.LIVES ?? 400);

virtualTime();

testNoComplaints('each event is reported once, whatever happens to the trigger', lifeStories, complaintsOf, LIVES);

test('there was much to report', () => {
	expect(inAll.reported).toBeGreaterThan(LIVES);
});

test('polls without an answer are in the log once, until one has an answer', async () => {
	const records = new SimulatedService('newest', 10);
	const id = records.create(1);
	const service = new LifeService(records, 10, 50);
	const node = { name: 'Trigger', parameters: { event: 'qrCodeScanned' } };
	const n8n = new PlayedN8n('durable', service, node, 36_000);
	await passing(n8n.publish());
	for (let times = 1; times <= 2; times++) {
		service.begin({ isLimited: true });
		records.change(id, { count: 1 + times });
		for (let polls = 0; polls < 3; polls++) {
			await passing(n8n.poll());
			await pass(60_000);
		}
		expect(n8n.warnings).toHaveLength(times);
		expect(n8n.warnings[times - 1]).toContain('could not ask the service');
		service.begin();
		await passing(n8n.poll());
		await pass(60_000);
		expect(n8n.reported).toHaveLength(times);
	}
});

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

const LIVES = Number(process.env.LIVES ?? 140);

virtualTime();

testNoComplaints('each event is reported once, whatever happens to the trigger', lifeStories, complaintsOf, LIVES);

test('the lives had much to report', () => {
	expect(inAll.reported).toBeGreaterThan(LIVES);
});

test('a poll without time is in the log, by its workflow, and the next one that has time reports what happened', async () => {
	const records = new SimulatedService('newest', 10);
	const id = records.create(1);
	const service = new LifeService(records, 10, 50);
	const node = { name: 'Trigger', parameters: { event: 'qrCodeScanned' } };
	const n8n = new PlayedN8n('durable', service, node, 36_000, 'a key');
	const polls = async (count: number) => {
		for (let poll = 0; poll < count; poll++) {
			await passing(n8n.poll());
			await pass(60_000);
		}
	};
	await passing(n8n.publish());
	await pass(60_000);
	for (let times = 1; times <= 2; times++) {
		n8n.warnings.length = 0;
		service.begin({ isLimited: true });
		records.change(id, { count: 1 + times });
		await polls(3);
		const warned =
			/^"Trigger" in workflow "Test" \(workflow \d+\) had no time .* The next poll goes on\. Nothing is lost\./;
		expect(n8n.warnings).toHaveLength(3);
		for (const warning of n8n.warnings) expect(warning).toMatch(warned);
		service.begin();
		await polls(1);
		expect(n8n.reported).toHaveLength(times);
	}
});

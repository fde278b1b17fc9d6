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

const LIVES = Number(process.env.LIVES ?? 120);

virtualTime();

testNoComplaints('each event is reported once, whatever happens to the trigger', lifeStories, complaintsOf, LIVES);

test('there was much to report', () => {
	expect(inAll.reported).toBeGreaterThan(LIVES);
});

test('a trigger without an answer is in the log at once and every ten minutes, by its workflow, and so is its end', async () => {
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
	service.begin({ isLimited: true });
	await passing(n8n.publish());
	expect(n8n.warnings).toEqual([expect.stringMatching(/No answer since \d\d:\d\d\. Nothing is watched yet/)]);
	service.begin();
	await polls(2);
	for (let times = 1; times <= 2; times++) {
		n8n.warnings.length = n8n.news.length = 0;
		service.begin({ isLimited: true });
		records.change(id, { count: 1 + times });
		await polls(12);
		const warned =
			/^"Trigger" in workflow "Life" \(workflow \d+\) could not poll: .* Last answered \d\d:\d\d\. The next poll/;
		expect(n8n.warnings).toEqual([expect.stringMatching(warned), expect.stringMatching(warned)]);
		service.begin();
		await polls(1);
		const recovered = /^"Trigger" in workflow "Life" .* has an answer again, after \d+ minutes/;
		expect(n8n.news).toContainEqual(expect.stringMatching(recovered));
		expect(n8n.reported).toHaveLength(times);
	}
});

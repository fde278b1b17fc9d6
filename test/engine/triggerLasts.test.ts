/** What the trigger keeps from poll to poll: no dialect touches it, so that this runs once. */
import type { Fault } from '../sandbox';
import type { TriggerHost } from './pollHost';
import { active, newLink, newQr, sandbox, scan, scannedQr } from './triggerService';

/** The clock of the machine is set. */
function clockAhead(milliseconds: number): jest.SpyInstance {
	const clock = Date.now.bind(Date);
	return jest.spyOn(Date, 'now').mockImplementation(() => clock() + milliseconds);
}

describe('what lasts', () => {
	it('another place of the node: it goes on', async () => {
		const { id, host } = await scannedQr(1);
		await host.poll();
		await scan(id, 2);
		const moved = await host.again('update', { node: { position: [300, 20] } });
		expect(moved.executions.flat()).toMatchObject([{ id, previousScans: 1, newScans: 2 }]);
	});

	it('another name of the node: it begins afresh, for n8n keeps its data by that name', async () => {
		const { id, host } = await scannedQr(1);
		await host.poll();
		await scan(id, 2);
		const renamed = await host.again('update', { node: { name: 'Poster scanned' } });
		expect(renamed.executions).toEqual([]);
		await scan(id, 1);
		expect(await renamed.poll()).toMatchObject([{ id, previousScans: 3, newScans: 1 }]);
	});

	it('an account that is empty: what comes first is reported, also after a restart', async () => {
		await sandbox.reset({ records: { links: 0, qrs: 0 } });
		const events = ['linkCreated', 'qrCodeCreated', 'linkClicked', 'qrCodeScanned'];
		const hosts = await Promise.all(events.map(async (event) => await active({ event })));
		for (const host of hosts) expect(await host.poll()).toEqual([]);
		const { id: link } = await newLink({ clicks: 2 });
		const { id: code } = await newQr({ scans: 3 });
		for (const [at, host] of hosts.entries()) {
			const restarted = host.killed();
			await restarted.activate('init');
			expect(restarted.executions.flat()).toMatchObject([{ event: events[at], id: at % 2 === 0 ? link : code }]);
		}
	});

	it('a page that fails once: nothing that was there is reported', async () => {
		await sandbox.reset({ records: { qrs: 60 }, deviations: { pageCap: 10 } });
		const host = await active({ event: 'qrCodeCreated' });
		for (const kind of ['errorEnvelope', 'emptied', 'dropBefore', 'firstPage'] as const) {
			await sandbox.setFaults([{ kind, after: 1, times: 1, match: { path: '^/api/qr' } } as Fault]);
			expect(await host.poll().catch(() => [])).toEqual([]);
			await sandbox.clearFaults();
			const { id } = await newQr();
			expect(await host.poll()).toMatchObject([{ id }]);
		}
	});

	it('saved while a poll is under way: each event comes once, whether n8n drops that poll or not', async () => {
		const { id, host } = await scannedQr(0);
		await host.poll();
		await scan(id, 2);
		await sandbox.setFaults([{ kind: 'latency', ms: 300, times: 1 }]);
		const polling = host.poll();
		const saved = host.again('update');
		expect(await polling).toEqual([]);
		const next = await saved;
		expect(next.executions.flat()).toMatchObject([{ id, previousScans: 0, newScans: 2 }]);
		clockAhead(40_000);
		expect(await next.poll()).toEqual([]);
	});

	it('two triggers of one ID: both poll, each for itself', async () => {
		const { id, host } = await scannedQr(0, { node: { name: 'One' } });
		const other = await host.again('update', { node: { name: 'Two' } });
		await scan(id, 2);
		// Until then, they share pages.
		clockAhead(31_000);
		const [first, second] = await Promise.all([host.poll(), other.poll()]);
		expect(first).toMatchObject([{ id, newScans: 2 }]);
		expect(second).toMatchObject([{ id, newScans: 2 }]);
	});

	it('a clock that is set back: the next poll reports', async () => {
		const { id, host } = await scannedQr(1, { durableCursor: true });
		const { cursor } = host;
		await host.scheduledPoll();
		clockAhead(-60 * 60_000);
		host.cursor = cursor;
		expect(await host.scheduledPoll()).toMatchObject([{ id, newScans: 1 }]);
		await scan(id, 1);
		expect(await host.scheduledPoll()).toMatchObject([{ id, previousScans: 1, newScans: 1 }]);
	});

	it('a copy in another workflow: it has no other key', async () => {
		const { host } = await scannedQr(1);
		await host.poll();
		const copy = await host.again('update', { workflowId: 'a copy' });
		expect([...copy.warnings, ...copy.executions]).toEqual([]);
	});

	it('another event: a new baseline', async () => {
		const { id, host } = await scannedQr(8);
		await host.poll();
		const edited = await host.again('update', { parameters: { event: 'qrCodeScanThreshold', threshold: 5 } });
		expect(edited.executions).toEqual([]);
		await scan(id, 100);
		expect(await edited.poll()).toEqual([]);
		expect(edited.warnings).toEqual([]);
	});

	it('other chosen records: those that stay go on, the others begin; all instead of chosen ones start over', async () => {
		const { id: other } = await newQr();
		const { id, host } = await scannedQr(8);
		const selecting = async (from: TriggerHost, qrCodeIds: number[]) =>
			await from.again('update', { parameters: { event: 'qrCodeScanned', watch: 'selected', qrCodeIds } });
		const one = await selecting(host, [id]);
		expect(one.executions).toEqual([]);
		await scan(id, 1);
		await scan(other, 5);
		const two = await selecting(one, [id, other]);
		expect(two.executions.flat()).toMatchObject([{ id, previousScans: 8, newScans: 1 }]);
		await scan(other, 2);
		const all = await two.again('update', { parameters: { event: 'qrCodeScanned' } });
		expect(all.executions).toEqual([]);
		await scan(other, 1);
		expect(await all.poll()).toMatchObject([{ id: other, previousScans: 7, newScans: 1 }]);
	});

	it.each([false, true])('turned off and on again: it goes on (n8n restarted meanwhile: %s)', async (isRestarted) => {
		const { id, host } = await scannedQr(8);
		await host.poll();
		await scan(id, 2);
		const again = isRestarted ? host.killed() : await host.again('activate');
		if (isRestarted) await again.activate('activate');
		expect(again.executions.flat()).toMatchObject([{ id, previousScans: 8, newScans: 2 }]);
		await scan(id, 1);
		expect(await again.poll()).toMatchObject([{ id, previousScans: 10, newScans: 1 }]);
	});

	it('a report of another process: what this one saw before it counts no more', async () => {
		const { id, host } = await scannedQr(2);
		await host.scheduledPoll();
		await newQr();
		expect(await host.scheduledPoll()).toEqual([]);
		await scan(id, 1);
		const other = host.killed();
		expect(await other.scheduledPoll()).toMatchObject([{ id, previousScans: 2, newScans: 1 }]);
		expect(await (await host.again('update', { saved: other.saved })).scheduledPoll()).toEqual([]);
	});
});

describe("n8n's durable scheduler, which gives each poll a context of its own", () => {
	const durable = { durableCursor: true };
	it('goes on from the baseline that the activation set', async () => {
		const { id, host } = await scannedQr(2, durable);
		expect(await host.scheduledPoll()).toMatchObject([{ id, previousScans: 0, newScans: 2 }]);
		expect(await host.scheduledPoll()).toEqual([]);
		await scan(id, 1);
		expect(await host.scheduledPoll()).toMatchObject([{ id, previousScans: 2, newScans: 1 }]);
	});

	it('and from what another main process left', async () => {
		await sandbox.reset({ records: { qrs: 30 }, deviations: { pageCap: 5 } });
		const host = await active({ event: 'qrCodeScanned' }, durable);
		const { id } = (await sandbox.qrs())[0];
		await scan(id, 2);
		expect(await host.scheduledPoll()).toMatchObject([{ id, newScans: 2 }]);
		const other = host.killed();
		await sandbox.resetCounts({ qrs: [id] });
		for (let polls = 0; polls < 3; polls++) expect(await other.scheduledPoll()).toEqual([]);
		await scan(id, 4);
		host.cursor = other.cursor;
		expect(await host.scheduledPoll()).toMatchObject([{ id, previousScans: 0, newScans: 4 }]);
	});

	it('also when n8n was killed in between', async () => {
		const { id, host } = await scannedQr(2, durable);
		expect(await host.killed().scheduledPoll()).toMatchObject([{ id, previousScans: 0, newScans: 2 }]);
	});

	it('goes on when the workflow is turned off and on: what came in between is reported', async () => {
		const { id, host } = await scannedQr(2, durable);
		await host.scheduledPoll();
		await scan(id, 30);
		const again = await host.again('activate');
		expect(again.executions.flat()).toMatchObject([{ id, previousScans: 2, newScans: 30 }]);
		await scan(id, 4);
		expect(await again.scheduledPoll()).toMatchObject([{ id, previousScans: 32, newScans: 4 }]);
	});

	it('goes on when the node gets another name, for the cursor goes by its ID', async () => {
		const { id, host } = await scannedQr(2, durable);
		await host.scheduledPoll();
		await scan(id, 3);
		// A trigger takes pages that one of another name has asked for.
		clockAhead(31_000);
		const renamed = await host.again('update', { node: { name: 'Poster scanned' } });
		expect(renamed.executions.flat()).toMatchObject([{ id, previousScans: 2, newScans: 3 }]);
	});

	it('repeats what could not be committed, and nothing else', async () => {
		const { id, host } = await scannedQr(2, durable);
		await host.scheduledPoll({ commits: false });
		await scan(id, 1);
		const later = clockAhead(40_000);
		expect(await host.scheduledPoll()).toMatchObject([{ id, previousScans: 0, newScans: 3 }]);
		later.mockRestore();
		expect(await host.scheduledPoll()).toEqual([]);
	});

	it('waits when it is handed the state from before a report that is still on its way', async () => {
		const { id, host } = await scannedQr(2, durable);
		const { cursor } = host;
		expect(await host.scheduledPoll()).toMatchObject([{ id, newScans: 2 }]);
		const committed = host.cursor;
		// Another poll in between, with nothing to report, changes nothing about that.
		for (const handed of [cursor, committed, cursor]) {
			host.cursor = handed;
			expect(await host.scheduledPoll()).toEqual([]);
		}
		host.cursor = committed;
		await scan(id, 3);
		expect(await host.scheduledPoll()).toMatchObject([{ id, previousScans: 2, newScans: 3 }]);
	});
});

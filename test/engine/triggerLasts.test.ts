/** What the trigger keeps from poll to poll: no dialect touches it, so that this runs once. */
import { PollContext } from 'n8n-core';

import { quickClock } from './clock';
import type { TriggerHost } from './pollHost';
import { active, idsIn, newQr, scan, scannedQr, trigger } from './triggerService';

it('a credential that is never read ends a poll with an error, and keeps no further one away', async () => {
	quickClock(100);
	const host = await active({ event: 'qrCodeScanned' });
	const read = jest.spyOn(PollContext.prototype, 'getCredentials').mockReturnValue(new Promise(() => undefined));
	await expect(host.poll()).rejects.toThrow('n8n could not read the credential within 20 seconds');
	read.mockRestore();
	const { id } = await newQr();
	await scan(id, 1);
	expect(await host.poll()).toMatchObject([{ id }]);
});

describe('what lasts', () => {
	it('another place of the node: it goes on', async () => {
		const { id, host } = await scannedQr(1);
		await host.poll();
		await scan(id, 2);
		const moved = await host.again('update', { node: { position: [300, 20] } });
		expect(moved.executions.flat()).toMatchObject([{ id, previousScans: 1, newScans: 2 }]);
	});

	it('another name of the node: a new baseline, for n8n keeps its data by that name', async () => {
		const { id, host } = await scannedQr(1);
		await host.poll();
		const renamed = await host.again('update', { node: { name: 'Poster scanned' } });
		expect(renamed.executions).toEqual([]);
		await scan(id, 2);
		expect(await renamed.poll()).toMatchObject([{ id, previousScans: 1, newScans: 2 }]);
	});

	it('another event: a new baseline', async () => {
		const { id, host } = await scannedQr(8);
		const edited = await host.again('update', { parameters: { event: 'qrCodeScanThreshold', threshold: 5 } });
		expect(edited.executions).toEqual([]);
		await scan(id, 100);
		expect(await edited.poll()).toEqual([]);
		expect(edited.warnings).toEqual([]);
	});

	it('other records to watch: those that stay go on, the others begin', async () => {
		const { id: other } = await newQr();
		const { id, host } = await scannedQr(8);
		const selecting = async (from: TriggerHost, qrCodeIds: number[]) =>
			await from.again('update', { parameters: { event: 'qrCodeScanned', watch: 'selected', qrCodeIds } });
		const one = await selecting(host, [id]);
		expect(one.executions.flat()).toMatchObject([{ id, previousScans: 0, newScans: 8 }]);
		await scan(id, 1);
		await scan(other, 5);
		const two = await selecting(one, [id, other]);
		expect(two.executions.flat()).toMatchObject([{ id, previousScans: 8, newScans: 1 }]);
		await scan(other, 2);
		const all = await two.again('update', { parameters: { event: 'qrCodeScanned' } });
		expect(all.executions.flat()).toMatchObject([{ id: other, previousScans: 5, newScans: 2 }]);
	});

	it('turned off and on again: a new baseline', async () => {
		const { id, host } = await scannedQr(8);
		const again = await host.again('activate');
		expect(again.executions).toEqual([]);
		await scan(id, 1);
		expect(await again.poll()).toMatchObject([{ id, previousScans: 8, newScans: 1 }]);
	});

	it('turned off and on again, where existing records are wanted: those that were not reported yet', async () => {
		const host = await active({ event: 'qrCodeCreated', options: { includeExisting: true } });
		const { id } = await newQr();
		expect((await host.again('activate')).executions.flat()).toMatchObject([{ id }]);
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
	const savedGlobally = ({ saved }: TriggerHost): unknown => (JSON.parse(saved) as { global?: unknown }).global ?? {};

	it('goes on from the baseline that the activation set, though no cursor kept it', async () => {
		const { id, host } = await scannedQr(2, durable);
		expect(host.cursor).toBe('{}');
		expect(await host.scheduledPoll()).toMatchObject([{ id, previousScans: 0, newScans: 2 }]);
		expect(await host.scheduledPoll()).toEqual([]);
		expect(savedGlobally(host)).not.toEqual({});
		await scan(id, 1);
		expect(await host.scheduledPoll()).toMatchObject([{ id, previousScans: 2, newScans: 1 }]);
		expect(savedGlobally(host)).toEqual({});
	});

	it('also when n8n was killed in between', async () => {
		const { id, host } = await scannedQr(2, durable);
		expect(await host.killed().scheduledPoll()).toMatchObject([{ id, previousScans: 0, newScans: 2 }]);
	});

	it('begins again when the workflow is turned off and on, though the old cursor is still there', async () => {
		const { id, host } = await scannedQr(2, durable);
		await host.scheduledPoll();
		await scan(id, 30);
		const again = await host.again('activate');
		expect(await again.scheduledPoll()).toEqual([]);
		await scan(id, 4);
		expect(await again.scheduledPoll()).toMatchObject([{ id, previousScans: 32, newScans: 4 }]);
	});

	it('repeats what could not be committed, and nothing else', async () => {
		const { id, host } = await scannedQr(2, durable);
		await host.scheduledPoll({ commits: false });
		await scan(id, 1);
		const clock = Date.now.bind(Date);
		const later = jest.spyOn(Date, 'now').mockImplementation(() => clock() + 40_000);
		expect(await host.scheduledPoll()).toMatchObject([{ id, previousScans: 0, newScans: 3 }]);
		later.mockRestore();
		expect(await host.scheduledPoll()).toEqual([]);
	});

	it('repeats also a first report that could not be committed', async () => {
		const { id } = await newQr();
		const host = trigger({ event: 'qrCodeCreated', options: { includeExisting: true } }, durable);
		await host.scheduledPoll({ commits: false });
		expect(await host.scheduledPoll()).toEqual([]);
		const clock = Date.now.bind(Date);
		const later = jest.spyOn(Date, 'now').mockImplementation(() => clock() + 40_000);
		expect(idsIn(await host.scheduledPoll())).toContain(id);
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

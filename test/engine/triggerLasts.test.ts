/** What the trigger keeps from poll to poll, and how long it takes: no dialect touches either, so that this runs once. */
import type { IDataObject } from 'n8n-workflow';

import { clockOfRequests, quickClock } from './clock';
import type { TriggerHost } from './pollHost';
import { active, newQr, requests, sandbox, trigger } from './triggerService';
import { turnsDuring } from './turns';

describe('what lasts', () => {
	it('a restart: what happened meanwhile is reported once', async () => {
		const { id } = await newQr();
		const host = await active({ event: 'qrCodeScanned' });
		await sandbox.simulate({ scans: [{ id, count: 3 }] });
		await host.poll();
		await sandbox.simulate({ scans: [{ id, count: 4 }] });
		const restarted = host.successor();
		await restarted.activate('init');
		expect(restarted.executions.flat()).toMatchObject([{ id, previousScans: 3, newScans: 4 }]);
		expect(await restarted.poll()).toEqual([]);
	});

	it('a crash after quiet polls: nothing that they saw is lost or reported twice', async () => {
		const { id } = await newQr();
		const host = await active({ event: 'qrCodeScanned', options: { minimumIncrease: 5 } });
		await sandbox.simulate({ scans: [{ id, count: 3 }] });
		expect(await host.poll()).toEqual([]);
		const late = await newQr();
		expect(await host.poll()).toEqual([]);
		await sandbox.simulate({
			scans: [
				{ id, count: 3 },
				{ id: late.id, count: 7 },
			],
		});
		const restarted = host.successor();
		await restarted.activate('init');
		expect(
			restarted.executions
				.flat()
				.map((item) => [item.id, item.previousScans, item.newScans])
				.sort(),
		).toEqual(
			[
				[id, 0, 6],
				[late.id, 0, 7],
			].sort(),
		);
	});

	it('another name and place of the node: it goes on', async () => {
		const { id } = await newQr();
		const host = await active({ event: 'qrCodeScanned' });
		await sandbox.simulate({ scans: [{ id, count: 1 }] });
		await host.poll();
		await sandbox.simulate({ scans: [{ id, count: 2 }] });
		const renamed = host.successor({ node: { name: 'Poster scanned', position: [300, 20] } });
		await renamed.activate('update');
		expect(renamed.executions.flat()).toMatchObject([{ id, previousScans: 1, newScans: 2 }]);
	});

	it.each<[string, IDataObject]>([
		['event', { event: 'qrCodeScanThreshold', threshold: 5 }],
		['filter', { event: 'qrCodeScanned', watch: 'selected', qrCodeIds: [1] }],
	])('another %s: a new baseline', async (_name, parameters) => {
		const { id } = await newQr();
		if (parameters.qrCodeIds) parameters.qrCodeIds = [id];
		const host = await active({ event: 'qrCodeScanned' });
		await sandbox.simulate({ scans: [{ id, count: 8 }] });
		const edited = host.successor({ parameters });
		await edited.activate('update');
		expect(edited.executions).toEqual([]);
		await sandbox.simulate({ scans: [{ id, count: 100 }] });
		expect(await edited.poll()).toHaveLength(parameters.threshold ? 0 : 1);
		expect(edited.warnings).toEqual([]);
	});

	it('turned off and on again: a new baseline', async () => {
		const { id } = await newQr();
		const host = await active({ event: 'qrCodeScanned' });
		await sandbox.simulate({ scans: [{ id, count: 8 }] });
		const again = host.successor();
		await again.activate('activate');
		expect(again.executions).toEqual([]);
		await sandbox.simulate({ scans: [{ id, count: 1 }] });
		expect(await again.poll()).toMatchObject([{ id, previousScans: 8, newScans: 1 }]);
	});

	it('a poll that fails half-way changes nothing, and the next covers the gap', async () => {
		await sandbox.reset({ records: { qrs: 25 }, deviations: { pageCap: 10 } });
		const codes = await sandbox.qrs();
		const host = await active({ event: 'qrCodeScanned' });
		const before = host.state;
		await sandbox.simulate({ scans: codes.map(({ id }) => ({ id, count: 1 })) });
		await sandbox.setFaults([{ kind: 'errorEnvelope', status: 200, message: 'Please try later', after: 2 }]);
		await expect(host.poll()).rejects.toThrow('Please try later');
		expect(host.state).toBe(before);
		await sandbox.clearFaults();
		expect(await host.poll()).toHaveLength(25);
	});

	it.each<[string, (state: string) => string]>([
		['damaged', (state) => state.replace(/"known":"./, '"known":"z')],
		['cut', (state) => state.replace(/,"known":"[^"]*"/, '').replace(/"known":"[^"]*"/, '"known":""')],
		['of another version', (state) => state.replace('"v":1', '"v":0')],
		['of another kind', (state) => state.replace(/"state":.*(}})$/, '"state":"text"$1')],
	])('a state that is %s: a new baseline, one clear warning, no failure', async (_name, damage) => {
		const host = await active({ event: 'qrCodeCreated', options: { includeExisting: true } });
		const restarted = host.successor({ saved: damage(host.saved) });
		expect(restarted.saved).not.toBe(host.saved);
		await restarted.activate('init');
		expect(restarted.executions).toEqual([]);
		expect(restarted.warnings).toEqual([
			expect.stringMatching(/^"Trigger": the stored state (is damaged|was written by another version)/),
		]);
		const { id } = await newQr();
		expect(await restarted.poll()).toMatchObject([{ id }]);
		expect(restarted.warnings).toHaveLength(1);
	});

	it('deleted records leave the state', async () => {
		const host = await active({ event: 'qrCodeScanned' });
		const { length } = host.state;
		await sandbox.deleteRecords({ qrs: (await sandbox.qrs()).slice(0, 9).map(({ id }) => id) });
		const { id } = (await sandbox.qrs())[0];
		await sandbox.simulate({ scans: [{ id, count: 1 }] });
		await host.poll();
		await sandbox.simulate({ scans: [{ id, count: 1 }] });
		await host.poll();
		expect(host.state.length).toBeLessThan(length);
	});

	it('statistics that were reset count from zero', async () => {
		const { id } = await newQr({ scans: 40 });
		const host = await active({ event: 'qrCodeScanned' });
		await sandbox.resetCounts({ qrs: [id] });
		expect(await host.poll()).toEqual([]);
		expect(await host.poll()).toEqual([]);
		await sandbox.simulate({ scans: [{ id, count: 2 }] });
		expect(await host.poll()).toMatchObject([{ id, previousScans: 0, newScans: 2 }]);
	});
});

describe('time', () => {
	it('polls of one node never run at once', async () => {
		const host = await active({ event: 'qrCodeScanned' });
		await sandbox.setFaults([{ kind: 'latency', ms: 100 }]);
		const { id } = await newQr();
		await sandbox.simulate({ scans: [{ id, count: 1 }] });
		await Promise.all([host.tick(), host.tick(), host.tick()]);
		expect(host.executions.flat()).toMatchObject([{ id, newScans: 1 }]);
		expect(await requests()).toEqual(['GET /api/qr']);
	});

	it('an account too large for one poll is read in slices, each of which reports what it found', async () => {
		await sandbox.reset({ records: { qrs: 60 }, deviations: { pageCap: 5 } });
		const host = await active({ event: 'qrCodeScanned' });
		host.budgetMs = 60_000;
		const codes = await sandbox.qrs();
		await sandbox.simulate({ scans: codes.map(({ id }) => ({ id, count: 1 })) });
		clockOfRequests(15_000);
		const slices: number[] = [];
		for (let n = 0; n < 9; n++) slices.push((await host.poll()).length);
		expect(slices.reduce((sum, length) => sum + length, 0)).toBe(60);
		expect(slices.filter((length) => length > 0).length).toBeGreaterThan(2);
		expect(new Set(host.executions.flat().map(({ id }) => id)).size).toBe(60);
	});

	it('a poll that finds the rate limit used up ends in time, and later ones go on', async () => {
		await sandbox.reset({
			records: { qrs: 60 },
			deviations: { pageCap: 5 },
			limit: { requests: 2, windowMs: 10_000, reset: 'milliseconds' },
		});
		quickClock(4);
		const host = trigger({ event: 'qrCodeScanned' }, { budgetMs: 1500 });
		await host.activate();
		for (let n = 0; n < 3; n++) {
			const from = Date.now();
			expect(await host.poll()).toEqual([]);
			expect(Date.now() - from).toBeLessThan(5000);
		}
		const read = (await sandbox.stats()).requests;
		expect(read).toBeLessThan(12);
		await sandbox.setLimit({ requests: null });
		const isBaseline = () =>
			(JSON.parse(host.saved) as Record<string, { state?: { fields: IDataObject } }>)['node:Trigger'].state?.fields
				.baseline;
		expect(isBaseline()).toBe(true);
		const { id } = (await sandbox.qrs())[0];
		for (let n = 0; n < 40 && host.executions.length === 0; n++) {
			await sandbox.simulate({ scans: [{ id, count: 1 }] });
			await host.poll();
		}
		expect(host.executions[0]).toMatchObject([{ id }]);
	});
});

describe("n8n's durable scheduler, which gives each poll a context of its own", () => {
	const durable = { durableCursor: true };
	const savedGlobally = ({ saved }: TriggerHost): unknown => (JSON.parse(saved) as { global?: unknown }).global ?? {};
	/** Another process: nothing is left of what this one knew. */
	const elsewhere = async <T>(work: (Host: typeof TriggerHost) => Promise<T>): Promise<T> => {
		let result: Promise<T> | undefined;
		jest.isolateModules(() => {
			const { TriggerHost: Host } = jest.requireActual<{ TriggerHost: typeof TriggerHost }>('./pollHost');
			result = work(Host);
		});
		return await result!;
	};

	it('goes on from the baseline that the activation set, though no cursor kept it', async () => {
		const { id } = await newQr();
		const host = await active({ event: 'qrCodeScanned' }, durable);
		expect(host.cursor).toBe('{}');
		await sandbox.simulate({ scans: [{ id, count: 2 }] });
		expect(await host.scheduledPoll()).toMatchObject([{ id, previousScans: 0, newScans: 2 }]);
		expect(await host.scheduledPoll()).toEqual([]);
		expect(savedGlobally(host)).not.toEqual({});
		await sandbox.simulate({ scans: [{ id, count: 1 }] });
		expect(await host.scheduledPoll()).toMatchObject([{ id, previousScans: 2, newScans: 1 }]);
		expect(savedGlobally(host)).toEqual({});
	});

	it('also when n8n was killed in between', async () => {
		const { id } = await newQr();
		const host = await active({ event: 'qrCodeScanned' }, durable);
		await sandbox.simulate({ scans: [{ id, count: 2 }] });
		const { saved, cursor, workflowId } = host;
		const items = await elsewhere(async (Host) => {
			const credential = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
			return await new Host({
				credential,
				parameters: { event: 'qrCodeScanned' },
				saved,
				cursor,
				workflowId,
				...durable,
			}).scheduledPoll();
		});
		expect(items).toMatchObject([{ id, previousScans: 0, newScans: 2 }]);
	});

	it('begins again when the workflow is turned off and on, though the old cursor is still there', async () => {
		const { id } = await newQr();
		const host = await active({ event: 'qrCodeScanned' }, durable);
		await sandbox.simulate({ scans: [{ id, count: 2 }] });
		await host.scheduledPoll();
		await sandbox.simulate({ scans: [{ id, count: 30 }] });
		const again = host.successor();
		await again.activate('activate');
		expect(await again.scheduledPoll()).toEqual([]);
		await sandbox.simulate({ scans: [{ id, count: 4 }] });
		expect(await again.scheduledPoll()).toMatchObject([{ id, previousScans: 32, newScans: 4 }]);
	});

	it('repeats what could not be committed, and nothing else', async () => {
		const { id } = await newQr();
		const host = await active({ event: 'qrCodeScanned' }, durable);
		await sandbox.simulate({ scans: [{ id, count: 2 }] });
		await host.scheduledPoll({ commits: false });
		await sandbox.simulate({ scans: [{ id, count: 1 }] });
		const clock = Date.now.bind(Date);
		const later = jest.spyOn(Date, 'now').mockImplementation(() => clock() + 40_000);
		expect(await host.scheduledPoll()).toMatchObject([{ id, previousScans: 0, newScans: 3 }]);
		later.mockRestore();
		expect(await host.scheduledPoll()).toEqual([]);
	});

	it('waits when it is handed the state from before a report that is still on its way', async () => {
		const { id } = await newQr();
		const host = await active({ event: 'qrCodeScanned' }, durable);
		const { cursor } = host;
		await sandbox.simulate({ scans: [{ id, count: 2 }] });
		expect(await host.scheduledPoll()).toMatchObject([{ id, newScans: 2 }]);
		const committed = host.cursor;
		host.cursor = cursor;
		expect(await host.scheduledPoll()).toEqual([]);
		// Another poll in between, with nothing to report, changes nothing about that.
		host.cursor = committed;
		expect(await host.scheduledPoll()).toEqual([]);
		host.cursor = cursor;
		expect(await host.scheduledPoll()).toEqual([]);
		host.cursor = committed;
		await sandbox.simulate({ scans: [{ id, count: 3 }] });
		expect(await host.scheduledPoll()).toMatchObject([{ id, previousScans: 2, newScans: 3 }]);
	});

	it('without durable cursors: slices go on though quiet polls are not kept', async () => {
		await sandbox.reset({ records: { qrs: 60 }, deviations: { pageCap: 5 } });
		clockOfRequests(15_000);
		const host = trigger({ event: 'qrCodeScanned' }, { budgetMs: 60_000 });
		await host.activate();
		for (let n = 0; n < 6; n++) await host.scheduledPoll();
		const { id } = (await sandbox.qrs())[30];
		await sandbox.simulate({ scans: [{ id, count: 2 }] });
		const items: IDataObject[] = [];
		for (let n = 0; n < 6; n++) items.push(...(await host.scheduledPoll()));
		expect(items).toMatchObject([{ id, newScans: 2 }]);
	});
});

test('each finding of a poll gives a turn away while it is made an item', async () => {
	const host = await active({ event: 'qrCodeScanned' });
	const poll = async (count: number) => {
		const scanned = (await sandbox.createRecords({ qrs: count })).qrs;
		await sandbox.simulate({ scans: scanned.map(({ id }) => ({ id, count: 1 })) });
		return await turnsDuring(async () => expect(await host.poll()).toHaveLength(count));
	};
	const few = await poll(10);
	expect((await poll(80)) - few).toBeGreaterThan(60);
});

/**
 * The trigger in the oldest supported engine's own poll machinery, over real HTTP to the sandbox. What the events report in either
 * dialect, a day of polls shows (triggerOverADay.test.ts); here services of the field, which ask more of it.
 */
import type { IDataObject } from 'n8n-workflow';

import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { EVENTS } from '../../nodes/LinkManagement/trigger/events';
import { DIALECTS, startSandbox } from '../sandbox';
import { quickClock } from './clock';
import { TriggerHost } from './pollHost';
import { serve } from './serve';
import {
	active,
	idsIn,
	newLink,
	newQr,
	requests,
	sandbox,
	scan,
	scanAll,
	scannedQr,
	speaking,
	trigger,
} from './triggerService';

speaking('field');

it('linkClicked with a minimum increase: waits until enough have come together', async () => {
	const { id } = await newLink();
	const host = await active({ event: 'linkClicked', options: { minimumIncrease: 5 } });
	for (const count of [3, 1]) {
		await sandbox.simulate({ clicks: [{ id, count }] });
		expect(await host.poll()).toEqual([]);
	}
	await sandbox.simulate({ clicks: [{ id, count: 2 }] });
	expect(await host.poll()).toMatchObject([{ id, previousClicks: 0, newClicks: 6 }]);
});

it('a count that jumps past more than 100 thresholds makes one item, with the highest', async () => {
	const { id } = await newQr({ scans: 95 });
	const host = await active({ event: 'qrCodeScanThreshold', threshold: 100, thresholdMode: 'every' });
	await scan(id, 4_294_967_200);
	const jump = { previousScans: 95, newScans: 4_294_967_200, threshold: 4_294_967_200 };
	expect(await host.poll()).toMatchObject([{ event: 'qrCodeScanThreshold', id, ...jump }]);
	expect(await host.poll()).toEqual([]);
	await scan(id, 10_000);
	expect(await host.poll()).toHaveLength(100);
});

it('below the node stands the name of its event', () => {
	for (const { value, name } of EVENTS) {
		const { workflow, node } = trigger({ event: value });
		const { subtitle } = new LinkManagementTrigger().description;
		expect(workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {})).toBe(name);
	}
});

describe('the account', () => {
	it('is asked for once: not again when polled, restarted, edited or turned on again', async () => {
		const host = await active({ event: 'qrCodeScanned' });
		await host.poll();
		const restarted = await host.again('init');
		const edited = await restarted.again('update', { parameters: { event: 'qrCodeCreated' } });
		await edited.again('activate');
		expect(new Set(await requests())).toEqual(new Set(['GET /api/qr']));
	});

	it('is the same with a new key: the trigger goes on', async () => {
		const { id, host } = await scannedQr(2);
		await sandbox.configure({ apiKeys: [sandbox.apiKey, 'new-key'] });
		const renewed = await host.again('update', { credential: { baseUrl: sandbox.url, apiKey: 'new-key' } });
		expect(renewed.executions.flat()).toMatchObject([{ id, previousScans: 0, newScans: 2 }]);
		expect(renewed.warnings).toEqual([]);
		await renewed.poll();
		expect(await requests()).toEqual(['GET /api/account', 'GET /api/qr', 'GET /api/qr']);
		expect(renewed.saved).not.toContain('new-key');
	});

	it('may stay unknown where the key may not read it: then the trigger goes on as long as the key is the same', async () => {
		await sandbox.setFaults([
			{ kind: 'errorEnvelope', status: 403, message: 'Not for this key', match: { path: '^/api/account' } },
		]);
		const { id, host } = await scannedQr(2);
		expect(await host.poll()).toMatchObject([{ id, newScans: 2 }]);
		await scan(id, 3);
		const restarted = await host.again('init');
		expect(restarted.executions.flat()).toMatchObject([{ id, previousScans: 2, newScans: 3 }]);
		expect(await requests()).toEqual(['GET /api/qr', 'GET /api/qr']);
	});

	it('adds its custom header to each request', async () => {
		const seen: Array<string | undefined> = [];
		const baseUrl = await serve((request, response) => {
			seen.push(request.headers['x-front']?.toString());
			response.end(
				'{"error":0,"data":{"result":0,"perpage":100,"currentpage":1,"nextpage":null,"maxpage":1,"qrs":[]}}',
			);
		});
		const header = { header: true, headerName: 'X-Front', headerValue: 'a pass of the front' };
		const host = new TriggerHost({
			credential: { baseUrl, apiKey: 'a-key', ...header },
			parameters: { event: 'qrCodeCreated' },
		});
		await host.activate();
		expect(await host.poll()).toEqual([]);
		expect(seen.length).toBeGreaterThan(1);
		expect(new Set(seen)).toEqual(new Set(['a pass of the front']));
	});

	it('is another one with another key: a new baseline and a warning, and none of its records is reported as new', async () => {
		const elsewhere = await startSandbox({ records: { qrs: 50 }, limit: { requests: null }, seed: 2 });
		try {
			const host = await active({ event: 'qrCodeCreated', options: { includeExisting: true } });
			const { url: baseUrl, apiKey } = elsewhere;
			const other = await host.again('update', { credential: { baseUrl, apiKey } });
			expect(other.executions).toEqual([]);
			expect(other.warnings).toEqual([expect.stringMatching(/leads to another account/)]);
			const { id } = (await elsewhere.createRecords({ qrs: [{}] })).qrs[0];
			expect(await other.poll()).toMatchObject([{ id }]);
			expect(other.warnings).toHaveLength(1);
		} finally {
			await elsewhere.stop();
		}
	});
});

describe('the first poll', () => {
	it.each(['linkCreated', 'qrCodeCreated'])(
		'%s with existing records: reports them, oldest first for links, and none again',
		async (event) => {
			const host = trigger({ event, options: { includeExisting: true } });
			await host.activate();
			const reported = host.executions.flat();
			expect(idsIn(reported)).toEqual(idsIn(event === 'linkCreated' ? await sandbox.links() : await sandbox.qrs()));
			const dates = reported.map(({ date }) => date);
			if (event === 'linkCreated') expect(dates).toEqual([...dates].sort());
			expect(await host.poll()).toEqual([]);
		},
	);

	it.each<[string, IDataObject, RegExp]>([
		[
			'a threshold of 0',
			{ event: 'linkClickThreshold', threshold: 0 },
			/Threshold: 0 is not a whole number of at least 1/,
		],
		[
			'a threshold of text',
			{ event: 'qrCodeScanThreshold', threshold: 'many' },
			/Threshold: "many" is not a whole number/,
		],
		['a fraction', { event: 'linkClickThreshold', threshold: 2.2 }, /Threshold: 2.2 is not a whole number/],
		['no record selected', { event: 'linkClicked', watch: 'selected', linkIds: [] }, /No link is selected/],
		[
			'no code selected',
			{ event: 'qrCodeScanThreshold', watch: 'selected', qrCodeIds: [], threshold: 5 },
			/No QR code is selected/,
		],
		['an ID that is none', { event: 'linkClicked', watch: 'selected', linkIds: ['12', 'abc'] }, /"abc" is not an ID/],
		['a minimum increase of 0', { event: 'qrCodeScanned', options: { minimumIncrease: 0 } }, /Minimum Increase: 0/],
		['an event that is none', { event: 'linkDeleted' }, /"linkDeleted" is none of the trigger's events/],
	])('refuses %s', async (_name, parameters, message) => {
		await expect(trigger(parameters).activate()).rejects.toThrow(message);
		expect(await requests()).toEqual([]);
	});

	it('refuses a key that the service refuses, with its message', async () => {
		const host = trigger({ event: 'linkCreated' }, { credential: { baseUrl: sandbox.url, apiKey: 'wrong-key' } });
		await expect(host.activate()).rejects.toThrow(/problem activating the workflow: .+/);
		await sandbox.setFaults([{ kind: 'errorEnvelope', status: 200, message: 'Your API key has expired' }]);
		await expect(trigger({ event: 'linkCreated' }).activate()).rejects.toThrow('Your API key has expired');
	});
});

describe('requests', () => {
	beforeEach(async () => {
		await sandbox.reset({ records: { links: 1000, qrs: 350 }, deviations: { pageCap: 100 } });
	});

	it('linkCreated: one when nothing happened; at activation one more, which asks whose account it is', async () => {
		const host = trigger({ event: 'linkCreated' });
		await host.activate();
		expect(await requests()).toEqual(['GET /api/account', 'GET /api/urls']);
		await host.poll();
		expect(await requests()).toEqual(['GET /api/urls']);
	});

	it('qrCodeScanned: each page once, at the largest size that the service grants, and the credential is decrypted once', async () => {
		let decrypted = 0;
		const credential = {
			get baseUrl() {
				decrypted++;
				return sandbox.url;
			},
			apiKey: sandbox.apiKey,
		};
		const host = await active({ event: 'qrCodeScanned' }, { credential });
		decrypted = 0;
		await host.poll();
		expect(await requests()).toHaveLength(4);
		expect(decrypted).toBe(1);
	});

	it('selected: the records alone when that takes fewer', async () => {
		const [first, second] = await sandbox.qrs();
		const host = await active({ event: 'qrCodeScanned', watch: 'selected', qrCodeIds: [first.id, second.id] });
		await scan(second.id, 2);
		expect(await host.poll()).toMatchObject([
			{ id: second.id, name: second.name, previousScans: second.scans, newScans: 2, scans: second.scans + 2 },
		]);
		expect(await requests()).toEqual([`GET /api/qr/${first.id}`, `GET /api/qr/${second.id}`]);
	});

	it('selected: one that the service refuses to show is neither gone nor a failure, and one refused for the rate limit is asked for again', async () => {
		const [first, second] = await sandbox.qrs();
		const host = await active({ event: 'qrCodeScanned', watch: 'selected', qrCodeIds: [first.id, second.id] });
		await sandbox.simulate({ scans: [first, second].map(({ id }) => ({ id, count: 2 })) });
		const only = ({ id }: { id: number }) => ({ match: { path: `^/api/qr/${id}$` }, times: 1 });
		await sandbox.setFaults([
			{ kind: 'errorEnvelope', status: 200, message: 'Please try later', ...only(first) },
			{ kind: 'rateLimited', resetInMs: 200, ...only(second) },
		]);
		expect(await host.poll()).toMatchObject([{ id: second.id, newScans: 2 }]);
		expect(await host.poll()).toMatchObject([{ id: first.id, previousScans: first.scans, newScans: 2 }]);
	});

	it.each([
		['a list', (ids: number[]) => ids],
		['text with commas', (ids: number[]) => ids.join(', ')],
		['locators', (ids: number[]) => ids.map((value) => ({ __rl: true, mode: 'list', value }))],
	])('selected IDs may come as %s', async (_name, write) => {
		const [other, ...ids] = (await sandbox.links()).slice(0, 4).map(({ id }) => id);
		const linkIds = write(ids) as IDataObject[string];
		const host = await active({ event: 'linkClicked', watch: 'selected', linkIds });
		await sandbox.simulate({ clicks: [...ids, other].map((id) => ({ id, count: 1 })) });
		expect(idsIn(await host.poll())).toEqual(ids.sort());
	});

	it('a pass keeps its place when the service fails at the page size that it began with', async () => {
		await sandbox.reset({ records: { qrs: 3000 }, deviations: { pageCap: null }, validate: false });
		const host = await active({ event: 'qrCodeScanned' });
		const ids = await scanAll();
		await sandbox.setFaults([{ kind: 'status', status: 504, body: 'html', after: 1, times: 3 }]);
		quickClock(5);
		expect(idsIn(await host.poll())).toEqual(ids);
	});

	it('finds what is dated back by the number of links', async () => {
		const host = await active({ event: 'linkCreated' });
		const { id } = await newLink({ date: '2024-03-01 12:00:00' });
		expect(await host.poll()).toMatchObject([{ id }]);
		expect(await host.poll()).toEqual([]);
	});
});

describe.each(DIALECTS)('Fetch Test Event, %s', (dialect) => {
	speaking(dialect);

	it.each<[string, IDataObject, IDataObject]>([
		['linkCreated', {}, { clicks: 3 }],
		['linkClicked', {}, { previousClicks: 2, newClicks: 1 }],
		['linkClickThreshold', { threshold: 2, thresholdMode: 'once' }, { threshold: 2, previousClicks: 1, newClicks: 2 }],
		['qrCodeCreated', {}, { scans: 5 }],
		['qrCodeScanned', {}, { previousScans: 4, newScans: 1 }],
		['qrCodeScanThreshold', { threshold: 2, thresholdMode: 'every' }, { threshold: 4, previousScans: 3, newScans: 2 }],
	])(
		'%s: the newest record that fits, in the shape of the event, the state untouched',
		async (event, parameters, expected) => {
			const link = await newLink({ title: 'Newest', clicks: 3 });
			const qr = await newQr({ name: 'Newest', scans: 5 });
			const host = await active({ event, ...parameters });
			const { saved } = host;
			const { id } = event.startsWith('link') ? link : qr;
			const [item] = await host.fetchTestEvent();
			expect(item).toMatchObject({ id, event, ...expected });
			expect(item).not.toHaveProperty('sample');
			expect(host.saved).toBe(saved);
			expect(await host.poll()).toEqual([]);
		},
	);

	it('selected: one of these', async () => {
		const [link] = await sandbox.links();
		await sandbox.simulate({ clicks: [{ id: link.id, count: 1 }] });
		const host = trigger({ event: 'linkClicked', watch: 'selected', linkIds: [link.id] });
		expect(await host.fetchTestEvent()).toMatchObject([{ id: link.id, event: 'linkClicked', newClicks: 1 }]);
	});

	it.each<[string, IDataObject, IDataObject]>([
		['linkClicked', {}, { clicks: 0, previousClicks: 0, newClicks: 0 }],
		['linkClickThreshold', { threshold: 7 }, { clicks: 0, previousClicks: 0, newClicks: 0, threshold: 7 }],
		['qrCodeScanned', { options: { minimumIncrease: 9 } }, { scans: 5, previousScans: 0, newScans: 5 }],
		['qrCodeScanThreshold', { threshold: 7 }, { scans: 5, previousScans: 0, newScans: 5, threshold: 7 }],
	])('%s: where no record fits, the newest one shows what an event looks like', async (event, parameters, expected) => {
		await sandbox.reset({ records: { links: 0, qrs: 0 } });
		for (const name of ['Older', 'Newest']) {
			await newLink({ title: name });
			await newQr({ name, scans: 5 });
		}
		const [item] = await trigger({ event, ...parameters }).fetchTestEvent();
		expect(item).toMatchObject({ event, ...expected });
		expect(item.title ?? item.name).toBe('Newest');
		expect(item.sample).toBe(true);
	});

	it('selected: the chosen record, also where it does not fit', async () => {
		const { id } = await newQr({ name: 'Chosen' });
		await newQr({ name: 'Newer', scans: 500 });
		const parameters = { event: 'qrCodeScanThreshold', threshold: 100, watch: 'selected', qrCodeIds: [id] };
		expect(await trigger(parameters).fetchTestEvent()).toMatchObject([{ id, name: 'Chosen', threshold: 100 }]);
		await sandbox.deleteRecords({ qrs: [id] });
		await expect(trigger(parameters).fetchTestEvent()).rejects.toThrow(
			'None of the selected QR codes is there any more',
		);
	});

	it.each(EVENTS.map(({ value }) => value))('%s: an error only where there is nothing at all', async (event) => {
		await sandbox.reset({ records: { links: 0, qrs: 0 } });
		const noun = event.startsWith('link') ? 'link' : 'QR code';
		const host = trigger({ event, threshold: 7 });
		await expect(host.fetchTestEvent()).rejects.toThrow(`There is no ${noun} in the account yet`);
	});
});

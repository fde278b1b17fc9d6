/**
 * The trigger in the oldest supported engine's own poll machinery, over real HTTP to the sandbox: services of the field, which ask more
 * of it.
 */
import type { IDataObject } from 'n8n-workflow';
import { generate } from 'selfsigned';

import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { EVENTS } from '../../nodes/LinkManagement/trigger/events';
import { startSandbox } from '../sandbox';
import { TriggerHost, type TriggerSetting } from './pollHost';
import { serve } from './serve';
import { active, idsIn, newLink, newQr, requests, sandbox, scan, speaking, trigger } from './triggerService';

speaking('field');

it('below the node stands the name of its event', () => {
	for (const { value, name } of EVENTS) {
		const { workflow, node } = trigger({ event: value });
		const { subtitle } = new LinkManagementTrigger().description;
		expect(workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {})).toBe(name);
	}
});

it('is activated at a service with a certificate of its own where the credential ignores SSL issues', async () => {
	const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
	const answer = JSON.stringify({ error: 0, data: { urls: [] } });
	const baseUrl = await serve((_request, response) => void response.end(answer), { key, cert });
	const activate = async (allowUnauthorizedCerts: boolean) => {
		const credential = { baseUrl, apiKey: 'a-key', allowUnauthorizedCerts };
		await new TriggerHost({ credential, parameters: { event: 'linkCreated' } }).activate();
	};
	await expect(activate(true)).resolves.toBeUndefined();
	await expect(activate(false)).rejects.toThrow('No secure connection');
});

/** How n8n polls, and how it keeps the state: all at once for each of its modes. */
const MODES: Array<[string, Partial<TriggerSetting>, (host: TriggerHost) => Promise<IDataObject[]>]> = [
	['in its own timers', {}, async (host) => await host.poll()],
	['by its scheduler', {}, async (host) => await host.scheduledPoll()],
	['with durable cursors', { durableCursor: true }, async (host) => await host.scheduledPoll()],
];

describe.each(MODES)('another key, where n8n polls %s', (mode, setting, poll) => {
	/** n8n is killed and starts: nothing is left but what is in its database. */
	async function restarted(host: TriggerHost): Promise<TriggerHost> {
		const next = host.killed();
		if (mode === 'in its own timers') await next.activate('init');
		return next;
	}
	const told = async (host: TriggerHost) => [...host.executions.flat(), ...(await poll(host))];

	it.each(['qrCodeScanned', 'qrCodeCreated'])(
		'of the same account: it goes on, also after a restart: %s',
		async (event) => {
			const { id } = await newQr();
			const host = await active({ event }, setting);
			await sandbox.configure({ apiKeys: [sandbox.apiKey, 'new-key'] });
			Object.assign(host.setting.credential, { apiKey: 'new-key' });
			const happen = async () => (event === 'qrCodeCreated' ? (await newQr()).id : (await scan(id, 2), id));
			const first = await happen();
			expect(await poll(host)).toMatchObject([{ id: first }]);
			const second = await happen();
			const next = await restarted(host);
			expect(await told(next)).toMatchObject([{ id: second }]);
			expect([...host.warnings, ...next.warnings]).toEqual([]);
			expect(host.saved + host.cursor).not.toContain('new-key');
		},
	);

	it('of another account: it starts over once, and misses nothing after that, also what happens while n8n is down', async () => {
		const host = await active({ event: 'qrCodeScanned' }, setting);
		// The service shows the records of another account from now on.
		await sandbox.deleteRecords({ qrs: (await sandbox.qrs()).map(({ id }) => id) });
		const { id } = await newQr({ scans: 7 });
		await sandbox.configure({ apiKeys: [sandbox.apiKey, 'new-key'] });
		Object.assign(host.setting.credential, { apiKey: 'new-key' });
		expect(await poll(host)).toEqual([]);
		await scan(id, 3);
		const next = await restarted(host);
		expect(await told(next)).toMatchObject([{ id, previousScans: 7, newScans: 3 }]);
		expect(await poll(next)).toEqual([]);
		expect([...host.warnings, ...next.warnings]).toEqual([]);
	});
});

it('another Base URL: it starts over, and nothing that exists there is reported', async () => {
	const elsewhere = await startSandbox({ records: { qrs: 50 }, limit: { requests: null }, seed: 2 });
	try {
		const host = await active({ event: 'qrCodeCreated' });
		const { url: baseUrl, apiKey } = elsewhere;
		const other = await host.again('update', { credential: { baseUrl, apiKey } });
		expect(other.executions.flat()).toEqual([]);
		const { id } = (await elsewhere.createRecords({ qrs: [{}] })).qrs[0];
		expect(await other.poll()).toMatchObject([{ id }]);
	} finally {
		await elsewhere.stop();
	}
});

describe('the first poll', () => {
	it.each<[string, IDataObject, RegExp]>([
		[
			'a threshold of 0',
			{ event: 'linkClickThreshold', threshold: 0 },
			/Threshold is not a whole number of at least 1: "0"/,
		],
		[
			'a threshold of text',
			{ event: 'qrCodeScanThreshold', threshold: 'many' },
			/Threshold is not a whole number of at least 1: "many"/,
		],
		[
			'a fraction',
			{ event: 'linkClickThreshold', threshold: 2.2 },
			/Threshold is not a whole number of at least 1: "2.2"/,
		],
		['no record selected', { event: 'linkClicked', watch: 'selected', linkIds: [] }, /No link is selected/],
		[
			'no code selected',
			{ event: 'qrCodeScanThreshold', watch: 'selected', qrCodeIds: [], threshold: 5 },
			/No QR code is selected/,
		],
		[
			'an ID that is none',
			{ event: 'linkClicked', watch: 'selected', linkIds: ['12', 'abc'] },
			/Link Names or IDs is not an ID: "abc"/,
		],
		['an expression that gives no event', { event: '={{ "" }}' }, /Event is empty/],
		[
			'an expression that gives no threshold',
			{ event: 'linkClickThreshold', threshold: '={{ "" }}' },
			/Threshold is empty/,
		],
		['an event that is none', { event: 'linkDeleted' }, /Event is none of linkClicked, /],
		['a choice that is none', { event: 'linkClicked', watch: 'some' }, /Watch is none of all, selected/],
		[
			'a mode that is none',
			{ event: 'linkClickThreshold', threshold: 3, thresholdMode: 'twice' },
			/Threshold Mode is none of once, every/,
		],
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

describe('values as expressions give them', () => {
	it('choices by their labels, in any case, numbers and IDs as text', async () => {
		const [{ id }] = (await sandbox.links()).filter(({ clicks }) => clicks === 0);
		const host = await active({
			event: '={{ "link reached a number of clicks" }}',
			watch: '={{ "SELECTED" }}',
			linkIds: ` ${id} `,
			threshold: ' 2 ',
			thresholdMode: 'every',
		});
		await sandbox.simulate({ clicks: [{ id, count: 2 }] });
		expect(await host.poll()).toMatchObject([{ id, threshold: 2 }]);
	});
});

it('an error of a poll does not show the key, whatever the service sends', async () => {
	const host = await active({ event: 'linkCreated' });
	await sandbox.setFaults([{ kind: 'errorEnvelope', status: 402, message: `No plan for ${sandbox.apiKey}` }]);
	const error = await host.poll().catch((failure: unknown) => failure as Error & { description?: string });
	expect(error).toHaveProperty('message', expect.stringMatching(/The service says "No plan for /));
	const shown = [(error as Error).message, (error as { description?: string }).description];
	expect(JSON.stringify(shown)).not.toContain(sandbox.apiKey);
});

describe('selected records', () => {
	it('one that the service refuses to show is asked for again; where it shows none, they are looked for in the list', async () => {
		await sandbox.reset({ records: { links: 60 }, deviations: { pageCap: 15 } });
		const [first, second] = (await sandbox.links()).sort((a, b) => a.id - b.id);
		const host = await active({ event: 'linkClicked', watch: 'selected', linkIds: [first.id, second.id] });
		await sandbox.simulate({ clicks: [first, second].map(({ id }) => ({ id, count: 2 })) });
		const only = ({ id }: { id: number }) => ({ match: { path: `^/api/url/${id}$` }, times: 1 });
		await sandbox.setFaults([
			{ kind: 'rateLimited', resetInMs: 200, ...only(first) },
			{ kind: 'errorEnvelope', status: 200, message: 'Please try later', ...only(second) },
		]);
		expect(await host.poll()).toMatchObject([{ id: first.id, newClicks: 2 }]);
		expect(await host.poll()).toMatchObject([{ id: second.id, newClicks: 2 }]);
		await sandbox.simulate({ clicks: [first, second].map(({ id }) => ({ id, count: 1 })) });
		await sandbox.setFaults([{ kind: 'errorEnvelope', status: 403, message: 'No', match: { path: '^/api/url/' } }]);
		expect(idsIn(await host.poll())).toEqual([first.id, second.id].sort());
	});

	it('are read from the list where it has no more pages than they are, QR codes always', async () => {
		await sandbox.reset({ records: { links: 60, qrs: 60 }, deviations: { pageCap: 15 } });
		const oldest = (records: Array<{ id: number }>, count: number) =>
			records
				.map(({ id }) => id)
				.sort((a, b) => a - b)
				.slice(0, count);
		const links = await sandbox.links();
		const few = await active({ event: 'linkClicked', watch: 'selected', linkIds: oldest(links, 2) });
		await few.poll();
		expect(await requests()).toEqual(['GET /api/urls', ...oldest(links, 2).map((id) => `GET /api/url/${id}`)]);
		const many = await active({ event: 'linkClicked', watch: 'selected', linkIds: oldest(links, 9) });
		await many.poll();
		expect(new Set(await requests())).toEqual(new Set(['GET /api/urls']));
		const codes = await active({
			event: 'qrCodeScanned',
			watch: 'selected',
			qrCodeIds: oldest(await sandbox.qrs(), 1),
		});
		await codes.poll();
		expect(new Set(await requests())).toEqual(new Set(['GET /api/qr']));
	});

	it.each([
		['a list', (ids: number[]) => ids],
		['text with commas', (ids: number[]) => ids.join(', ')],
	])('may come as %s', async (_name, write) => {
		const [other, ...ids] = (await sandbox.links()).slice(0, 4).map(({ id }) => id);
		const linkIds = write(ids) as IDataObject[string];
		const host = await active({ event: 'linkClicked', watch: 'selected', linkIds });
		await sandbox.simulate({ clicks: [...ids, other].map((id) => ({ id, count: 1 })) });
		expect(idsIn(await host.poll())).toEqual(ids.sort());
	});
});

describe('Fetch Test Event', () => {
	it.each<[string, IDataObject, IDataObject]>([
		['linkCreated', {}, { clicks: 3 }],
		['linkClicked', {}, { previousClicks: 2, newClicks: 1 }],
		['linkClickThreshold', { threshold: 2, thresholdMode: 'once' }, { threshold: 2, previousClicks: 1, newClicks: 2 }],
		['qrCodeCreated', {}, { scans: 5 }],
		['qrCodeScanned', {}, { previousScans: 4, newScans: 1 }],
		['qrCodeScanThreshold', { threshold: 2, thresholdMode: 'every' }, { threshold: 4, previousScans: 3, newScans: 2 }],
	])('%s: the newest record, in the shape of the event, the state untouched', async (event, parameters, expected) => {
		const link = await newLink({ title: 'Newest', clicks: 3 });
		const qr = await newQr({ name: 'Newest', scans: 5 });
		const host = await active({ event, ...parameters });
		const { saved } = host;
		const { id } = event.startsWith('link') ? link : qr;
		const [item] = await host.fetchTestEvent();
		expect(item).toMatchObject({ id, event, ...expected });
		// The counts before are made up.
		const isMarked = 'previousClicks' in expected || 'previousScans' in expected;
		expect(Object.entries(item).slice(0, 2)).toEqual([['event', event], isMarked ? ['sample', true] : ['id', id]]);
		expect(item.sample).toBe(isMarked ? true : undefined);
		expect(host.saved).toBe(saved);
		expect(await host.poll()).toEqual([]);
	});

	it.each<[string, IDataObject, IDataObject]>([
		['linkClicked', {}, { clicks: 0, previousClicks: 0, newClicks: 0 }],
		['linkClickThreshold', { threshold: 7 }, { clicks: 0, previousClicks: 0, newClicks: 0, threshold: 7 }],
		['qrCodeScanThreshold', { threshold: 7 }, { scans: 5, previousScans: 4, newScans: 1, threshold: 7 }],
	])('%s: a record that would not be reported shows what an event looks like', async (event, parameters, expected) => {
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

	it('selected: the newest of the chosen ones', async () => {
		const links = (await sandbox.createRecords({ links: 14 })).links;
		const parameters = { event: 'linkClickThreshold', threshold: 100, watch: 'selected' };
		const linkIds = links.slice(0, 3).map(({ id }) => id);
		expect(await trigger({ ...parameters, linkIds }).fetchTestEvent()).toMatchObject([
			{ id: links[2].id, threshold: 100, clicks: 0 },
		]);
	});

	it('reads one page', async () => {
		await sandbox.reset({ records: { qrs: 40 }, deviations: { pageCap: 10 } });
		expect(await trigger({ event: 'qrCodeScanned' }).fetchTestEvent()).toHaveLength(1);
		expect(await requests()).toEqual(['GET /api/qr']);
	});

	it('selected: a code on a late page of a long list', async () => {
		await sandbox.reset({ records: { qrs: 130 }, deviations: { pageCap: 10 } });
		const last = (await sandbox.qrs()).sort((a, b) => a.id - b.id);
		for (const { id } of [last[0], last[129]]) {
			const parameters = { event: 'qrCodeScanned', watch: 'selected', qrCodeIds: [id] };
			expect(await trigger(parameters).fetchTestEvent()).toMatchObject([{ id }]);
		}
	});

	it('selected: the chosen record, also where it does not fit', async () => {
		const { id } = await newQr({ name: 'Chosen' });
		await newQr({ name: 'Newer', scans: 500 });
		const parameters = { event: 'qrCodeScanThreshold', threshold: 100, watch: 'selected', qrCodeIds: [id] };
		expect(await trigger(parameters).fetchTestEvent()).toMatchObject([{ id, name: 'Chosen', threshold: 100 }]);
		await sandbox.deleteRecords({ qrs: [id] });
		await expect(trigger(parameters).fetchTestEvent()).rejects.toThrow('None of the selected QR codes exists any more');
	});
});

/**
 * The trigger in the oldest supported engine's own poll machinery, over real HTTP to the sandbox. What the events report in either
 * dialect, a day of polls shows (triggerOverADay.test.ts); here services of the field, which ask more of it.
 */
import type { IDataObject } from 'n8n-workflow';
import { generate } from 'selfsigned';

import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { EVENTS } from '../../nodes/LinkManagement/trigger/events';
import { startSandbox } from '../sandbox';
import { TriggerHost } from './pollHost';
import { serve } from './serve';
import { active, idsIn, newLink, newQr, requests, sandbox, scan, scannedQr, speaking, trigger } from './triggerService';

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

describe('another service or key', () => {
	it('is noticed without a request, and a new baseline and a warning: the trigger goes on with the new key', async () => {
		const { id, host } = await scannedQr(2);
		await sandbox.configure({ apiKeys: [sandbox.apiKey, 'new-key'] });
		const renewed = await host.again('update', { credential: { baseUrl: sandbox.url, apiKey: 'new-key' } });
		expect(renewed.executions).toEqual([]);
		expect(renewed.warnings).toEqual([expect.stringMatching(/now has another key or another Base URL/)]);
		await scan(id, 3);
		expect(await renewed.poll()).toMatchObject([{ id, previousScans: 2, newScans: 3 }]);
		expect(new Set(await requests())).toEqual(new Set(['GET /api/qr']));
		expect(renewed.saved).not.toContain('new-key');
		expect(renewed.warnings).toHaveLength(1);
	});

	it('is a new baseline once, also where n8n gives each poll a context of its own and keeps no quiet poll', async () => {
		const { id, host } = await scannedQr(2);
		expect(await host.scheduledPoll()).toMatchObject([{ id, newScans: 2 }]);
		await sandbox.configure({ apiKeys: [sandbox.apiKey, 'new-key'] });
		host.setting.credential = { baseUrl: sandbox.url, apiKey: 'new-key' };
		for (let polls = 0; polls < 3; polls++) expect(await host.scheduledPoll()).toEqual([]);
		await scan(id, 3);
		expect(await host.scheduledPoll()).toMatchObject([{ id, previousScans: 2, newScans: 3 }]);
		expect(host.warnings).toHaveLength(1);
	});

	it('has no new records yet: none of those that are there is reported, also where existing ones are wanted', async () => {
		const elsewhere = await startSandbox({ records: { qrs: 50 }, limit: { requests: null }, seed: 2 });
		try {
			const host = await active({ event: 'qrCodeCreated', options: { includeExisting: true } });
			const { url: baseUrl, apiKey } = elsewhere;
			const other = await host.again('update', { credential: { baseUrl, apiKey } });
			expect(other.executions).toEqual([]);
			expect(other.warnings).toEqual([expect.stringMatching(/now has another key or another Base URL/)]);
			const { id } = (await elsewhere.createRecords({ qrs: [{}] })).qrs[0];
			expect(await other.poll()).toMatchObject([{ id }]);
			expect(other.warnings).toHaveLength(1);
		} finally {
			await elsewhere.stop();
		}
	});
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
		[
			'a minimum increase of 0',
			{ event: 'qrCodeScanned', options: { minimumIncrease: 0 } },
			/Minimum Increase is not a whole number of at least 1: "0"/,
		],
		['an event that is none', { event: 'linkDeleted' }, /Event is "linkDeleted", which is not one of linkClicked, /],
		[
			'a switch that is neither on nor off',
			{ event: 'linkCreated', options: { includeExisting: 'perhaps' } },
			/Include Existing is neither true nor false: "perhaps"/,
		],
		[
			'a choice that is none',
			{ event: 'linkClicked', watch: 'some' },
			/Watch is "some", which is not one of all, selected/,
		],
		[
			'a mode that is none',
			{ event: 'linkClickThreshold', threshold: 3, thresholdMode: 'twice' },
			/Threshold Mode is "twice", which is not one of once, every/,
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
	it.each(['true', 'TRUE', 1, '1'])('Include Existing %p is on', async (includeExisting) => {
		const host = trigger({ event: 'linkCreated', options: { includeExisting } });
		await host.activate();
		await host.poll();
		expect(host.executions.flat()).toHaveLength(20);
	});

	it.each(['false', 0, ''])('Include Existing %p is off', async (includeExisting) => {
		const host = trigger({ event: 'linkCreated', options: { includeExisting } });
		await host.activate();
		await host.poll();
		expect(host.executions).toEqual([]);
	});

	it('choices by their labels, in any case, numbers and IDs as text', async () => {
		const [{ id }] = (await sandbox.links()).filter(({ clicks }) => clicks === 0);
		const host = await active({
			event: '={{ "link reached clicks" }}',
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
	await sandbox.setFaults([{ kind: 'listFields', fields: { urls: [{ id: sandbox.apiKey }] } }]);
	const error = await trigger({ event: 'linkCreated' })
		.activate()
		.catch((failure: unknown) => failure as Error & { description?: string });
	expect(error).toHaveProperty('message', expect.stringMatching(/can't be watched for new links/));
	expect(JSON.stringify([(error as Error).message, (error as { description?: string }).description])).not.toContain(
		sandbox.apiKey,
	);
});

/** A service that can't be watched for an event. */
async function unwatchable(event: string, urls: IDataObject[]): Promise<void> {
	await sandbox.setFaults([{ kind: 'listFields', fields: { urls } }]);
	await trigger({ event }).activate();
}

it.each<[string, string, IDataObject, RegExp]>([
	['IDs that are no numbers', 'linkCreated', { id: 'ab12' }, /can't be watched for new links/],
	['IDs beyond what JSON holds', 'linkCreated', { id: 2 ** 60 }, /can't be watched for new links/],
	['no clicks', 'linkClicked', { id: 1, alias: 'a' }, /can't be watched for clicks/],
	['clicks in words', 'linkClicked', { id: 1, clicks: 'many' }, /can't be watched for clicks/],
])('a service whose links have %s is refused at activation, with the reason', async (_what, event, link, message) => {
	await expect(unwatchable(event, [link])).rejects.toThrow(message);
});

describe('selected records', () => {
	it('one that the service refuses to show is neither gone nor a failure, and one refused for the rate limit is asked for again', async () => {
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
			// The counts before are made up.
			const isMarked = 'previousClicks' in expected || 'previousScans' in expected;
			expect(Object.entries(item).slice(0, 2)).toEqual([['event', event], isMarked ? ['sample', true] : ['id', id]]);
			expect(item.sample).toBe(isMarked ? true : undefined);
			expect(host.saved).toBe(saved);
			expect(await host.poll()).toEqual([]);
		},
	);

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
		await expect(trigger(parameters).fetchTestEvent()).rejects.toThrow('None of the selected QR codes exists any more');
	});
});

/**
 * Lists whose pages leave records out or announce others than they have: each job works on the whole list, or says how many records it
 * has read of how many.
 */
import type { IDataObject } from 'n8n-workflow';

import type { Behavior } from '../sandbox';
import { CONTINUE, upsertOf } from './account';
import { by, hintsOf } from './host';
import { TriggerHost } from './pollHost';
import { begin, credential, itemsOf, openService, run, sandbox } from './service';

const COUNT = 450;
const numbers = Array.from({ length: COUNT }, (_, at) => at);
const addressOf = (at: number) => `https://example.com/page/${at}`;
const getAll = (resource: string, more: IDataObject = {}) => ({
	resource,
	operation: 'getAll',
	returnAll: true,
	...more,
});

openService();

/** An account whose links, codes and campaigns were made within seconds, at a service with these pages. */
async function open(deviations: Partial<Behavior>): Promise<void> {
	await begin({ records: { links: 0, qrs: 0, campaigns: 0 }, deviations, limit: { requests: null }, validate: false });
	await sandbox.createRecords({
		links: numbers.map((at) => ({ alias: `page-${at}`, longurl: addressOf(at) })),
		qrs: numbers.map((at) => ({ name: `Table ${at}`, type: 'text', data: 'x' })),
		campaigns: numbers.map((at) => ({ name: `Fair ${at}` })),
	});
}

/** @returns how many of the links that there should be came out, and what the panel says */
async function listed(parameters: IDataObject): Promise<{ ids: Set<unknown>; hint: string }> {
	const outcome = await run(parameters);
	const { items } = outcome;
	return { ids: new Set(items.map(({ json }) => json.id)), hint: hintsOf(outcome).join(' ') };
}

const TIES: Array<[string, Partial<Behavior>]> = [3, 30, 450].flatMap((ties): Array<[string, Partial<Behavior>]> => [
	[`ties of ${ties}, pages of up to 100`, { ties, pageCap: 100 }],
	[`ties of ${ties}, pages of any size`, { ties, pageCap: null }],
]);

describe.each(TIES)('%s', (_name, deviations) => {
	beforeEach(async () => await open(deviations));

	/** Whether a job said that it could not read the whole list. */
	const isShort = (text: string) => /\b\d+ of (?:the )?450 records/.test(text) && deviations.pageCap === 100;

	test.each([
		['links', getAll('link')],
		['links, most clicked first', getAll('link', { filters: { order: 'click' } })],
		['QR codes', getAll('qrCode')],
		['campaigns', getAll('campaign')],
	])('Return All gives all %s, or a hint', async (_what, parameters) => {
		const { ids, hint } = await listed(parameters);
		if (!isShort(hint)) expect(ids.size).toBe(COUNT);
		else expect(hint).toContain(`it has ${ids.size} of 450 records`);
	});

	test('Create or Update over all long URLs makes no link again', async () => {
		const rows = numbers.map((at) => ({ url: addressOf(at) }));
		const { items } = await run(upsertOf(), { rows, node: CONTINUE });
		expect((await sandbox.stats()).created.links).toBe(0);
		for (const { json } of items) if (!isShort(String(json.error))) expect(json.action).toBe('unchanged');
	});

	test('QR codes with Return Existing are made once', async () => {
		const create = { resource: 'qrCode', operation: 'create', type: 'text', data: 'x' };
		const options = { ifNameExists: 'returnExisting' };
		const parameters = { ...create, qrCodeFields: { name: '={{ $json.name }}' }, options };
		const rows = numbers.map((at) => ({ name: `Table ${at}` }));
		const { items } = await run(parameters, { rows, node: CONTINUE });
		expect((await sandbox.stats()).created.qrs).toBe(0);
		for (const { json } of items) if (!isShort(String(json.error))) expect(json.existing).toBe(true);
	});

	test('a campaign that is there is not made again', async () => {
		const parameters = {
			...{ resource: 'link', operation: 'create', url: '={{ $json.url }}' },
			linkFields: { campaign: by('name', '={{ $json.fair }}') },
			options: { ifNameMissing: 'create' },
		};
		const some = numbers.filter((at) => at % 9 === 0);
		const rows = some.map((at) => ({ url: `https://example.com/new/${at}`, fair: `Fair ${at}` }));
		await run(parameters, { rows, node: CONTINUE });
		expect((await sandbox.stats()).created.campaigns).toBe(0);
	});

	test('the trigger reports each change', async () => {
		const host = new TriggerHost({ credential: credential(), parameters: { event: 'linkClicked' } });
		await host.activate();
		const links = await sandbox.links();
		await sandbox.simulate({ clicks: links.map(({ id }) => ({ id, count: 1 })) });
		const told = new Set<unknown>();
		for (let polls = 0; polls < 4; polls++) for (const { id } of await host.poll()) told.add(id);
		// Pages in which the same records are hidden each time hide them from all polls.
		expect(told.size).toBeGreaterThanOrEqual(deviations.pageCap === 100 ? COUNT - 5 : COUNT);
	});
});

/** `most`: requests of a sheet. */
const TOO_MUCH: Array<[string, Partial<Behavior>, most: number]> = [
	['one page too many, which is an error', { pageTooMany: true, notFoundStatus: 404 }, 5 + 1],
	['one page too many, which is an error, without a total', { pageTooMany: true, figures: 'nextPage' }, 5 + 3],
];

describe.each(TOO_MUCH)('%s', (_name, deviations, most) => {
	const rows = numbers.map((at) => ({ url: addressOf(at) }));
	const requests = async () => (await sandbox.stats()).requests;

	test.each([100, null])('sheets work, in pages of up to %s, in few requests', async (pageCap) => {
		await open({ ...deviations, pageCap });
		const items = await itemsOf(upsertOf(), { rows });
		expect(new Set(items.map(({ action }) => action))).toEqual(new Set(['unchanged']));
		expect(await requests()).toBeLessThanOrEqual(most);
	});
});

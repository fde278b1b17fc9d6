/** Services that do not keep to what the trigger would like to rest on: it reads more, or says that they can't be watched. */
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox, type SandboxState } from '../sandbox';
import { TriggerHost } from './pollHost';

let sandbox: Sandbox;

async function active(
	parameters: IDataObject,
	deviations: SandboxState['deviations'],
	fields?: IDataObject,
): Promise<TriggerHost> {
	sandbox = await startSandbox({
		records: { links: 250 },
		limit: { requests: null },
		deviations: { pageCap: 100, ...deviations },
	});
	if (fields) await sandbox.setFaults([{ kind: 'listFields', fields }]);
	const host = new TriggerHost({ credential: { baseUrl: sandbox.url, apiKey: sandbox.apiKey }, parameters });
	await host.activate();
	await sandbox.clearRequests();
	return host;
}

/** Page and order of each request since the last time. */
async function pages(): Promise<string[]> {
	const log = await sandbox.requests();
	await sandbox.clearRequests();
	return log.map(({ query }) => `${String(query.order)}/${String(query.page)}`);
}

afterEach(async () => {
	await sandbox.stop();
});

const NO_FIGURES = { result: null, perpage: null, maxpage: null, nextpage: null };

test.each([
	['with totals', undefined],
	['without totals', NO_FIGURES],
])(
	'a service that ignores the order by date, %s: each poll reads the whole list, and that is said',
	async (_how, figures) => {
		const host = await active({ event: 'linkCreated' }, { orders: 'none' }, figures);
		expect(host.warnings).toEqual([expect.stringMatching(/every poll reads the whole list/)]);
		const { id } = (await sandbox.createRecords({ links: [{}] })).links[0];
		expect(await host.poll()).toMatchObject([{ id }]);
		expect((await pages()).length).toBeGreaterThanOrEqual(3);
		const [{ id: gone }] = await sandbox.links();
		await sandbox.deleteRecords({ links: [gone] });
		const next = (await sandbox.createRecords({ links: [{}] })).links[0];
		expect(await host.poll()).toMatchObject([{ id: next.id }]);
		expect(await host.poll()).toEqual([]);
		expect(host.warnings).toHaveLength(1);
	},
);

test.each(['date', 'none'] as const)(
	'a service that ignores the order by clicks (%s): no link that reaches a number is missed',
	async (orders) => {
		const host = await active({ event: 'linkClickThreshold', threshold: 1_000_000 }, { orders });
		const links = await sandbox.links();
		const chosen = [links[0], links[120], links[249]];
		await sandbox.simulate({ clicks: chosen.map(({ id }) => ({ id, count: 1_000_000 })) });
		const reported = await host.poll();
		expect(reported.map(({ id }) => id).sort()).toEqual(chosen.map(({ id }) => id).sort());
		expect(await host.poll()).toEqual([]);
	},
);

test('a service that heeds the order by clicks is asked for another order once, and then for one page', async () => {
	const host = await active({ event: 'linkClickThreshold', threshold: 1_000_000 }, {});
	expect(await host.poll()).toEqual([]);
	expect(await pages()).toEqual(['click/1']);
	// Its order is believed until something speaks against it.
	await sandbox.configure({ deviations: { orders: 'none' } });
	const links = await sandbox.links();
	await sandbox.simulate({ clicks: links.slice(200, 203).map(({ id }) => ({ id, count: 1_000_000 })) });
	expect(await host.poll()).toHaveLength(3);
});

test.each<[string, IDataObject, unknown, RegExp]>([
	['IDs that are no numbers', { event: 'linkCreated' }, { id: 'ab12' }, /can't be watched for new links/],
	['IDs beyond what JSON holds', { event: 'linkCreated' }, { id: 2 ** 60 }, /can't be watched for new links/],
	['no clicks', { event: 'linkClicked' }, { id: 1, alias: 'a' }, /can't be watched for clicks/],
	['clicks in words', { event: 'linkClicked' }, { id: 1, clicks: 'many' }, /can't be watched for clicks/],
])(
	'a service whose links have %s is refused at activation, with the reason',
	async (_what, parameters, link, message) => {
		await expect(active(parameters, {}, { urls: [link] })).rejects.toThrow(message);
	},
);

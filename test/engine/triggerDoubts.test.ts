/** Services that do not keep to what the trigger would like to rest on: it reads more, or says that they can't be watched. */
import type { IDataObject } from 'n8n-workflow';

import type { SandboxState } from '../sandbox';
import type { TriggerHost } from './pollHost';
import { active, idsIn, newLink, sandbox } from './triggerService';

async function activeAt(
	deviations: SandboxState['deviations'],
	parameters: IDataObject,
	fields?: IDataObject,
): Promise<TriggerHost> {
	await sandbox.reset({ records: { links: 250 }, deviations: { pageCap: 100, ...deviations } });
	if (fields) await sandbox.setFaults([{ kind: 'listFields', fields }]);
	return await active(parameters);
}

test.each([
	['with totals', undefined],
	['without totals', { result: null, perpage: null, maxpage: null, nextpage: null }],
])('a service that ignores the order by date, %s: each poll reads the whole list', async (_how, figures) => {
	const host = await activeAt({ orders: 'none' }, { event: 'linkCreated' }, figures);
	const { id } = await newLink();
	expect(await host.poll()).toMatchObject([{ id }]);
	expect((await sandbox.requests()).length).toBeGreaterThanOrEqual(3);
	const [{ id: gone }] = await sandbox.links();
	await sandbox.deleteRecords({ links: [gone] });
	const next = await newLink();
	expect(await host.poll()).toMatchObject([{ id: next.id }]);
	expect(await host.poll()).toEqual([]);
});

const far = { event: 'linkClickThreshold', threshold: 1_000_000 };

/** Lets links reach the threshold. */
const reach = async (ids: number[]) => await sandbox.simulate({ clicks: ids.map((id) => ({ id, count: 1_000_000 })) });

test.each(['date', 'none'] as const)(
	'a service that ignores the order by clicks (%s): no link that reaches a number is missed',
	async (orders) => {
		const host = await activeAt({ orders }, far);
		const links = await sandbox.links();
		const ids = [links[0].id, links[120].id, links[249].id];
		await reach(ids);
		expect(idsIn(await host.poll())).toEqual(ids.sort());
		expect(await host.poll()).toEqual([]);
	},
);

test('a service that heeds the order by clicks is asked for another order once, and then for one page', async () => {
	const host = await activeAt({}, far);
	expect(await host.poll()).toEqual([]);
	expect((await sandbox.requests()).map(({ query }) => [query.order, query.page])).toEqual([['click', '1']]);
	// Its order is believed until something speaks against it.
	await sandbox.configure({ deviations: { orders: 'none' } });
	await reach((await sandbox.links()).slice(200, 203).map(({ id }) => id));
	expect(await host.poll()).toHaveLength(3);
});

test.each<[string, string, unknown, RegExp]>([
	['IDs that are no numbers', 'linkCreated', { id: 'ab12' }, /can't be watched for new links/],
	['IDs beyond what JSON holds', 'linkCreated', { id: 2 ** 60 }, /can't be watched for new links/],
	['no clicks', 'linkClicked', { id: 1, alias: 'a' }, /can't be watched for clicks/],
	['clicks in words', 'linkClicked', { id: 1, clicks: 'many' }, /can't be watched for clicks/],
])('a service whose links have %s is refused at activation, with the reason', async (_what, event, link, message) => {
	await expect(activeAt({}, { event }, { urls: [link] })).rejects.toThrow(message);
});

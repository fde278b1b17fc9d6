/** Many triggers of one key: what they ask for together, over real HTTP to the sandbox. */
import { EVENTS } from '../../nodes/LinkManagement/trigger/events';
import { StoppedError } from '../../nodes/LinkManagement/n8n/stop';
import { ApiError } from '../../nodes/LinkManagement/service/answer/errors';
import { SharedPages } from '../../nodes/LinkManagement/service/lists/sharedPages';
import { DIALECTS } from '../sandbox';
import { Random } from '../sandbox/records';
import { SimulatedTime } from '../unit/simulation/time';
import { replaceClock } from './clock';
import type { TriggerHost } from './pollHost';
import { active, idsIn, newLink, requests, sandbox, speaking } from './triggerService';

let now = Date.now();

beforeEach(() => {
	now = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});

const WINDOW = 20_000;
const EACH = 4;

/** A window of twenty seconds in which each polls once, at a second of its own. */
async function window(hosts: TriggerHost[]): Promise<void> {
	for (const host of hosts) {
		await host.poll();
		now += WINDOW / hosts.length;
	}
	now += 60_000 - WINDOW;
}

/** So many triggers of each event. */
async function triggers(each: number): Promise<TriggerHost[]> {
	const hosts: TriggerHost[] = [];
	for (const { value } of EVENTS)
		for (let n = 0; n < each; n++) {
			const parameters = { event: value, threshold: 2 };
			hosts.push(await active(parameters, { workflowId: `${value} ${n} of ${sandbox.url}` }));
		}
	return hosts;
}

describe.each(DIALECTS)('at a service of the %s', (dialect) => {
	speaking(dialect);

	it('24 triggers ask for a page of each list in a window, and each reports each change once', async () => {
		await sandbox.reset({ records: { links: 60, qrs: 20 }, limit: { requests: null } });
		const hosts = await triggers(EACH);
		await window(hosts);
		await requests();
		const links = (await sandbox.createRecords({ links: [{ clicks: 3 }, {}] })).links;
		const { qrs } = await sandbox.createRecords({ qrs: [{ scans: 2 }] });
		await window(hosts);
		const asked = await requests();
		expect(new Set(asked)).toEqual(new Set(['GET /api/urls', 'GET /api/qr']));
		expect(asked.length).toBeLessThanOrEqual(6);
		for (let windows = 0; windows < 2; windows++) await window(hosts);
		const due: Record<string, unknown[]> = {
			linkCreated: idsIn(links),
			linkClicked: [links[0].id],
			linkClickThreshold: [links[0].id],
			qrCodeCreated: idsIn(qrs),
			qrCodeScanned: idsIn(qrs),
			qrCodeScanThreshold: idsIn(qrs),
		};
		for (const host of hosts) {
			const { event } = host.setting.parameters as { event: string };
			expect([event, idsIn(host.executions.flat())]).toEqual([event, due[event]]);
		}
	});
});

it.each([
	[50, 2],
	[500, 10],
])(
	'25 triggers that poll every minute at random seconds read a list of %d links twice a minute',
	async (links, most) => {
		const minutes = 4;
		await sandbox.reset({ records: { links }, deviations: { pageCap: 100 }, limit: { requests: null } });
		const random = new Random(links);
		const hosts: Array<{ second: number; host: TriggerHost }> = [];
		for (let n = 0; n < 25; n++) {
			const event = ['linkCreated', 'linkClicked', 'linkClickThreshold'][n % 3];
			const host = await active({ event }, { workflowId: `${n} of ${sandbox.url}` });
			hosts.push({ second: random.next() * 60, host });
		}
		hosts.sort((a, b) => a.second - b.second);
		const began = now + 60_000;
		await requests();
		for (let minute = 0; minute < minutes; minute++)
			for (const { second, host } of hosts) {
				now = began + (60 * minute + second) * 1000;
				await host.poll();
			}
		const asked = (await requests()).length;
		expect(asked).toBeLessThanOrEqual(most * minutes);
		expect(asked).toBeGreaterThan((most / 2) * (minutes - 1));
	},
);

it('one that polls again reads afresh, one that begins too, and so does a test', async () => {
	const one = await active({ event: 'linkCreated' });
	for (let polls = 0; polls < 3; polls++) {
		const { id } = await newLink();
		expect(await one.poll()).toMatchObject([{ id }]);
	}
	const { id } = await newLink();
	await requests();
	const other = await active({ event: 'linkCreated' }, { workflowId: 'another' });
	await other.poll();
	expect(other.executions).toEqual([]);
	await newLink();
	const newest = await newLink();
	expect(await one.fetchTestEvent()).toMatchObject([{ id: newest.id }]);
	expect(idsIn(await one.poll())).toContain(id);
});

it('polls at the same time wait for one page, and fail with it', async () => {
	const hosts = [await active({ event: 'linkClicked' }), await active({ event: 'linkClicked' }, { workflowId: 'b' })];
	now += 31_000;
	const { id } = await newLink({ clicks: 1 });
	await sandbox.setFaults([{ kind: 'latency', ms: 200 }]);
	await requests();
	const reported = await Promise.all(hosts.map(async (host) => await host.poll()));
	expect(reported).toMatchObject([[{ id }], [{ id }]]);
	expect(await requests()).toHaveLength(1);
	await sandbox.simulate({ clicks: [{ id, count: 1 }] });
	await sandbox.setFaults([{ kind: 'errorEnvelope', status: 402, message: 'Out of order', times: 1 }]);
	const [first, second] = await Promise.allSettled(hosts.map(async (host) => await host.poll()));
	expect([first.status, second.status]).toEqual(['rejected', 'rejected']);
	expect(await requests()).toHaveLength(1);
	for (const host of hosts) expect(await host.poll()).toMatchObject([{ id, newClicks: 1 }]);
});

describe('pages', () => {
	const page = (characters: number) => async () => await Promise.resolve({ text: 'x'.repeat(characters) });
	const how = (reader: string) => ({ reader, isAlone: false });

	it('are let go of when they are more than twenty, the oldest first', async () => {
		const pages = new SharedPages();
		const keys = Array.from({ length: 21 }, (_, at) => String(at));
		for (const key of keys) await pages.page(key, page(1), how('a'));
		let asked = 0;
		const again = async () => (asked++, await page(1)());
		for (const key of keys.slice(1)) await pages.page(key, again, how('b'));
		expect(asked).toBe(0);
		await pages.page('0', again, how('c'));
		expect(asked).toBe(1);
	});

	it('serve others for 30 seconds', async () => {
		const pages = new SharedPages();
		await pages.page('1', page(1), how('a'));
		let asked = 0;
		const again = async () => (asked++, await page(1)());
		now += 30_000;
		await pages.page('1', again, how('b'));
		expect(asked).toBe(0);
		now += 1;
		await pages.page('1', again, how('c'));
		expect(asked).toBe(1);
	});

	it.each([
		['is stopped', new StoppedError()],
		['has no time left', new ApiError('rateLimited', 'Rate limit reached', '')],
	])('are asked for again by who waits for them, if who asked %s', async (_, error) => {
		const pages = new SharedPages();
		const first = pages.page('1', async () => await Promise.reject(error), how('a'));
		const second = pages.page('1', page(2), how('b'));
		await expect(first).rejects.toBe(error);
		expect(await second).toEqual({ text: 'xx' });
		expect(await pages.page('1', page(3), how('c'))).toEqual({ text: 'xx' });
	});

	it('are let go of after 30 seconds, also where nobody asks for more', async () => {
		const time = new SimulatedTime(now);
		replaceClock(time);
		const pages = new SharedPages();
		await pages.page('1', page(1), how('a'));
		await time.pass(29_999);
		expect(await pages.page('1', page(2), how('b'))).toEqual({ text: 'x' });
		// By the clock, it would still serve.
		await time.pass(1);
		expect(await pages.page('1', page(3), how('c'))).toEqual({ text: 'xxx' });
		jest.restoreAllMocks();
	});

	it('that were asked for before the last one that a trigger took are not for it', async () => {
		const pages = new SharedPages();
		for (const key of ['1', '2']) await pages.page(key, page(1), how('a'));
		await pages.page('2', page(1), how('b'));
		let asked = 0;
		await pages.page('1', async () => (asked++, await page(1)()), how('b'));
		expect(asked).toBe(1);
	});
});

/** A poll that has time for one page alone, in an n8n that is restarted before the next one: reading gets on all the same. */
import type { IDataObject } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../sandbox';
import type { TriggerHost } from './pollHost';

const CODES = 31;
/** Polls, at most: three would do, if each had the time for a page. */
const MOST_POLLS = 12;
/** Enough for a page on a machine with other work; the rest of it is waited for. */
const BUDGET_MS = 3_000;
const NO_FIGURES = { result: null, perpage: null, maxpage: null, nextpage: null };

let sandbox: Sandbox;

afterEach(async () => await sandbox.stop());

/** Another process: it knows nothing of the service, and of the trigger what n8n has saved. */
async function inAnotherProcess<T>(work: (Host: typeof TriggerHost) => Promise<T>): Promise<T> {
	let result: Promise<T> | undefined;
	jest.isolateModules(() => {
		const { TriggerHost: Host } = jest.requireActual<{ TriggerHost: typeof TriggerHost }>('./pollHost');
		result = work(Host);
	});
	return await result!;
}

test.each([
	['says nothing of its pages', NO_FIGURES],
	['says how large they are', {}],
])('where a service grants less than it is asked for and %s', async (_what, fields) => {
	sandbox = await startSandbox({
		records: { qrs: CODES },
		limit: { requests: null },
		deviations: { pageCap: 15, pageFloor: 15 },
		validate: false,
	});
	const credential = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
	const parameters: IDataObject = { event: 'qrCodeCreated', options: { includeExisting: true } };
	const reported: unknown[] = [];
	let kept: Pick<TriggerHost, 'cursor' | 'saved' | 'workflowId'> | undefined;
	for (let polls = 0; polls < MOST_POLLS && reported.length < CODES; polls++) {
		// The second page hangs until the poll's time is over.
		await sandbox.setFaults([
			{ kind: 'listFields', fields, match: { path: '^/api/qr' } },
			{ kind: 'latency', ms: 60_000, after: 1, match: { path: '^/api/qr' } },
		]);
		kept = await inAnotherProcess(async (Host) => {
			const host = new Host({ credential, parameters, budgetMs: BUDGET_MS, durableCursor: true, ...kept });
			for (const { id } of await host.scheduledPoll()) reported.push(id);
			return { cursor: host.cursor, saved: host.saved, workflowId: host.workflowId };
		});
	}
	expect(reported).toHaveLength(CODES);
	expect(new Set(reported).size).toBe(CODES);
});

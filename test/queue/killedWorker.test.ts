/** A worker of n8n's queue mode that ends in the middle of a sheet: killed and gone, killed and started again, asked to stop. */
import { setTimeout as delay } from 'timers/promises';
import type { Execution, N8nWorker } from '../n8n/host';
import { LINK_MANAGEMENT } from '../n8n/host';
import { until } from '../n8n/host/until';
import {
	cluster,
	longUrls,
	openCluster,
	reportedLinks,
	rowsFor,
	sandbox,
	SheetWorkflow,
	useNewKey,
	workerOf,
} from './sheets';

const SHEET_TO_BE_CUT = 90;
/** Links that are there when the worker is killed. */
const CREATED_BEFORE = 40;
/** A dead worker's hold runs out after 10 s here, is noticed within two looks 5 s apart, and then n8n waits for 30 s. */
const NOTICED_WITHIN_MS = 60_000;
/** A service that has made nothing for so long makes nothing more. */
const AT_REST_MS = 1_000;

openCluster();

describe('a worker that ends in the middle of a sheet', () => {
	const rows = rowsFor(SHEET_TO_BE_CUT, 'cut');
	const all = rows.map(({ url }) => String(url)).sort();
	let sheet: SheetWorkflow;
	let cutId: string;
	let victim: N8nWorker;

	beforeEach(async () => {
		await useNewKey();
		sheet = await SheetWorkflow.publish({
			operation: 'upsert',
			columns: { mappingMode: 'autoMapInputData', value: null },
			options: { updateWhen: 'never' },
		});
		await sheet.start(rows);
		await until(`${CREATED_BEFORE} links`, async () => (await sandbox.links()).length >= CREATED_BEFORE);
		[{ id: cutId }] = await cluster.main.executionSummaries(sheet.id);
		const worker = workerOf(cutId);
		if (worker === undefined) throw new Error('No worker had the execution.');
		victim = worker;
	});

	/** Runs the sheet again: it has to make up the rest, and to report every row with the link that the service holds. */
	async function runAgain(runsSoFar: number): Promise<Execution> {
		// What was on its way when the worker died, the service still does.
		let before = await longUrls();
		await until('the service at rest', async () => {
			const earlier = before;
			await delay(AT_REST_MS);
			before = await longUrls();
			return before.length === earlier.length;
		});
		expect(before.length).toBeLessThan(rows.length);
		await sheet.start(rows);
		const again = (await sheet.ended(runsSoFar + 1)).find(({ id }) => id !== cutId)!;
		expect(again.status).toBe('success');
		expect(await longUrls()).toEqual(all);
		const held = new Map((await sandbox.links()).map(({ id, longurl }) => [id, longurl]));
		expect(reportedLinks(again).map(({ id }) => held.get(Number(id)))).toEqual(rows.map(({ url }) => url));
		expect(reportedLinks(again).filter(({ action }) => action === 'unchanged')).toHaveLength(before.length);
		return again;
	}

	it('killed, and gone: the other worker makes up the rest, and n8n reports the first run as failed', async () => {
		await victim.process.kill();
		const again = await runAgain(0);
		expect(workerOf(again.id)).not.toBe(victim);

		// n8n gives the execution of a dead worker to nobody.
		await sheet.ended(2, NOTICED_WITHIN_MS);
		const cut = await cluster.main.execution(cutId);
		expect(cut).toMatchObject({ status: 'error', error: { message: expect.stringContaining('will no longer retry') } });
		expect(reportedLinks(cut)).toEqual([]);

		await victim.start();
	});

	it('killed, and started again at once: n8n reports the first run as crashed at the node', async () => {
		await victim.process.kill();
		await victim.start();
		const [cut] = await sheet.ended(1, NOTICED_WITHIN_MS);
		// First n8n learns it from the worker's own journal, then from the queue.
		expect(['crashed', 'error']).toContain(cut.status);
		if (cut.status === 'crashed') expect(cut.runData[LINK_MANAGEMENT]).toMatchObject([{ executionStatus: 'crashed' }]);
		expect(reportedLinks(cut)).toEqual([]);
		await runAgain(1);
	});

	it('asked to stop: it finishes the sheet first', async () => {
		await victim.process.stop();
		const cut = await cluster.main.execution(cutId);
		expect(cut.status).toBe('success');
		expect(reportedLinks(cut)).toHaveLength(rows.length);
		expect(await longUrls()).toEqual(all);
		await victim.start();
	});
});

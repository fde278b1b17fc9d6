import { setTimeout as delay } from 'timers/promises';
import { killAndStart } from '../test/n8n/killing';
import { type Dialect, DIALECTS, fillAccount, sheetRow, sheetRows, type StoredLink } from '../test/sandbox';
import type { Bench } from './bench';
import { ourSheet, workflowOf } from './contenders';
import { type Night, nightChecks, Nights, nightTables, OURS } from './nights';
import { Probe } from './probe';
import { atMost, type Check, type Findings, type Scenario } from './scenario';
import { MEGABYTE } from './statistics';

/** What n8n may have in use for 100,000 links while they are known, and what may be left of it (MB). */
const MOST_KNOWN = 60;
const MOST_LEFT = 5;
const PER_LINKS = 100_000;
/** Links that are made at a time in the account whose links are remembered. */
const AT_ONCE = 2500;
const SETTLE_MS = 2000;

const count = (value: number): string => value.toLocaleString('en');

/** Links as campaigns have them, with long addresses, titles and notes. */
function describedLinks(first: number, length: number): Array<Partial<StoredLink>> {
	return Array.from({ length }, (_value, index) => first + index).map((number) => ({
		alias: `campaign-${number}`,
		longurl: `https://www.example.com/shop/products/${number}/a-product-with-a-name?utm_source=newsletter&utm_medium=email&utm_campaign=spring`,
		title: `A product with a name of average length, number ${number}`,
		description: 'A note that somebody wrote about the link',
	}));
}

class Sync {
	private readonly nights: Nights;

	private readonly probe: Probe;

	constructor(private readonly bench: Bench) {
		this.nights = new Nights(bench, bench.quick ? 100 : 1000);
		this.probe = new Probe('heap', bench.temporaryFolder());
	}

	async run(): Promise<Findings> {
		const { bench, nights } = this;
		const { rows, links, page } = nights;
		await nights.start(this.probe.options);
		const found: Night[] = [];
		for (const dialect of bench.quick ? (['field'] as const) : DIALECTS) {
			found.push(...(await nights.of(dialect)));
			found.push(await this.killed(dialect));
		}
		return {
			title: 'A sheet and its links, in step: what it costs in requests',
			runs: 1,
			introduction: [
				`Create or Update over a sheet of ${count(rows)} rows, in an account of ${count(links)} links that the service shows in pages of ${page}. ` +
					'Requests are counted at the service, by its document and as deployed services answer; they are the same at each run, so that one is enough. ' +
					'“Ideal” is the pages of the account’s links, one request for a new link and two for a changed one: it is read and its other fields are sent ' +
					'along, for some services reset what an update leaves out.',
				'No rate is limited here: the minutes are computed from the requests, with nothing refused. What a limit does to each of the contenders, “Pacing” shows.',
			],
			checks: [...nightChecks(found), ...(await this.memory(bench.quick ? 5000 : 100_000))],
			tables: nightTables(found),
			notes: [
				'The script is what users of these services were seen to write: 100 links a page, one request for each row, two seconds after each.',
				'A workflow of eight of n8n’s own nodes, which reads the list by pages, merges it with the sheet, reads each link before its update and sends in ' +
					'batches, takes as many requests as Link Management if each of them is set as well as it can be. Its pauses are set by hand, and know nothing ' +
					'of each other, of other workflows on the key, or of a refusal that comes as HTTP 200.',
				'Memory is what n8n’s process has in use after its garbage was collected, above what it had before the run: while a run stands still ' +
					'that has read the whole list, of links with long addresses, titles and notes, and when it has ended.',
			],
		};
	}

	/** n8n is killed when half of the links are made, started again, and the workflow run again. */
	private async killed(dialect: Dialect): Promise<Night> {
		const { nights } = this;
		const { service, n8n, rows, links, page } = nights;
		const sheet = { rows: sheetRows(rows), known: [] };
		await nights.fill(dialect, sheet);
		const id = await n8n.createWorkflow(workflowOf(ourSheet(), sheet.rows));
		await n8n.startRun(id);
		while ((await service.stats()).created.links < rows / 2) await delay(5);
		await killAndStart(n8n);
		const made = (await service.stats()).created.links;
		await service.clearRequests();
		await nights.run(id);
		const work = `${count(rows)} new rows, n8n killed when half of them were done, run again`;
		const ideal = Math.ceil((links + made) / page) + rows - made;
		return await nights.night({ dialect, contender: OURS, work, ideal }, sheet);
	}

	/** What n8n has in use while a run knows an account's links, and when it has ended. */
	private async memory(known: number): Promise<Check[]> {
		const { nights, probe, bench } = this;
		const { service, n8n, links, page } = nights;
		const row = [sheetRow(0)];
		const contender = ourSheet({ matchOn: 'url', dryRun: true });
		const standstill = { resume: 'timeInterval', amount: bench.quick ? 4 : 20, unit: 'seconds' };
		const wait = { name: 'Wait', type: 'n8n-nodes-base.wait', typeVersion: 1.1, parameters: standstill };
		const fill = async (size: number) =>
			await fillAccount(service, { dialect: 'document', key: service.apiKey, links: size, page, known: [0] });
		// A smaller account first: what is loaded and kept at a first run is no matter of links.
		await fill(links);
		await nights.run(await n8n.createWorkflow(workflowOf(contender, row)));
		await fill(1);
		for (let first = 1; first < known; first += AT_ONCE)
			await service.createRecords({ links: describedLinks(first, Math.min(AT_ONCE, known - first)) });
		await service.clearRequests();
		const before = await probe.ask<number>(n8n);
		const used = async (): Promise<number> => {
			await delay(SETTLE_MS);
			return ((await probe.ask<number>(n8n)) - before) / MEGABYTE;
		};
		const id = await n8n.createWorkflow(workflowOf({ ...contender, nodes: [...contender.nodes, wait] }, row));
		const done = nights.run(id);
		while ((await service.stats()).requests < known / page) await delay(100);
		const during = await used();
		await done;
		const afterwards = await used();
		bench.say(`${known} links known: ${during.toFixed(1)} MB, afterwards ${afterwards.toFixed(1)} MB`);
		const share = known / PER_LINKS;
		const shown = { digits: 1, unit: ' MB', exact: !bench.quick };
		const what = `${count(known)} links known: memory`;
		return [
			atMost(`${what} of n8n while a run needs them`, MOST_KNOWN * share, during, shown),
			atMost(`${what} that is left when the run has ended`, MOST_LEFT * share, afterwards, shown),
		];
	}
}

export const run: Scenario['run'] = async (bench) => await new Sync(bench).run();

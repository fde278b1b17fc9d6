import type { IDataObject } from 'n8n-workflow';
import { setTimeout as delay } from 'timers/promises';
import type { N8n } from '../test/n8n/host';
import { paceOften, type Situation, SITUATIONS } from '../test/unit/simulation/pacing';
import type { Bench, Line, Scenario, Service } from './bench';
import { type Contender, http, ours, useKey, workflowOf } from './contenders';
import { median, withRange } from './statistics';

const REQUESTS = 30;
const WINDOW_MS = 12_000;
const COLUMNS = { url: 'url' };
const ROWS = 100;
const TIMEOUT_MS = 10 * 60_000;
/** How often each situation is simulated. */
const SIMULATIONS = 30;

const OURS = ours(COLUMNS);

/** What the service saw of a trial. */
interface Trial {
	created: number;
	/** Links that were made more than once. */
	twice: number;
	/** Executions that ended well. */
	hasSucceeded: boolean;
	seconds: number;
}

function rowsFor(sheet: number): IDataObject[] {
	return Array.from({ length: ROWS }, (_value, index) => ({ url: `https://example.com/sheet-${sheet}/${index + 1}` }));
}

let keys = 0;

/** Runs sheets at the same time, with one key that is new to the service and to n8n, from so far into a window. */
async function trial(
	n8n: N8n,
	service: Service,
	contender: Contender,
	sheets: number,
	phaseMs: number,
): Promise<Trial> {
	const key = `key-${++keys}`;
	await service.reset({ apiKeys: [key], limit: { requests: REQUESTS, windowMs: WINDOW_MS }, records: { links: 0 } });
	await useKey(n8n, service.url, key);
	const workflows: string[] = [];
	for (let sheet = 1; sheet <= sheets; sheet++)
		workflows.push(await n8n.createWorkflow(workflowOf(contender, rowsFor(sheet))));
	await delay((phaseMs + WINDOW_MS - (Date.now() % WINDOW_MS)) % WINDOW_MS);
	const startedAt = Date.now();
	const executions = await Promise.all(workflows.map(async (id) => await n8n.run(id, TIMEOUT_MS)));
	const seconds = (Date.now() - startedAt) / 1000;
	const links = await service.links();
	const created = new Set(links.map(({ longurl }) => longurl)).size;
	const hasSucceeded = executions.every(({ status }) => status === 'success');
	return { created, twice: links.length - created, hasSucceeded, seconds };
}

/** What became of the rows: in the middle of all rounds. */
function doneText(trials: Trial[], rows: number): string {
	const [created, twice] = [median(trials.map((one) => one.created)), median(trials.map((one) => one.twice))];
	const end = trials.every(({ hasSucceeded }) => hasSucceeded) ? '' : ', then fails';
	return `${created} of ${rows}${end}${twice === 0 ? '' : `; ${twice} links made twice`}`;
}

/** Sheets of ours beside the same of others: how much is done, and where both do all, how fast. */
async function besideEachOther(bench: Bench, sheets: number, others: (url: string) => Contender[]): Promise<Line[]> {
	const [service, n8n] = [await bench.startService(), await bench.startN8n()];
	const contenders = others(service.url);
	const rows = sheets * ROWS;
	const [mine, ...theirs] = await bench.turns([OURS, ...contenders], async (contender, round) => {
		const one = await trial(n8n, service, contender, sheets, (WINDOW_MS * (round + 0.5)) / bench.runs);
		bench.say(`${contender.name}: ${doneText([one], rows)}, ${one.seconds.toFixed(1)} s`);
		if (contender === OURS && (one.created < rows || one.twice > 0 || !one.hasSucceeded))
			throw new Error(`Link Management: ${doneText([one], rows)}`);
		return one;
	});
	const work = sheets === 1 ? `${ROWS} rows under a rate limit` : 'two workflows on one key';
	return contenders.map(({ name: instead }, at): Line => {
		const done = theirs[at].every(({ created, hasSucceeded }) => hasSucceeded && created === rows);
		if (!done)
			return { work: `${work}: rows done`, ours: doneText(mine, rows), instead, theirs: doneText(theirs[at], rows) };
		const [own, other] = [mine, theirs[at]].map((trials) => trials.map(({ seconds }) => seconds));
		return {
			work: `${work}: seconds`,
			ours: withRange(own, 1),
			instead,
			theirs: withRange(other, 1),
			ratio: withRange(own.map((value, round) => value / other[round])),
		};
	});
}

/** A situation under 30 requests a minute, in simulated time. */
async function simulated(situation: Situation): Promise<Line> {
	const all = await paceOften(situation, SIMULATIONS);
	const minutes = (ms: number[]) => (median(ms) / 60_000).toFixed(2);
	const times = all.map(({ actualMs }) => actualMs);
	const least = all.map(({ actualMs, share }) => actualMs * share);
	return {
		work: `simulated: ${situation.name}: minutes`,
		ours: minutes(times),
		instead: 'what the limit allows',
		theirs: minutes(least),
		ratio: withRange(
			all.map(({ share }) => share),
			3,
		),
	};
}

export const run: Scenario = async (bench) => {
	const byHand = (url: string): Contender =>
		http(url, COLUMNS, 'HTTP Request, batching by hand', {
			batching: { batch: { batchSize: REQUESTS, batchInterval: WINDOW_MS } },
		});
	const retry = { retryOnFail: true, maxTries: 5, waitBetweenTries: 5000 };
	const retrying = (url: string) => http(url, COLUMNS, 'HTTP Request, Retry On Fail (5 × 5 s)', {}, retry);
	return [
		...(await besideEachOther(bench, 1, (url) => [http(url, COLUMNS), retrying(url), byHand(url)])),
		...(await besideEachOther(bench, 2, (url) => [byHand(url)])),
		...(await Promise.all(SITUATIONS.map(simulated))),
	];
};

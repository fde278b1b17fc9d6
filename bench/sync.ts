import { type Dialect, DIALECTS, fillAccount, sheetRow } from '../test/sandbox';
import type { N8n } from '../test/n8n/host';
import type { Bench, Service } from './bench';
import { type Contender, http, ourSheet, useKey, workflowOf } from './contenders';
import type { Check, Comparison, Findings, Scenario } from './scenario';

const NAMES: Record<Dialect, string> = { document: 'as documented', field: 'as deployed services answer' };
const TIMEOUT_MS = 5 * 60_000;
/** Requests beyond the fewest that there can be. */
const SLACK = 2;

/** An account of ten links for each row, in ten pages for each hundred rows; a few rows are new, a few links lead elsewhere. */
function sheetOf(size: number) {
	const [moved, fresh, links, page] = [size / 50, (3 * size) / 100, 10 * size, size / 10];
	const rows = Array.from({ length: size }, (_, number) => sheetRow(number, number < moved ? 'moved' : 'page'));
	return { rows, moved, fresh, links, page, known: size - fresh };
}

/** A creation for each row, which the service refuses where the alias is taken. */
function eachRow(serviceUrl: string): Contender {
	const columns = { url: 'Long URL', custom: 'Alias' };
	return http(serviceUrl, columns, 'HTTP Request, a creation a row', { response: { response: { neverError: true } } });
}

/** @returns the requests of one run, counted at the service */
async function requestsOf(service: Service, n8n: N8n, workflow: string): Promise<number> {
	await service.clearRequests();
	const { status, error } = await n8n.run(workflow, TIMEOUT_MS);
	if (status !== 'success') throw new Error(error?.message ?? status);
	return (await service.stats()).requests;
}

/** Runs the sheet twice in one n8n; what people would use instead, then runs it once more. */
async function runTwice(
	bench: Bench,
	service: Service,
	n8n: N8n,
	dialect: Dialect,
): Promise<{ checks: Check[]; comparison: Comparison }> {
	const { rows, moved, fresh, links, page, known } = sheetOf(bench.quick ? 100 : 1000);
	const numbers = Array.from({ length: known }, (_, number) => number);
	await fillAccount(service, { dialect, key: service.apiKey, links, page, known: numbers });
	const workflow = await n8n.createWorkflow(workflowOf(ourSheet(), rows));
	const again = 'the same again, nothing new';
	const works: Array<[string, number]> = [
		[`${moved} rows moved, ${fresh} new`, links / page + 2 * moved + fresh],
		[again, Math.ceil((links + fresh) / page)],
	];
	const checks: Check[] = [];
	let requests = 0;
	for (const [work, ideal] of works) {
		requests = await requestsOf(service, n8n, workflow);
		checks.push({
			promise: `${rows.length} rows: ${work}, ${NAMES[dialect]}`,
			target: `≤ ${ideal + SLACK} requests`,
			measured: `${requests} requests`,
			met: requests <= ideal + SLACK,
			exact: true,
		});
		bench.say(`${NAMES[dialect]}, ${work}: ${requests} requests (ideal ${ideal})`);
	}
	const other = eachRow(service.url);
	const theirs = await requestsOf(service, n8n, await n8n.createWorkflow(workflowOf(other, rows)));
	const comparison = {
		work: `${rows.length.toLocaleString('en')} rows, ${again}: requests`,
		ours: String(requests),
		instead: other.name,
		theirs: String(theirs),
		ratio: (requests / theirs).toFixed(2),
	};
	return { checks, comparison };
}

export const run: Scenario['run'] = async (bench): Promise<Findings> => {
	const service = await bench.startService({ limit: { requests: null } });
	const n8n = await bench.startN8n();
	await useKey(n8n, service.url, service.apiKey);
	const found: Array<Awaited<ReturnType<typeof runTwice>>> = [];
	for (const dialect of bench.quick ? (['field'] as const) : DIALECTS)
		found.push(await runTwice(bench, service, n8n, dialect));
	return {
		title: 'A sheet and its links, in sync: requests',
		introduction: [
			'Create or Update over a sheet, in an account of ten times as many links. Requests are counted at the service. The target allows two more than ' +
				"the pages of the account's links, one request for a new link and two for a changed one: the node reads it first, because some services reset " +
				'what an update leaves out.',
		],
		comparisons: found.slice(0, 1).map(({ comparison }) => comparison),
		checks: found.flatMap(({ checks }) => checks),
		tables: [],
	};
};

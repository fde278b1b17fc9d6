import type { N8n } from '../test/n8n/host';
import type { Bench, Service } from './bench';
import { type Contender, http, ours, useKey, workflowOf } from './contenders';
import { type Run, run as runOnce } from './run';
import { atMost, type Findings, type Scenario } from './scenario';
import { MEGABYTE, ratios, spread, withRange } from './statistics';

const COLUMNS = { url: 'url', custom: 'alias' };
const WARM_UP_ROWS = 100;

/** What is compared. */
const FIGURES: Record<string, (run: Run) => number> = {
	seconds: ({ nodeSeconds }) => nodeSeconds,
	'seconds of CPU': ({ cpuSeconds }) => cpuSeconds,
	'peak memory, MB': ({ peakBytes }) => peakBytes / MEGABYTE,
};

/** Creates links and sees to it that each is there. */
async function create(service: Service, n8n: N8n, contender: Contender, count: number): Promise<Run> {
	await service.reset();
	const rows = Array.from({ length: count }, (_value, index) => ({
		url: `https://www.example.com/page/${index + 1}`,
		alias: `row-${index + 1}`,
	}));
	const one = await runOnce(n8n, workflowOf(contender, rows), contender);
	const { created, refused } = await service.stats();
	if (created.links !== count || one.items !== count || refused > 0)
		throw new Error(
			`${contender.name} created ${created.links} of ${count} links and put out ${one.items} items; ${refused} requests were refused.`,
		);
	return one;
}

/** Both take turns, each time in an n8n that has just been started. */
async function compare(bench: Bench, service: Service, size: number, findings: Findings): Promise<void> {
	const { url, apiKey } = service;
	const rounds = await bench.turns([ours(COLUMNS), http(url, COLUMNS)], async (contender) => {
		const one = await bench.inNewN8n(async (n8n) => {
			await useKey(n8n, url, apiKey);
			await create(service, n8n, contender, WARM_UP_ROWS);
			return await create(service, n8n, contender, size);
		});
		const figures = Object.entries(FIGURES).map(([name, of]) => `${of(one).toFixed(2)} ${name}`);
		bench.say(`${contender.name}: ${one.items} items, ${figures.join(', ')}`);
		return one;
	});
	const [mine, theirs] = [...rounds.values()];
	const ratio = (of: (run: Run) => number) => spread(ratios(mine.map(of), theirs.map(of)));
	for (const [name, of] of Object.entries(FIGURES))
		findings.checks.push(
			atMost(`${size} links, long URL and alias: ${name} ÷ those of HTTP Request`, 1, ratio(of), { digits: 2 }),
		);
	findings.tables.push({
		title: `${size} links, long URL and alias, no rate limit`,
		columns: ['', ...Object.keys(FIGURES)],
		rows: [...rounds].map(([{ name }, runs]) => [
			name,
			...Object.values(FIGURES).map((of) => withRange(spread(runs.map(of)))),
		]),
	});
}

export const run: Scenario['run'] = async (bench): Promise<Findings> => {
	// The service does as little as it can: what is measured is n8n.
	const service = await bench.startService({ limit: { requests: null }, records: { links: 0 }, validate: false });
	const findings: Findings = {
		title: 'Creating links without a rate limit',
		introduction: [
			'Long URL and alias of each row come from expressions. “Seconds” is the time that n8n shows for the node. CPU time is that of the whole n8n process for ' +
				'the whole execution, including saving. Peak memory is the highest growth of the process. Each measurement has its own n8n.',
		],
		checks: [],
		tables: [],
		notes: [
			'If other programs use the machine too, CPU time says more than seconds, because it hardly depends on them.',
		],
	};
	for (const size of bench.quick ? [100] : [1000, 5000]) await compare(bench, service, size, findings);
	return findings;
};

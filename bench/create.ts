import type { N8n } from '../test/n8n/host';
import type { Service } from './bench';
import { bitly, type Contender, http, httpWithJson, ours, workflowOf } from './contenders';
import { type Lap, race, raceChecks, raceTable } from './race';
import { run as runOnce } from './run';
import type { Findings, Scenario } from './scenario';

const COLUMNS = { url: 'url', custom: 'alias' };
const WARM_UP_ROWS = 100;

/** Creates links and sees to it that each is there. */
async function create(service: Service, n8n: N8n, contender: Contender, count: number): Promise<Lap> {
	await service.reset();
	const rows = Array.from({ length: count }, (_value, index) => ({
		url: `https://www.example.com/page/${index + 1}`,
		alias: `row-${index + 1}`,
	}));
	const one = await runOnce(n8n, workflowOf(contender, rows), contender);
	const { created, refused, requests } = await service.stats();
	if (created.links !== count || one.items !== count || refused > 0)
		throw new Error(
			`${contender.name} created ${created.links} of ${count} links and put out ${one.items} items; ${refused} requests were refused.`,
		);
	return { ...one, requests };
}

export const run: Scenario['run'] = async (bench): Promise<Findings> => {
	// The service does as little as it can: what is measured is n8n.
	const service = await bench.startService({ limit: { requests: null }, records: { links: 0 }, validate: false });
	const { url } = service;
	const contenders = [ours(COLUMNS), http(url, COLUMNS), httpWithJson(url, COLUMNS), bitly(COLUMNS)];
	const findings: Findings = {
		title: 'Creating links without a rate limit',
		introduction: [
			'Each row gives its long URL and its alias through an expression of its own. “Seconds” is what n8n itself notes for the node; CPU time is that of the whole n8n process for ' +
				'the whole execution, saving included. Peak memory is the growth of the process at its highest. Each measurement has an n8n of its own.',
		],
		checks: [],
		tables: [],
		notes: [
			'Where other programs use the machine too, CPU time says more than time: it hardly depends on them.',
			'The Bitly node sends one request after the other. Measured is a copy of n8n’s own, in which its address and the names of two fields were changed to those of our service (its title is our alias), nothing else.',
		],
	};
	for (const size of bench.quick ? [100] : [1000, 5000]) {
		const laps = await race(bench, service, contenders, async (n8n, contender) => {
			await create(service, n8n, contender, WARM_UP_ROWS);
			return await create(service, n8n, contender, size);
		});
		findings.checks.push(...raceChecks(`${size} links, long URL and alias`, laps, 1));
		findings.tables.push(raceTable(`${size} links, long URL and alias, no rate limit`, laps));
	}
	return findings;
};

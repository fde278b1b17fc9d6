import type { N8n } from '../test/n8n/host';
import type { Service } from './bench';
import { ALL_LINKS, type Contender, httpPages, own, workflowOf } from './contenders';
import { type Lap, race, raceChecks, raceTable } from './race';
import { run as runOnce } from './run';
import { atMost, type Findings, type Scenario } from './scenario';
import { median } from './statistics';

const PAGE_SIZE = 100;
const WARM_UP_LINKS = 500;
/** Our share, at most, of what the peer takes. */
const MOST = 0.9;

/** Lists all links and sees to it that each came. */
async function list(service: Service, n8n: N8n, contender: Contender, links: number): Promise<Lap> {
	await service.reset({ records: { links } });
	const one = await runOnce(n8n, workflowOf(contender, [{}]), contender);
	if (one.items !== links) throw new Error(`${contender.name} put out ${one.items} of ${links} links.`);
	return { ...one, requests: (await service.stats()).requests };
}

export const run: Scenario['run'] = async (bench): Promise<Findings> => {
	const limit = { requests: null };
	const service = await bench.startService({ limit, validate: false, deviations: { pageCap: PAGE_SIZE } });
	const contenders = [own(ALL_LINKS, 'Link Management, Return All'), httpPages(service.url, PAGE_SIZE)];
	const findings: Findings = {
		title: 'Listing links: Return All',
		introduction: [
			`The service grants pages of at most ${PAGE_SIZE} links and limits no rate. Beside Link Management, what it takes to get the same items with n8n’s own nodes: the HTTP ` +
				'Request node with its pagination, and Split Out. “Seconds” is what n8n notes for these nodes. Each measurement has an n8n of its own.',
		],
		checks: [],
		tables: [],
	};
	for (const size of bench.quick ? [300, 600] : [10_000, 100_000]) {
		const laps = await race(bench, service, contenders, async (n8n, contender) => {
			await list(service, n8n, contender, WARM_UP_LINKS);
			return await list(service, n8n, contender, size);
		});
		const requests = median(laps[0][1].map((lap) => lap.requests));
		findings.checks.push(
			...raceChecks(`${size} links`, laps, MOST),
			atMost(`${size} links: requests`, Math.ceil(size / PAGE_SIZE), requests, { exact: true }),
		);
		findings.tables.push(raceTable(`${size} links in pages of ${PAGE_SIZE}`, laps));
	}
	return findings;
};

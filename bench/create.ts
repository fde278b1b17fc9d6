import type { N8n } from '../test/n8n/host';
import type { Service } from './bench';
import { compare, HOW_COMPARED } from './compare';
import { bare, type Contender, http, ours, oursInColumns, workflowOf } from './contenders';
import { type Run, run as runOnce } from './run';
import type { Findings, Scenario } from './scenario';

const COLUMNS = { url: 'url', custom: 'alias' };
const WARM_UP_ROWS = 100;
/** The most of the bare node's time that ours may take. */
const MOST_OF_BARE = 0.8;

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

export const run: Scenario['run'] = async (bench): Promise<Findings> => {
	// The service does as little as it can: what is measured is n8n.
	const service = await bench.startService({ limit: { requests: null }, records: { links: 0 }, validate: false });
	const findings: Findings = {
		title: 'Creating links without a rate limit',
		introduction: [`Long URL and alias of each row come from expressions. ${HOW_COMPARED}`],
		comparisons: [],
		checks: [],
		tables: [],
	};
	const sides: Array<{ size: number; contenders: [Contender, Contender]; most?: number }> = [
		{ size: 1000, contenders: [ours(COLUMNS), bare(COLUMNS)], most: MOST_OF_BARE },
		{ size: 1000, contenders: [oursInColumns(), bare(COLUMNS)], most: MOST_OF_BARE },
		{ size: 1000, contenders: [ours(COLUMNS), http(service.url, COLUMNS)] },
		{ size: 5000, contenders: [ours(COLUMNS), http(service.url, COLUMNS)] },
	];
	for (const { size, contenders, most } of bench.quick
		? sides.slice(0, 2).map((one) => ({ ...one, size: 100 }))
		: sides) {
		const work = `${size.toLocaleString('en')} links made, without a rate limit: ${contenders[0].name}`;
		const measure = async (n8n: N8n, contender: Contender) => {
			await create(service, n8n, contender, WARM_UP_ROWS);
			return await create(service, n8n, contender, size);
		};
		const found = await compare(bench, service, work, contenders, measure, most);
		findings.comparisons.push(found.comparisons[0], ...(size === 5000 ? [found.comparisons[2]] : []));
		findings.checks.push(...found.checks);
		findings.tables.push(...found.tables);
	}
	return findings;
};

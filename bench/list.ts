import { compare, HOW_COMPARED } from './compare';
import { ALL_LINKS, httpList, own, workflowOf } from './contenders';
import { run as runOnce } from './run';
import type { Findings, Scenario } from './scenario';

const WARM_UP_LINKS = 200;
/** The largest page that the service grants, so that both send as many requests. */
const PAGE = 100;

export const run: Scenario['run'] = async (bench): Promise<Findings> => {
	const service = await bench.startService({ limit: { requests: null }, validate: false });
	const size = bench.quick ? 500 : 10_000;
	const work = `${size.toLocaleString('en')} links listed, in pages of ${PAGE}`;
	const contenders = [own(ALL_LINKS), httpList(service.url, PAGE)] as const;
	const found = await compare(bench, service, work, [...contenders], async (n8n, contender) => {
		const list = async (links: number) => {
			await service.reset({ records: { links }, deviations: { pageCap: PAGE } });
			const one = await runOnce(n8n, workflowOf(contender, [{}]), contender);
			if (one.items !== links) throw new Error(`${contender.name} put out ${one.items} items of ${links} links.`);
			return one;
		};
		await list(WARM_UP_LINKS);
		return await list(size);
	});
	return {
		title: 'Reading all links without a rate limit',
		introduction: [
			`Return All beside the HTTP Request node with its pagination, and Split Out after it. ${HOW_COMPARED}`,
		],
		...found,
		comparisons: found.comparisons.slice(0, 1),
	};
};

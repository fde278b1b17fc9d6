import { measured, type Scenario } from './bench';
import { httpList, own, useKey, workflowOf } from './contenders';

const WARM_UP_LINKS = 200;
const LINKS = 10_000;
/** The largest page that the service grants, so that both send as many requests. */
const PAGE = 100;

/** Return All beside the HTTP Request node with its pagination, and Split Out after it. */
export const run: Scenario = async (bench) => {
	const service = await bench.startService({ limit: { requests: null }, validate: false });
	const allLinks = own({ resource: 'link', operation: 'getAll', returnAll: true }, 'Get Many');
	const work = `${LINKS.toLocaleString('en')} links listed, in pages of ${PAGE}`;
	return await bench.compare(work, [allLinks, httpList(service.url, PAGE)], async (n8n, contender) => {
		await useKey(n8n, service.url, service.apiKey);
		const list = async (links: number) => {
			await service.reset({ records: { links }, deviations: { pageCap: PAGE } });
			const one = await measured(n8n, workflowOf(contender, [{}]), contender);
			if (one.items !== links) throw new Error(`${contender.name} put out ${one.items} items of ${links} links.`);
			return one;
		};
		await list(WARM_UP_LINKS);
		return await list(LINKS);
	});
};

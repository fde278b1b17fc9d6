import type { N8n } from '../test/n8n/host';
import { type Line, measured, type Run, type Scenario, type Service } from './bench';
import { bare, type Contender, http, ours, ourSheet, useKey, workflowOf } from './contenders';

const COLUMNS = { url: 'url', custom: 'alias' };
const WARM_UP_ROWS = 100;

/** Creates links and sees to it that each is there. */
async function create(service: Service, n8n: N8n, contender: Contender, count: number): Promise<Run> {
	await service.reset();
	const rows = Array.from({ length: count }, (_value, index) => ({
		url: `https://www.example.com/page/${index + 1}`,
		alias: `row-${index + 1}`,
	}));
	const one = await measured(n8n, workflowOf(contender, rows), contender);
	const { created, refused } = await service.stats();
	if (created.links !== count || one.items !== count || refused > 0)
		throw new Error(
			`${contender.name} created ${created.links} of ${count} links and put out ${one.items} items; ${refused} requests were refused.`,
		);
	return one;
}

export const run: Scenario = async (bench) => {
	// The service does as little as it can: what is measured is n8n.
	const service = await bench.startService({ limit: { requests: null }, records: { links: 0 }, validate: false });
	const other = http(service.url, COLUMNS);
	const sides: Array<[size: number, ours: Contender, other: Contender]> = [
		[1000, ours(COLUMNS), bare(COLUMNS)],
		[1000, ourSheet(), bare(COLUMNS)],
		[1000, ours(COLUMNS), other],
		[5000, ours(COLUMNS), other],
	];
	const lines: Line[] = [];
	for (const [size, mine, theirs] of sides) {
		const work = `${size.toLocaleString('en')} links made, without a rate limit: ${mine.name}`;
		const measure = async (n8n: N8n, contender: Contender) => {
			await useKey(n8n, service.url, service.apiKey);
			await create(service, n8n, contender, WARM_UP_ROWS);
			return await create(service, n8n, contender, size);
		};
		const figures: Array<'seconds' | 'megabytes'> = size === 5000 ? ['seconds', 'megabytes'] : ['seconds'];
		lines.push(...(await bench.compare(work, [mine, theirs], measure, figures)));
	}
	return lines;
};

import type { N8n } from '../test/n8n/host';
import type { Bench, Service } from './bench';
import { type Contender, useKey } from './contenders';
import type { Run } from './run';
import { atMost, type Findings } from './scenario';
import { MEGABYTE, ratios, spread, withRange } from './statistics';

/** The most that our seconds may be of those of the HTTP Request node. */
const MOST_SECONDS = 0.5;

/** What is compared, each with the most that ours may be of the other's. */
const FIGURES: Array<{ name: string; most?: number; digits?: number; of: (run: Run) => number }> = [
	{ name: 'seconds', of: ({ nodeSeconds }) => nodeSeconds },
	{ name: 'seconds of CPU', most: 1, of: ({ cpuSeconds }) => cpuSeconds },
	{ name: 'peak memory, MB', most: 1, digits: 0, of: ({ peakBytes }) => peakBytes / MEGABYTE },
];

export const HOW_COMPARED =
	'“Seconds” is the time that n8n shows for the nodes. CPU time is that of the whole n8n process for the whole execution, including saving; if other programs use the ' +
	'machine too, it says more than seconds. Peak memory is the highest growth of the process. Each measurement has its own n8n.';

/**
 * Ours and another take turns, each time in an n8n that has just been started.
 *
 * @param work what both do
 * @param measure does it, after a smaller piece of it
 * @param mostSeconds the most that our seconds may be of the other's
 */
export async function compare(
	bench: Bench,
	{ url, apiKey }: Service,
	work: string,
	contenders: [ours: Contender, other: Contender],
	measure: (n8n: N8n, contender: Contender) => Promise<Run>,
	mostSeconds = MOST_SECONDS,
): Promise<Pick<Findings, 'comparisons' | 'checks' | 'tables'>> {
	const rounds = await bench.turns(contenders, async (contender) => {
		const one = await bench.inNewN8n(async (n8n) => {
			await useKey(n8n, url, apiKey);
			return await measure(n8n, contender);
		});
		const figures = FIGURES.map(({ name, of }) => `${of(one).toFixed(2)} ${name}`);
		bench.say(`${work}, ${contender.name}: ${one.items} items, ${figures.join(', ')}`);
		return one;
	});
	const [mine, theirs] = [...rounds.values()];
	const other = contenders[1].name;
	const compared = FIGURES.map(({ name, most = mostSeconds, digits, of }) => {
		const [ours, others] = [mine.map(of), theirs.map(of)];
		const show = (figures: number[]) => withRange(spread(figures), digits);
		return { name, most, ours: show(ours), others: show(others), ratio: spread(ratios(ours, others)) };
	});
	return {
		comparisons: compared.map(({ name, ours, others, ratio }) => ({
			work: `${work}: ${name}`,
			ours,
			instead: other,
			theirs: others,
			ratio: withRange(ratio),
		})),
		checks: compared.map(({ name, most, ratio }) =>
			atMost(`${work}: ${name} ÷ those of ${other}`, most, ratio, { digits: 2 }),
		),
		tables: [
			{
				title: work,
				columns: ['', ...FIGURES.map(({ name }) => name)],
				rows: [...rounds].map(([{ name }, runs]) => [
					name,
					...FIGURES.map(({ of, digits }) => withRange(spread(runs.map(of)), digits)),
				]),
			},
		],
	};
}

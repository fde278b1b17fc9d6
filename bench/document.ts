import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import type { Findings } from './scenario';

/** Where and when findings were made. */
export interface Circumstances {
	/** YYYY-MM-DD. */
	date: string;
	runs: number;
	n8n: string;
	node: string;
	processor: string;
	cpus: number;
	memoryGb: number;
	/** The machine's load average over a minute, before and after: well above 1 before means that others used it too. */
	load: { before: number; after: number };
	/** How long the scenario took, in seconds. */
	seconds: number;
}

interface Measurement {
	findings: Findings;
	circumstances: Circumstances;
}

function markdownTable(columns: string[], rows: string[][]): string {
	const row = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	const rule = row(columns.map((_column, index) => (index === 0 ? '---' : '---:')));
	return [row(columns), rule, ...rows.map(row)].join('\n');
}

function comparisonsTable(all: Measurement[]): string {
	const rows = all.flatMap(({ findings }) =>
		findings.comparisons.map(({ work, ours, instead, theirs, ratio = '' }) => [
			work,
			ours,
			`${instead}: ${theirs}`,
			ratio,
		]),
	);
	return markdownTable(['work', 'Link Management', 'what people would use instead', 'ratio'], rows);
}

/** How many promises are met, and those that are not. */
function promisesText(all: Measurement[]): string {
	const checks = all.flatMap(({ findings }) => findings.checks);
	const missed = checks.filter(({ met }) => !met);
	const missing = missed.map(
		({ promise, target, measured }) => `**Missed:** ${promise}: ${measured} (target ${target}).`,
	);
	return [`${checks.length - missed.length} of ${checks.length} promises are met.`, ...missing].join(' ');
}

function circumstancesText(name: string, { circumstances }: Measurement): string {
	const { date, runs, n8n, node, processor, cpus } = circumstances;
	const rounds = runs === 1 ? '1 run' : `${runs} runs`;
	return `- [${name}](benchmarks/${name}.json): ${date}; ${rounds} of each; n8n ${n8n}, Node ${node}, ${cpus} × ${processor}`;
}

const READING = `Measured in a real n8n, with the sandbox service in its own process. Each figure is the median of all rounds, with its range in brackets.
Contenders take turns, and ratios are taken within each round, so that other load affects both sides. A ratio below 1 means that Link
Management is faster, or needs less.`;

const HOW = `\`npm run bench\` measures it all again and writes this page (one part: \`npm run bench -- list\`; more: \`--help\`).`;

/**
 * Keeps a scenario's findings in the folder `benchmarks`, so that one can be measured again without the others, and writes
 * `benchmarks.md` beside it again.
 *
 * @param docs the folder of the document
 * @param order the scenarios' names, in the order of the table
 * @returns the document's path
 */
export function keep(docs: string, order: string[], name: string, measurement: Measurement): string {
	const record = (scenario: string) => join(docs, 'benchmarks', `${scenario}.json`);
	mkdirSync(join(docs, 'benchmarks'), { recursive: true });
	writeFileSync(record(name), `${JSON.stringify(measurement, null, '\t')}\n`);
	const all = order
		.filter((scenario) => existsSync(record(scenario)))
		.map((scenario): [string, Measurement] => [
			scenario,
			JSON.parse(readFileSync(record(scenario), 'utf8')) as Measurement,
		]);
	const measurements = all.map(([, one]) => one);
	const parts = all.map(([scenario, one]) => circumstancesText(scenario, one)).join('\n');
	const text = [
		'# Benchmarks',
		comparisonsTable(measurements),
		HOW,
		READING,
		`${promisesText(measurements)} All figures, and how to read them:`,
		parts,
	];
	const path = join(docs, 'benchmarks.md');
	writeFileSync(path, `${text.join('\n\n')}\n`);
	return path;
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import type { Check, Findings, Table } from './scenario';

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

function markdownTable(columns: string[], rows: Table['rows']): string {
	const row = (cells: Array<string | number>) =>
		`| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
	const rule = row(columns.map((_column, index) => (index === 0 ? '---' : '---:')));
	return [row(columns), rule, ...rows.map(row)].join('\n');
}

function checksTable(checks: Check[]): string {
	const rows = checks.map(({ promise, target, measured, met }) => [promise, target, measured, met ? 'yes' : '**no**']);
	return markdownTable(['promise', 'target', 'measured', 'met'], rows);
}

function circumstancesText({ date, runs, n8n, node, processor, cpus, memoryGb, load, seconds }: Circumstances): string {
	return (
		`<sub>${date}; n8n ${n8n} on Node ${node}; ${cpus} × ${processor}, ${memoryGb} GB; ${runs === 1 ? '1 run' : `${runs} runs`} of each, ${Math.round(seconds)} s in all; ` +
		`load average ${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after.</sub>`
	);
}

function section({ findings, circumstances }: Measurement): string {
	const { title, introduction, checks, tables, notes = [] } = findings;
	return [
		`## ${title}`,
		...introduction,
		checksTable(checks),
		...tables.map(({ title: name, columns, rows }) => `**${name}**\n\n${markdownTable(columns, rows)}`),
		...notes,
		circumstancesText(circumstances),
	].join('\n\n');
}

const HEAD = `# Benchmarks

\`npm run bench\` measures all of this in a real n8n, with the sandbox service in its own process, and writes this page. Nothing is
typed in by hand. Contenders take turns, round by round. Each figure is the median of all rounds, with its range in brackets. Ratios
are taken within each round, so that other load on the machine affects both sides. A ratio below 1 means that Link Management is
faster, or needs less.

    npm run bench                  everything
    npm run bench -- create        one part: SCENARIOS
    npm run bench -- --runs 9      more rounds than three
    npm run bench -- --quick       a quick check that everything runs; its figures are not kept`;

/**
 * Keeps a scenario's findings in the folder `benchmarks`, so that one can be measured again without the others, and writes
 * `benchmarks.md` beside it again.
 *
 * @param docs the folder of the document
 * @param order the scenarios' names, in the order of their sections
 * @returns the document's path
 */
export function keep(docs: string, order: string[], name: string, measurement: Measurement): string {
	const record = (scenario: string) => join(docs, 'benchmarks', `${scenario}.json`);
	mkdirSync(join(docs, 'benchmarks'), { recursive: true });
	writeFileSync(record(name), `${JSON.stringify(measurement, null, '\t')}\n`);
	const sections = order
		.filter((scenario) => existsSync(record(scenario)))
		.map((scenario) => section(JSON.parse(readFileSync(record(scenario), 'utf8')) as Measurement));
	const path = join(docs, 'benchmarks.md');
	writeFileSync(path, `${[HEAD.replace('SCENARIOS', order.join(', ')), ...sections].join('\n\n')}\n`);
	return path;
}

import { existsSync, mkdirSync, readFileSync, rmSync, readdirSync, writeFileSync } from 'fs';
import { join } from 'path';
import { draw } from './charts';
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

function row(cells: string[]): string {
	return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function markdownTable(columns: string[], rows: string[][]): string {
	return [row(columns), row(columns.map((_column, index) => (index === 0 ? '---' : '---:'))), ...rows.map(row)].join(
		'\n',
	);
}

function checksTable(checks: Check[]): string {
	const rows = checks.map(({ promise, target, measured, met }) => [promise, target, measured, met ? 'yes' : '**no**']);
	return markdownTable(['promise', 'target', 'measured', 'met'], rows);
}

function titledTable({ title, columns, rows }: Table): string {
	return `**${title}**\n\n${markdownTable(columns, rows)}`;
}

function circumstancesText({ date, runs, n8n, node, processor, cpus, memoryGb, load, seconds }: Circumstances): string {
	return (
		`<sub>${date}; n8n ${n8n} on Node ${node}; ${cpus} × ${processor}, ${memoryGb} GB; ${runs === 1 ? '1 run' : `${runs} runs`} of each, ${Math.round(seconds)} s in all; ` +
		`load average ${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after.</sub>`
	);
}

function section(name: string, { findings, circumstances }: Measurement): string {
	const { title, introduction, checks, tables, charts, notes } = findings;
	return [
		`## ${title}`,
		...introduction,
		...(checks.length > 0 ? [checksTable(checks)] : []),
		...charts.map((chart) => `![${chart.title}](benchmarks/${name}-${chart.name}.svg)`),
		...tables.map(titledTable),
		...notes,
		circumstancesText(circumstances),
	].join('\n\n');
}

const HEAD = `# Benchmarks

Written by \`npm run bench\`, which measures in a real n8n, against the sandbox service in a process of its own. Nothing here
is typed in by hand. Contenders take turns, round by round; a figure is the median of all rounds with its range in brackets,
and a ratio is taken within each round, so that what disturbs the machine disturbs both sides. Ratios below 1 mean that
Link Management is faster, or takes less.

    npm run bench                  everything
    npm run bench -- create        one part: SCENARIOS
    npm run bench -- --runs 9      more rounds than three
    npm run bench -- --quick       a smoke run of all, whose figures mean nothing and are not kept`;

/**
 * The document with its charts, written from what was found: \`benchmarks.md\` and the folder \`benchmarks\` beside it, in which
 * the findings of each scenario are kept, so that one can be measured again without the others.
 */
export class BenchmarksDocument {
	private readonly folder: string;

	/**
	 * @param docs the folder of the document
	 * @param order the scenarios' names, in the order of their sections
	 */
	constructor(
		private readonly docs: string,
		private readonly order: string[],
	) {
		this.folder = join(docs, 'benchmarks');
	}

	/** Keeps a scenario's findings, draws its charts, and writes the document again. @returns its path */
	keep(name: string, record: Measurement): string {
		mkdirSync(this.folder, { recursive: true });
		for (const file of readdirSync(this.folder))
			if (file.startsWith(`${name}-`) && file.endsWith('.svg')) rmSync(join(this.folder, file));
		for (const chart of record.findings.charts)
			writeFileSync(join(this.folder, `${name}-${chart.name}.svg`), `${draw(chart)}\n`);
		writeFileSync(this.recordPath(name), `${JSON.stringify(record, null, '\t')}\n`);
		return this.write();
	}

	private recordPath(name: string): string {
		return join(this.folder, `${name}.json`);
	}

	private write(): string {
		const path = join(this.docs, 'benchmarks.md');
		const sections = this.order
			.filter((name) => existsSync(this.recordPath(name)))
			.map((name) => section(name, JSON.parse(readFileSync(this.recordPath(name), 'utf8')) as Measurement));
		writeFileSync(path, `${[HEAD.replace('SCENARIOS', this.order.join(', ')), ...sections].join('\n\n')}\n`);
		return path;
	}
}

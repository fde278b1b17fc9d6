/** Measures the package in a real n8n. See `--help`. */
import { execFileSync } from 'child_process';
import { writeFileSync } from 'fs';
import { cpus } from 'os';
import { join } from 'path';
import { parseArgs } from 'util';
import { buildIfStale, installation } from '../test/n8n/host';
import { PROJECT } from '../test/n8n/host/installation';
import { Bench, type Line, type Scenario } from './bench';

/** Loaded when they are run. The order is the document's. */
const SCENARIOS: Record<string, () => Promise<{ run: Scenario }>> = {
	pacing: async () => await import('./pacing'),
	sheet: async () => await import('./sheet'),
	create: async () => await import('./create'),
	list: async () => await import('./list'),
};

const NAMES = Object.keys(SCENARIOS);

const HELP = `npm run bench [-- options] [-- ${NAMES.join('|')}]

  --runs <number>   how often each figure is measured (default 3)
  --help            this text

Without a name, everything; docs/proof/benchmarks.md is then written again.`;

/** The scenario that is running. */
let current: Bench | undefined;

function readOptions() {
	const { values, positionals } = parseArgs({
		options: { runs: { type: 'string', default: '3' }, help: { type: 'boolean', default: false } },
		allowPositionals: true,
	});
	for (const name of positionals)
		if (!NAMES.includes(name)) throw new Error(`There is no scenario "${name}"; there are ${NAMES.join(', ')}.`);
	const runs = Number(values.runs);
	if (!Number.isInteger(runs) || runs < 1)
		throw new Error(`--runs takes a whole number from 1 on, not "${values.runs}".`);
	return { runs, help: values.help, names: positionals.length > 0 ? positionals : NAMES };
}

function table(lines: Line[]): string {
	const rows = lines.map(
		({ work, ours, instead, theirs, ratio = '' }) => `| ${work} | ${ours} | ${instead}: ${theirs} | ${ratio} |`,
	);
	return ['| work | Link Management | beside it | ratio |', '| --- | ---: | ---: | ---: |', ...rows].join('\n');
}

async function documentOf(lines: Line[], runs: number): Promise<string> {
	const { version, node } = await installation();
	const nodeVersion = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
	const date = new Date().toISOString().slice(0, 10);
	return `# Benchmarks

${table(lines)}

\`npm run bench\` measures it all again and writes this page (one part: \`npm run bench -- list\`).

Measured on ${date} in n8n ${version}, Node ${nodeVersion}, on ${cpus().length} × ${cpus()[0].model.trim()}; the sandbox service has its own process.
Each figure is the median of ${runs} rounds, with its range in brackets. Contenders take turns, and ratios are taken within each round, so that
other load affects both sides. A ratio of seconds, megabytes or requests below 1 means that Link Management is faster, or needs less.
A window of the rate limit is 12 seconds instead of a minute, with 30 requests in each. Simulated time has whole minutes; there, the
ratio is the share of the speed that the limit allows.
`;
}

async function main(): Promise<void> {
	const { runs, help, names } = readOptions();
	if (help) return console.log(HELP);
	await buildIfStale();
	const lines: Line[] = [];
	for (const name of names) {
		current = new Bench(runs, (line) => console.log(`[${name}] ${line}`));
		try {
			lines.push(...(await (await SCENARIOS[name]()).run(current)));
		} finally {
			await current.end();
		}
	}
	console.log(table(lines));
	if (names !== NAMES) return;
	const path = join(PROJECT, 'docs', 'proof', 'benchmarks.md');
	writeFileSync(path, await documentOf(lines, runs));
	console.log(`Written to ${path}`);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.once(signal, () => {
		console.log('\nInterrupted: stopping what was started …');
		void (current?.end() ?? Promise.resolve()).finally(() => process.exit(130));
	});
}

main().then(
	() => process.exit(0),
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exit(1);
	},
);

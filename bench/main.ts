/** Measures the package in a real n8n. See `--help`. */
import { mkdtempSync, rmSync } from 'fs';
import { cpus, loadavg, tmpdir, totalmem } from 'os';
import { join } from 'path';
import { parseArgs } from 'util';
import { execFileSync } from 'child_process';
import { buildIfStale, installation } from '../test/n8n/host';
import { PROJECT } from '../test/n8n/host/installation';
import { Bench } from './bench';
import { type Circumstances, keep } from './document';
import type { Scenario } from './scenario';

/** Loaded when they are run. The order is the document's. */
const SCENARIOS: Record<string, () => Promise<Scenario>> = {
	pacing: async () => await import('./pacing'),
	sync: async () => await import('./sync'),
	create: async () => await import('./create'),
	list: async () => await import('./list'),
	awake: async () => await import('./awake'),
};

const NAMES = Object.keys(SCENARIOS);
const RUNS = 3;
const QUICK_RUNS = 1;

const HELP = `npm run bench [-- options] [-- ${NAMES.join('|')}]

  --runs <number>   how often each figure is measured (default ${RUNS})
  --quick           a smoke run: smallest sizes, one round; writes no document
  --help            this text

Without a name, everything. Writes docs/proof/benchmarks.md, and all figures into the folder beside it.`;

const say = (line: string): void => console.log(line);

/** The scenario that is running. */
let current: Bench | undefined;

function readOptions() {
	const { values, positionals } = parseArgs({
		options: {
			runs: { type: 'string' },
			quick: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
		allowPositionals: true,
	});
	for (const name of positionals)
		if (!NAMES.includes(name)) throw new Error(`There is no scenario "${name}"; there are ${NAMES.join(', ')}.`);
	const runs = Number(values.runs ?? (values.quick ? QUICK_RUNS : RUNS));
	if (!Number.isInteger(runs) || runs < 1)
		throw new Error(`--runs takes a whole number from 1 on, not "${values.runs}".`);
	return { runs, quick: values.quick, help: values.help, names: positionals.length > 0 ? positionals : NAMES };
}

async function measure(name: string, runs: number, quick: boolean, docs: string): Promise<string[]> {
	const { version, node } = await installation();
	const before = loadavg()[0];
	const startedAt = Date.now();
	current = new Bench(runs, quick, (line) => say(`[${name}] ${line}`));
	try {
		const findings = await (await SCENARIOS[name]()).run(current);
		const circumstances: Circumstances = {
			date: new Date(startedAt).toISOString().slice(0, 10),
			runs,
			n8n: version,
			node: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1),
			processor: cpus()[0].model.trim(),
			cpus: cpus().length,
			memoryGb: Math.round(totalmem() / 2 ** 30),
			load: { before, after: loadavg()[0] },
			seconds: (Date.now() - startedAt) / 1000,
		};
		const path = keep(docs, NAMES, name, { findings, circumstances });
		for (const { promise, target, measured, met } of findings.checks.filter(({ exact }) => !quick || exact))
			say(`[${name}] ${met ? 'met   ' : 'MISSED'} ${promise}: ${measured} (target ${target})`);
		say(`[${name}] ${Math.round(circumstances.seconds)} s${quick ? '' : `, written to ${path}`}`);
		return findings.checks
			.filter(({ exact, met }) => exact === true && !met)
			.map(({ promise, measured }) => `${name}: ${promise}: ${measured}`);
	} finally {
		await current.end();
		current = undefined;
	}
}

async function main(): Promise<void> {
	const { runs, quick, help, names } = readOptions();
	if (help) {
		say(HELP);
		return;
	}
	await buildIfStale();
	const docs = quick ? mkdtempSync(join(tmpdir(), 'link-management-bench-docs-')) : join(PROJECT, 'docs', 'proof');
	try {
		const broken: string[] = [];
		for (const name of names) broken.push(...(await measure(name, runs, quick, docs)));
		if (broken.length > 0) throw new Error(`Broken:\n${broken.join('\n')}`);
	} finally {
		if (quick) rmSync(docs, { recursive: true, force: true });
	}
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.once(signal, () => {
		say('\nInterrupted: stopping what was started …');
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

import { execFile } from 'child_process';
import { join } from 'path';
import { promisify } from 'util';
import { type Installation, installation } from '../test/n8n/host';
import { PACKAGE_NAME } from '../test/n8n/host/installation';
import type { Bench, Package } from './bench';
import { ALIKE, packageFolder } from './peers';
import type { Findings, Scenario } from './scenario';
import { MEGABYTE, spread, withRange } from './statistics';

const PACKAGES: Array<{ package: Package; folder: string; label: string }> = [
	{ package: 'own', folder: PACKAGE_NAME, label: 'Link Management' },
	{ package: 'alike', folder: ALIKE, label: 'a package with n8n’s Harvest node, of like size' },
];

interface Loading {
	milliseconds: number[];
	heapMegabytes: number[];
}

interface StartUp {
	seconds: number[];
	megabytes: number[];
}

/** Loads a package as n8n does, in a process of its own. */
async function load(
	n8n: Installation,
	folder: string,
): Promise<{ milliseconds: number; heapBytes: number; nodes: number }> {
	const { stdout } = await promisify(execFile)(
		n8n.node,
		['--expose-gc', join(__dirname, 'loader.cjs'), n8n.folder, folder],
		{
			env: { ...process.env, NODE_PATH: join(n8n.folder, 'node_modules') },
		},
	);
	return JSON.parse(stdout.trim().split('\n').at(-1)!) as { milliseconds: number; heapBytes: number; nodes: number };
}

async function loading(bench: Bench): Promise<Map<string, Loading>> {
	const n8n = await installation();
	const userFolder = await bench.userFolder(PACKAGES.map((one) => one.package));
	const figures = new Map<string, Loading>(
		PACKAGES.map(({ label }) => [label, { milliseconds: [], heapMegabytes: [] }]),
	);
	for (let round = 0; round < bench.runs; round++) {
		for (const { folder, label } of PACKAGES) {
			const { milliseconds, heapBytes, nodes } = await load(n8n, packageFolder(userFolder, folder));
			if (nodes === 0) throw new Error(`${label}: n8n's loader found no node.`);
			figures.get(label)!.milliseconds.push(milliseconds);
			figures.get(label)!.heapMegabytes.push(heapBytes / MEGABYTE);
		}
	}
	return figures;
}

/** From the start of the process to the owner's sign-in, and the memory then. Not the first start, which sets up the database. */
async function startUps(bench: Bench): Promise<Map<string, StartUp>> {
	const n8ns = new Map([['n8n without either', await bench.startN8n('', { packages: [] })]]);
	for (const { package: name, label } of bench.quick ? [] : PACKAGES)
		n8ns.set(`with ${label}`, await bench.startN8n('', { packages: [name] }));
	for (const n8n of n8ns.values()) await n8n.process.stop();
	const figures = new Map<string, StartUp>([...n8ns.keys()].map((label) => [label, { seconds: [], megabytes: [] }]));
	for (let round = 0; round < bench.runs; round++) {
		for (const [label, n8n] of n8ns) {
			const begin = performance.now();
			await n8n.start();
			figures.get(label)!.seconds.push((performance.now() - begin) / 1000);
			figures.get(label)!.megabytes.push(n8n.usage().rssBytes / MEGABYTE);
			await n8n.process.stop();
		}
	}
	return figures;
}

async function findings(bench: Bench): Promise<Findings> {
	const loads = await loading(bench);
	for (const [label, { milliseconds, heapMegabytes }] of loads)
		bench.say(`${label}: ${withRange(spread(milliseconds), 0)} ms, ${withRange(spread(heapMegabytes), 1)} MB`);
	const starts = await startUps(bench);
	for (const [label, { seconds, megabytes }] of starts)
		bench.say(`${label}: ready after ${withRange(spread(seconds))} s, ${withRange(spread(megabytes), 0)} MB`);
	return {
		title: 'Loading the package',
		introduction: [
			'What the package adds to the start of n8n. Its loading alone is measured with n8n’s own loader, in a process that has the engine loaded; the memory is the heap ' +
				'that stays after garbage collection. The whole start-up, from the start of the process until the owner is signed in, shows what users notice of it.',
		],
		checks: [],
		tables: [
			{
				title: 'Loading alone',
				columns: ['', 'milliseconds', 'heap, MB'],
				rows: [...loads].map(([label, { milliseconds, heapMegabytes }]) => [
					label,
					withRange(spread(milliseconds), 0),
					withRange(spread(heapMegabytes), 1),
				]),
			},
			{
				title: 'Start-up of n8n',
				columns: ['', 'seconds', 'memory, MB'],
				rows: [...starts].map(([label, { seconds, megabytes }]) => [
					label,
					withRange(spread(seconds)),
					withRange(spread(megabytes), 0),
				]),
			},
		],
		charts: [],
		notes: [],
	};
}

export const run: Scenario['run'] = findings;

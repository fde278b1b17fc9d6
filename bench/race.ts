import type { N8n } from '../test/n8n/host';
import type { Bench, Service } from './bench';
import { type Contender, useKey } from './contenders';
import type { Run } from './run';
import { atMost, type Check, type Table } from './scenario';
import { median, MEGABYTE, ratios, spread, withRange } from './statistics';

export interface Lap extends Run {
	requests: number;
}

/** What each contender's rounds took; ours come first. */
export type Race = Array<[Contender, Lap[]]>;

type Figure = (lap: Lap) => number;

const SECONDS: Figure = ({ nodeSeconds }) => nodeSeconds;
const CPU: Figure = ({ cpuSeconds }) => cpuSeconds;
const PEAK: Figure = ({ peakBytes }) => peakBytes / MEGABYTE;

/** Contenders take turns, each time in an n8n that has just been started. */
export async function race(
	bench: Bench,
	{ url, apiKey }: Service,
	contenders: Contender[],
	work: (n8n: N8n, contender: Contender) => Promise<Lap>,
): Promise<Race> {
	const laps = await bench.turns(contenders, async (contender) => {
		const one = await bench.inNewN8n(url, async (n8n) => {
			await useKey(n8n, url, apiKey);
			return await work(n8n, contender);
		});
		const [seconds, cpu, peak] = [SECONDS(one).toFixed(2), CPU(one).toFixed(2), PEAK(one).toFixed(0)];
		bench.say(`${contender.name}: ${one.items} items, ${seconds} s, ${cpu} s of CPU, ${peak} MB at the peak`);
		return one;
	});
	return [...laps];
}

const ratio = (ours: Lap[], theirs: Lap[], of: Figure) => spread(ratios(ours.map(of), theirs.map(of)));

/** All figures beside those of the first peer, and CPU time beside that of each. */
export function raceChecks(what: string, [[, ours], ...peers]: Race, most: number): Check[] {
	return peers.flatMap(([{ name }, theirs], index) => {
		const check = (figure: string, of: Figure) =>
			atMost(`${what}: ${figure} ÷ that of ${name}`, most, ratio(ours, theirs, of), { digits: 2 });
		const cpu = check('CPU time', CPU);
		return index === 0 ? [check('time', SECONDS), check('peak memory', PEAK), cpu] : [cpu];
	});
}

export function raceTable(title: string, laps: Race): Table {
	const [[, ours]] = laps;
	return {
		title,
		columns: [
			'',
			'seconds',
			'seconds of CPU',
			'peak memory, MB',
			'requests',
			'our time ÷ theirs',
			'our CPU ÷ theirs',
			'our memory ÷ theirs',
		],
		rows: laps.map(([{ name }, theirs]) => [
			name,
			withRange(spread(theirs.map(SECONDS))),
			withRange(spread(theirs.map(CPU))),
			withRange(spread(theirs.map(PEAK)), 0),
			median(theirs.map(({ requests }) => requests)),
			...[SECONDS, CPU, PEAK].map((of) => (theirs === ours ? '' : withRange(ratio(ours, theirs, of)))),
		]),
	};
}

import type { N8n } from '../test/n8n/host';
import type { Probe } from './probe';

interface ProfileNode {
	id: number;
	callFrame: { functionName: string; url: string };
	children?: number[];
}

/** A CPU profile as V8 writes it. */
interface CpuProfile {
	nodes: ProfileNode[];
	samples: number[];
	/** Microseconds since the sample before. */
	timeDeltas: number[];
}

/** Where n8n's main thread spent its time: seconds by area. */
export type TimeByArea = Record<Area, number>;

export const AREAS = [
	'the node’s own code',
	'expressions',
	'other engine code',
	'HTTP',
	'the database',
	'everything else',
	'garbage collection',
] as const;
type Area = (typeof AREAS)[number];

/** By package, or module of Node: the first pattern that fits decides. */
const FILES: Array<[pattern: RegExp, area: Area | undefined]> = [
	// The profiler's own doing.
	[/^node:inspector/, undefined],
	[/^(n8n-nodes-link-management|n8n-nodes-bench-peers|n8n-nodes-base)\//, 'the node’s own code'],
	[
		/^(@n8n\/(expression-runtime|tournament)|isolated-vm|luxon)\/|^n8n-workflow\/.*(expression|workflow-data-proxy|extensions)/,
		'expressions',
	],
	[
		/^(axios|follow-redirects|form-data|proxy-from-env|qs|@n8n\/backend-network|agent-base|https?-proxy-agent)\/|^node:(_?http|_?https|net|_?tls|dns|url|internal\/(http|net|dns|url|streams?|stream_base_commons|js_stream))/,
		'HTTP',
	],
	[/^(flatted|@n8n\/typeorm|@n8n\/db|sqlite3)\//, 'the database'],
	[/^(n8n-core|n8n-workflow|n8n|lodash)\//, 'other engine code'],
];

const IDLE = new Set(['(idle)', '(program)', '(root)']);

/** Profiles n8n's main thread while something is done. */
export async function profile(n8n: N8n, probe: Probe, work: () => Promise<unknown>): Promise<TimeByArea> {
	await probe.ask(n8n);
	await work();
	return timeByArea(await probe.ask<CpuProfile>(n8n));
}

function areaOf({ functionName, url }: ProfileNode['callFrame'], parent: Area | undefined): Area | undefined {
	if (functionName === '(garbage collector)') return 'garbage collection';
	if (IDLE.has(functionName)) return undefined;
	// Built-in and native functions (JSON, evalSync of the expressions' isolate) work for whoever calls them.
	if (url === '') return parent ?? 'everything else';
	const file = url.split('/node_modules/').at(-1)!;
	const known = FILES.find(([pattern]) => pattern.test(file));
	if (known !== undefined) return known[1];
	return file.startsWith('node:') ? (parent ?? 'everything else') : 'everything else';
}

/** Sums up the time of each area; idle time does not count. */
export function timeByArea({ nodes, samples, timeDeltas }: CpuProfile): TimeByArea {
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const areas = new Map<number, Area | undefined>();
	const open: Array<[node: ProfileNode, parent: Area | undefined]> = [[nodes[0], undefined]];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		const [node, parent] = next;
		const area = areaOf(node.callFrame, parent);
		areas.set(node.id, area);
		for (const child of node.children ?? []) open.push([byId.get(child)!, area]);
	}
	const seconds = Object.fromEntries(AREAS.map((area) => [area, 0])) as TimeByArea;
	samples.forEach((id, index) => {
		const area = areas.get(id);
		if (area !== undefined) seconds[area] += timeDeltas[index] / 1e6;
	});
	return seconds;
}

import type { IDataObject } from 'n8n-workflow';
import { setTimeout as delay } from 'timers/promises';
import { type N8n, type WorkflowJson } from '../test/n8n/host';
import type { Dialect, SandboxControl } from '../test/sandbox';
import type { Service } from './bench';
import { type Contender, useKey, workflowOf } from './contenders';

/** One execution among those that run at the same time. */
interface Job {
	n8n: N8n;
	contender: Contender;
	rows: IDataObject[];
}

/**
 * The service's limit in the trials. In the field's dialect a window begins with its first request, and refuses through the
 * whole second that its reset names.
 */
export interface Limit {
	requests: number;
	windowMs: number;
	dialect?: Dialect;
}

interface TrialOptions {
	limit: Limit;
	jobs: Job[];
	/** How far into a window the jobs are started, in milliseconds. */
	phaseMs: number;
	/** A workflow that is active meanwhile, with a trigger that polls the same service with the same key. */
	active?: { n8n: N8n; workflow: WorkflowJson };
}

/** What the service saw of a trial. Times in milliseconds. */
export interface Trial {
	rows: number;
	created: number;
	/** Rows that were created more than once. */
	twice: number;
	/** Executions that ended well. */
	succeeded: boolean;
	requests: number;
	refused: number;
	/** Granted requests that were no creations. */
	polls: number;
	/** From the first creation request to the last creation. */
	actualMs: number;
	/** The least that this number of granted requests takes, from the same first request on. */
	idealMs: number;
	violations: number;
}

/** When a window of the service began, and how many requests had been granted in it. */
interface FirstWindow {
	at: number;
	before: number;
}

const NO_RECORDS = { links: 0, qrs: 0, campaigns: 0, channels: 0, domains: 0, splash: 0, overlays: 0, bios: 0 };
const CREATION = '/api/url/add';
const TIMEOUT_MS = 10 * 60_000;

let keys = 0;

/** When the window ends that begins at this time, at a service of the field: with the whole second that its reset names. */
function endOfWholeSecond(windowAt: number, windowMs: number): number {
	return (Math.floor((windowAt + windowMs) / 1000) + 1) * 1000;
}

/** The window in which the request at `firstAt` falls. */
function windowOf({ windowMs, dialect }: Limit, grantedAt: number[], firstAt: number): FirstWindow {
	const earlier = grantedAt.filter((at) => at < firstAt);
	if (dialect === 'field') {
		const begins = [...earlier, firstAt].reduce((at, next) => (next >= endOfWholeSecond(at, windowMs) ? next : at));
		return { at: begins, before: earlier.filter((at) => at >= begins).length };
	}
	// Other windows begin on whole multiples of their length.
	const begins = Math.floor(firstAt / windowMs) * windowMs;
	return { at: begins, before: earlier.filter((at) => at >= begins).length };
}

/**
 * The least time (ms) from the first creation request until the last of `granted` requests can be granted.
 *
 * @param grantedBefore when the requests before it were granted, oldest first
 */
export function idealTime(limit: Limit, firstAt: number, grantedBefore: number[], granted: number): number {
	const { requests, windowMs, dialect } = limit;
	const first = windowOf(limit, grantedBefore, firstAt);
	const laterWindows = Math.max(0, Math.ceil((first.before + granted) / requests) - 1);
	if (laterWindows === 0) return 0;
	// Windows of the field that begin on a whole second last one second more.
	const end = dialect === 'field' ? endOfWholeSecond(first.at, windowMs) : first.at + windowMs;
	return end + (laterWindows - 1) * (windowMs + (dialect === 'field' ? 1000 : 0)) - firstAt;
}

/** Waits for a moment so far into a window of this length. */
async function waitForPhase(windowMs: number, phaseMs: number): Promise<void> {
	const now = Date.now();
	await delay((((phaseMs - (now % windowMs)) % windowMs) + windowMs) % windowMs);
}

/**
 * What the service saw since its last reset, as far as it can tell.
 *
 * @param rows how many links were to be created
 */
export async function seenBy(service: SandboxControl, limit: Limit, rows: number): Promise<Omit<Trial, 'succeeded'>> {
	const created = (await service.ledger()).filter(
		({ kind, collection, by }) => kind === 'created' && collection === 'links' && by === 'api',
	);
	const log = await service.requests();
	const firstAt = Math.min(...log.filter(({ path }) => path === CREATION).map(({ at }) => at));
	const lastAt = Math.max(...created.map(({ at }) => at));
	// Polls go on when everything is done; creations that are still refused then belong to the figures.
	const meanwhile = log.filter(({ at, path }) => at >= firstAt && (path === CREATION || at <= lastAt));
	const polls = meanwhile.filter(({ path, refused }) => path !== CREATION && !refused).length;
	const grantedBefore = log.filter(({ at, refused }) => at < firstAt && !refused).map(({ at }) => at);
	return {
		rows,
		created: created.length,
		twice: created.length - new Set(created.map(({ longurl }) => longurl)).size,
		requests: meanwhile.length,
		refused: meanwhile.filter(({ refused }) => refused).length,
		polls,
		actualMs: lastAt - firstAt,
		idealMs: idealTime(limit, firstAt, grantedBefore, rows + polls),
		violations: (await service.violations()).length,
	};
}

/** Runs jobs at the same time with one key that is new to the service and to n8n, and counts at the service. */
export async function trial(service: Service, options: TrialOptions): Promise<Trial> {
	const { jobs, limit, phaseMs, active } = options;
	const key = `key-${++keys}`;
	const { dialect = 'document', requests, windowMs } = limit;
	await service.reset({
		apiKeys: [key],
		dialect,
		limit: { requests, windowMs },
		records: NO_RECORDS,
	});
	for (const n8n of new Set([...jobs.map((job) => job.n8n), ...(active === undefined ? [] : [active.n8n])]))
		await useKey(n8n, service.url, key);
	const started = [];
	for (const { n8n, contender, rows } of jobs)
		started.push({ n8n, id: await n8n.createWorkflow(workflowOf(contender, rows)) });
	const activeId = active && (await active.n8n.createWorkflow(active.workflow));
	if (active && activeId !== undefined) await active.n8n.activate(activeId);
	try {
		await waitForPhase(limit.windowMs, phaseMs);
		const executions = await Promise.all(started.map(async ({ n8n, id }) => await n8n.run(id, TIMEOUT_MS)));
		const rows = jobs.reduce((sum, job) => sum + job.rows.length, 0);
		return {
			...(await seenBy(service, limit, rows)),
			succeeded: executions.every(({ status }) => status === 'success'),
		};
	} finally {
		if (active && activeId !== undefined) await active.n8n.deactivate(activeId);
	}
}

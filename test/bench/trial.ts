import type { IDataObject } from 'n8n-workflow';
import { setTimeout as delay } from 'timers/promises';
import { type N8n, type WorkflowJson } from '../n8n/host';
import type { LimitSettings, LoggedRequest, SandboxControl } from '../sandbox';
import type { Service } from './bench';
import { type Contender, useKey, workflowOf } from './contenders';

/** One execution among those that run at the same time. */
export interface Job {
	n8n: N8n;
	contender: Contender;
	rows: IDataObject[];
}

/** The service's limit in the trials. */
export type Limit = Pick<LimitSettings, 'requests' | 'windowMs' | 'kind' | 'reset'> & { requests: number };

export interface TrialOptions {
	limit: Limit;
	jobs: Job[];
	/** How far into a window the jobs are started, in milliseconds. */
	phaseMs: number;
	/** A workflow that is active meanwhile, with a trigger that polls the same service with the same key. */
	active?: { n8n: N8n; workflow: WorkflowJson };
	timeoutMs?: number;
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
	/** When each link was created, counted from the first creation request. */
	createdAt: number[];
	violations: number;
}

const NO_RECORDS = { links: 0, qrs: 0, campaigns: 0, channels: 0, domains: 0, splash: 0, overlays: 0, bios: 0 };
const CREATION = '/api/url/add';

let keys = 0;

/**
 * The least time (ms) from the first creation request until the last of `granted` requests can be granted.
 *
 * @param before requests granted earlier in the window in which the first one falls
 */
export function idealTime({ kind, requests, windowMs }: Limit, firstAt: number, before: number, granted: number): number {
	const laterWindows = Math.max(0, Math.ceil((before + granted) / requests) - 1);
	if (laterWindows === 0) return 0;
	// Fixed windows begin on whole multiples of their length; a sliding one frees its places one window after they were taken.
	const windowAt = kind === 'fixed' ? Math.floor(firstAt / windowMs) * windowMs : firstAt;
	return windowAt + laterWindows * windowMs - firstAt;
}

/** Waits for a moment so far into a window of this length. */
async function waitForPhase(windowMs: number, phaseMs: number): Promise<void> {
	const now = Date.now();
	await delay((((phaseMs - (now % windowMs)) % windowMs) + windowMs) % windowMs);
}

function summary(rows: number, limit: Limit, log: LoggedRequest[], createdLinks: Array<{ at: number; longurl: string }>): Omit<Trial, 'succeeded' | 'violations'> {
	const firstAt = Math.min(...log.filter(({ path }) => path === CREATION).map(({ at }) => at));
	const lastAt = Math.max(...createdLinks.map(({ at }) => at));
	// Polls go on when everything is done; creations that are still refused then belong to the figures.
	const meanwhile = log.filter(({ at, path }) => at >= firstAt && (path === CREATION || at <= lastAt));
	const polls = meanwhile.filter(({ path, refused }) => path !== CREATION && !refused).length;
	const windowAt = Math.floor(firstAt / limit.windowMs) * limit.windowMs;
	const before = limit.kind === 'fixed' ? log.filter(({ at, refused }) => at >= windowAt && at < firstAt && !refused).length : 0;
	return {
		rows,
		created: createdLinks.length,
		twice: createdLinks.length - new Set(createdLinks.map(({ longurl }) => longurl)).size,
		requests: meanwhile.length,
		refused: meanwhile.filter(({ refused }) => refused).length,
		polls,
		actualMs: lastAt - firstAt,
		idealMs: idealTime(limit, firstAt, before, rows + polls),
		createdAt: createdLinks.map(({ at }) => at - firstAt),
	};
}

/**
 * What the service saw since its last reset, as far as it can tell.
 *
 * @param rows how many links were to be created
 */
export async function seenBy(service: SandboxControl, limit: Limit, rows: number): Promise<Omit<Trial, 'succeeded'>> {
	const createdLinks = (await service.ledger()).flatMap(({ kind, collection, by, at, longurl }) =>
		kind === 'created' && collection === 'links' && by === 'api' ? [{ at, longurl: longurl ?? '' }] : [],
	);
	return { ...summary(rows, limit, await service.requests(), createdLinks), violations: (await service.violations()).length };
}

/** Runs jobs at the same time with one key that is new to the service and to n8n, and counts at the service. */
export async function trial(service: Service, options: TrialOptions): Promise<Trial> {
	const { jobs, limit, phaseMs, active, timeoutMs = 10 * 60_000 } = options;
	const key = `key-${++keys}`;
	await service.reset({ apiKeys: [key], limit: { begin: 'aligned', ...limit }, records: NO_RECORDS });
	for (const n8n of new Set([...jobs.map((job) => job.n8n), ...(active === undefined ? [] : [active.n8n])])) await useKey(n8n, service.url, key);
	const started = [];
	for (const { n8n, contender, rows } of jobs) started.push({ n8n, id: await n8n.createWorkflow(workflowOf(contender, rows)) });
	const activeId = active && (await active.n8n.createWorkflow(active.workflow));
	if (active && activeId !== undefined) await active.n8n.activate(activeId);
	try {
		await waitForPhase(limit.windowMs, phaseMs);
		const executions = await Promise.all(started.map(async ({ n8n, id }) => await n8n.run(id, { timeoutMs })));
		return {
			...(await seenBy(service, limit, jobs.reduce((sum, job) => sum + job.rows.length, 0))),
			succeeded: executions.every(({ status }) => status === 'success'),
		};
	} finally {
		if (active && activeId !== undefined) await active.n8n.deactivate(activeId);
	}
}

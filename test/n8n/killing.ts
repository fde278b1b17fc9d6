import { setTimeout as delay } from 'timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { startSandbox } from '../sandbox';
import { Random } from '../sandbox/records';
import { startN8n, type N8n } from './host';
import { pollingWorkflow, reportedBy } from './polling';

/** Who polls, and how n8n keeps the state of a trigger: beside the execution (its default), the same from its scheduler, or together with it. */
export type CursorMode = 'plain' | 'scheduled' | 'durable';

/** An n8n that was killed while it took up a workflow takes it up again when this lease is over (2 minutes by default). */
const SHORT_LEASE = {
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '10',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '2000',
};

/** What n8n's scheduler needs to poll. */
const SCHEDULER = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};

/** What its durable cursors need besides. */
export const DURABLE = { ...SCHEDULER, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' };

/** Short intervals, so that a run polls often. */
const OFTEN = {
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '2',
	N8N_SCHEDULER_REAPER_INTERVAL: '2',
	N8N_SCHEDULER_LEASE_DURATION: '15',
};

export const SETTINGS: Record<CursorMode, Record<string, string>> = {
	plain: {},
	scheduled: { ...SCHEDULER, ...OFTEN },
	durable: { ...DURABLE, ...OFTEN },
};

const CODES = 40;
const LINKS = 40;
/** n8n is killed so many milliseconds after it became ready, or up to so much later. */
const KILL_AFTER = { least: 200, most: 6000 };
/** Between two bursts of clicks and scans (ms). */
const PAUSE = 60;
/** Time without a new execution after which nothing is taken to come any more (ms), once the triggers have caught up. */
const QUIET = 10_000;
/** For the triggers to catch up (ms), however slow the machine is: n8n takes up each workflow again first. */
const LONGEST_SETTLING = 200_000;
const MOST_FAILED_STARTS = 5;

/** What came of one kind of event. Counts are clicks or scans, not items. */
export interface Tally {
	happened: number;
	reported: number;
	/** Happened and never reported. */
	lost: number;
	/** Reported more than once. */
	repeated: number;
	/** Records of which the last that happened was not reported: the trigger has not caught up. */
	behind: number;
}

/** What the triggers reported of what happened. */
interface Came {
	/** Executions that they started. */
	executions: number;
	scans: Tally;
	clicks: Tally;
	/** New QR codes, one each. */
	created: Tally;
}

export interface Survival extends Came {
	/** Starts at which n8n itself failed to recover from the kill; it was started again, as a supervisor does. */
	failedStarts: number;
	seconds: number;
}

interface Span {
	from: number;
	to: number;
}

/** Compares what was reported about each record, as spans of its count, with the count that it has. */
function tally(spans: Map<number, Span[]>, counts: Map<number, number>): Tally {
	const total = { happened: 0, reported: 0, lost: 0, repeated: 0, behind: 0 };
	for (const [id, count] of counts) {
		const times = new Uint16Array(count);
		for (const { from, to } of spans.get(id) ?? []) {
			for (let n = from; n < to; n++) times[n]++;
			total.reported += to - from;
		}
		total.happened += count;
		if (count > 0 && times[count - 1] === 0) total.behind++;
		for (const n of times) {
			if (n === 0) total.lost++;
			else total.repeated += n - 1;
		}
	}
	return total;
}

/**
 * Kills n8n again and again while clicks and scans go on, and compares in the end what its executions were started with and
 * what the service counted.
 *
 * @param seed decides when n8n is killed and what is clicked and scanned
 * @param log takes a line now and then
 */
export async function killRepeatedly(
	mode: CursorMode,
	kills: number,
	seed: number,
	log: (line: string) => void,
): Promise<Survival> {
	const random = new Random(seed);
	const startedAt = Date.now();
	const sandbox = await startSandbox({
		records: { links: 0, qrs: 0 },
		limit: { requests: null },
		deviations: { pageCap: 100 },
		validate: false,
	});
	let n8n: N8n | undefined;
	try {
		n8n = await startN8n({ env: { ...SHORT_LEASE, ...SETTINGS[mode] } });
		await n8n.createCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
		const zero = { scans: 0, clicks: 0 };
		const { qrs, links } = await sandbox.createRecords({
			qrs: Array.from({ length: CODES }, () => zero),
			links: Array.from({ length: LINKS }, () => zero),
		});
		const before = new Set(qrs.map(({ id }) => id));
		const workflows = new Map<string, string>();
		for (const event of ['qrCodeScanned', 'linkClicked', 'qrCodeCreated']) {
			const id = await n8n.createWorkflow(pollingWorkflow({ event }, 2));
			await n8n.activate(id);
			workflows.set(event, id);
		}

		let going = true;
		let failedStarts = 0;
		const traffic = (async () => {
			while (going) {
				const { qrs: made } = random.next() < 0.1 ? await sandbox.createRecords({ qrs: [{ scans: 0 }] }) : { qrs: [] };
				qrs.push(...made);
				await sandbox.simulate({
					scans: [{ id: random.pick(qrs).id, count: random.integer(1, 4) }],
					clicks: [{ id: random.pick(links).id, count: random.integer(1, 4) }],
				});
				await delay(PAUSE);
			}
		})();
		try {
			for (let kill = 1; kill <= kills; kill++) {
				await delay(random.integer(KILL_AFTER.least, KILL_AFTER.most));
				failedStarts += await killAndStart(n8n);
				log(`${mode}: killed ${kill} of ${kills} times`);
			}
			await delay(KILL_AFTER.most);
		} finally {
			going = false;
			await traffic;
		}

		// What a kill may lose must not be the last of any record: what comes after the kills shows whether the trigger has caught up.
		const one = ({ id }: { id: number }) => ({ id, count: 1 });
		await sandbox.simulate({ scans: qrs.map(one), clicks: links.map(one) });
		const [codes, clicked] = [await sandbox.qrs(), await sandbox.links()];
		const counts = {
			scans: new Map(codes.map(({ id, scans }) => [id, scans])),
			clicks: new Map(clicked.map(({ id, clicks }) => [id, clicks])),
			created: new Map(codes.filter(({ id }) => !before.has(id)).map(({ id }) => [id, 1])),
		};
		const came = await settled(async () => await compare(n8n!, workflows, counts));
		return { failedStarts, ...came, seconds: (Date.now() - startedAt) / 1000 };
	} finally {
		await n8n?.stop();
		await sandbox.stop();
	}
}

/** Kills n8n and starts it again, as a supervisor does. @returns how many starts failed before one succeeded */
async function killAndStart(n8n: N8n): Promise<number> {
	for (let failures = 0; ; failures++) {
		try {
			await n8n.restart({ kill: true });
			return failures;
		} catch (error) {
			if (failures === MOST_FAILED_STARTS) throw error;
		}
	}
}

/** Compares what the executions of each event were started with, however they ended, with what the service counted. */
async function compare(
	n8n: N8n,
	workflows: Map<string, string>,
	counts: Record<'scans' | 'clicks' | 'created', Map<number, number>>,
): Promise<Came> {
	let executions = 0;
	const spansOf = async (event: string, spanOf: (item: IDataObject) => Span) => {
		const spans = new Map<number, Span[]>();
		for (const { id } of await n8n.executionSummaries(workflows.get(event)!)) {
			executions++;
			for (const item of reportedBy(await n8n.execution(id)))
				spans.set(Number(item.id), [...(spans.get(Number(item.id)) ?? []), spanOf(item)]);
		}
		return spans;
	};
	const grown = (previous: unknown, more: unknown) => ({ from: Number(previous), to: Number(previous) + Number(more) });
	const scans = await spansOf('qrCodeScanned', ({ previousScans, newScans }) => grown(previousScans, newScans));
	const clicks = await spansOf('linkClicked', ({ previousClicks, newClicks }) => grown(previousClicks, newClicks));
	const created = await spansOf('qrCodeCreated', () => ({ from: 0, to: 1 }));
	return {
		scans: tally(scans, counts.scans),
		clicks: tally(clicks, counts.clicks),
		created: tally(created, counts.created),
		executions,
	};
}

/** Waits until the triggers have caught up and no new execution comes any more. */
async function settled(look: () => Promise<Came>): Promise<Came> {
	const deadline = Date.now() + LONGEST_SETTLING;
	let since = Date.now();
	let last = await look();
	for (;;) {
		await delay(1000);
		const next = await look();
		const isCaughtUp = next.scans.behind + next.clicks.behind === 0;
		if (next.executions !== last.executions || !isCaughtUp) since = Date.now();
		last = next;
		if (Date.now() >= deadline || Date.now() - since >= QUIET) return last;
	}
}

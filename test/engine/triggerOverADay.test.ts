/**
 * 24 simulated hours of an account with 1,000 links and 400 QR codes, whose lists have several pages: what the six triggers report is compared with the
 * service's own ledger, poll by poll. In between, polls fail half-way and n8n is restarted or crashes.
 */
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS, startSandbox, type LedgerEntry, type Sandbox } from '../sandbox';
import { Random } from '../sandbox/records';
import { TriggerHost } from './pollHost';

const LINKS = 1000;
const QR_CODES = 400;
const POLLS = 48;
const MINUTES_BETWEEN = (24 * 60) / POLLS;
const LINK_THRESHOLD = 2500;
const QR_THRESHOLD = 500;

type Kind = 'links' | 'qrs';
type Counts = Map<number, number>;

interface Watched {
	host: TriggerHost;
	kind: Kind;
	/** What is expected of a record, given its count at the last poll that succeeded (0 for one that was not there) and now. */
	expected(id: number, previous: number | undefined, count: number): IDataObject[];
	/** The ledger as far as the last successful poll: counts of the records, and those that were reset since. */
	counts: Counts;
	reset: Set<number>;
	seen: number;
}

/** The ledger from its beginning, and the counts of all records that follow from it. */
class Books {
	readonly ledger: LedgerEntry[] = [];

	private constructor(private readonly counts: Record<Kind, Counts>) {}

	static async open(): Promise<Books> {
		return new Books({
			links: new Map((await sandbox.links()).map(({ id, clicks }) => [id, clicks])),
			qrs: new Map((await sandbox.qrs()).map(({ id, scans }) => [id, scans])),
		});
	}

	async of(kind: Kind): Promise<Counts> {
		const news = await sandbox.ledger({ since: this.ledger.at(-1)?.seq });
		this.ledger.push(...news);
		for (const entry of news) if (entry.collection in this.counts) enter(entry, this.counts[entry.collection as Kind]);
		return this.counts[kind];
	}
}

function enter({ kind, id, total = 0 }: LedgerEntry, counts: Counts): void {
	if (kind === 'deleted') counts.delete(id);
	else counts.set(id, total);
}

let sandbox: Sandbox;

afterEach(async () => {
	await sandbox.stop();
});

const sorted = (items: IDataObject[]) => items.map((item) => JSON.stringify(item, Object.keys(item).sort())).sort();

function multiples(previous: number, count: number, threshold: number): number[] {
	const passed: number[] = [];
	for (let next = threshold; next <= count; next += threshold) if (next > previous) passed.push(next);
	return passed;
}

it.each(DIALECTS)(
	'reports exactly what the ledger of a service of the %s says',
	async (dialect) => {
		sandbox = await startSandbox({
			dialect,
			records: { links: LINKS, qrs: QR_CODES },
			limit: { requests: null },
			deviations: { pageCap: 200 },
			validate: false,
		});
		const random = new Random(24);
		const credential = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
		const books = await Books.open();
		const created = (id: number, previous: number | undefined) => (previous === undefined ? [{ id }] : []);
		const watch = (kind: Kind, parameters: IDataObject, expected: Watched['expected']): Watched => ({
			host: new TriggerHost({ credential, parameters, node: { id: String(parameters.event) } }),
			kind,
			expected,
			counts: new Map(),
			reset: new Set(),
			seen: 0,
		});
		const watched = [
			watch('links', { event: 'linkCreated' }, created),
			watch('links', { event: 'linkClicked' }, (id, previous = 0, count) =>
				count > previous ? [{ id, previousClicks: previous, newClicks: count - previous }] : [],
			),
			watch(
				'links',
				{ event: 'linkClickThreshold', threshold: LINK_THRESHOLD, thresholdMode: 'once' },
				(id, previous = 0, count) =>
					previous < LINK_THRESHOLD && count >= LINK_THRESHOLD ? [{ id, threshold: LINK_THRESHOLD }] : [],
			),
			watch('qrs', { event: 'qrCodeCreated' }, created),
			watch('qrs', { event: 'qrCodeScanned' }, (id, previous = 0, count) =>
				count > previous ? [{ id, previousScans: previous, newScans: count - previous }] : [],
			),
			watch(
				'qrs',
				{ event: 'qrCodeScanThreshold', threshold: QR_THRESHOLD, thresholdMode: 'every' },
				(id, previous = 0, count) => multiples(previous, count, QR_THRESHOLD).map((threshold) => ({ id, threshold })),
			),
		];
		const totals = new Map<string, number>();

		/** What the ledger says came about since the last successful poll of this trigger. */
		const expectedOf = (one: Watched): { items: IDataObject[]; counts: Counts } => {
			const now = new Map(one.counts);
			const base = new Map<number, number | undefined>(one.counts);
			for (const entry of books.ledger) {
				if (entry.seq <= one.seen || entry.collection !== one.kind) continue;
				enter(entry, now);
				if (entry.kind === 'countsReset') base.set(entry.id, 0);
			}
			const items = [...now].flatMap(([id, count]) => one.expected(id, base.get(id), count));
			return { items, counts: now };
		};

		const check = (one: Watched, reported: IDataObject[]) => {
			const { items, counts: now } = expectedOf(one);
			const fields = items[0] ? Object.keys(items[0]) : ['id'];
			expect(sorted(reported.map((item) => Object.fromEntries(fields.map((field) => [field, item[field]]))))).toEqual(
				sorted(items),
			);
			one.counts = now;
			one.seen = books.ledger.at(-1)?.seq ?? one.seen;
			const name = String(reported[0]?.event ?? '');
			if (name !== '') totals.set(name, (totals.get(name) ?? 0) + reported.length);
		};

		for (const one of watched) {
			await one.host.activate();
			expect(one.host.executions).toEqual([]);
			one.counts = new Map(await books.of(one.kind));
		}

		let failed = 0;
		for (let poll = 1; poll <= POLLS; poll++) {
			await sandbox.setClock({ skewMs: poll * MINUTES_BETWEEN * 60_000 });
			await happen(random, books);
			await books.of('links');
			for (const one of watched) {
				const fate = random.next();
				if (fate < 0.1) {
					await sandbox.setFaults([
						{ kind: 'errorEnvelope', status: 200, message: 'Out of order', after: random.integer(0, 3) },
					]);
					const before = one.host.state;
					const failure = await one.host.poll().then(
						(items) => items,
						(error: Error) => error,
					);
					await sandbox.clearFaults();
					if (failure instanceof Error) {
						failed++;
						expect(one.host.state).toBe(before);
						continue;
					}
					check(one, failure);
				} else if (fate < 0.15) {
					// Restarted, or crashed after quiet polls: only what was saved comes back.
					one.host = one.host.successor();
					await one.host.activate('init');
					check(one, one.host.executions.flat());
				} else {
					check(one, await one.host.poll());
				}
			}
		}
		for (const one of watched) check(one, await one.host.poll());
		expect(failed).toBeGreaterThan(5);
		expect([...totals.keys()].sort()).toEqual(watched.map(({ host }) => host.node.id).sort());
	},
	300_000,
);

/** Half an hour at the service. */
async function happen(random: Random, books: Books): Promise<void> {
	const busy = random.next() < 0.7;
	if (busy) await sandbox.createRecords({ links: random.integer(0, 12), qrs: random.integer(0, 5) });
	const links = [...(await books.of('links')).keys()];
	const codes = [...(await books.of('qrs')).keys()];
	/** A few records get most of the visits. */
	const visited = (ids: number[]) => ids[Math.floor(ids.length * random.next() ** 3)];
	const visits = (ids: number[], most: number) =>
		Array.from({ length: random.integer(0, most) }, () => ({
			id: visited(ids),
			count: random.next() < 0.02 ? random.integer(500, 3000) : random.integer(1, 9),
		}));
	await sandbox.simulate({ clicks: visits(links, 120), scans: visits(codes, 60) });
	if (random.next() < 0.3)
		await sandbox.deleteRecords({
			links: [random.pick(links.slice(0, LINKS / 2))],
			qrs: [random.pick(codes.slice(0, QR_CODES / 2))],
		});
	if (random.next() < 0.2) {
		const remaining = [...(await books.of('links'))].filter(([, clicks]) => clicks > 200).map(([id]) => id);
		if (remaining.length > 0) await sandbox.resetCounts({ links: [random.pick(remaining)] });
	}
}

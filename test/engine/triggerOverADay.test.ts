/**
 * 24 simulated hours of an account with 1,000 links and 400 QR codes, whose lists have several pages: what the six triggers report is compared with the
 * service's own ledger, poll by poll. In between, polls fail half-way and n8n is restarted or crashes.
 */
import type { IDataObject } from 'n8n-workflow';

import { DIALECTS, type LedgerEntry } from '../sandbox';
import { Random } from '../sandbox/records';
import type { TriggerHost } from './pollHost';
import { sandbox, speaking, trigger } from './triggerService';

const LINKS = 1000;
const QR_CODES = 400;
const POLLS = 48;
const MINUTES_BETWEEN = (24 * 60) / POLLS;

type Kind = 'links' | 'qrs';
type Counts = Map<number, number>;
/** What is reported of a record, given its count at the last poll that succeeded (undefined for one that was not there) and now. */
type Expected = (id: number, previous: number | undefined, count: number) => IDataObject[];

const created: Expected = (id, previous) => (previous === undefined ? [{ id }] : []);

const grown =
	(before: string, since: string): Expected =>
	(id, previous = 0, count) =>
		count > previous ? [{ id, [before]: previous, [since]: count - previous }] : [];

const reached =
	(threshold: number, last = Infinity): Expected =>
	(id, previous = 0, count) => {
		const passed: IDataObject[] = [];
		for (let next = threshold; next <= Math.min(count, last); next += threshold)
			if (next > previous) passed.push({ id, threshold: next });
		return passed;
	};

const TRIGGERS: Array<[Kind, IDataObject, Expected]> = [
	['links', { event: 'linkCreated' }, created],
	['links', { event: 'linkClicked' }, grown('previousClicks', 'newClicks')],
	['links', { event: 'linkClickThreshold', threshold: 2500, thresholdMode: 'once' }, reached(2500, 2500)],
	['qrs', { event: 'qrCodeCreated' }, created],
	['qrs', { event: 'qrCodeScanned' }, grown('previousScans', 'newScans')],
	['qrs', { event: 'qrCodeScanThreshold', threshold: 500, thresholdMode: 'every' }, reached(500)],
];

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

const sorted = (items: IDataObject[]) => items.map((item) => JSON.stringify(item, Object.keys(item).sort())).sort();

/** A trigger, and what it has been told of. */
class Watched {
	/** The last entry of the ledger at the last poll that succeeded. */
	private seen = 0;
	reported = 0;

	constructor(
		public host: TriggerHost,
		private readonly kind: Kind,
		private readonly expected: Expected,
		/** The counts of the records then. */
		private counts: Counts,
	) {}

	/** Compares items with what the ledger says came about since the last poll that succeeded. */
	check(items: IDataObject[], ledger: LedgerEntry[]): void {
		const before = new Map<number, number | undefined>(this.counts);
		for (const entry of ledger) {
			if (entry.seq <= this.seen || entry.collection !== this.kind) continue;
			enter(entry, this.counts);
			if (entry.kind === 'countsReset') before.set(entry.id, 0);
		}
		const expected = [...this.counts].flatMap(([id, count]) => this.expected(id, before.get(id), count));
		const fields = Object.keys(expected[0] ?? { id: 0 });
		const shown = items.map((item) => Object.fromEntries(fields.map((field) => [field, item[field]])));
		expect(sorted(shown)).toEqual(sorted(expected));
		this.seen = ledger.at(-1)?.seq ?? this.seen;
		this.reported += items.length;
	}
}

/** One poll, and what becomes of it. @returns the items, or the failure */
async function pollOf(one: Watched, random: Random): Promise<IDataObject[] | Error> {
	const fate = random.next();
	if (fate < 0.1) {
		const after = random.integer(0, 3);
		await sandbox.setFaults([{ kind: 'errorEnvelope', status: 402, message: 'Out of order', after }]);
		const before = one.host.state;
		const outcome = await one.host.poll().catch((error: Error) => error);
		await sandbox.clearFaults();
		if (outcome instanceof Error) expect(one.host.state).toBe(before);
		return outcome;
	}
	if (fate >= 0.15) return await one.host.poll();
	// Restarted, or crashed after quiet polls: only what was saved comes back.
	one.host = await one.host.again('init');
	return one.host.executions.flat();
}

let ahead = 0;

beforeEach(() => {
	ahead = 0;
	const now = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
});

describe.each(DIALECTS)('a service of the %s', (dialect) => {
	speaking(dialect);

	it('is reported exactly as its ledger says', async () => {
		const records = { links: LINKS, qrs: QR_CODES };
		await sandbox.reset({ records, deviations: { pageCap: 200 }, validate: false });
		const random = new Random(24);
		const books = await Books.open();
		const watched: Watched[] = [];
		for (const [kind, parameters, expected] of TRIGGERS) {
			const host = trigger(parameters);
			await host.activate();
			expect(host.executions).toEqual([]);
			watched.push(new Watched(host, kind, expected, new Map(await books.of(kind))));
		}
		let failed = 0;
		for (let poll = 1; poll <= POLLS; poll++) {
			ahead = poll * MINUTES_BETWEEN * 60_000;
			await happen(random, books);
			await books.of('links');
			for (const one of watched) {
				const outcome = await pollOf(one, random);
				if (outcome instanceof Error) failed++;
				else one.check(outcome, books.ledger);
			}
		}
		for (const one of watched) {
			one.check(await one.host.poll(), books.ledger);
			expect(one.reported).toBeGreaterThan(0);
		}
		expect(failed).toBeGreaterThan(5);
	}, 900_000);
});

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

import { pause } from '../service/withEnd';
import type { Batching } from './requestOptions';
import { byAccount, type Row } from './row';
import { inTurns } from '../n8n/slices';

/** Rows of one account that are under way at once, at most: more than any service answers, and few enough for n8n's memory. */
const MOST_AT_ONCE = 100;

type Perform = (row: Row) => Promise<void>;

function begin(row: Row, perform: Perform): Promise<void> {
	row.ended = perform(row);
	return row.ended;
}

/** Begins rows in their order, so many at once; none after the signal has fired. */
async function performRows(rows: readonly Row[], perform: Perform, signal: AbortSignal): Promise<void> {
	let active = 0;
	let freed: () => void = () => undefined;
	for await (const row of inTurns(rows)) {
		if (active === MOST_AT_ONCE) await new Promise<void>((resolve) => (freed = resolve));
		if (signal.aborted) break;
		active++;
		void begin(row, perform).then(() => {
			active--;
			freed();
		});
	}
	for (const row of rows) await row.ended;
}

/** Begins rows in batches, an interval (ms) apart. */
async function performBatches(
	rows: readonly Row[],
	perform: Perform,
	signal: AbortSignal,
	{ size, interval }: Batching,
): Promise<void> {
	for await (const [index, row] of inTurns(rows.entries())) {
		if (index > 0 && index % size === 0) await pause(interval, signal).catch(() => undefined);
		if (signal.aborted) break;
		void begin(row, perform);
	}
	for (const row of rows) await row.ended;
}

/**
 * Performs rows in their order. Rows of different accounts don't wait for each other.
 *
 * @param perform never rejects
 * @param signal no row begins after it has fired, and what has begun is waited for
 */
export async function performInOrder(
	rows: readonly Row[],
	perform: Perform,
	signal: AbortSignal,
	batching: Batching | undefined,
): Promise<void> {
	if (batching !== undefined) return await performBatches(rows, perform, signal, batching);
	const accounts = await byAccount(rows);
	await Promise.all(accounts.map(async (ofAccount) => await performRows(ofAccount, perform, signal)));
}

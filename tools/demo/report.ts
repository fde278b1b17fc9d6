/** One row of the workflow's result. */
export interface ResultRow {
	alias: string;
	short_url: string;
	/** `created`, `existed`, or `failed: ` and why. */
	result: string;
}

/** When a request was under way at the service, in milliseconds. */
interface RequestTimes {
	at: number;
	doneAt: number | null;
}

interface Figures {
	rows: ResultRow[];
	/** How long n8n worked on the sheet, in milliseconds. */
	durationMs: number;
	/** Of that, the time in which no request was under way at the service, in milliseconds. */
	waitedMs: number;
	requests: number;
	refused: number;
}

const FAILED = 'failed: ';

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Whether a row's result says that it failed. */
export function isFailed(result: string): boolean {
	return result.startsWith(FAILED);
}

/**
 * The time between the first and the last request in which none was under way: what the rate limit took.
 *
 * @param requests in the order of their arrival
 * @returns milliseconds
 */
export function idleTime(requests: RequestTimes[]): number {
	let idle = 0;
	let busyUntil = requests[0]?.at ?? 0;
	for (const { at, doneAt } of requests) {
		idle += Math.max(0, at - busyUntil);
		busyUntil = Math.max(busyUntil, doneAt ?? at);
	}
	return idle;
}

/** The rows as a table for a terminal. */
export function table(rows: ResultRow[]): string {
	const aliasWidth = Math.max('alias'.length, ...rows.map(({ alias }) => alias.length));
	const line = (row: string, alias: string, result: string, detail: string): string =>
		`${row.padStart(4)}  ${alias.padEnd(aliasWidth)}  ${result.padEnd(8)}  ${detail}`.trimEnd();
	return [
		line('row', 'alias', 'result', 'short URL, or why not'),
		...rows.map(({ alias, short_url, result }, index) =>
			isFailed(result)
				? line(String(index + 1), alias, 'FAILED', result.slice(FAILED.length))
				: line(String(index + 1), alias, result, short_url),
		),
	].join('\n');
}

/** What came of the whole sheet, in a few lines. */
export function summary({ rows, durationMs, waitedMs, requests, refused }: Figures): string {
	const count = (result: string): number => rows.filter((row) => row.result === result).length;
	const failed = rows.flatMap(({ alias, result }, index) =>
		isFailed(result) ? [`  row ${index + 1} (${alias}): ${result.slice(FAILED.length)}`] : [],
	);
	return [
		`Done:    ${rows.length - failed.length} of ${rows.length} rows (${count('created')} created, ${count('existed')} existed)`,
		`Failed:  ${failed.length}${failed.length > 0 ? ', each with its reason; the other rows were not held up:' : ''}`,
		...failed,
		`Time:    ${seconds(durationMs)}, of which ${seconds(waitedMs)} waiting for the service's rate limit`,
		`Service: ${requests} requests, ${refused} refused`,
	].join('\n');
}

/**
 * What came of the sheet in a night in which little is new, in one line.
 *
 * @param actions what became of each row: `created`, `updated` or `unchanged`
 */
export function nextNight(actions: string[], durationMs: number, requests: number): string {
	const counts = ['unchanged', 'updated', 'created'].map(
		(action) => `${actions.filter((one) => one === action).length} ${action}`,
	);
	return `Done:    ${counts.join(', ')}, ${requests} requests, ${seconds(durationMs)}`;
}

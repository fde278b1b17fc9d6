import type { IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { showHint } from '../n8n/output';
import { inSlices, inTurns } from '../n8n/slices';
import { StoppedError } from '../n8n/stop';
import { connect, type Connection } from '../service/connection';
import { ApiError } from '../service/errors';
import { readList } from '../service/list';
import { hasAnswered, sendChange } from '../service/sendRequest';
import { pause } from '../service/withEnd';
import { itemsOf } from './output';
import { buildRequest, pathOf } from './request';
import { readRequestOptions, type Batching } from './requestOptions';
import { Row, Run, type Operation, type Outcome, type Prepare } from './row';
import { explain, isFinal, isInput, isOfOperation, remarkOn } from './rowError';

/** Rows of one account that are under way at once, at most: more than any service answers, and few enough for n8n's memory. */
const MOST_AT_ONCE = 100;

/** Does something for each row of which nobody knows yet what comes of it; what is thrown refuses the row. */
async function forEachRow({ rows, signal }: Run, work: (row: Row) => void | Promise<void>): Promise<void> {
	const doWork = async (row: Row) => await work(row);
	for await (const row of inTurns(rows)) {
		if (signal.aborted) throw new StoppedError();
		if (row.outcome === undefined) await doWork(row).catch((error: unknown) => row.refuse(error));
	}
}

/** Reads and checks the parameters of rows. A row with nothing in it is passed over. */
async function readRows(run: Run): Promise<void> {
	await forEachRow(run, (row) => {
		const request = buildRequest(row.context, run.operation);
		if (request === undefined) row.outcome = { items: [{ json: { action: 'skipped' } }] };
		else row.begin(request, readRequestOptions(row.context));
	});
}

/** Rows that can't be done end the run before anything is sent, unless the node continues on errors. @param isEnd bad input does, too */
function stopIfRefused({ rows, continues }: Run, isEnd = true): void {
	const refused = continues ? [] : rows.filter(({ isRefused }) => isRefused);
	const failed = refused.find(({ outcome }) => !isInput(outcome?.error));
	if (failed !== undefined) throw explain(failed, failed.outcome?.error);
	if (isEnd && refused.length > 0) throw explain(refused[0], refused[0].outcome?.error, refused);
}

/** Reads the credential of each row: one after another, for thousands at once would keep n8n's database from all others. */
async function connectRows(run: Run): Promise<void> {
	let last: Connection | undefined;
	await forEachRow(run, async (row) => {
		last = await connect(row.context, last);
		row.connect(last);
	});
}

/** Groups rows by account, in their order; those that have no connection are taken together. */
async function byAccount(rows: readonly Row[]): Promise<Row[][]> {
	const accounts = new Map<object | undefined, Row[]>();
	for await (const row of inTurns(rows)) {
		const { limiter } = (row.connection as Connection | undefined) ?? {};
		const ofAccount = accounts.get(limiter) ?? [];
		accounts.set(limiter, ofAccount);
		ofAccount.push(row);
	}
	return [...accounts.values()];
}

/** Takes a step that the operation takes once for all rows of an account. */
async function prepareBy(step: Prepare, run: Run): Promise<void> {
	for (const rows of await byAccount(run.rows.filter(({ outcome }) => outcome === undefined))) {
		await step(rows).catch((error: unknown) => {
			for (const row of rows) row.refuse(error);
		});
	}
}

/** Takes the steps of the operation before any row is sent. Bad input is told of all of them together. */
async function prepareRows(run: Run): Promise<void> {
	const { prepare = [], provide } = run.operation;
	for (const step of prepare) {
		await prepareBy(step, run);
		stopIfRefused(run, false);
	}
	stopIfRefused(run);
	if (provide !== undefined) await prepareBy(provide, run);
	stopIfRefused(run);
}

/** Sends the request of a row, and makes items of the answer: what an operation does unless it states otherwise. */
export async function sendRequest(row: Row): Promise<INodeExecutionData[]> {
	const { list, output = [] } = row.run.operation;
	const { method, path, query, options } = row.request;
	const wanted = options.returnAll === true ? Infinity : Number(options.limit);
	const records =
		list !== undefined
			? await readList(row, { path, query, collection: list }, wanted)
			: [method === 'GET' ? await row.send(row.request) : await sendChange(row, row.request)];
	return output.reduce((before, step) => step(before, row), records).map((json) => ({ json }));
}

/** Whether each further row with the key would end so. A service that has answered the key may say so of a row. */
function isOfKey(error: unknown, row: Row): error is ApiError {
	if (!(error instanceof ApiError)) return false;
	const { kind, of, statusCode } = error;
	if (kind === 'unsupported') return true;
	if (kind === 'missingScope') {
		// Other rows of a sheet may need no creation.
		return isOfOperation(error, row) && row.step?.does !== 'createOrUpdate';
	}
	return of === 'key' && kind !== 'rateLimited' && (statusCode === 401 || !hasAnswered(row.connection));
}

/** Does a row when those have ended that it waits for. */
async function act(row: Row): Promise<Outcome | undefined> {
	const { run, account } = row;
	for (const { ended } of row.after) await ended;
	if (run.signal.aborted) return undefined;
	if (account.refusal !== undefined) return { items: [], error: account.refusal };
	const { operation } = run;
	// What the record is named by, the steps before have replaced by its ID.
	row.request.path = pathOf(operation.request.url, row.request.pathValues);
	try {
		return { items: await operation.perform(row) };
	} catch (error) {
		if (isOfKey(error, row)) account.refuse(error);
		if (!(error instanceof StoppedError)) return { items: [], error };
		return account.refusal === undefined ? undefined : { items: [], error: account.refusal };
	}
}

/** Notes what comes of a row, which nothing comes of where the run is stopped. What an earlier try has done is not done again. */
async function performRow(row: Row): Promise<void> {
	const { run, index } = row;
	row.outcome = run.ledger.get(index) ?? row.outcome ?? (await act(row));
	if (row.outcome === undefined) return;
	const isChange = run.operation.request.method !== 'GET';
	if (isChange && (!row.isRefused || isFinal(row.outcome.error))) run.ledger.set(index, row.outcome);
	if (row.isRefused && !run.continues) run.ending.abort();
}

/** Begins rows in their order, in batches or so many at once, and waits for all of them. None begins in a run that has ended. */
async function performInOrder(rows: readonly Row[], { signal }: Run, batching?: Batching): Promise<void> {
	const underWay = new Set<Promise<void>>();
	let isFirst = true;
	for await (const [at, row] of inTurns(rows.entries())) {
		const isNextBatch = batching !== undefined && at > 0 && at % batching.size === 0;
		if (isNextBatch) await pause(batching.interval, signal).catch(() => undefined);
		if (underWay.size >= MOST_AT_ONCE) await Promise.race(underWay);
		if (signal.aborted) break;
		const isKnown = row.outcome !== undefined;
		const ended = performRow(row).then(() => void underWay.delete(ended));
		row.ended = ended;
		underWay.add(ended);
		// Of a service that has never answered this key, the first row finds out whether it does.
		if (isFirst && !isKnown && !hasAnswered(row.connection)) await ended;
		isFirst &&= isKnown;
	}
	await Promise.all(underWay);
}

/** Performs rows. Those of different accounts don't wait for each other. */
async function performRows(run: Run): Promise<void> {
	const { rows } = run;
	const inOrder = [...rows].sort((one, other) => one.turn - other.turn);
	const { batching } = rows.find((row) => row.batching !== undefined) ?? {};
	const accounts = batching === undefined ? await byAccount(inOrder) : [inOrder];
	await Promise.all(accounts.map(async (ofAccount) => await performInOrder(ofAccount, run, batching)));
	const failed = run.continues ? undefined : rows.find(({ isRefused }) => isRefused);
	if (failed !== undefined) throw explain(failed, failed.outcome?.error);
	if (rows.some(({ outcome }) => outcome === undefined)) throw new StoppedError();
}

/** Lets go of what the run has held, and shows what is to be said of it. What was done comes out, whatever can't be said. */
function conclude({ rows: [first], endings, hints }: Run): void {
	for (const end of [...endings, ...[...hints.values()].map((hint) => () => hint), () => remarkOn(first)]) {
		try {
			const hint = end();
			if (hint !== undefined) showHint(first.context, hint);
		} catch (error) {
			first.context.logger?.warn(`A hint could not be shown: ${String(error)}`);
		}
	}
}

/**
 * A run of an operation over rows, as phases. A tool's call is a run of one row.
 *
 * @returns items with their pairing, in the order of the rows
 * @throws NodeOperationError for input, NodeApiError for what the service did; under On Error → Continue the failed row comes out
 */
export async function runRows(
	contexts: IExecuteSingleFunctions[],
	operation: Operation,
): Promise<INodeExecutionData[]> {
	if (contexts.length === 0) return [];
	const run = new Run(contexts[0], operation, contexts.length);
	run.rows = await inSlices(contexts, (context) => new Row(context, run));
	try {
		await readRows(run);
		stopIfRefused(run);
		await connectRows(run);
		stopIfRefused(run);
		await prepareRows(run);
		await performRows(run);
		return await itemsOf(run);
	} catch (error) {
		throw error instanceof StoppedError ? explain(run.rows[0], error) : error;
	} finally {
		conclude(run);
	}
}

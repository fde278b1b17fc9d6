import type { IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import type { LinkRow, Step, Steps } from '../links/linkRow';
import { showHint } from '../n8n/messages';
import { mapYielding, yielding } from '../n8n/slices';
import { keptFor } from '../n8n/lifetimes';
import { StoppedError } from '../n8n/stop';
import { connect, type Connection } from '../service/connection';
import { ApiError } from '../service/errors';
import { sendChange } from '../service/serviceClient';
import { pause } from '../service/withAbort';
import { readMany } from './readMany';
import { itemsOf } from './runItems';
import { buildRequest, pathOf } from './request';
import { readRequestOptions, type Batching } from './requestOptions';
import { ConnectedRow, ReadRow, Row, Run, type Operation, type Outcome, type Prepare } from './row';
import { endsRun, isFinal, isInputError, isOfMainRequest, remarkOn, toRunError } from './rowError';

/** Most rows of one account under way at once: more than a service answers, and few enough for n8n's memory. */
const MOST_AT_ONCE = 100;

/** Takes rows to the next phase. An error refuses the row. @returns the rows that got there */
async function advance<From extends Row, To extends Row>(
	run: Run,
	rows: readonly From[],
	next: (row: From) => Promise<To> | To | undefined,
): Promise<To[]> {
	const advanced = new Map<Row, To>();
	const take = async (row: From) => {
		const taken = await next(row);
		if (taken !== undefined) advanced.set(row, taken);
	};
	for await (const row of yielding(rows)) {
		if (run.signal.aborted) throw new StoppedError();
		await take(row).catch((error: unknown) => row.refuse(error));
	}
	run.rows = run.rows.map((row) => advanced.get(row) ?? row);
	return [...advanced.values()];
}

/**
 * Reads and checks the parameters of rows. Blank rows are skipped; a run of only blank rows is refused, unless an earlier round of the
 * loop had others.
 *
 * @returns the rows to be done
 */
async function readRows(run: Run): Promise<ReadRow[]> {
	const { operation, rounds } = run;
	const read = await advance(run, run.rows, (row) => {
		return new ReadRow(row, buildRequest(row.context, operation, row.options), readRequestOptions(row.context));
	});
	const filled = read.filter(({ request }) => !request.isBlank);
	const { name } = run.rows[0].context.getNode();
	const seen = keptFor(rounds, `${name}: rows with values`, () => ({ isAny: false }));
	seen.isAny ||= filled.length > 0 || read.length < run.rows.length;
	for (const row of read.filter(({ request }) => request.isBlank)) {
		const error = seen.isAny ? undefined : operation.errorIfAllBlank?.(row.context);
		const dryRun = row.isDryRun ? { dryRun: true } : {};
		row.settle({ items: error === undefined ? [{ json: { action: 'skipped', ...dryRun } }] : [], error });
	}
	return filled;
}

/** Ends the run before anything is sent if rows are refused, unless they are put out. @param isEnd also for bad input */
function stopIfRefused({ rows }: Run, isEnd = true): void {
	const refused = rows.filter(endsRun);
	const failed = refused.find(({ outcome }) => !isInputError(outcome?.error));
	if (failed !== undefined) throw toRunError(failed, failed.outcome?.error);
	if (isEnd && refused.length > 0) throw toRunError(refused[0], refused[0].outcome?.error, refused);
}

/** Reads the credential of each row, one after another: thousands at once would block n8n's database. */
async function connectRows(run: Run, rows: readonly ReadRow[]): Promise<ConnectedRow[]> {
	let last: Connection | undefined;
	return await advance(run, rows, async (row) => {
		last = await connect(row.context, last);
		return new ConnectedRow(row, last);
	});
}

/** Takes a step for each account. */
async function prepareBy({ accounts }: Run, step: Prepare): Promise<void> {
	for (const { rows } of accounts.values()) {
		const open = rows.filter(({ outcome }) => outcome === undefined);
		if (open.length === 0) continue;
		await step(open).catch((error: unknown) => {
			for (const row of open) row.refuse(error);
		});
	}
}

/** Takes all steps of the operation before any row is sent. Bad input of all of them is one error. @returns what rows will do */
async function prepareRows(run: Run): Promise<Steps> {
	const { prepare = [], plan, createMissing } = run.operation;
	const steps = new Map<LinkRow, Step>();
	const planOwn: Prepare = async (rows) => {
		for (const [row, step] of (await plan?.(rows)) ?? []) steps.set(row, step);
	};
	for (const step of [...prepare, planOwn]) {
		await prepareBy(run, step);
		stopIfRefused(run, false);
	}
	stopIfRefused(run);
	if (createMissing !== undefined) await prepareBy(run, async (rows) => await createMissing(rows, steps));
	stopIfRefused(run);
	return steps;
}

/** Sends the request of a row, and makes items of the answer: the default of `Operation.perform`. */
export async function sendRequest(row: ConnectedRow): Promise<INodeExecutionData[]> {
	const { list, output = [] } = row.run.operation;
	const isRead = row.request.method === 'GET';
	const records =
		list === undefined
			? [isRead ? await row.send(row.request) : await sendChange(row, row.request)]
			: (await readMany(row)).records;
	return output.reduce((before, step) => step(before, row), records).map((json) => ({ json }));
}

/** Whether every other row with this key would fail the same way: no further one is sent. */
function affectsKey(error: unknown, row: ConnectedRow): error is ApiError {
	if (!(error instanceof ApiError)) return false;
	// Rows with different actions may not all need the right.
	if (error.kind === 'missingScope') return isOfMainRequest(error, row) && row.run.operation.hasAction !== true;
	return ['unauthorized', 'unsupported', 'outage'].includes(error.kind);
}

/** Performs a row, after the rows that it waits for. @returns undefined if the run is stopped */
async function performOnce(row: ConnectedRow, steps: Steps): Promise<Outcome | undefined> {
	const { run, account, request } = row;
	for (const { ended } of row.after) await ended;
	if (run.signal.aborted) return undefined;
	if (account.refusal !== undefined) return { items: [], error: account.refusal };
	const { operation } = run;
	// The steps before have put IDs in the places of names.
	request.path = pathOf(operation.request.url, request.pathValues);
	row.endpoint = `${request.method} ${request.path}`;
	try {
		return { items: await operation.perform(row, steps.get(row)) };
	} catch (error) {
		if (affectsKey(error, row)) account.refuse(error);
		if (!(error instanceof StoppedError)) return { items: [], error };
		return account.refusal === undefined ? undefined : { items: [], error: account.refusal };
	}
}

/** Records the outcome of a row that must not be tried again. */
function recordOutcome({ run, index, outcome, isRefused }: Row): void {
	const isChange = run.operation.request.method !== 'GET';
	if (outcome !== undefined && isChange && (!isRefused || isFinal(outcome.error))) run.ledger.set(index, outcome);
}

/** Performs a row, unless an earlier try has done it, and sets its outcome. */
async function performRow(row: ConnectedRow, steps: Steps): Promise<void> {
	const { run, index } = row;
	const outcome = run.ledger.get(index) ?? row.outcome ?? (await performOnce(row, steps));
	if (outcome !== undefined) row.settle(outcome);
	recordOutcome(row);
	if (endsRun(row)) run.abort.abort();
}

/** Begins rows in their order, in batches if so set, and waits for all of them. None begins in a run that has ended. */
async function performInOrder(
	rows: readonly ConnectedRow[],
	{ signal }: Run,
	steps: Steps,
	batching?: Batching,
): Promise<void> {
	const underWay = new Set<Promise<void>>();
	let isFirst = true;
	for await (const [at, row] of yielding(rows.entries())) {
		const isNextBatch = batching !== undefined && at > 0 && at % batching.size === 0;
		if (isNextBatch) await pause(batching.interval, signal).catch(() => undefined);
		if (underWay.size >= MOST_AT_ONCE) await Promise.race(underWay);
		if (signal.aborted) break;
		const isKnown = row.outcome !== undefined;
		const ended = performRow(row, steps).then(() => void underWay.delete(ended));
		row.ended = ended;
		underWay.add(ended);
		// If the service has never answered this key, the first row goes alone.
		if (isFirst && !isKnown && !row.connection.acceptance.isKnown) await ended;
		isFirst &&= isKnown;
	}
	await Promise.all(underWay);
}

/** Performs rows. Those of different accounts don't wait for each other. */
async function performRows(run: Run, rows: readonly ConnectedRow[], steps: Steps): Promise<void> {
	run.rows.forEach(recordOutcome);
	const batching = rows.map(({ requestOptions }) => requestOptions.batching).find((one) => one !== undefined);
	const together = batching === undefined ? [...run.accounts.values()].map((account) => account.rows) : [rows];
	const inOrder = together.map((ofAccount) => [...ofAccount].sort((one, other) => one.order - other.order));
	await Promise.all(inOrder.map(async (ofAccount) => await performInOrder(ofAccount, run, steps, batching)));
	const failed = rows.find(endsRun);
	if (failed !== undefined) throw toRunError(failed, failed.outcome?.error);
	if (rows.some(({ outcome }) => outcome === undefined)) throw new StoppedError();
}

/** Shows the remarks of a run. A failure here must not lose its items. */
function showRemarks({ rows: [first], atEnd }: Run): void {
	for (const end of [...atEnd.values(), () => remarkOn(first)]) {
		try {
			const hint = end();
			if (hint !== undefined) showHint(first.context, hint);
		} catch (error) {
			first.context.logger?.warn(`A hint could not be shown: ${String(error)}`);
		}
	}
}

/**
 * Runs an operation over rows, in phases. A call of a tool is a run of one row.
 *
 * @returns items with their pairing, in the order of the rows
 * @throws NodeOperationError for bad input, NodeApiError for failures of the service, unless On Error → Continue is set
 */
export async function runRows(
	contexts: IExecuteSingleFunctions[],
	operation: Operation,
): Promise<INodeExecutionData[]> {
	if (contexts.length === 0) return [];
	const run = new Run(contexts[0], operation, contexts.length);
	run.rows = await mapYielding(contexts, (context) => new Row(context, run));
	try {
		const read = await readRows(run);
		stopIfRefused(run);
		const connected = await connectRows(run, read);
		stopIfRefused(run);
		const steps = await prepareRows(run);
		await performRows(run, connected, steps);
		return await itemsOf(run);
	} catch (error) {
		throw error instanceof StoppedError ? toRunError(run.rows[0], error) : error;
	} finally {
		showRemarks(run);
	}
}

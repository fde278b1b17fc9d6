import type { IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { groupedBy, inTurn, type Unit } from '../links/linkRow';
import { showHint } from '../n8n/messages';
import { mapYielding, yielding } from '../n8n/slices';
import { StoppedError } from '../n8n/stop';
import { connect, type Connection } from '../service/connection';
import { ApiError } from '../service/errors';
import { pause } from '../service/withAbort';
import { buildRequest } from './request';
import { type Batching, readRequestOptions } from './requestOptions';
import { ConnectedRow, type Operation, type Outcome, type Prepare, ReadRow, Row, Run } from './row';
import { endsRun, isFinal, isInputError, isOfMainRequest, remarkOn, toRunError } from './rowError';
import { itemsOf } from './runItems';

/** Rows that are done together. */
type RunUnit = Unit<ConnectedRow>;

/** Most units of one account under way at once: more than a service answers, and few enough for n8n's memory. */
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

/** Reads and checks the parameters of rows. Blank rows are skipped; a run of only blank rows is refused. @returns the rows to be done */
async function readRows(run: Run): Promise<ReadRow[]> {
	const { operation } = run;
	const read = await advance(run, run.rows, (row) => {
		return new ReadRow(row, buildRequest(row.context, operation, row.options), readRequestOptions(row.context));
	});
	const filled = read.filter(({ request }) => !request.isBlank);
	const hasOthers = filled.length > 0 || read.length < run.rows.length;
	for (const row of read.filter(({ request }) => request.isBlank)) {
		const error = hasOthers ? undefined : operation.errorIfAllBlank?.(row.context);
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

/** Takes all steps of the operation before anything is sent. Bad input of all of them is one error. @returns what will be done */
async function prepareRows(run: Run): Promise<RunUnit[]> {
	const { prepare = [], plan, inTurnBy, perform } = run.operation;
	const units: RunUnit[] = [];
	const makeUnits: Prepare = async (rows) => {
		const planned = plan && ((await plan(rows)) as RunUnit[]);
		const alone = () => groupedBy(rows, (row) => inTurnBy?.(row)).map((some) => inTurn(some, perform));
		for (const unit of planned ?? alone()) units.push(unit);
	};
	for (const step of [...prepare, makeUnits]) {
		await prepareBy(run, step);
		stopIfRefused(run, false);
	}
	stopIfRefused(run);
	return units;
}

/** Whether it is known what came of a row: from its preparation, or from an earlier try. */
function isDone({ run, index, outcome }: Row): boolean {
	return outcome !== undefined || run.outcomes.has(index);
}

/** Whether every other row with this key would fail the same way: no further one is sent. */
function affectsKey(error: unknown, row: ConnectedRow): error is ApiError {
	if (!(error instanceof ApiError)) return false;
	// Rows with different actions may not all need the right.
	if (error.kind === 'missingScope') return isOfMainRequest(error, row) && row.run.operation.hasAction !== true;
	return ['unauthorized', 'unsupported', 'outage'].includes(error.kind);
}

/** Performs the open rows of a unit. @returns what came of them; rows that are not in it have not begun, since the run is stopped */
async function performOnce(unit: RunUnit, open: readonly ConnectedRow[]): Promise<ReadonlyMap<Row, Outcome>> {
	const [{ run, account }] = open;
	const allWith = (error: unknown) => new Map(open.map((row) => [row, { items: [], error }]));
	if (run.signal.aborted) return new Map();
	if (account.refusal !== undefined) return allWith(account.refusal);
	const outcomes = await unit.perform(open).catch((error: unknown): ReadonlyMap<ConnectedRow, Outcome> => {
		return error instanceof StoppedError ? new Map() : allWith(error);
	});
	for (const [row, { error }] of outcomes) if (affectsKey(error, row)) account.refuse(error);
	if (account.refusal === undefined) return outcomes;
	return new Map([...allWith(account.refusal), ...outcomes]);
}

/** Records the outcome of a row that must not be tried again. */
function recordOutcome({ run, index, outcome, isRefused }: Row): void {
	const isChange = run.operation.request.method !== 'GET';
	if (outcome !== undefined && isChange && (!isRefused || isFinal(outcome.error))) run.outcomes.set(index, outcome);
}

/** Performs a unit, except for rows that an earlier try has done, and sets the outcomes of its rows. */
async function performUnit(unit: RunUnit, run: Run): Promise<void> {
	const open = unit.rows.filter((row) => !isDone(row));
	const outcomes = open.length === 0 ? new Map<Row, Outcome>() : await performOnce(unit, open);
	for (const row of unit.rows) {
		const outcome = run.outcomes.get(row.index) ?? outcomes.get(row);
		if (outcome !== undefined) row.settle(outcome);
		recordOutcome(row);
		if (endsRun(row)) run.abort.abort();
	}
}

/** Begins units in their order, in batches if so set, and waits for all of them. None begins in a run that has ended. */
async function performInOrder(units: readonly RunUnit[], run: Run, batching?: Batching): Promise<void> {
	const underWay = new Set<Promise<void>>();
	let inBatch = 0;
	let isFirst = true;
	for await (const unit of yielding(units)) {
		const open = unit.rows.filter((row) => !isDone(row)).length;
		if (batching !== undefined && inBatch > 0 && inBatch + open > batching.size) {
			await pause(batching.interval, run.signal).catch(() => undefined);
			inBatch = 0;
		}
		inBatch += open;
		if (underWay.size >= MOST_AT_ONCE) await Promise.race(underWay);
		if (run.signal.aborted) break;
		const ended = performUnit(unit, run).then(() => void underWay.delete(ended));
		underWay.add(ended);
		// If the service has never answered this key, the first one goes alone.
		if (isFirst && open > 0 && !unit.rows[0].connection.acceptance.isKnown) await ended;
		isFirst &&= open === 0;
	}
	await Promise.all(underWay);
}

/** Performs all units. Those of different accounts don't wait for each other. */
async function performUnits(run: Run, rows: readonly ConnectedRow[], units: readonly RunUnit[]): Promise<void> {
	run.rows.forEach(recordOutcome);
	const batching = rows.map(({ requestOptions }) => requestOptions.batching).find((one) => one !== undefined);
	const sorted = [...units].sort((one, other) => one.rows[0].index - other.rows[0].index);
	const ofAccounts = [...run.accounts.values()].map((own) => sorted.filter(({ rows: [row] }) => row.account === own));
	const together = batching === undefined ? ofAccounts : [sorted];
	await Promise.all(together.map(async (some) => await performInOrder(some, run, batching)));
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
		const units = await prepareRows(run);
		await performUnits(run, connected, units);
		return await itemsOf(run);
	} catch (error) {
		throw error instanceof StoppedError ? toRunError(run.rows[0], error) : error;
	} finally {
		showRemarks(run);
	}
}

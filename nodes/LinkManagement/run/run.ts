import type { IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { Account, type Dropped, NewLinks } from '../links/account';
import { groupedBy, type Unit } from '../links/linkRow';
import { aboutRows } from '../links/plan';
import { executionOf, keptFor, runOf } from '../n8n/lifetimes';
import { showHint } from '../n8n/messages';
import { mapYielding, yielding } from '../n8n/slices';
import { StoppedError } from '../n8n/stop';
import { CredentialError } from '../service/baseUrl';
import { type Connection, connectionOf, CREDENTIAL } from '../service/connection';
import { ApiError } from '../service/answer/errors';
import { ServiceClient } from '../service/send/serviceClient';
import { callerOf } from './caller';
import { buildRequest } from './request';
import { readRequestOptions } from './requestOptions';
import { type Operation, type Outcome, type Prepare, Row, Run } from './row';
import { endsRun, isInputError, isOfMainRequest, remarkOn, toRunError } from './rowError';
import { itemsOf, totalsInWords } from './runItems';

/** Most units under way at once: more than a service answers, and few enough for n8n's memory. */
const MOST_AT_ONCE = 100;

const openRows = ({ rows }: Run) => rows.filter(({ outcome }) => outcome === undefined);

/** Reads and checks the parameters of rows. Blank rows are skipped; a run of only blank rows is refused. */
async function readRows(run: Run): Promise<void> {
	const { operation, rows } = run;
	const blank: Row[] = [];
	for await (const row of yielding(openRows(run))) {
		try {
			buildRequest(row.context, operation, row.request);
			if (row.request.isBlank) blank.push(row);
		} catch (error) {
			row.refuse(error);
		}
	}
	for (const row of blank) {
		const error = blank.length < rows.length ? undefined : operation.errorIfAllBlank;
		const dryRun = row.isDryRun ? { dryRun: true } : {};
		row.settle({ items: error === undefined ? [{ json: { action: 'skipped', ...dryRun } }] : [], error });
	}
}

/** Ends the run before anything is sent if rows are refused, unless they are put out. @param isEnd also for bad input */
function stopIfRefused({ rows }: Run, isEnd = true): void {
	const refused = rows.filter(endsRun);
	const failed = refused.find(({ outcome }) => !isInputError(outcome?.error));
	if (failed !== undefined) throw toRunError(failed, failed.outcome?.error);
	if (isEnd && refused.length > 0) throw toRunError(refused[0], refused[0].outcome?.error, refused);
}

/** Reads the credential of rows, one after another: thousands at once would block n8n's database. @throws CredentialError if they differ */
async function connectRows(run: Run, [first, ...others]: readonly Row[]): Promise<Connection> {
	const credential = await first.context.getCredentials(CREDENTIAL);
	const connection = connectionOf(credential);
	run.redact = connection.redact;
	const text = JSON.stringify(credential);
	for await (const { context, label } of yielding(others)) {
		if (JSON.stringify(await context.getCredentials(CREDENTIAL)) === text) continue;
		throw new CredentialError(
			`The credential gives ${label} another address or key than ${first.label}. Split the items, so that each run of the node has one`,
		);
	}
	return connection;
}

/** Makes the account of a run. What services drop is remembered for the execution: else each round of a loop would make one more link. */
function accountOf(run: Run, kept: KeptRun, connection: Connection): Account {
	const [{ context }] = run.rows;
	const { address, apiKey } = connection;
	const execution = (run.caller.isModel ? undefined : executionOf(context)) ?? kept;
	const dropped = keptFor(execution, `dropped ${JSON.stringify([address, apiKey])}`, (): Dropped => new Map());
	const options = { caller: kept, ...run.caller.sending(run.signal) };
	return new Account(new ServiceClient(context, connection, options, run.settings), new NewLinks(dropped));
}

/** Takes a step for all rows that are open. If it fails, they are refused. */
async function takeStep(run: Run, step: Prepare): Promise<void> {
	const open = openRows(run);
	if (open.length === 0) return;
	await step(open).catch((error: unknown) => {
		for (const row of open) row.refuse(error);
	});
}

/** Takes all steps of the operation before anything is sent. Bad input of all of them is one error. @returns what will be done */
async function prepareRows(run: Run): Promise<Unit[]> {
	const { prepare = [], plan, inTurnBy, performRow } = run.operation;
	let units: Unit[] = [];
	const alone = (row: Row): Unit => ({
		rows: [row],
		turn: inTurnBy?.(row),
		perform: async () => [await performRow(row)],
	});
	const makeUnits: Prepare = async (rows) => {
		units = plan === undefined ? rows.map(alone) : await plan(rows);
	};
	for (const step of [...prepare, makeUnits]) {
		await takeStep(run, step);
		stopIfRefused(run, false);
	}
	stopIfRefused(run);
	return units;
}

/** Whether every other row would fail the same way: no further one is sent. */
function affectsKey(error: unknown, row: Row): error is ApiError {
	if (!(error instanceof ApiError)) return false;
	// Rows with different actions may not all need the right.
	if (error.kind === 'missingScope') return isOfMainRequest(error, row) && row.run.operation.hasAction !== true;
	return ['unauthorized', 'outage'].includes(error.kind);
}

/** Performs units one after another, and sets the outcomes of their rows. Without one, a row has not begun, since the run has ended. */
async function performInTurn(units: ReadonlyArray<Unit<Row>>, run: Run): Promise<void> {
	for (const { rows, perform } of units) {
		if (run.signal.aborted) return;
		const outcomes = await perform().then(
			(items) => items.map((of): Outcome => ({ items: of })),
			(error: unknown) => rows.map((): Outcome => ({ items: [], error: aboutRows(error, rows) })),
		);
		if (outcomes[0].error instanceof StoppedError) return;
		for (const [at, row] of rows.entries()) {
			const { error } = outcomes[at];
			row.settle(outcomes[at]);
			if (affectsKey(error, row)) run.end(error);
			else if (endsRun(row)) run.end();
		}
	}
}

/** Performs all units side by side, as far as each need not wait for its turn. */
async function performUnits(run: Run, units: ReadonlyArray<Unit<Row>>): Promise<void> {
	const underWay = new Set<Promise<void>>();
	const turns = groupedBy(units, ({ turn }) => turn);
	const placeOf = ([{ rows }]: ReadonlyArray<Unit<Row>>) => rows[0].index;
	turns.sort((one, other) => placeOf(one) - placeOf(other));
	for await (const turn of yielding(turns)) {
		if (underWay.size >= MOST_AT_ONCE) await Promise.race(underWay);
		if (run.signal.aborted) break;
		const ended = performInTurn(turn, run).then(() => void underWay.delete(ended));
		underWay.add(ended);
		// If the service has never answered this key, the first one goes alone.
		if (turn === turns[0] && !run.account!.client.isKnown) await ended;
	}
	await Promise.all(underWay);
	if (run.refusal !== undefined) for (const row of openRows(run)) row.refuse(run.refusal);
	const failed = run.rows.find(endsRun);
	if (failed !== undefined) throw toRunError(failed, failed.outcome?.error);
	if (openRows(run).length > 0) throw new StoppedError();
}

/** The remarks on a run. A failure here must not lose its items. */
function remarksOf({ rows: [first], atEnd, redact }: Run): string[] {
	return [...atEnd.values(), () => remarkOn(first)].flatMap((end) => {
		try {
			const remark = end();
			return remark === undefined ? [] : [redact?.text(remark) ?? remark];
		} catch (error) {
			first.context.logger?.warn(`A hint could not be made: ${String(error)}`);
			return [];
		}
	});
}

interface Ended {
	items: INodeExecutionData[];
	error?: Error;
	hints: string[];
	/** A change was made, or may have been. */
	hasChanged: boolean;
}

/** A run, as long as n8n holds the data of this run of the node. */
interface KeptRun {
	/** When its first try began (ms since 1970). */
	readonly since: number;
	ended?: Promise<Ended>;
}

async function performRun(contexts: IExecuteSingleFunctions[], operation: Operation, kept: KeptRun): Promise<Ended> {
	const [first] = contexts;
	const run = new Run(first, operation, callerOf(first, contexts.length, kept.since), contexts.length);
	run.rows = await mapYielding(contexts, (context) => new Row(context, run));
	const ended: Ended = { items: [], hints: [], hasChanged: false };
	try {
		await takeStep(run, async ([{ context }]) => void (run.settings = readRequestOptions(context)));
		await readRows(run);
		stopIfRefused(run);
		await takeStep(run, async (rows) => {
			run.account = accountOf(run, kept, await connectRows(run, rows));
		});
		stopIfRefused(run);
		await performUnits(run, (await prepareRows(run)) as Array<Unit<Row>>);
		ended.items = await itemsOf(run);
		if (run.size > 1) ended.hints.push(totalsInWords(run));
	} catch (error) {
		ended.error = error instanceof StoppedError ? toRunError(run.rows[0], error) : (error as Error);
	}
	ended.hints.push(...remarksOf(run));
	ended.hasChanged = run.account?.client.hasChanged === true;
	return ended;
}

/**
 * Runs an operation over rows, in phases. A run happens once: each further try of Retry On Fail gets what the first one did, unless
 * that changed nothing. A round of a loop and a call of a tool are runs of their own.
 *
 * @returns items with their pairing, in the order of the rows
 * @throws NodeOperationError for bad input, NodeApiError for failures of the service, unless On Error → Continue is set
 */
export async function runRows(
	contexts: IExecuteSingleFunctions[],
	operation: Operation,
): Promise<INodeExecutionData[]> {
	if (contexts.length === 0) return [];
	const [context] = contexts;
	const kept = keptFor(runOf(context), 'run', (): KeptRun => ({ since: Date.now() }));
	kept.ended ??= performRun(contexts, operation, kept);
	const { items, error, hints, hasChanged } = await kept.ended;
	if (!hasChanged) kept.ended = undefined;
	for (const hint of hints) showHint(context, hint);
	if (error !== undefined) throw error;
	return items;
}

import type { INodeExecutionData } from 'n8n-workflow';

import { connect, type Connection } from '../service/connection';
import { readList } from '../service/list';
import { sendChange } from '../service/sendRequest';
import type { Input } from '../n8n/entries';
import { showHint } from '../n8n/output';
import { StoppedError } from '../n8n/stop';
import type { RateLimiter } from '../rateLimit/rateLimiter';
import { Run } from './try';
import type { Operation } from './operation';
import { performInOrder } from './order';
import { buildRequest, pathOf, type ItemRequest } from './request';
import { readBatching, readSettings } from './requestOptions';
import { byAccount, Row } from './row';
import { explain, failedItem, isFinal } from './rowError';
import { Slices } from '../n8n/slices';
import { Totals } from './totals';

/** Sends the request of a row, and makes items of the answer. */
async function sendOwnRequest(row: Row, operation: Operation): Promise<INodeExecutionData[]> {
	const { method, path, query, list } = row.request;
	const records =
		list !== undefined
			? await readList(row, { path, query, collection: list.collection }, list.wanted)
			: method === 'GET'
				? [await row.send()]
				: [await sendChange(row, row.request)];
	const output = (operation.output ?? []).reduce((before, step) => step(before, row), records);
	return output.map((json) => ({ json }));
}

/** With Include Input Fields: the row's own fields, and the item's under a name that none of them has. */
function beside(row: Row, item: INodeExecutionData, { resource }: Operation): INodeExecutionData {
	if (row.request.options.includeInput !== true || row.request.list !== undefined) return item;
	const { json } = row.input;
	const name = resource in json ? `${resource}Result` : resource;
	return { ...item, json: { ...json, [name]: item.json } };
}

/** A row with nothing in it is passed over. */
function isBlank({ request }: Row): boolean {
	return (request as ItemRequest | undefined)?.isBlank === true;
}

/** The phases of a run. */
class Phases {
	private readonly slices = new Slices();
	private readonly failed = new Map<Row, unknown>();
	private readonly totals = new Totals();
	private isStopped = false;
	/** How long (ms) each limiter had held up requests when the run began. */
	private readonly heldBefore = new Map<RateLimiter, number>();

	constructor(
		private readonly run: Run,
		private readonly rows: readonly Row[],
		private readonly operation: Operation,
	) {}

	/** Does something for each row, unless that row can't be done anyhow; what is thrown refuses the row. */
	private async forEachRow(work: (row: Row) => void | Promise<void>): Promise<void> {
		for await (const row of this.slices.over(this.rows)) {
			if (this.run.signal.aborted) throw new StoppedError();
			if (row.refusal !== undefined || isBlank(row)) continue;
			let stopped: StoppedError | undefined;
			try {
				await work(row);
			} catch (error) {
				if (error instanceof StoppedError) stopped = error;
				else row.refuse(error);
			}
			if (stopped !== undefined) throw stopped;
		}
	}

	/** Bad input in one row ends the run before anything is sent, unless the node continues on errors. */
	private stopAtBadInput(): void {
		if (this.run.continues) return;
		const refused = this.rows.filter(({ index, refusal }) => refusal !== undefined && !this.isDone(index));
		const [first] = refused;
		if (first !== undefined) throw explain(first, this.operation, first.refusal?.error, this.rows, refused);
	}

	private isDone(index: number): boolean {
		return this.run.memory.outcomeOf(index) !== undefined;
	}

	async read(): Promise<void> {
		await this.forEachRow((row) => {
			row.request = buildRequest(row.context, this.operation);
			row.settings = readSettings(row.context);
		});
		this.stopAtBadInput();
	}

	/** One after another: thousands of credentials asked for at once would keep n8n's database from all others. */
	async connect(): Promise<void> {
		let last: Connection | undefined;
		await this.forEachRow(async (row) => {
			last = await connect(row.context, last);
			row.connection = last;
			const { limiter } = last;
			if (!this.heldBefore.has(limiter)) this.heldBefore.set(limiter, limiter.heldUp);
		});
		this.stopAtBadInput();
	}

	async prepare(): Promise<void> {
		for (const step of this.operation.prepare ?? []) {
			const able = this.rows.filter((row) => row.refusal === undefined && !isBlank(row));
			for (const rows of await byAccount(able)) {
				await step(rows).catch((error: unknown) => {
					if (error instanceof StoppedError) throw error;
					for (const row of rows) row.refuse(error);
				});
			}
			this.stopAtBadInput();
		}
		if (this.operation.prepare === undefined) return;
		// IDs stand now in the places of what they were named by.
		const { url } = this.operation.request;
		for await (const { request, refusal } of this.slices.over(this.rows)) {
			if (refusal === undefined && !request.isBlank) request.path = pathOf(url, request.pathValues);
		}
	}

	/** @returns the items in the order of the rows */
	async perform(): Promise<INodeExecutionData[]> {
		const { run, rows, operation } = this;
		const items = new Map<Row, INodeExecutionData[]>();
		const perform = async (row: Row) => {
			items.set(row, await this.outcome(row));
		};
		const batching = rows.length > 1 ? readBatching(rows[0].context) : undefined;
		await performInOrder(rows, perform, run.signal, batching);
		const failure = rows.find((row) => this.failed.has(row));
		if (failure !== undefined) throw explain(failure, operation, this.failed.get(failure), rows);
		if (this.isStopped || rows.some(({ ended }) => ended === undefined)) {
			throw explain(rows[0], operation, new StoppedError(), rows);
		}
		if (rows.length > 1) showHint(rows[0].context, this.totals.inWords(this.waited()));
		return rows.flatMap((row) => items.get(row) ?? []);
	}

	/** How long (ms) the rate limit has held up the run. */
	private waited(): number {
		let longest = 0;
		for (const [limiter, before] of this.heldBefore) longest = Math.max(longest, limiter.heldUp - before);
		return longest;
	}

	/** The items of a row, failed or not; none where the run has ended. */
	private async outcome(row: Row): Promise<INodeExecutionData[]> {
		const { run, operation } = this;
		const pairedItem = { item: row.index };
		try {
			const items = await this.done(row);
			this.totals.noteDone(row, items);
			return await this.leaving(
				row,
				items.map((item) => beside(row, item, operation)),
				pairedItem,
			);
		} catch (error) {
			if (error instanceof StoppedError) {
				this.isStopped = true;
				return [];
			}
			if (run.continues) {
				const { item, reason } = failedItem(row, operation, error);
				this.totals.noteFailed(reason);
				return [{ ...item, pairedItem }];
			}
			this.failed.set(row, error);
			run.end();
			return [];
		}
	}

	/** Items as they leave the node: with their pairing, and without the API key. */
	private async leaving(
		row: Row,
		items: INodeExecutionData[],
		pairedItem: { item: number },
	): Promise<INodeExecutionData[]> {
		const connection = row.connection as Connection | undefined;
		const out: INodeExecutionData[] = [];
		for await (const item of this.slices.over(items)) {
			out.push({ ...item, json: connection === undefined ? item.json : connection.redact.data(item.json), pairedItem });
		}
		return out;
	}

	/** Does a row, unless an earlier try has done it. */
	private async done(row: Row): Promise<INodeExecutionData[]> {
		const { memory } = this.run;
		const before = memory.outcomeOf(row.index);
		if (before !== undefined) {
			if ('error' in before) throw before.error;
			return before.items;
		}
		if (row.refusal !== undefined) {
			if (isFinal(row.refusal.error)) memory.note(row.index, row.refusal);
			throw row.refusal.error;
		}
		for (const { ended } of row.after) await ended;
		if (this.run.signal.aborted) throw new StoppedError();
		const isChange = row.request.method !== 'GET';
		const items = await this.act(row).catch((error: unknown) => {
			if (isChange && isFinal(error)) memory.note(row.index, { error });
			throw error;
		});
		if (isChange) memory.note(row.index, { items });
		return items;
	}

	private async act(row: Row): Promise<INodeExecutionData[]> {
		if (isBlank(row)) return [{ json: { action: 'skipped' } }];
		if (row.decision !== undefined) return await row.decision();
		return (await this.operation.perform?.(row)) ?? (await sendOwnRequest(row, this.operation));
	}
}

/**
 * A run of an operation over rows, as phases: all rows are read, then connected, then what they ask for together is found out, then
 * they are sent in their order, at the pace that the service allows. A tool's call is a run of one row.
 *
 * @returns items with their pairing, in the order of the rows
 * @throws NodeOperationError for input, NodeApiError for what the service did; under On Error → Continue the failed row comes out
 */
export async function runRows({ size, contextOf }: Input, operation: Operation): Promise<INodeExecutionData[]> {
	if (size === 0) return [];
	const run = new Run(contextOf(0), size);
	const rows: Row[] = [];
	const slices = new Slices();
	while (rows.length < size) {
		rows.push(new Row(contextOf(rows.length), run));
		await slices.turn();
	}
	const phases = new Phases(run, rows, operation);
	try {
		await phases.read();
		await phases.connect();
		await phases.prepare();
		return await phases.perform();
	} catch (error) {
		throw error instanceof StoppedError ? explain(rows[0], operation, error, rows) : error;
	} finally {
		for (const hint of run.endings.map((end) => end())) if (hint !== undefined) showHint(rows[0].context, hint);
	}
}

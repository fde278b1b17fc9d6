import type { IDataObject, IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Connection } from '../service/connection';
import { accountKey } from '../links/row';
import { speakerOf, type ServiceRequest, type Speaker } from '../service/sendRequest';
import { inTurns } from '../n8n/slices';
import type { ItemRequest } from './request';
import { rowLabel } from './rowLabel';
import type { RequestSettings } from './requestOptions';
import type { Run } from './try';

/** One row of a run: an input item, what it asks for, and what it is sent with. */
export class Row {
	/** Its parameters, read and checked. */
	request!: ItemRequest;
	settings!: RequestSettings;
	connection!: Connection;
	/** Earlier rows that have to have ended before this one begins. */
	readonly after: Row[] = [];
	/** Settles when the row has ended; undefined before it has begun. */
	ended?: Promise<void>;
	/** Why the row can't be done. */
	refusal?: { error: unknown };
	/** What the row will do in its turn, in place of what its operation does for each row. */
	decision?: () => Promise<INodeExecutionData[]>;

	constructor(
		readonly context: IExecuteSingleFunctions,
		readonly run: Run,
	) {}

	/** The input item's, from 0. */
	get index(): number {
		return this.context.getItemIndex();
	}

	/** The input item as people find it. */
	get label(): string {
		return rowLabel(this.input, this.index);
	}

	/** How many rows the run has. */
	get size(): number {
		return this.run.size;
	}

	get timezone(): string {
		return this.context.getTimezone();
	}

	get isRefused(): boolean {
		return this.refusal !== undefined;
	}

	get input(): INodeExecutionData {
		return this.context.getInputData();
	}

	private get speaker(): Speaker {
		const { context, connection, settings, run, request } = this;
		const failFast = request.options.ifRateLimited === 'fail';
		const manner = { caller: run.memory, signal: run.signal, failFast, interactive: run.size === 1 };
		return speakerOf(context, connection, manner, settings);
	}

	/** Sends a request of this row, its own one unless another is given, and gives the body of the answer. */
	async send(request: ServiceRequest = this.request): Promise<IDataObject> {
		return await this.speaker.send(request);
	}

	/** Asks for a record in the name of this row; undefined when the service has none. */
	async lookUp(path: string, query?: IDataObject): Promise<IDataObject | undefined> {
		return await this.speaker.lookUp(path, query);
	}

	/** Something that the rows of the run have in common, over its tries. */
	shared<T>(key: string, make: () => T): T {
		return this.run.memory.share(key, make);
	}

	/** The same for all rounds of a loop over the node. */
	sharedByRounds<T>(key: string, make: () => T): T {
		return this.run.rounds.share(key, make);
	}

	/** Does something when this try of the run has ended. */
	atEnd(work: () => string | undefined): void {
		this.run.endings.push(work);
	}

	/** This row begins when an earlier one has ended. */
	waitFor(earlier: Row | undefined): void {
		if (earlier !== undefined) this.after.push(earlier);
	}

	/**
	 * The row can't be done as it stands. Without On Error → Continue no row is sent then; else the others are.
	 *
	 * @param error the first one counts
	 */
	refuse(error: unknown): void {
		this.refusal ??= { error };
	}
}

/** Groups rows by account, in their order; those that have no connection are taken together. */
export async function byAccount(rows: readonly Row[]): Promise<Row[][]> {
	const accounts = new Map<string, Row[]>();
	for await (const row of inTurns(rows)) {
		const key = row.connection === undefined ? '' : accountKey(row);
		const ofAccount = accounts.get(key) ?? [];
		accounts.set(key, ofAccount);
		ofAccount.push(row);
	}
	return [...accounts.values()];
}

/** What an operation does once for all rows of an account, before any of them is sent. */
export type Prepare = (rows: Row[]) => Promise<void>;

/** From the records of an answer, whose envelope is off, to the JSON of the items. */
export type Output = (records: IDataObject[], row: Row) => IDataObject[];

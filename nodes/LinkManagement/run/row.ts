import type { IDataObject, IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { AccountState } from '../links/accountState';
import type { LinkRow, Unit } from '../links/linkRow';
import { type Dropped, NewLinks } from '../links/newLinks';
import { executionOf, isTool, keptFor, runOf } from '../n8n/lifetimes';
import { StoppedError } from '../n8n/stop';
import type { Connection } from '../service/connection';
import type { ApiError } from '../service/errors';
import { PATIENCE } from '../service/outage';
import { wholeNumber } from '../service/records';
import type { Redaction } from '../service/redact';
import { HttpServiceClient, type SendOptions, type ServiceClient, type ServiceRequest } from '../service/serviceClient';
import type { RequestDefinition, RowRequest } from './request';
import type { RequestOptions } from './requestOptions';
import { optionsOfCall } from './toolCall';

/** So many runs of a single row in an execution may be what somebody waits for; more are a loop over a sheet. */
const MOST_SINGLE = 2;

/** A step that an operation takes once for all rows of an account, before anything is sent. */
export type Prepare = (rows: ConnectedRow[]) => Promise<void>;

/** Makes the JSON of items from the records of an answer. */
export type Output = (records: IDataObject[], row: ConnectedRow) => IDataObject[];

/** An operation, as a run needs it. */
export interface Operation extends RequestDefinition {
	/** Value of its resource. */
	resource: string;
	/** What the nodes panel shows: "Create a campaign". */
	action: string;
	/**
	 * Steps before anything is sent, each once for all rows of an account. They may refuse rows, or complete their requests, and change
	 * nothing at the service.
	 */
	prepare?: Prepare[];
	/** Decides what is done with all rows of an account. It changes nothing at the service. By default, each row is done by itself. */
	plan?(rows: ConnectedRow[]): Promise<Unit[]>;
	/** Rows with the same key are done one after another. */
	inTurnBy?(row: ConnectedRow): string | undefined;
	/** A remark on the input, shown above the items or with the error that ends the run. */
	inputRemark?(context: IExecuteSingleFunctions): string | undefined;
	/** Performs a row that `plan` has not put into a unit. @returns its items */
	perform(row: ConnectedRow): Promise<INodeExecutionData[]>;
	output?: Output[];
	/** Its items have an `action`: rows may have different outcomes. */
	hasAction?: boolean;
	/** How to run again without repeating rows that are done. */
	runAgain?: string;
}

/** The outcome of a row: its items, or the error of its failure. */
export interface Outcome {
	items: INodeExecutionData[];
	error?: unknown;
}

/** A service and key in one try of a run. */
export class RunAccount {
	/** Its rows, in their order. */
	readonly rows: ConnectedRow[] = [];
	/** Ends the waits of its rows: the run has ended, or the service refuses the key. */
	readonly signal: AbortSignal;
	/** What the run knows of it. */
	readonly state: AccountState;
	/** Why the service refuses the key: every further request would fail the same way. */
	refusal?: ApiError;
	private readonly abort = new AbortController();
	private client?: ServiceClient;

	constructor(run: Run, { address, apiKey }: Connection) {
		this.signal = AbortSignal.any([run.signal, this.abort.signal]);
		const key = JSON.stringify([run.node, address, apiKey]);
		const dropped = keptFor(run.rounds, `dropped by ${key}`, (): Dropped => new Map());
		this.state = keptFor(run.tries, `account ${key}`, () => new AccountState(address, new NewLinks(dropped)));
		this.state.beginTry();
	}

	/** A client that reads lists for all rows of the account. */
	get reader(): ServiceClient {
		return (this.client ??= this.rows[0].newClient());
	}

	/** Stops all further requests. */
	refuse(error: ApiError): void {
		this.refusal ??= error;
		this.abort.abort();
	}
}

/** One try of a run. (Retry On Fail makes several tries.) */
export class Run {
	rows: readonly Row[] = [];
	/** An object that is the same in all tries of the run. */
	readonly tries: object;
	/** An object that is the same in all rounds of a loop over the node. Calls of an agent's tool are runs of their own. */
	readonly rounds: object;
	/** The name of its node. */
	readonly node: string;
	/** Which round of a loop it is, from 1 on. */
	readonly round: number;
	/**
	 * Index of a row → the outcome of its change. A change is made once for each row, however often the run is tried. It is known by the
	 * index, since the content of a row may differ in each try (an expression with `$now`). Rows that failed with nothing done are not
	 * in it.
	 */
	readonly outcomes: Map<number, Outcome>;
	/** The accounts of its rows, by their limiters. */
	readonly accounts = new Map<Connection['limiter'], RunAccount>();
	/** What to call when this try has ended, by subject; what it returns is shown above the items. */
	readonly atEnd = new Map<string, () => string | undefined>();
	/** Ends the run: a row failed, and no further one is sent. */
	readonly abort = new AbortController();
	/** Fires when the run has ended, or the user stopped the execution. */
	readonly signal: AbortSignal;
	/** On Error → Continue: a failed row does not stop the others. */
	readonly continues: boolean;

	constructor(
		context: IExecuteSingleFunctions,
		readonly operation: Operation,
		/** Number of its rows. */
		readonly size: number,
	) {
		this.tries = runOf(context);
		this.rounds = (isTool(context) ? undefined : executionOf(context)) ?? this.tries;
		this.node = context.getNode().name;
		const counter = keptFor(this.rounds, `rounds of ${this.node}`, () => ({ count: 0 }));
		this.round = keptFor(this.tries, 'round', () => ++counter.count);
		this.outcomes = keptFor(this.tries, 'outcomes', () => new Map<number, Outcome>());
		this.continues = context.continueOnFail();
		const stopped = context.getExecutionCancelSignal();
		const own = this.abort.signal;
		this.signal = stopped === undefined ? own : AbortSignal.any([own, stopped]);
	}

	accountOf(connection: Connection): RunAccount {
		const { limiter } = connection;
		const account = this.accounts.get(limiter) ?? new RunAccount(this, connection);
		this.accounts.set(limiter, account);
		return account;
	}
}

/** A row of a run: an input item, and its outcome. Each phase of the run makes a row with what the next phase needs. */
export class Row {
	readonly input: INodeExecutionData;
	/** Its index, from 0. */
	readonly index: number;
	/** Its row number, which Google Sheets, Excel and other nodes put out. */
	readonly number?: number;
	/** How people find the row: by its number, or its position. */
	readonly label: string;
	/** Its settings and Options, as far as they could be read. */
	readonly options: IDataObject = {};
	/** A model calls: the node is a tool. */
	readonly isTool: boolean;
	/** Removes the secrets of its credential, once that is read. */
	readonly redact?: Redaction;
	/** Its outcome, once that is known. A row that is refused or blank has one before it begins. */
	outcome?: Outcome;

	constructor(
		readonly context: IExecuteSingleFunctions,
		readonly run: Run,
	) {
		this.input = context.getInputData();
		this.isTool = isTool(context);
		this.index = context.getItemIndex();
		this.number = wholeNumber(this.input.json.row_number, 1);
		this.label = `row ${this.number ?? `${this.index + 1} of ${this.size}`}`;
	}

	/** Number of rows of the run. */
	get size(): number {
		return this.run.size;
	}

	/** It is refused, or has failed. */
	get isRefused(): boolean {
		return this.outcome?.error !== undefined;
	}

	/** It only shows what would be done. */
	get isDryRun(): boolean {
		return this.options.dryRun === true;
	}

	/** Sets the outcome, unless there is one, or an earlier try has done the row. */
	settle(outcome: Outcome): void {
		this.outcome ??= this.run.outcomes.get(this.index) ?? outcome;
	}

	/**
	 * Refuses the row: it can't be done. Without On Error → Continue, no row is sent then.
	 *
	 * @param error a StoppedError is thrown on: it is not about one row
	 */
	refuse(error: unknown): void {
		if (error instanceof StoppedError) throw error;
		this.settle({ items: [], error });
	}
}

/** A row whose parameters are read and checked. */
export class ReadRow extends Row {
	override readonly options: IDataObject;

	constructor(
		{ context, run }: Row,
		readonly request: RowRequest,
		readonly requestOptions: RequestOptions,
	) {
		super(context, run);
		this.options = request.options;
	}
}

/** A row with a connection: what operations work on. */
export class ConnectedRow extends ReadRow implements LinkRow {
	override readonly redact: Redaction;
	readonly account: RunAccount;
	private readonly client: ServiceClient;

	constructor(
		row: ReadRow,
		readonly connection: Connection,
	) {
		super(row, row.request, row.requestOptions);
		this.redact = connection.redact;
		this.account = this.run.accountOf(connection);
		this.account.rows.push(this);
		this.client = this.newClient();
	}

	/** See `RunAccount`. */
	get reader(): ServiceClient {
		return this.account.reader;
	}

	get state(): AccountState {
		return this.account.state;
	}

	get round(): number {
		return this.run.round;
	}

	get continues(): boolean {
		return this.run.continues;
	}

	/** Sends a request for this row. @returns the body of the answer */
	async send(request: ServiceRequest): Promise<IDataObject> {
		return await this.client.send(request);
	}

	async lookUp(path: string, query?: IDataObject): Promise<IDataObject | undefined> {
		return await this.client.lookUp(path, query);
	}

	newClient(): ServiceClient {
		const { connection, context, requestOptions, account, run, size } = this;
		const patience = PATIENCE[size === 1 ? 'single' : 'several'];
		const priority = size === 1 && run.round <= MOST_SINGLE ? ('people' as const) : ('bulk' as const);
		const usual: SendOptions = { caller: run.tries, signal: account.signal, priority, patience };
		const options = this.isTool ? { ...usual, ...optionsOfCall(run.tries, account.signal) } : usual;
		return new HttpServiceClient(context, connection, options, requestOptions.http);
	}

	/**
	 * Calls `work` when this try of the run has ended, once for all rows of the account.
	 *
	 * @param about the subject: only the first `work` on it is called
	 * @param work may return a sentence, which is shown above the items
	 */
	atEnd(about: string, work: () => string | undefined): void {
		const { atEnd } = this.run;
		const { address, apiKey } = this.connection;
		const key = JSON.stringify([about, address, apiKey]);
		const end = () => {
			const sentence = work();
			return sentence && this.redact.text(sentence);
		};
		if (!atEnd.has(key)) atEnd.set(key, end);
	}
}

import type { IDataObject, IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import { StoppedError } from '../n8n/stop';
import type { LinkRow, Step, Steps } from '../links/linkRow';
import type { Connection } from '../service/connection';
import type { ApiError } from '../service/errors';
import { wholeNumber } from '../service/records';
import type { Redaction } from '../service/redact';
import { HttpServiceClient, type ServiceRequest, type ServiceClient } from '../service/serviceClient';
import { executionOf, isTool, keptFor, runOf } from '../n8n/lifetimes';
import type { ItemRequest, RequestDefinition } from './request';
import type { RequestOptions } from './requestOptions';

/** What an operation does once for all rows of an account, before any of them is sent. */
export type Prepare = (rows: ConnectedRow[]) => Promise<void>;

/** From the records of an answer, whose envelope is off, to the JSON of the items. */
export type Output = (records: IDataObject[], row: ConnectedRow) => IDataObject[];

/** What an operation does for the rows of a run. */
export interface Operation extends RequestDefinition {
	/** Value of the resource that it belongs to. */
	resource: string;
	/** What the nodes panel shows: "Create a campaign". */
	action: string;
	/**
	 * What is prepared once for all rows of an account, step by step: it may refuse rows, or complete their requests. It changes nothing
	 * at the service.
	 */
	prepare?: Prepare[];
	/** Decides what rows do with their links, for all rows of an account together. It changes nothing at the service. */
	plan?(rows: ConnectedRow[]): Promise<Steps>;
	/** Creates what the rows need, once for all of them, before any of them is sent. */
	provide?(rows: ConnectedRow[], steps: Steps): Promise<void>;
	/** What is to be said of the input, above the items or beside the error that ends the run. */
	remark?(context: IExecuteSingleFunctions): string | undefined;
	/** What each row does in its turn. @param step by `plan` @returns its items */
	perform(row: ConnectedRow, step?: Step): Promise<INodeExecutionData[]>;
	output?: Output[];
	/** Its items say in `action` what became of their rows, which may be different things. */
	hasAction?: boolean;
	/** How to run rows again without doing those twice that were done. */
	runAgain?: string;
}

/** What came of a row: its items, or the error that kept it from being done. */
export interface Outcome {
	items: INodeExecutionData[];
	error?: unknown;
}

/** A service and key, as far as one try of a run goes. */
export class RunAccount {
	/** Its rows, in their order. */
	readonly rows: ConnectedRow[] = [];
	/** Ends the waits of its rows: with those of the run, or because the key is refused. */
	readonly signal: AbortSignal;
	/** What was done once for all its rows; see `ConnectedRow.once`. */
	readonly onceDone = new Map<string, Promise<unknown>>();
	/** Why the service refuses the key: each further request would end so. */
	refusal?: ApiError;
	/** How long (ms) its limiter had held up requests when the run began. */
	readonly throttledBefore: number;
	private readonly ending = new AbortController();
	private client?: ServiceClient;

	constructor(run: Run, { limiter }: Connection) {
		this.signal = AbortSignal.any([run.signal, this.ending.signal]);
		this.throttledBefore = limiter.throttledFor;
	}

	/** Reads for all rows of the account together: it waits for the rate limit unless none of them does. */
	get reader(): ServiceClient {
		return (this.client ??= this.rows[0].clientFor(this.rows.every(({ isImpatient }) => isImpatient)));
	}

	/** No further request goes out. */
	refuse(error: ApiError): void {
		this.refusal ??= error;
		this.ending.abort();
	}
}

/** One try of a run: its rows, and what they have in common. (Retry On Fail makes several tries.) */
export class Run {
	rows: readonly Row[] = [];
	/** Lasts over the tries of the run. */
	readonly tries: object;
	/** Lasts over all rounds of a loop over the node. Calls of an agent's tool are runs of their own. */
	readonly rounds: object;
	/**
	 * What came of the changes of rows, by the rows' places. A change is made once for each row, however often it is tried: what came
	 * of it is known by the row, not by its content, which may be another one at each try (an expression with `$now`). A row that was
	 * held back, or that failed with nothing done, is not here.
	 */
	readonly ledger: Map<number, Outcome>;
	/** The accounts that its rows speak to, by their limiters. */
	readonly accounts = new Map<Connection['limiter'], RunAccount>();
	/** What is done when this try has ended, by what it is about; what it returns is shown above the items. */
	readonly endings = new Map<string, () => string | undefined>();
	/** Ends the run: a row failed for good, and no further one is sent. */
	readonly ending = new AbortController();
	/** Ends the waits of all rows: the run has ended, or the user stopped the execution. */
	readonly signal: AbortSignal;
	/** A row that fails keeps none of the others from being done. */
	readonly continues: boolean;

	constructor(
		context: IExecuteSingleFunctions,
		readonly operation: Operation,
		/** How many rows it has. */
		readonly size: number,
	) {
		this.tries = runOf(context);
		this.rounds = (isTool(context) ? undefined : executionOf(context)) ?? this.tries;
		this.ledger = keptFor(this.tries, 'ledger', () => new Map<number, Outcome>());
		this.continues = context.continueOnFail();
		const stopped = context.getExecutionCancelSignal();
		const own = this.ending.signal;
		this.signal = stopped === undefined ? own : AbortSignal.any([own, stopped]);
	}

	accountOf(connection: Connection): RunAccount {
		const { limiter } = connection;
		const account = this.accounts.get(limiter) ?? new RunAccount(this, connection);
		this.accounts.set(limiter, account);
		return account;
	}
}

/** One row of a run: an input item, and what comes of it. Each phase of the run makes a row of it that has what the next one needs. */
export class Row {
	readonly input: INodeExecutionData;
	/** Its place, from 0. */
	readonly index: number;
	/** The number of the row, which Google Sheets, Excel and other nodes put out. */
	readonly number?: number;
	/** The row as people find it: by its number, or by its place. */
	readonly label: string;
	/** Its settings and Options, as far as they are read. */
	readonly options: IDataObject = {};
	/** Takes the secrets out of what it says, once its credential is read. */
	readonly redact?: Redaction;
	/** The request that its operation is for: method and path, once the row is performed. */
	endpoint?: string;
	/** What came of it, as soon as that is known. A row that can't be done, or has nothing in it, is not begun. */
	outcome?: Outcome;

	constructor(
		readonly context: IExecuteSingleFunctions,
		readonly run: Run,
	) {
		this.input = context.getInputData();
		this.index = context.getItemIndex();
		this.number = wholeNumber(this.input.json.row_number, 1);
		this.label = `row ${this.number ?? `${this.index + 1} of ${this.size}`}`;
	}

	/** How many rows the run has. */
	get size(): number {
		return this.run.size;
	}

	/** It can't be done, or has failed. */
	get isRefused(): boolean {
		return this.outcome?.error !== undefined;
	}

	/** It says what would be done, and changes nothing. */
	get isDryRun(): boolean {
		return this.options.dryRun === true;
	}

	/** It is known what comes of the row, unless an earlier try has done it. The first outcome counts. */
	settle(outcome: Outcome): void {
		this.outcome ??= this.run.ledger.get(this.index) ?? outcome;
	}

	/**
	 * The row can't be done as it stands. Without On Error → Continue no row is sent then; else the others are.
	 *
	 * @param error a stop is no matter of one row
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
		readonly request: ItemRequest,
		readonly requestOptions: RequestOptions,
	) {
		super(context, run);
		this.options = request.options;
	}
}

/** A row that speaks to a service: what operations work on. */
export class ConnectedRow extends ReadRow implements LinkRow {
	override readonly redact: Redaction;
	readonly account: RunAccount;
	/** Its place in the order in which rows are done. */
	order: number;
	/** Earlier rows that have to have ended before this one begins. */
	readonly after: ConnectedRow[] = [];
	/** Settles when the row has ended; undefined before it has begun. */
	ended?: Promise<void>;
	private readonly client: ServiceClient;

	constructor(
		row: ReadRow,
		readonly connection: Connection,
	) {
		super(row, row.request, row.requestOptions);
		this.redact = connection.redact;
		this.account = this.run.accountOf(connection);
		this.account.rows.push(this);
		this.order = this.index;
		this.client = this.clientFor(this.isImpatient);
	}

	/** It does not wait for the rate limit. */
	get isImpatient(): boolean {
		return this.options.ifRateLimited === 'fail';
	}

	/** Reads lists, for all rows of the account together. */
	get reader(): ServiceClient {
		return this.account.reader;
	}

	/** Sends a request in the name of this row, and gives the body of the answer. */
	async send(request: ServiceRequest): Promise<IDataObject> {
		return await this.client.send(request);
	}

	/** Asks for a record in the name of this row; undefined when the service has none. */
	async lookUp(path: string, query?: IDataObject): Promise<IDataObject | undefined> {
		return await this.client.lookUp(path, query);
	}

	/** @param isImpatient fails at once where the rate limit stands in the way */
	clientFor(isImpatient: boolean): ServiceClient {
		const { connection, context, requestOptions, account, run } = this;
		const ifLimited = isImpatient ? ('failFast' as const) : undefined;
		const sendOptions = { caller: run.tries, signal: account.signal, ifLimited, interactive: this.size === 1 };
		return new HttpServiceClient(context, connection, sendOptions, requestOptions.settings);
	}

	/** Asks for something once for all rows of the account in this try of the run, whichever asks first, and however it ends. */
	async once<T>(key: string, ask: () => Promise<T>): Promise<T> {
		const { onceDone } = this.account;
		const answer = (onceDone.get(key) as Promise<T> | undefined) ?? ask();
		onceDone.set(key, answer);
		return await answer;
	}

	/** Something that the rows of the account have in common, over the tries of the run. */
	shared<T>(key: string, make: () => T): T {
		return keptFor(this.run.tries, this.ofAccount(key), make);
	}

	/** The same for all rounds of a loop over the node. */
	sharedByRounds<T>(key: string, make: () => T): T {
		return keptFor(this.run.rounds, `${this.context.getNode().name}: ${this.ofAccount(key)}`, make);
	}

	/** What is known of one account says nothing of another. */
	private ofAccount(key: string): string {
		const { address, apiKey } = this.connection;
		return `${key} of ${address}\n${apiKey}`;
	}

	/**
	 * Does something when this try of the run has ended, once for all rows of the account.
	 *
	 * @param about what tells it from all else that is done then
	 * @param work may give a sentence, which is shown above the items
	 */
	atEnd(about: string, work: () => string | undefined): void {
		const { endings } = this.run;
		const key = this.ofAccount(about);
		const end = () => {
			const sentence = work();
			return sentence && this.redact.text(sentence);
		};
		if (!endings.has(key)) endings.set(key, end);
	}

	/** This row begins when an earlier one has ended. */
	waitFor(earlier: ConnectedRow | undefined): void {
		if (earlier !== undefined) this.after.push(earlier);
	}
}

import type { IDataObject, IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Account } from '../links/account';
import type { LinkRow, Unit } from '../links/linkRow';
import { StoppedError } from '../n8n/stop';
import type { ApiError } from '../service/answer/errors';
import { wholeNumber } from '../service/records';
import type { Redaction } from '../service/redact';
import type { Caller } from './caller';
import { emptyRequest, type RequestDefinition, type RowRequest } from './request';
import type { HttpSettings } from './requestOptions';

/** A step that an operation takes once for all rows, before anything is sent. */
export type Prepare = (rows: Row[]) => Promise<void>;

/** Makes the JSON of items from the records of an answer. */
export type Output = (records: IDataObject[], row: Row) => IDataObject[];

/** An operation, as a run needs it. */
export interface Operation extends RequestDefinition {
	resource: string;
	/** What the nodes panel shows: "Create a campaign". */
	action: string;
	/** Steps before anything is sent. They may refuse rows, or complete their requests, and change nothing at the service. */
	prepare?: Prepare[];
	/** Decides what is done with all rows. It changes nothing at the service. By default, each row is done by itself. */
	plan?(rows: Row[]): Promise<Unit[]>;
	/** Rows with the same key are done one after another. */
	inTurnBy?(row: Row): string | undefined;
	/** A remark on the input, shown above the items or with the error that ends the run. */
	inputRemark?(context: IExecuteSingleFunctions): string | undefined;
	/** Does what a row asks for, unless `plan` puts it into a unit. @returns its items */
	performRow(row: Row): Promise<INodeExecutionData[]>;
	output?: Output[];
	/** Its items have an `action`: rows may have different outcomes. */
	hasAction?: boolean;
	/** How to run again without repeating rows that are done. */
	runAgain?: string;
	/** What differs if a model calls. */
	asTool?: Partial<Operation>;
}

export interface Outcome {
	items: INodeExecutionData[];
	error?: unknown;
}

/** A run: what it is about, and how it ends. */
export class Run {
	rows: readonly Row[] = [];
	/** Its account, once the credential is read. */
	account?: Account;
	settings: HttpSettings = {};
	/** Removes the secrets of the credential, once that is read. */
	redact?: Redaction;
	/** Why the service refuses the key: every further request would fail the same way. */
	refusal?: ApiError;
	/** What to call when the run has ended, by subject; what it returns is shown above the items. */
	readonly atEnd = new Map<string, () => string | undefined>();
	/** Fires when the run has ended, or the user stopped the execution. */
	readonly signal: AbortSignal;
	/** On Error → Continue: a failed row does not stop the others. */
	readonly continues: boolean;
	readonly operation: Operation;
	private readonly abort = new AbortController();

	constructor(
		context: IExecuteSingleFunctions,
		operation: Operation,
		readonly caller: Caller,
		readonly size: number,
	) {
		this.operation = caller.isModel ? { ...operation, ...operation.asTool } : operation;
		this.continues = context.continueOnFail();
		const stopped = context.getExecutionCancelSignal();
		this.signal = stopped === undefined ? this.abort.signal : AbortSignal.any([this.abort.signal, stopped]);
	}

	/** Ends the run: no further request is sent. @param refusal of the key */
	end(refusal?: ApiError): void {
		this.refusal ??= refusal;
		this.abort.abort();
	}
}

/** A row of a run: an input item, what it asks for, and its outcome. */
export class Row implements LinkRow {
	readonly input: INodeExecutionData;
	readonly index: number;
	/** Its row number, which Google Sheets, Excel and other nodes put out. */
	readonly number?: number;
	/** How people find the row: by its number, or its position. */
	readonly label: string;
	readonly request: RowRequest;
	readonly size: number;
	readonly continues: boolean;
	/** Its outcome, once that is known. A row that is refused or blank has one before anything is sent. */
	outcome?: Outcome;

	constructor(
		readonly context: IExecuteSingleFunctions,
		readonly run: Run,
	) {
		this.input = context.getInputData();
		this.index = context.getItemIndex();
		this.number = wholeNumber(this.input.json.row_number, 1);
		this.label = `row ${this.number ?? `${this.index + 1} of ${run.size}`}`;
		this.request = emptyRequest(run.operation, run.caller.isModel);
		this.size = run.size;
		this.continues = run.continues;
	}

	get account(): Account {
		return this.run.account!;
	}

	get isRefused(): boolean {
		return this.outcome?.error !== undefined;
	}

	get isDryRun(): boolean {
		return this.request.options.dryRun === true;
	}

	settle(outcome: Outcome): void {
		this.outcome ??= outcome;
	}

	/** Refuses the row: it can't be done. @param error a StoppedError is thrown on: it is not about one row */
	refuse(error: unknown): void {
		if (error instanceof StoppedError) throw error;
		this.settle({ items: [], error });
	}

	/** Calls `work` when the run has ended: the first one on a subject. A sentence that it returns is shown above the items. */
	atEnd(about: string, work: () => string | undefined): void {
		const { atEnd } = this.run;
		if (!atEnd.has(about)) atEnd.set(about, work);
	}
}

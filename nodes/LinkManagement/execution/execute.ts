import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecutePaginationFunctions,
	type IExecuteSingleFunctions,
	type INodeExecutionData,
	type INodePropertyRouting,
	type JsonObject,
} from 'n8n-workflow';

import { ApiError, CredentialError } from '../api/apiError';
import { withoutKey } from '../api/apiKey';
import { connect, type Connection } from '../api/connection';
import { withoutError } from '../api/envelope';
import { readList } from '../api/list';
import { withNumbers } from '../api/records';
import { StoppedError } from '../rateLimit/cancellation';
import { sendChange } from './change';
import { OtherLinkError } from './createLink';
import { Item } from './item';
import { resolveNames, resolveShortUrls } from './references';
import {
	buildRequest,
	inputError,
	isTool,
	pathOf,
	ValueError,
	type ItemRequest,
	type RequestDefinition,
} from './request';
import { readSettings, type RequestSettings } from './requestOptions';
import { runOf, type Run, type Try } from './run';

/** From the records of an answer, whose envelope is off, to the JSON of the items. */
export type Output = (records: IDataObject[], item: Item) => IDataObject[];

/** What an operation does for an item. */
export interface ItemOperation extends RequestDefinition {
	/** What the nodes panel shows: "Create a campaign". */
	action: string;
	/** Adds to the request what has to be asked for first. */
	complete?(item: Item): Promise<void>;
	/** The steps of an operation that does more than to send its request; gives whole items. */
	perform?(item: Item): Promise<INodeExecutionData[]>;
	/** What its parameters may name by something else than an ID: campaigns and channels by name, a link by its short URL. */
	finds?: ReadonlyArray<'names' | 'link'>;
	output?: Output[];
	/** How to run rows again without doing those twice that were done. */
	runAgain?: string;
}

/** Sends an item's request, and makes items of the answer. */
async function perform(item: Item, operation: ItemOperation): Promise<INodeExecutionData[]> {
	const { finds = [] } = operation;
	if (finds.includes('names') && !(await resolveNames(item))) return [];
	if (finds.includes('link')) await resolveShortUrls(item);
	if (finds.length > 0) item.request.path = pathOf(operation.request.url, item.request.pathValues);
	await operation.complete?.(item);
	if (operation.perform !== undefined) return await operation.perform(item);
	const { request } = item;
	const records =
		request.list !== undefined
			? await readList(item.list(request.list.collection), request.list.wanted)
			: request.method === 'GET'
				? [withoutError((await item.send()).body as IDataObject)]
				: [withNumbers(await sendChange(item))];
	const output = (operation.output ?? []).reduce((before, step) => step(before, item), records);
	return output.map((json) => ({ json }));
}

/** A failed change may be made by the next try, unless nobody knows whether it was made. */
function mayRepeat(error: unknown): boolean {
	return !(error instanceof ApiError && error.kind === 'uncertain');
}

/** Ranges of rows that an error names, at most. */
const MOST_RANGES = 10;

/**
 * Reads and checks the parameters of an item.
 *
 * @throws NodeOperationError for what can't be used; what n8n throws for an expression that fails
 */
export function readItem(
	context: IExecuteSingleFunctions,
	operation: ItemOperation,
): { request: ItemRequest; settings: RequestSettings } {
	return { request: buildRequest(context, operation), settings: readSettings(context) };
}

/** One item of a run, from its parameters to its items. */
class Passage {
	private connection?: Connection;

	constructor(
		private readonly context: IExecuteSingleFunctions,
		private readonly operation: ItemOperation,
		private readonly run: Run,
		private readonly attempt: Try,
	) {}

	private get index(): number {
		return this.context.getItemIndex();
	}

	/** The item's parameters; an item that can't be used keeps all others from being sent. */
	private read(): ReturnType<typeof readItem> {
		let isUsable = false;
		try {
			const read = readItem(this.context, this.operation);
			isUsable = true;
			return read;
		} finally {
			if (!isUsable) this.attempt.refuse(this.index);
		}
	}

	async go(): Promise<INodeExecutionData[]> {
		const { context, operation, run, attempt } = this;
		const { request, settings } = this.read();
		if (!(await this.mayBeSent())) return [];
		this.connection = await attempt.inTurn(async () => await connect(context));
		const item = new Item(context, request, this.connection, run, attempt, settings);
		if (request.method === 'GET') return await perform(item, operation);
		const items = await run.changeOnce(this.index, async () => await perform(item, operation), mayRepeat);
		attempt.noteChange(this.index);
		return items;
	}

	/**
	 * Waits until the other items were started too. Bad input in one of them, or an expression that fails, ends the run before
	 * anything is sent, unless the node continues on errors.
	 */
	private async mayBeSent(): Promise<boolean> {
		if (this.context.continueOnFail()) return true;
		// All items are started in one go, those of a batch in one that were read before.
		await Promise.resolve();
		return !this.attempt.hasRefused && !this.attempt.hasFailed;
	}

	/** The error as n8n shows it: with the item, what to do, and never the key. */
	explain(error: unknown): Error {
		const shown = this.shownError(error);
		return isTool(this.context) ? forModel(shown) : shown;
	}

	private shownError(error: unknown): Error {
		const node = this.context.getNode();
		const itemIndex = this.index;
		if (error instanceof NodeOperationError) return error;
		if (error instanceof CredentialError) return new NodeOperationError(node, error.message, { itemIndex });
		if (error instanceof ValueError) return inputError(this.context, error);
		// An expression that fails.
		if (this.connection === undefined) return new NodeOperationError(node, error as Error, { itemIndex });
		const isApiError = error instanceof ApiError;
		const text =
			isApiError && error.kind === 'notOffered'
				? `This service does not offer "${this.operation.action}"`
				: error instanceof Error
					? error.message
					: String(error);
		const message = withoutKey(text, this.connection.apiKey);
		const description = isApiError ? `Item ${itemIndex}: ${error.advice}${this.doneBesides()}` : undefined;
		const httpCode = isApiError && error.statusCode !== undefined ? String(error.statusCode) : undefined;
		const shown = new NodeApiError(node, { message } as JsonObject, { message, description, httpCode, itemIndex });
		// n8n puts words of its own in place of a message that holds a system error code.
		shown.message = message;
		return shown;
	}

	/** What an error that ends a run leaves done, and how to go on. */
	private doneBesides(): string {
		const done = this.attempt.changedItems;
		if (done.length === 0) return '';
		const runAgain = this.operation.runAgain ?? 'To run again without doing them twice, leave those rows out.';
		return ` ${done.length} of ${this.attempt.size} rows were done all the same (${rowRanges(done)}). ${runAgain}`;
	}

	/**
	 * A failed item under On Error → Continue: the row itself, with the error's message, so that it can be found again. For the
	 * separate error output the engine adds the row, and recognises a failure by there being nothing but the error.
	 */
	failedItem(cause: unknown): INodeExecutionData {
		const error = this.explain(cause);
		// A link that the service gave in place of another one is told, so that nothing is lost.
		const link = cause instanceof OtherLinkError ? pick(cause.link.record, ['id', 'shorturl']) : undefined;
		const separate = this.context.getNode().onError === 'continueErrorOutput';
		const json = { ...(separate ? {} : this.context.getInputData().json), ...link, error: error.message };
		// Beside other fields, the engine recognises a failure by the error itself.
		return separate && link !== undefined ? { json, error: error as NodeApiError } : { json };
	}
}

/** An error that a model reads: of its message alone, so that what to do has to stand there; it knows of no items. */
function forModel(error: Error): Error {
	const { description } = error as NodeOperationError;
	// A system error code in the message would have n8n put words of its own in place of all of it.
	const advice = description?.replace(/^Item \d+: /, '').replace(/ \([A-Z_]+\)/g, '');
	const message = error.message.replace(/ \[item \d+\]$/, '');
	error.message = advice ? `${message}${/[.!?]$/.test(message) ? '' : '.'} ${advice}` : message;
	(error as NodeOperationError).description = advice;
	return error;
}

/** Rows as people count them, from 1, in short: "2 to 10, 12". */
function rowRanges(indexes: number[]): string {
	const ranges: Array<[first: number, last: number]> = [];
	for (const row of indexes.map((index) => index + 1)) {
		const latest = ranges.at(-1);
		if (latest?.[1] === row - 1) latest[1] = row;
		else ranges.push([row, row]);
	}
	const shown = ranges
		.slice(0, MOST_RANGES)
		.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
	return `${ranges.length === 1 && ranges[0][0] === ranges[0][1] ? 'row' : 'rows'} ${shown.join(', ')}${ranges.length > MOST_RANGES ? ', …' : ''}`;
}

function pick(record: IDataObject, names: string[]): IDataObject {
	return Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]));
}

/**
 * One item's way through the node: {@link runOperation} calls it for each input item, the engine's routing for each call of a tool.
 *
 * Requests are sent at the pace that the service allows, and repeated where that is safe; lists are read page by page; the items
 * get their pairing.
 *
 * @throws NodeOperationError for input, NodeApiError for what the service did; under On Error → Continue the failed row comes out
 */
export async function execute(
	context: IExecuteSingleFunctions,
	operation: ItemOperation,
): Promise<INodeExecutionData[]> {
	const run = runOf(context);
	const attempt = run.enter(context);
	const pairedItem = { item: context.getItemIndex() };
	const passage = new Passage(context, operation, run, attempt);
	let failure: unknown;
	try {
		const items = await passage.go();
		return items.map((item) => ({ ...item, pairedItem }));
	} catch (error) {
		if (error instanceof StoppedError && attempt.hasFailed) return [];
		if (context.continueOnFail() && !(error instanceof StoppedError)) {
			return [{ ...passage.failedItem(error), pairedItem }];
		}
		attempt.fail();
		failure = error;
	} finally {
		attempt.leave();
	}
	if (failure instanceof StoppedError) throw passage.explain(failure);
	// The others end first: the engine would take an error that comes while it starts items for one that nobody handles, and
	// what was done besides is known then.
	await attempt.ended;
	throw passage.explain(failure);
}

/** The routing of an operation: a call of the node as an agent's tool goes through {@link execute}. */
export function executing(operation: ItemOperation): INodePropertyRouting {
	return {
		request: operation.request,
		send: { paginate: true },
		operations: {
			async pagination(this: IExecutePaginationFunctions) {
				return await execute(this, operation);
			},
		},
	};
}

import {
	NodeApiError,
	NodeOperationError,
	type DeclarativeRestApiSettings,
	type IDataObject,
	type IExecutePaginationFunctions,
	type IExecuteSingleFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
	type INodeExecutionData,
	type JsonObject,
	type PostReceiveAction,
} from 'n8n-workflow';

import { connect, speak, type Connection } from './connection';
import { faultIn, isRecord, readPage, type Answer, withoutError } from './envelope';
import { exchange } from './exchange';
import { CredentialError, Fault } from './fault';
import { withoutKey } from './key';
import { collect } from './listing';
import { planOf, type Plan, type Recovery } from './prepare';
import { runOf, type Run } from './run';
import { StoppedError } from './stopping';

function hear(context: IExecuteSingleFunctions, response: IN8nHttpFullResponse): Answer {
	const { statusCode, headers, body } = response;
	const answer: Answer = { statusCode, headers, body };
	runOf(context).hear(context.getItemIndex(), answer);
	return answer;
}

/**
 * First step after a response with one record: keeps the response for the door, and takes the envelope off. An answer that
 * is no success gives nothing; the door sees to it.
 */
export const openRecord: PostReceiveAction = async function (_items, response) {
	const answer = hear(this, response);
	if (faultIn(answer) !== undefined) return [];
	return [{ json: withoutError(answer.body as IDataObject) }];
};

/** The same for a list: one item for each record of the collection. */
export function openList(collection: string): PostReceiveAction {
	return async function (_items, response) {
		const answer = hear(this, response);
		if (faultIn(answer) !== undefined) return [];
		return readPage(answer.body, collection).records.map((json) => ({ json }));
	};
}

/** One item's way to the service and back. */
class Passage {
	private readonly request: IHttpRequestOptions;
	private readonly plan: Plan;
	private connection!: Connection;

	constructor(
		private readonly context: IExecutePaginationFunctions,
		private readonly requestData: DeclarativeRestApiSettings.ResultOptions,
		private readonly run: Run,
		private readonly index: number,
	) {
		this.request = requestData.options as IHttpRequestOptions;
		this.plan = planOf(this.request);
	}

	/** @returns the items that came of it */
	async go(): Promise<INodeExecutionData[]> {
		if (this.plan.refusal !== undefined) throw this.plan.refusal;
		this.connection = await this.run.connect(this.context);
		this.request.baseURL = this.connection.address;
		if (this.plan.list !== undefined) return await this.list(this.plan.list);
		return this.request.method === 'GET' ? (await this.send()).items : await this.change();
	}

	/** Sends the request as it stands until there is an answer. */
	private async send(): Promise<{ items: INodeExecutionData[]; answer: Answer }> {
		let items: INodeExecutionData[] = [];
		const answer = await exchange({
			budget: this.connection.budget,
			caller: this.run,
			signal: this.run.signal,
			failFast: this.plan.failFast,
			method: this.request.method ?? 'GET',
			key: this.connection.apiKey,
			send: async () => {
				items = await this.context.makeRoutingRequest(this.requestData);
				return this.run.heard(this.index);
			},
		});
		return { items, answer };
	}

	private async list({ collection, wanted }: NonNullable<Plan['list']>): Promise<INodeExecutionData[]> {
		const query = this.request.qs ?? {};
		const records = await collect(async (page, limit) => {
			this.request.qs = { ...query, page, ...(limit === undefined ? {} : { limit }) };
			const { items, answer } = await this.send();
			return { ...readPage(answer.body, collection), records: items.map(({ json }) => json) };
		}, wanted);
		return records.map((json) => ({ json }));
	}

	/** Sends a change once, whatever n8n's Retry On Fail does, and finds out what became of it when the answer was lost. */
	private async change(): Promise<INodeExecutionData[]> {
		const kept = this.run.kept(this.context, this.request);
		if (kept !== undefined) {
			if ('error' in kept) throw kept.error;
			return kept.items;
		}
		const items = await this.send().then(
			(sent) => sent.items,
			async (error: unknown) => await this.recover(error),
		);
		this.run.keep(this.context, this.request, { items });
		return items;
	}

	/** What became of a change that failed; throws where it stays a failure. */
	private async recover(error: unknown): Promise<INodeExecutionData[]> {
		const { recovery, returnExisting } = this.plan;
		const kind = error instanceof Fault ? error.kind : undefined;
		if (kind === 'uncertain') return await this.clear(error as Fault, recovery);
		if (kind === 'rejected' && returnExisting && recovery !== undefined) return await this.existing(error as Fault, recovery);
		throw error;
	}

	/** Clears up whether a change was made whose answer never came. */
	private async clear(fault: Fault, recovery: Recovery | undefined): Promise<INodeExecutionData[]> {
		const isCreation = this.request.method === 'POST';
		const open = new Fault(
			'uncertain',
			isCreation ? `${fault.message}. It may have been created all the same` : `${fault.message}. The change may have been made all the same`,
			`The request was sent, but its answer did not arrive. It was not sent again, so that nothing is done twice. Look at the service before you run this row again. ${fault.advice}`,
			fault.statusCode,
		);
		this.run.keep(this.context, this.request, { error: open });
		const record = await this.lookUp(recovery).catch((error: unknown) => {
			throw error instanceof StoppedError ? error : open;
		});
		if (record === undefined || recovery?.matches(this.body, record) !== true) throw open;
		return [{ json: record }];
	}

	/** The record that has the name already, instead of the service's refusal. */
	private async existing(refusal: Fault, recovery: Recovery): Promise<INodeExecutionData[]> {
		const record = await this.lookUp(recovery);
		if (record === undefined) throw refusal;
		if (!recovery.matches(this.body, record)) {
			throw new Fault('rejected', recovery.conflict(this.body), `The service's answer to the creation was: ${refusal.message}`, refusal.statusCode);
		}
		return [{ json: { ...record, existing: true } }];
	}

	/** Asks for the record that a creation would have made. */
	private async lookUp(recovery: Recovery | undefined): Promise<IDataObject | undefined> {
		const lookup = recovery?.lookup(this.body, this.connection.address);
		if (recovery === undefined || lookup === undefined) return undefined;
		const { proxy, timeout, skipSslCertificateValidation, allowedDomains } = this.request as IHttpRequestOptions & { allowedDomains?: string };
		const settings = { proxy, timeout, skipSslCertificateValidation, ...(allowedDomains === undefined ? {} : { allowedDomains }) };
		const answer = await speak(
			this.context,
			// The item's own: a credential may take its key from the item by an expression.
			await connect(this.context),
			{ method: 'GET', ...lookup, settings },
			{ caller: this.run, signal: this.run.signal, failFast: this.plan.failFast },
		).catch((error: unknown) => {
			// The service says that it has no such record.
			if (error instanceof Fault && error.kind === 'rejected') return undefined;
			throw error;
		});
		return answer && recovery.found(this.body, answer.body as IDataObject, this.connection.address);
	}

	private get body(): IDataObject {
		return isRecord(this.request.body) ? this.request.body : {};
	}

	/** The error as n8n shows it: with the item, what to do, and never the key. */
	explain(error: unknown): Error {
		const node = this.context.getNode();
		const itemIndex = this.index;
		if (error instanceof NodeOperationError) return error;
		if (error instanceof CredentialError) return new NodeOperationError(node, error.message, { itemIndex });
		const message = withoutKey(error instanceof Error ? error.message : String(error), this.connection?.apiKey ?? '');
		const description = error instanceof Fault ? `Item ${itemIndex}: ${error.advice}` : undefined;
		const httpCode = error instanceof Fault && error.statusCode !== undefined ? String(error.statusCode) : undefined;
		const shown = new NodeApiError(node, { message } as JsonObject, { message, description, httpCode, itemIndex });
		// n8n puts words of its own in place of a message that holds a system error code.
		shown.message = message;
		return shown;
	}
}

/**
 * A failed item under On Error → Continue: the row itself, with the error's message, so that it can be found again. For the
 * separate error output the engine adds the row, and recognises a failure by there being nothing but the error.
 */
function failedItem(context: IExecuteSingleFunctions, error: Error): INodeExecutionData {
	const separate = context.getNode().onError === 'continueErrorOutput';
	return { json: { ...(separate ? {} : context.getInputData().json), error: error.message } };
}

/**
 * How many items the engine is about to send, where that can be told. With batching they come in groups.
 */
function expectedItems(context: IExecuteSingleFunctions): number {
	const { node, data } = context.getExecuteData();
	const { batching } = context.getNodeParameter('requestOptions', {}) as IDataObject;
	if (node.name !== context.getNode().name || node.executeOnce === true || batching !== undefined) return 1;
	return data.main?.[0]?.length ?? 1;
}

/**
 * The door: every request of the node passes through here, one call for each input item (it is the node's pagination function,
 * which the engine calls in place of sending the request itself).
 *
 * It sends at the pace that the service allows, repeats what can safely be repeated, pages through lists, and gives the items
 * their pairing. Bad input in any item ends the run before anything is sent, unless the node continues on errors.
 *
 * @throws NodeOperationError for input, NodeApiError for what the service did; under On Error → Continue the failed row comes out
 */
export async function throughDoor(
	this: IExecutePaginationFunctions,
	requestData: DeclarativeRestApiSettings.ResultOptions,
): Promise<INodeExecutionData[]> {
	const run = runOf(this);
	const index = this.getItemIndex();
	const continues = this.continueOnFail();
	const passage = new Passage(this, requestData, run, index);
	try {
		const isRefused = planOf(requestData.options as IHttpRequestOptions).refusal !== undefined;
		if (!continues && !isRefused && run.hasRefusedItem) return [];
		// The engine gave up while it prepared a later item (an expression failed): nobody looks at what comes of this one.
		if (!continues && run.preparedCount < expectedItems(this)) return [];
		if (!continues && run.hasFailed) return [];
		const items = await passage.go();
		return items.map((item) => ({ ...item, pairedItem: { item: index } }));
	} catch (error) {
		if (error instanceof StoppedError && run.hasFailed) return [];
		const explained = passage.explain(error);
		if (continues && !(error instanceof StoppedError)) {
			return [{ ...failedItem(this, explained), pairedItem: { item: index } }];
		}
		run.fail();
		throw explained;
	} finally {
		run.end();
	}
}

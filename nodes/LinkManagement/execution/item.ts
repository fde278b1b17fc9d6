import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { Connection } from '../api/connection';
import type { Answer } from '../api/envelope';
import type { ListAccess } from '../api/list';
import { sendRequest, type Manner, type ServiceRequest } from '../api/sendRequest';
import type { ItemRequest } from './request';
import type { RequestSettings } from './requestOptions';
import type { Run, Try } from './run';

/** One input item on its way to the service: what it asks for, and what it is sent with. */
export class Item {
	readonly manner: Manner;

	constructor(
		readonly context: IExecuteSingleFunctions,
		readonly request: ItemRequest,
		readonly connection: Connection,
		readonly run: Run,
		readonly attempt: Try,
		readonly settings: RequestSettings,
	) {
		this.manner = {
			caller: run,
			signal: attempt.signal,
			failFast: request.options.ifRateLimited === 'fail',
			interactive: attempt.size === 1,
		};
	}

	/** Sends a request of this item; its own one unless another is given. */
	async send(request: ServiceRequest = this.request): Promise<Answer> {
		const { context, connection, settings, manner } = this;
		return await sendRequest(context, connection, { ...request, settings }, manner);
	}

	/** The list that this item's request asks for, to be read page by page. */
	list(collection: ListAccess['collection']): ListAccess {
		const { path, query } = this.request;
		const { address } = this.connection;
		return { path, query, collection, address, send: async (request) => await this.send(request) };
	}
}

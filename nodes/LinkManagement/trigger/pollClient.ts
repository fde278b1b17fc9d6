import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Connection } from '../service/connection';
import { type SendOptions, ServiceClient, type ServiceRequest } from '../service/send/serviceClient';

interface PollOptions extends Required<Pick<SendOptions, 'priority' | 'signal' | 'deadline'>> {
	/** The trigger that polls. */
	reader: string;
	/** It takes no page of other triggers. */
	isAlone: boolean;
}

/** Sends the requests of one poll, as those of one caller. Pages are shared with other triggers. */
export class PollClient extends ServiceClient {
	/** @param connection read once for all requests: n8n takes milliseconds to decrypt a credential */
	constructor(
		context: IPollFunctions,
		connection: Connection,
		readonly how: PollOptions,
	) {
		super(context, connection, { caller: {}, ...how });
	}

	/** Asks for a page, or takes that of another trigger. */
	override async send(request: ServiceRequest): Promise<IDataObject> {
		request.onSend?.();
		const key = JSON.stringify([request.path, request.query]);
		return await this.connection.pages.page(key, async () => await super.send(request), this.how);
	}
}

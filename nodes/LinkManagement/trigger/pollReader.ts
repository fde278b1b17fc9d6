import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { linkIn, LinkIndex } from '../links/account';
import { Slices } from '../n8n/slices';
import { StoppedError } from '../n8n/stop';
import type { Connection } from '../service/connection';
import { ApiError, isNotShown } from '../service/answer/errors';
import { type ListClient, ListReader } from '../service/lists/listReader';
import { type SendOptions, ServiceClient, type ServiceRequest } from '../service/send/serviceClient';
import type { Listing, RecordSource, ServiceRecord, SingleRecord } from '../watch';
import type { TriggerEvent } from './events';

/** Page size if not all records are read. */
const SMALL_PAGE = 100;

/** Reads records for one poll, until its time is up. All its requests are those of one caller; pages are shared with other triggers. */
export class PollReader implements RecordSource, ListClient {
	private readonly slices = new Slices();
	private readonly client: ServiceClient;
	/** The service has answered. */
	hasAnswer = false;

	/**
	 * @param connection read once for all requests: n8n takes milliseconds to decrypt a credential
	 * @param how the trigger that polls, whether it takes no page of other triggers, and when the time for all requests is over: the
	 * signal fires then, or before
	 */
	constructor(
		context: IPollFunctions,
		readonly connection: Connection,
		private readonly event: TriggerEvent,
		private readonly how: Pick<SendOptions, 'priority'> & {
			reader: string;
			isAlone: boolean;
			signal: AbortSignal;
			deadline: number;
		},
	) {
		const { priority, signal, deadline } = how;
		this.client = new ServiceClient(context, connection, { caller: this, priority, signal, deadline });
	}

	/** Asks for a page, or takes that of another trigger. */
	async send(request: ServiceRequest): Promise<IDataObject> {
		request.onSend?.();
		const key = JSON.stringify([request.path, request.query]);
		return await this.connection.pages.page(key, async () => await this.client.send(request), this.how);
	}

	/** The listing, of which nothing is read yet. */
	list(): ListReader {
		const { listed, isNewestFirst } = this.event;
		// If one page is usually enough, a small one saves time; if all are read, large ones save requests.
		return new ListReader(this, listed, { largest: isNewestFirst ? SMALL_PAGE : undefined, ifShort: 'tell' });
	}

	/**
	 * Reads the next page of a listing of this trigger.
	 *
	 * @throws ApiError when the service fails
	 */
	async page(listing: Listing): Promise<ServiceRecord[] | undefined> {
		return await this.inTime(async () => (await (listing as ListReader).next(this)) ?? []);
	}

	/** Reads. @returns undefined when time is up: by the clock, or while a request waited for the rate limit */
	private async inTime<Answer>(read: () => Promise<Answer>): Promise<Answer | undefined> {
		await this.slices.yieldIfDue();
		const { signal, deadline } = this.how;
		const isOver = () => this.hasAnswer && (signal.aborted || Date.now() >= deadline);
		if (isOver()) return undefined;
		const answer = await read().catch((error: unknown) => {
			const isOfLimit = error instanceof StoppedError || (error instanceof ApiError && error.kind === 'rateLimited');
			if (isOfLimit || isOver()) return undefined;
			throw error;
		});
		this.hasAnswer ||= answer !== undefined;
		return answer;
	}

	/**
	 * Reads one record, in the shape of the listing.
	 *
	 * @returns `gone` if the service says that there is no such record, `unknown` if it refuses for another reason or shows no count
	 */
	async record(id: number): Promise<SingleRecord | undefined> {
		return await this.inTime(async () => await this.lookUp(id));
	}

	private async lookUp(id: number): Promise<SingleRecord> {
		const { recordPath, countField } = this.event.listed;
		const body = await this.client.lookUp(recordPath!(id)).catch((error: unknown) => {
			if (isNotShown(error)) return 'unknown' as const;
			throw error;
		});
		if (body === undefined) return 'gone';
		if (body === 'unknown') return body;
		const record = new LinkIndex(this.connection.address).withAlias(linkIn(body, id));
		return record[countField] === undefined ? 'unknown' : record;
	}
}

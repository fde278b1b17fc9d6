import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { flatRecord } from '../fields/statistics';
import type { Connection, Manner } from '../service/connection';
import { withoutError } from '../service/envelope';
import { Fault } from '../service/fault';
import { getOne, listPage } from '../service/listing';
import { wholeNumber, type Listing, type ServiceRecord } from '../watch';
import type { TriggerEvent } from './events';

/** Pages larger than this may be refused instead of granted smaller. */
const SURELY_GRANTED = 100;

/** Reads what an event is about, for one poll. All its requests take their turn as one caller's. */
export class Reader {
	/** The service refuses large pages: it decides the size. */
	refusesLargePages = false;

	constructor(
		private readonly context: IPollFunctions,
		/** Read once for all requests: n8n takes milliseconds to decrypt a credential and resolve its expressions. */
		private readonly connection: Connection,
		private readonly event: TriggerEvent,
		private readonly signal?: AbortSignal,
	) {}

	private get manner(): Manner {
		return { caller: this, signal: this.signal };
	}

	/**
	 * Reads one page of the listing.
	 *
	 * @param size records on a page; the event's own size when left out
	 * @throws Fault when the service fails, StoppedError when the signal fires before the request's turn
	 */
	async page(page: number, size?: number, query: IDataObject = this.event.query): Promise<Listing> {
		const { path, collection } = this.event.listed;
		const limit = size ?? (this.refusesLargePages ? undefined : this.event.pageSize);
		return await listPage(this.context, this.connection, { path, collection, page, limit, query }, this.manner).catch(async (error: unknown) => {
			const isRefusal = error instanceof Fault && (error.statusCode === 400 || error.statusCode === 422);
			if (!isRefusal || limit === undefined || limit <= SURELY_GRANTED) throw error;
			this.refusesLargePages = true;
			return await listPage(this.context, this.connection, { path, collection, page, query }, this.manner);
		});
	}

	/**
	 * Reads one record, in the shape of the listing.
	 *
	 * @returns undefined when the service says that it has no such record
	 */
	async record(id: number): Promise<ServiceRecord | undefined> {
		const { recordPath, countField } = this.event.listed;
		const answer = await getOne(this.context, this.connection, recordPath(id), this.manner).catch((error: unknown) => {
			const { kind, statusCode = 200 } = error as Partial<Fault>;
			if (!(error instanceof Fault) || kind !== 'rejected' || statusCode >= 500) throw error;
			if (statusCode === 401 || statusCode === 403) throw error;
			return undefined;
		});
		if (answer === undefined) return undefined;
		const record = flatRecord({ ...withoutError(answer), id });
		// The statistics of a QR code count its scans as clicks.
		return wholeNumber(record[countField]) === undefined ? { ...record, [countField]: record.clicks } : record;
	}
}

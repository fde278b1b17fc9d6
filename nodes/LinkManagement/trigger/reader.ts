import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { flatRecord } from '../api/flatRecord';
import type { Connection } from '../api/connection';
import { sendRequest, type ServiceRequest } from '../api/sendRequest';
import { isRecord, withoutError, type Answer as ServiceAnswer } from '../api/envelope';
import { ApiError } from '../api/apiError';
import { PassReader, readRecord } from '../api/list';
import { isLastPage, lastPage, totalOf } from '../api/paging';
import { idOf, wholeNumber, type Listing, type ServiceRecord } from '../watch';
import type { TriggerEvent } from './events';

/** Reads what an event is about, for one poll. All its requests are permitted as one caller's. */
export class Reader {
	constructor(
		private readonly context: IPollFunctions,
		/** Read once for all requests: n8n takes milliseconds to decrypt a credential and resolve its expressions. */
		private readonly connection: Connection,
		private readonly event: TriggerEvent,
		private readonly signal?: AbortSignal,
		/** When the signal fires (ms since 1970). */
		private readonly deadline?: number,
	) {}

	/** Sends a request of this poll. */
	readonly send = async (request: ServiceRequest): Promise<ServiceAnswer> => {
		const { signal, deadline } = this;
		return await sendRequest(this.context, this.connection, request, { caller: this, signal, deadline });
	};

	/**
	 * Reads one page of the listing.
	 *
	 * @param number of the page, from 1
	 * @param size records on a page, as the first page was granted; left out for that one
	 * @throws ApiError when the service fails, StoppedError when the signal fires before the request is permitted
	 */
	async page(number: number, size?: number, query: IDataObject = this.event.query): Promise<Listing> {
		const { listed, reading, largestPage } = this.event;
		const { path, collection } = listed;
		const access = { path, collection, query, address: this.connection.address, send: this.send };
		const page = await new PassReader(access, reading === 'all', largestPage).page(number, size);
		const { records, perpage } = page;
		return {
			records,
			isLast: isLastPage(page, number, perpage),
			size: perpage,
			total: totalOf(page, (number - 1) * perpage),
			lastPage: lastPage(page, perpage),
		};
	}

	/**
	 * What tells the account from all others (spec, "Account"): an ID alone is the same at many services.
	 *
	 * @returns undefined when the service does not tell
	 */
	async account(): Promise<unknown[] | undefined> {
		const answer = await readRecord(this, '/api/account').catch((error: unknown) => {
			if (isRefusal(error)) return undefined;
			throw error;
		});
		const account = isRecord(answer?.data) ? answer.data : {};
		const id = idOf(account);
		return id === undefined ? undefined : [id, new URL(this.connection.address).host];
	}

	/**
	 * Reads one record, in the shape of the listing.
	 *
	 * @returns `gone` when the service says that it has no such record, `unknown` when it refuses for another reason
	 */
	async record(id: number): Promise<ServiceRecord | 'gone' | 'unknown'> {
		const { recordPath, countField } = this.event.listed;
		const answer = await readRecord(this, recordPath(id)).catch((error: unknown) => {
			if (!isRefusal(error) || error.statusCode === 401 || error.statusCode === 403) throw error;
			return saysGone(error) ? 'gone' : 'unknown';
		});
		if (answer === 'gone' || answer === 'unknown') return answer;
		const record = flatRecord({ ...withoutError(answer), id });
		// The statistics of a QR code count its scans as clicks.
		return wholeNumber(record[countField]) === undefined ? { ...record, [countField]: record.clicks } : record;
	}
}

/** Whether the service has said no, for good. */
function isRefusal(error: unknown): error is ApiError {
	if (!(error instanceof ApiError)) return false;
	const { kind, statusCode = 200 } = error;
	return (
		(kind === 'rejected' || kind === 'unreadable') && statusCode < 500 && (kind === 'rejected' || statusCode >= 400)
	);
}

/** The document has no status and no text for a record that is not there, so both count. */
function saysGone({ statusCode, message }: ApiError): boolean {
	if (statusCode === 404 || statusCode === 410) return true;
	return /not (be )?found|(does|do)( not|n.t) exist|no such|no longer|deleted/i.test(message);
}

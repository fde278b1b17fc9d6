import type { IPollFunctions } from 'n8n-workflow';

import { linkIn, LinkIndex } from '../links/linkIndex';
import { Slices } from '../n8n/slices';
import { StoppedError } from '../n8n/stop';
import type { Connection } from '../service/connection';
import { isNotShown, ValueError } from '../service/errors';
import { ListReader } from '../service/listReader';
import { idOf, wholeNumber } from '../service/records';
import { HttpServiceClient, type ServiceClient } from '../service/serviceClient';
import type { Listing, RecordSource, ServiceRecord, SingleRecord } from '../watch';
import type { TriggerEvent } from './events';

/** Page size if not all records are read. */
const FEW = 100;

/** Reads records for one poll, until its time is up. All its requests are those of one caller. */
export class PollReader implements RecordSource {
	private hasWatchable = false;
	/** A value that is not a whole number: the ID or the count of a record that can't be watched. */
	private unwatchable?: { field: string; value: unknown };
	private readonly slices = new Slices();
	private readonly client: ServiceClient;
	private hasRead = false;

	/**
	 * @param connection read once for all requests: n8n takes milliseconds to decrypt a credential
	 * @param end when the time for all requests is over: the signal fires then, or before
	 */
	constructor(
		context: IPollFunctions,
		connection: Connection,
		private readonly event: TriggerEvent,
		private readonly end: { signal: AbortSignal; deadline: number },
	) {
		this.client = new HttpServiceClient(context, connection, { caller: this, interactive: true, ...end });
	}

	/** The listing, of which nothing is read yet. */
	list(): ListReader {
		const { listed, isNewestFirst } = this.event;
		// If one page is usually enough, a small one saves time; if all are read, large ones save requests.
		return new ListReader(this.client, listed, { largest: isNewestFirst ? FEW : undefined, ifShort: 'tell' });
	}

	/**
	 * Reads the next page of a listing of this trigger.
	 *
	 * @throws ApiError when the service fails, StoppedError when time is up before there was any answer
	 */
	async page(listing: Listing): Promise<ServiceRecord[] | undefined> {
		return await this.inTime(async () => {
			const records = (await (listing as ListReader).next(this.client)) ?? [];
			for (const record of records) this.note(record);
			return records;
		});
	}

	/** Reads, unless time is up. @returns undefined when time is up, by the clock or while a request waited */
	private async inTime<Answer>(read: () => Promise<Answer>): Promise<Answer | undefined> {
		await this.slices.yieldIfDue();
		const { signal, deadline } = this.end;
		const isOver = () => this.hasRead && (signal.aborted || Date.now() >= deadline);
		if (isOver()) return undefined;
		const answer = await read().catch((error: unknown) => {
			if (isOver() || (this.hasRead && error instanceof StoppedError)) return undefined;
			throw error;
		});
		this.hasRead = true;
		return answer;
	}

	private note(record: ServiceRecord): void {
		const { kind, listed } = this.event;
		const count = record[listed.countField];
		// A record without clicks may have no count yet.
		const isCounted = kind === 'created' || count === null || wholeNumber(count, 0) !== undefined;
		const field = idOf(record) === undefined ? 'id' : isCounted ? undefined : listed.countField;
		if (field === undefined) this.hasWatchable = true;
		else this.unwatchable ??= { field, value: record[field] };
	}

	/** @throws ValueError if no record that was read can be watched: its ID, or its count where counts matter, is not a whole number */
	refuseUnwatchable(): void {
		if (this.unwatchable === undefined || this.hasWatchable) return;
		const { field, value } = this.unwatchable;
		const { kind, listed } = this.event;
		// Shortened after the key is removed: half a key must not remain.
		const text = this.client.connection.redact.text(JSON.stringify(value) ?? '').slice(0, 100);
		throw new ValueError(
			`This service can't be watched for ${kind === 'created' ? `new ${listed.noun}s` : listed.countField}`,
			`"${field}" must be a whole number up to ${Number.MAX_SAFE_INTEGER}, and the service sends ${text === '' ? 'none' : `such as ${text}`}.`,
		);
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
		const body = await this.client.lookUp(recordPath(id)).catch((error: unknown) => {
			if (isNotShown(error)) return 'unknown' as const;
			throw error;
		});
		if (body === undefined) return 'gone';
		if (body === 'unknown') return body;
		const record = new LinkIndex(this.client.connection.address).withAlias(linkIn(body, id));
		// The statistics of a QR code count its scans as clicks. A code that leads to no link has none.
		const count = record[countField] ?? record.clicks;
		return count === undefined ? 'unknown' : { ...record, [countField]: count };
	}
}

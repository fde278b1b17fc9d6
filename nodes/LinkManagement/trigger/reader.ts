import type { IPollFunctions } from 'n8n-workflow';

import { linkIn } from '../links/linkIndex';
import { ApiError } from '../service/errors';
import type { Connection } from '../service/connection';
import { idOf, wholeNumber } from '../service/records';
import { ListReader } from '../service/list';
import { ServiceSpeaker, type Speaker } from '../service/sendRequest';
import type { Reply, Listing, Place, ServiceRecord, Single, Wanted } from '../watch';
import type { TriggerEvent } from './events';

/** Reads what an event is about, for one poll. All its requests are permitted as one caller's. */
export class Reader {
	met = 0;
	/** Of those among them that can't be watched, what is no whole number: the ID or the count. */
	readonly unwatched: Array<{ field: string; value: unknown }> = [];
	/** When the time is up (ms since 1970). */
	readonly deadline: number;
	private readonly speaker: Speaker;
	private list?: ListReader;

	/**
	 * @param connection read once for all requests: n8n takes milliseconds to decrypt a credential and resolve its expressions
	 * @param budget the time that there is for all of them (ms)
	 */
	constructor(
		context: IPollFunctions,
		connection: Connection,
		private readonly event: TriggerEvent,
		budget: number,
	) {
		this.deadline = Date.now() + budget;
		const signal = AbortSignal.timeout(budget);
		this.speaker = new ServiceSpeaker(context, connection, { caller: this, signal, deadline: this.deadline });
	}

	async answer(wanted: Wanted): Promise<Reply> {
		return 'id' in wanted ? { record: await this.record(wanted.id) } : { listing: await this.page(wanted.begin) };
	}

	/**
	 * Reads the next page of the listing.
	 *
	 * @param begin where the reading begins, if this is its first page
	 * @throws ApiError when the service fails, StoppedError when the signal fires before the request is permitted
	 */
	async page(begin?: Place): Promise<Listing> {
		const { listed, largestPage: largest } = this.event;
		this.list ??= new ListReader(this.speaker, listed, { place: begin, largest });
		const records = (await this.list.next()) ?? [];
		for (const record of records) this.note(record);
		const { place, total } = this.list;
		return { records, total, ...(place !== undefined && { place }) };
	}

	private note(record: ServiceRecord): void {
		this.met++;
		const { kind, listed } = this.event;
		const count = record[listed.countField];
		// A record that was never clicked may have no count yet.
		const isCounted = kind === 'created' || count === null || wholeNumber(count, 0) !== undefined;
		if (idOf(record) === undefined) this.unwatched.push({ field: 'id', value: record.id });
		else if (!isCounted) this.unwatched.push({ field: listed.countField, value: count });
	}

	/**
	 * Reads one record, in the shape of the listing.
	 *
	 * @returns `gone` when the service says that it has no such record, `unknown` when it refuses for another reason or shows no count
	 */
	async record(id: number): Promise<Single> {
		const { recordPath, countField } = this.event.listed;
		const body = await this.speaker.lookUp(recordPath(id)).catch((error: unknown) => {
			if (isNotShown(error)) return 'unknown' as const;
			throw error;
		});
		if (body === undefined) return 'gone';
		if (body === 'unknown') return body;
		const record = linkIn(body, id);
		// The statistics of a QR code count its scans as clicks. A code that leads to no link has none.
		const count = record[countField] ?? record.clicks;
		return count === undefined ? 'unknown' : { ...record, [countField]: count };
	}
}

/** Whether the service does not show a record by itself, for good. */
function isNotShown(error: unknown): boolean {
	if (!(error instanceof ApiError)) return false;
	const { kind, statusCode = 200 } = error;
	return kind === 'refused' || error.of === 'endpoint' || (kind === 'unreadable' && statusCode >= 400);
}

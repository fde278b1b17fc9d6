import type { IDataObject } from 'n8n-workflow';

import { ApiError } from '../api/apiError';
import { ListReader, readList } from '../api/list';
import { isRecord, recordsIn } from '../api/records';
import type { ServiceRequest, Speaker } from '../api/sendRequest';
import type { LinkRecord } from './linkIndex';

/** What a search by short URL brought (spec, GET /api/urls, `short`). */
type ShortUrlAnswer =
	/** The service's answer, the link's details and statistics. */
	| { details: IDataObject }
	/** There is no such link. */
	| 'none'
	/** A list: the service ignores `short`, or shows in this way what it has found. */
	| { records: readonly LinkRecord[] };

/** Asks the service for links in the name of a row, or of a dropdown. */
export class AccountReader {
	/** How many requests were made so far. */
	requests = 0;

	constructor(private readonly speaker: Speaker) {}

	get connection(): Speaker['connection'] {
		return this.speaker.connection;
	}

	async send(request: ServiceRequest): Promise<IDataObject> {
		this.requests++;
		return await this.speaker.send(request);
	}

	/**
	 * The whole list, newest first, or what a keyword search finds; a page at a time, and the caller may stop early. Each comes with
	 * what the list tells of its length.
	 */
	async *pages(keyword?: string) {
		const query = keyword === undefined ? { order: 'date' } : { q: keyword };
		const list = new ListReader(this, { path: '/api/urls', collection: 'urls', query });
		for (let records = await list.next(); records !== undefined; records = await list.next()) {
			// Who asks holds them from here on.
			list.release();
			const { total, pagesLeft } = list;
			yield { records, total, pagesLeft };
		}
	}

	async byShortUrl(short: string): Promise<ShortUrlAnswer> {
		this.requests++;
		const body = await this.speaker.lookUp('/api/urls', { short });
		if (body === undefined) return 'none';
		return isRecord(body.details) ? { details: body } : { records: recordsIn(body, 'urls') ?? [] };
	}

	/** The account's domains, as their list has them. */
	async domains(): Promise<string[]> {
		// A service without this list has no domains but those on which its links were seen.
		const list = { path: '/api/domains', collection: 'domains' };
		const domains = await readList(this, list, Infinity).catch((error: unknown) => {
			if (error instanceof ApiError && error.kind === 'noEndpoint') return [];
			throw error;
		});
		return domains.flatMap(({ domain }) => (typeof domain === 'string' && domain !== '' ? [domain] : []));
	}

	/** The details of a link (spec, GET /api/url/:id), as sent; undefined when there is no such link. */
	async byId(id: number | string): Promise<IDataObject | undefined> {
		this.requests++;
		return await this.speaker.lookUp(`/api/url/${encodeURIComponent(String(id))}`);
	}
}

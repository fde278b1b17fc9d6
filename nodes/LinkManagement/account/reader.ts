import { ApiError } from '../api/apiError';
import { ListReader, readList } from '../api/list';
import { isRecord, recordsIn } from '../api/records';
import type { ServiceRequest, Speaker } from '../api/sendRequest';
import type { AccountReader, LinkPage, ShortUrlAnswer } from './accountLinks';

/** Asks the service for links in the name of a row, or of a dropdown. */
export function readerOf(speaker: Speaker): AccountReader {
	const send = async (request: ServiceRequest) => {
		reader.requests++;
		return await speaker.send(request);
	};
	const reader: AccountReader = {
		requests: 0,

		async *pages(keyword?: string): AsyncGenerator<LinkPage, void, undefined> {
			const list = new ListReader({
				path: '/api/urls',
				collection: 'urls',
				query: keyword === undefined ? { order: 'date' } : { q: keyword },
				learned: speaker.connection.learned,
				send,
			});
			for (let records = await list.next(); records !== undefined; records = await list.next()) {
				// Who asks holds them from here on.
				list.release();
				const { total, pagesLeft } = list;
				yield { records, pagesLeft, ...(total === undefined ? {} : { result: total }) };
			}
		},

		async byShortUrl(short): Promise<ShortUrlAnswer> {
			reader.requests++;
			const body = await speaker.lookUp('/api/urls', { short });
			if (body === undefined) return 'none';
			return isRecord(body.details) ? { details: body } : { records: recordsIn(body, 'urls') ?? [] };
		},

		async domains() {
			const { learned } = speaker.connection;
			// A service without this list has no domains but those on which its links were seen.
			const domains = await readList({ path: '/api/domains', collection: 'domains', learned, send }, Infinity).catch(
				(error: unknown) => {
					if (error instanceof ApiError && error.kind === 'noEndpoint') return [];
					throw error;
				},
			);
			return domains.flatMap(({ domain }) => (typeof domain === 'string' && domain !== '' ? [domain] : []));
		},

		async byId(id) {
			reader.requests++;
			return await speaker.lookUp(`/api/url/${encodeURIComponent(String(id))}`);
		},
	};
	return reader;
}

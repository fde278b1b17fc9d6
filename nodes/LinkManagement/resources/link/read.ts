import type { IDataObject } from 'n8n-workflow';

import { isRecord, withoutError } from '../../api/envelope';
import { linkIn, readerOf, unlessRejected } from '../../execution/accountLinks';
import type { Item } from '../../execution/item';
import { noSuchLink, ShortUrl } from '../../execution/references';
import { aliasOf, isSameUrl } from '../../match/url';

/** The details of a link by its ID (spec, GET /api/url/:id), as sent. */
export async function readById(item: Item, id: unknown): Promise<IDataObject> {
	const answer = await item.send({ method: 'GET', path: `/api/url/${encodeURIComponent(String(id))}` });
	return withoutError(answer.body as IDataObject);
}

/**
 * The details of a link by its short URL (spec, GET /api/urls, `short`: "if there is a match, a single-link response is
 * returned"). Some services ignore the parameter, and answer with a list.
 *
 * @throws NodeOperationError when there is no such link
 */
async function readByShortUrl(item: Item, reference: ShortUrl): Promise<IDataObject> {
	for (const short of reference.candidates) {
		const body = await unlessRejected(async () => {
			const answer = await item.send({ method: 'GET', path: '/api/urls', query: { short } });
			return withoutError(answer.body as IDataObject);
		});
		if (body === undefined) continue;
		if (isRecord(body.details)) {
			if (isSameUrl(body.details.shorturl ?? short, short)) return body;
			continue;
		}
		const isMeant = ({ shorturl }: { shorturl?: unknown }) => isSameUrl(shorturl, short);
		const listed =
			linkIn(body, isMeant) ?? (await readerOf(item).search(aliasOf({ shorturl: short }) ?? '')).records.find(isMeant);
		if (listed !== undefined) return await readById(item, listed.id);
	}
	throw noSuchLink(item, reference);
}

/** The details of the link that an item names in `linkId`, as sent. */
export async function readLink(item: Item): Promise<IDataObject> {
	const reference = item.request.pathValues.linkId as unknown;
	return reference instanceof ShortUrl ? await readByShortUrl(item, reference) : await readById(item, reference);
}

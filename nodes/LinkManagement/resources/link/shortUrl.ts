import type { IDataObject } from 'n8n-workflow';

import { isRecord, withoutError } from '../../api/envelope';
import { withNumbers } from '../../api/records';
import { flatRecord } from '../../api/flatRecord';
import { isSameUrl } from '../../match/url';

/**
 * The link that a search by short URL found (spec, `short`: "if there is a match, a single-link response is returned"; without
 * a match the response is not shown, so that a list is read too).
 *
 * @param answer the response, with or without `error`
 * @returns the flat record, or undefined when the response does not hold that link
 */
export function linkWithShortUrl(answer: IDataObject, shortUrl: string): IDataObject | undefined {
	const body = withoutError(answer);
	if (isRecord(body.details))
		return isSameUrl(body.details.shorturl ?? shortUrl, shortUrl) ? flatRecord(body) : undefined;
	const list = isRecord(body.data) ? body.data.urls : undefined;
	const found = Array.isArray(list)
		? list.filter(isRecord).find(({ shorturl }) => isSameUrl(shorturl, shortUrl))
		: undefined;
	return found && withNumbers(found);
}

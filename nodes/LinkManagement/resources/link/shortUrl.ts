import type { IDataObject } from 'n8n-workflow';

import { isRecord, withoutError } from '../../service/envelope';
import { flatRecord } from '../../fields/statistics';

/** Two spellings of one address: scheme and host in any case, with or without a slash at the end. */
export function isSameUrl(one: unknown, other: unknown): boolean {
	const spell = (value: unknown) => {
		try {
			return new URL(String(value)).href.replace(/\/$/, '');
		} catch {
			return undefined;
		}
	};
	const spelled = spell(one);
	return spelled !== undefined && spelled === spell(other);
}

/**
 * The link that a search by short URL found (spec, `short`: "if there is a match, a single-link response is returned"; without
 * a match the response is not shown, so that a list is read too).
 *
 * @param answer the response, with or without `error`
 * @returns the flat record, or undefined when the response does not hold that link
 */
export function linkWithShortUrl(answer: IDataObject, shortUrl: string): IDataObject | undefined {
	const body = withoutError(answer);
	if (isRecord(body.details)) return isSameUrl(body.details.shorturl ?? shortUrl, shortUrl) ? flatRecord(body) : undefined;
	const list = isRecord(body.data) ? body.data.urls : undefined;
	return Array.isArray(list) ? list.filter(isRecord).find(({ shorturl }) => isSameUrl(shorturl, shortUrl)) : undefined;
}

import { shortUrlIn } from '../links/url';
import { RecordName, type NamedKind } from '../links/names';
import { LinkReference } from '../links/reference';
import { type Rule } from '../run/request';
import { ValueError } from '../service/errors';
import { isRecord } from '../service/records';
import { webUrl } from './addresses';
import { asId, id, listOf, quoted, single, spelled } from './rules';

/**
 * A record by its ID or its name. A name in a place for IDs is taken for what it is; a number in a column is either. Some services'
 * lists show the record itself.
 */
function byIdOrName(kind: NamedKind): Rule {
	return single((given, source) => {
		const value: unknown = isRecord(given) && 'id' in given ? given.id : given;
		const isName = source.mode === 'name';
		const found = isName ? undefined : asId(value);
		const name = spelled(value);
		if (found !== undefined) return source.mode === 'column' ? new RecordName(kind, name, found) : found;
		if (typeof value === 'object' || (!isName && /^[-+]?\d[\d.,]*$/.test(name))) return id(value, source);
		return new RecordName(kind, name);
	});
}

export const campaignReference = byIdOrName('campaign');
export const channelReference = byIdOrName('channel');
export const pixelReferences = listOf(byIdOrName('pixel'));

function notShortUrl(value: unknown): never {
	throw new ValueError(
		`is not a short URL: ${quoted(value)}`,
		'Enter a whole short URL such as https://lnk.example/spring, with its host.',
	);
}

/** A short URL, as it is pasted. */
export const shortUrl: Rule = single((value) => shortUrlIn(spelled(value)) ?? notShortUrl(value));

/** A link by its ID, its short URL, its alias or its long URL; an address in a place for IDs is taken for a short URL. */
export const linkReference: Rule = single((value, source) => {
	const { mode = '' } = source;
	const text = spelled(value);
	const byShortUrl = () => new LinkReference({ by: 'shortUrl', shortUrl: shortUrl(value, source) as string }, text);
	if (mode === 'alias') {
		// With the domain before it, it is a short URL.
		return text.includes('/') ? byShortUrl() : new LinkReference({ by: 'alias', alias: text }, text);
	}
	if (mode === 'longUrl') return new LinkReference({ by: 'url', url: webUrl(value, source) as string }, text);
	const given = mode === 'shortUrl' ? undefined : asId(value);
	if (given !== undefined) return given;
	if (mode === 'shortUrl' || /^h[x*t]{2}ps?\W/i.test(text)) return byShortUrl();
	throw new ValueError(
		`is not an ID: ${quoted(value)}`,
		'Choose from the list, or enter the ID of the link, such as 12, or its whole short URL (https://lnk.example/spring).',
	);
});

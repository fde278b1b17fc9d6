import { shortUrlIn } from '../account/url';
import { RecordName, type NamedKind } from '../run/links/names';
import { LinkReference } from '../run/links/which';
import { ValueError, type Rule } from '../run/request';
import { asId, id, longUrl, quoted, spelled } from './rules';

/** A campaign or channel, by its ID or its name. A name in a place for IDs is taken for what it is; a number in a column is either. */
function byIdOrName(kind: NamedKind): Rule {
	return (value, { mode }) => {
		if (value === undefined) return undefined;
		const given = mode === 'name' ? undefined : asId(value);
		const name = spelled(value);
		if (given !== undefined) return mode === 'column' ? new RecordName(kind, name, given) : given;
		if (typeof value === 'object' || (mode !== 'name' && /^[-+]?\d[\d.,]*$/.test(name)))
			return id(value, { label: '', timezone: '' });
		return new RecordName(kind, name);
	};
}

export const campaignReference = byIdOrName('campaign');
export const channelReference = byIdOrName('channel');

/** The link at a short URL; undefined for what is none. */
function byShortUrl(text: string): LinkReference | undefined {
	const shortUrl = shortUrlIn(text);
	return shortUrl === undefined ? undefined : new LinkReference({ by: 'shortUrl', shortUrl }, text);
}

/** The link with an alias, or with the domain before it: a short URL. */
function byAlias(text: string): LinkReference {
	if (!text.includes('/')) return new LinkReference({ by: 'alias', alias: text }, text);
	return byShortUrl(text) ?? notShortUrl(text);
}

function notShortUrl(value: unknown): never {
	throw new ValueError(
		`is not a short URL: ${quoted(value)}`,
		'Enter a whole short URL such as https://lnk.example/spring, with its host.',
	);
}

/** A link by its ID, its short URL, its alias or its long URL; an address in a place for IDs is taken for a short URL. */
export const linkReference: Rule = (value, source) => {
	if (value === undefined) return undefined;
	const { mode = '' } = source;
	const text = spelled(value).trim();
	if (mode === 'alias') return byAlias(text);
	if (mode === 'longUrl') return new LinkReference({ by: 'url', url: longUrl(value, source) as string }, text);
	const given = mode === 'shortUrl' ? undefined : asId(value);
	if (given !== undefined) return given;
	if (mode === 'shortUrl' || /^h[x*t]{2}ps?\W/i.test(text)) return byShortUrl(text) ?? notShortUrl(value);
	throw new ValueError(
		`is not an ID: ${quoted(value)}`,
		'Choose from the list, or enter the ID of the link, such as 12, or its whole short URL (https://lnk.example/spring).',
	);
};

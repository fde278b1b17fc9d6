import type { INodePropertyMode } from 'n8n-workflow';

import type { DomainReference, LinkName, LinkReference, NamedKind, NameReference } from '../links/reference';
import { shortUrlIn } from '../links/url';
import { required, type Field, type Parser, type ParsedField, type ValueContext } from '../run/request';
import { ValueError } from '../service/errors';
import { isNothing, isRecord } from '../service/records';
import { alias, domainUrl, webUrl } from './addresses';
import { asId, id, listOf, quoted, valueParser, visibleText, text, WORDS } from './parsers';

/** The name of a record in a cell of a database. Its ID is one of that database, unless there is nothing else. */
function wordsOf(given: unknown): { value: unknown; isName: boolean } {
	const name = isRecord(given) ? WORDS.find((one) => !isNothing(given[one])) : undefined;
	if (isRecord(given) && name !== undefined) return { value: given[name], isName: true };
	return { value: isRecord(given) && 'id' in given ? given.id : given, isName: false };
}

/** A parser for records by ID or name. A name is accepted where an ID is expected; a number in a column may be either. */
function byIdOrName(kind: NamedKind): Parser<number | NameReference> {
	const read = (given: unknown, source: ValueContext) => {
		const { value, isName } = wordsOf(given);
		const mode = isName ? 'name' : (source.mode ?? '');
		const found = mode === 'name' ? undefined : asId(value);
		const name = visibleText(value);
		const isCell = mode === 'column' || mode === 'mapped';
		if (found !== undefined && !isCell) return found;
		const isNumber = /^[-+]?\d[\d.,]*$/.test(name) && mode !== 'name' && !isCell;
		if (isNumber || typeof value === 'object') return id(value, source);
		return { kind, name, id: found, column: source.column };
	};
	return valueParser<number | NameReference>(read, { within: [] });
}

export const pixelReferences = listOf(byIdOrName('pixel'));

/** A pasted short URL. */
export const shortUrl: Parser<string> = valueParser(
	(value) => {
		const found = shortUrlIn(visibleText(value));
		if (found !== undefined) return found;
		throw new ValueError(
			`is not a short URL: ${quoted(value)}`,
			'Enter a whole short URL such as https://lnk.example/spring, with its host.',
		);
	},
	{ within: ['url'] },
);

/** Several short URLs in a text. */
function shortUrlsIn(value: unknown): unknown[] {
	const parts = typeof value === 'string' ? value.split(/[\s,;|]+/).filter(Boolean) : [];
	return parts.length > 1 && parts.every((part) => shortUrlIn(part) !== undefined) ? parts : [value];
}

/** The short URLs in a cell. */
export const shortUrls: Parser<string[]> = Object.assign(
	(value: unknown, source: ValueContext) => {
		const found = [value]
			.flat()
			.flatMap(shortUrlsIn)
			.flatMap((one) => shortUrl(one, source) ?? []);
		return found.length === 0 ? undefined : found;
	},
	{ isNothing: (value: unknown) => [value].flat().every((one: unknown) => shortUrl.isNothing?.(one)) },
);

/** Suggests the mode of the locator that fits what was entered; empty if none does. */
function fittingMode(entered: string, { mode = '', isTool }: ValueContext): string {
	const isByText = ['shortUrl', 'alias', 'longUrl'].includes(mode);
	if (mode === 'alias' || (isTool === true && isByText)) return '';
	if (isTool === true)
		return 'Pass the ID of the link, such as 12, or its whole short URL, such as https://lnk.example/spring.';
	if (asId(entered) !== undefined) return 'To enter an ID, set Link to By ID.';
	if (!/[/.:]/.test(entered)) return 'To enter an alias, set Link to By Alias.';
	if (isByText) return '';
	return 'To enter the short URL of the link, set Link to By Short URL. To enter the page that it opens, set Link to By Long URL.';
}

/** The name of a link by the mode of its locator. A model can't choose the mode, so an address is a short URL then. */
function linkNameOf(value: unknown, source: ValueContext, entered: string): LinkName {
	const { mode = '', isTool } = source;
	const byShortUrl = (): LinkName => ({ by: 'shortUrl', shortUrl: required(shortUrl)(value, source) });
	switch (mode) {
		case 'shortUrl':
			return byShortUrl();
		case 'alias':
			// With a domain before it, this is a short URL. An alias itself may contain a slash.
			return entered.includes('/') && /[.:]/.test(entered.slice(0, entered.indexOf('/')))
				? byShortUrl()
				: { by: 'alias', alias: required(alias)(value, source) };
		case 'longUrl':
			return { by: 'url', url: required(webUrl)(value, source) };
		default:
			return isTool === true && /^h[x*t]{2}ps?\W/i.test(entered)
				? byShortUrl()
				: { by: 'id', id: required(id)(value, source) };
	}
}

/** A link by its ID, its short URL, its alias or its long URL. */
export const linkReference: Parser<LinkReference> = valueParser(
	(value, source) => {
		const entered = visibleText(value);
		try {
			return { kind: 'link', name: linkNameOf(value, source, entered), entered };
		} catch (error) {
			const isOfMode = error instanceof ValueError && typeof value !== 'object';
			const advice = isOfMode ? `${error.advice} ${fittingMode(entered, source)}`.trim() : '';
			throw isOfMode ? new ValueError(error.message, advice) : error;
		}
	},
	{ within: [] },
);

/** A branded domain. From the list, it is spelled as the account has it. */
export const domainReference: Parser<string | DomainReference> = Object.assign(
	(value: unknown, source: ValueContext): string | DomainReference | undefined => {
		if (source.mode === 'list') return text(value, source);
		const name = domainUrl(value, source);
		return name === undefined ? undefined : { kind: 'domain', name, column: source.column };
	},
	{ isNothing: domainUrl.isNothing },
);

/** A mode of a locator in which text is entered. */
export function textMode(displayName: string, name: string, placeholder: string): INodePropertyMode {
	const shown = { type: 'string' as const, placeholder };
	return { displayName, name, ...shown };
}

const byId = textMode('By ID', 'id', 'e.g. 12');

/** A mode for records with unique names. */
const byName = textMode('By Name', 'name', 'e.g. Spring Sale');

function fromList(searchListMethod: string): INodePropertyMode {
	// Unknown to n8n before 2.10.
	const slowLoadNotice = {
		message: 'The service is slow, or your rate limit is reached. Wait, or enter an ID instead.',
		timeout: 4000,
	};
	const typeOptions = { searchListMethod, searchable: true, slowLoadNotice };
	const shown = { type: 'list' as const, placeholder: 'Choose…', typeOptions };
	return { displayName: 'From List', name: 'list', ...shown };
}

/**
 * A resource locator: a searchable list, and other modes; by default, by ID.
 *
 * @param search name of the list-search method; undefined if the service has no list
 */
export function locator(
	field: Pick<ParsedField, 'displayName' | 'name' | 'parser'> & Partial<Field>,
	search: string | undefined,
	others: INodePropertyMode[] = [byId],
): ParsedField {
	const modes = search === undefined ? others : [fromList(search), ...others];
	return { ...field, type: 'resourceLocator', default: { mode: modes[0].name, value: '' }, modes };
}

/** The locator of the record that an operation is about. */
export function recordField(
	displayName: string,
	name: string,
	search: string | undefined,
	description: string,
	parser: Parser = id,
	others: INodePropertyMode[] = [],
): ParsedField {
	return { ...locator({ displayName, name, description, parser }, search, [byId, ...others]), required: true };
}

/** Redirection types that need no ID (spec): the first entries of the list. */
export const redirections = [
	{ name: 'Direct', value: 'direct' },
	{ name: 'Frame', value: 'frame' },
	{ name: 'Splash', value: 'splash' },
];

export const campaignId = recordField(
	'Campaign',
	'campaignId',
	'searchCampaigns',
	'ID or name of the campaign',
	byIdOrName('campaign'),
	[byName],
);
export const channelId = recordField(
	'Channel',
	'channelId',
	'searchChannels',
	'ID or name of the channel',
	byIdOrName('channel'),
	[byName],
);
export const domainId = recordField('Domain', 'domainId', 'searchDomains', 'ID of the branded domain');
export const linkId = recordField('Link', 'linkId', 'searchLinks', 'ID or short URL', linkReference, [
	textMode('By Short URL', 'shortUrl', 'e.g. https://lnk.example/spring'),
	textMode('By Alias', 'alias', 'e.g. spring, or lnk.example/spring'),
	textMode('By Long URL', 'longUrl', 'e.g. https://example.com/page'),
]);
export const pixelId = recordField('Pixel', 'pixelId', 'searchPixels', 'ID of the pixel');
export const qrCodeId = recordField('QR Code', 'qrCodeId', 'searchQrCodes', 'ID of the QR code');

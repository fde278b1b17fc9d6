import type { INodePropertyMode } from 'n8n-workflow';

import type { DomainReference, LinkName, LinkReference, NamedKind, NameReference } from '../links/reference';
import { type Field, type ParsedField, type Parser, required, type ValueContext } from '../run/request';
import { together } from '../service/answer/advice';
import { ValueError } from '../service/answer/errors';
import { isNothing, isRecord } from '../service/records';
import { alias, domainUrl, webUrl, shortUrlIn } from './addresses';
import { LONGEST } from './lengths';
import { enteredId, id, listOf, quoted, text, valueParser, visibleText, WORDS } from './parsers';

/** The name of a record in a cell of a database. Its ID is one of that database, unless there is nothing else. */
function wordsOf(given: unknown): { value: unknown; isName: boolean } {
	const name = isRecord(given) ? WORDS.find((one) => !isNothing(given[one])) : undefined;
	if (isRecord(given) && name !== undefined) return { value: given[name], isName: true };
	return { value: isRecord(given) && 'id' in given ? given.id : given, isName: false };
}

/**
 * A parser for records by ID or name. A name is accepted where an ID is expected; a number in a column, or from a model, may be either.
 * Names of QR codes are not asked for that: their list is long.
 */
function byIdOrName(kind: NamedKind): Parser<number | NameReference> {
	const read = (given: unknown, origin: ValueContext) => {
		const { value, isName } = wordsOf(given);
		const mode = isName ? 'name' : (origin.mode ?? '');
		const found = mode === 'name' ? undefined : enteredId(value);
		const name = visibleText(value);
		const isCell = mode === 'column' || mode === 'mapped';
		const isEither = isCell || (origin.isTool === true && mode !== 'list' && kind !== 'qrCode');
		if (found !== undefined && !isEither) return found;
		const isNumber = /^[-+]?\d[\d.,]*$/.test(name) && mode !== 'name' && !isEither;
		if (isNumber || typeof value === 'object') return id(value, origin);
		return { kind, name, id: found, column: origin.column };
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
	{ within: ['url'], longest: LONGEST.address },
);

/** Suggests the mode of the locator that fits what was entered; empty if none does. */
function fittingMode(entered: string, mode: string): string {
	if (mode === 'alias') return '';
	if (enteredId(entered) !== undefined) return 'To enter an ID, set Link to By ID.';
	if (!/[/.:]/.test(entered)) return 'To enter an alias, set Link to By Alias.';
	if (mode === 'shortUrl' || mode === 'longUrl') return '';
	return 'To enter the short URL of the link, set Link to By Short URL. To enter the page that it opens, set Link to By Long URL.';
}

/** Whether a text starts with a host: it is a short URL then, or a long one. An alias itself may contain a slash. */
function hasHost(entered: string): boolean {
	const [first, ...others] = entered.split('/');
	return others.length > 0 && /[.:]/.test(first);
}

type Names = Pick<LinkReference, 'name' | 'or'>;

/** The name of a link by the mode of its locator. */
function linkNameOf(value: unknown, origin: ValueContext, entered: string): Names {
	const byShortUrl = (): LinkName => ({ by: 'shortUrl', shortUrl: required(shortUrl)(value, origin) });
	const byAlias = (): LinkName => ({ by: 'alias', alias: required(alias)(value, origin) });
	const byUrl = (): LinkName => ({ by: 'url', url: required(webUrl)(value, origin) });
	switch (origin.mode) {
		case 'shortUrl':
			return { name: byShortUrl() };
		case 'alias':
			return { name: hasHost(entered) ? byShortUrl() : byAlias() };
		case 'longUrl':
			return { name: byUrl() };
		default:
			return { name: { by: 'id', id: required(id)(value, origin) } };
	}
}

/** What a model means by its name of a link: it can't choose a mode. */
function linkNamesByModel(value: unknown, origin: ValueContext, entered: string): Names {
	const found = enteredId(entered);
	if (found !== undefined) return { name: { by: 'id', id: found }, or: { by: 'alias', alias: entered } };
	if (!hasHost(entered)) return { name: { by: 'alias', alias: required(alias)(value, origin) } };
	const short = shortUrlIn(entered);
	const byUrl = (): LinkName => ({ by: 'url', url: required(webUrl)(value, origin) });
	if (short === undefined) return { name: byUrl() };
	const name: LinkName = { by: 'shortUrl', shortUrl: short };
	try {
		return { name, or: byUrl() };
	} catch {
		return { name };
	}
}

/** A link by its ID, its short URL, its alias or its long URL. */
export const linkReference: Parser<LinkReference> = valueParser(
	(value, origin) => {
		const entered = visibleText(value);
		const { mode = '', isTool = false } = origin;
		if (isTool && mode !== 'list' && typeof value !== 'object')
			return { kind: 'link', ...linkNamesByModel(value, origin, entered), entered };
		try {
			return { kind: 'link', ...linkNameOf(value, origin, entered), entered };
		} catch (error) {
			const isOfMode = error instanceof ValueError && typeof value !== 'object';
			throw isOfMode ? error.with({ advice: together(error.advice, fittingMode(entered, mode)) }) : error;
		}
	},
	{ within: [] },
);

/** A branded domain. From the list, it is spelled as the account has it. */
export const domainReference: Parser<string | DomainReference> = Object.assign(
	(value: unknown, origin: ValueContext): string | DomainReference | undefined => {
		if (origin.mode === 'list') return text(value, origin);
		const name = domainUrl(value, origin);
		return name === undefined ? undefined : { kind: 'host', name, column: origin.column };
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
export const domainId = recordField(
	'Domain',
	'domainId',
	'searchDomains',
	'ID or host of the branded domain',
	byIdOrName('domain'),
);
export const linkId = recordField('Link', 'linkId', 'searchLinks', 'ID, short URL, alias or long URL', linkReference, [
	textMode('By Short URL', 'shortUrl', 'e.g. https://lnk.example/spring'),
	textMode('By Alias', 'alias', 'e.g. spring, or lnk.example/spring'),
	textMode('By Long URL', 'longUrl', 'e.g. https://example.com/page'),
]);
export const pixelId = recordField('Pixel', 'pixelId', 'searchPixels', 'ID or name of the pixel', byIdOrName('pixel'));
export const qrCodeId = recordField(
	'QR Code',
	'qrCodeId',
	'searchQrCodes',
	'ID or name of the QR code',
	byIdOrName('qrCode'),
);

import type { INodePropertyMode } from 'n8n-workflow';

import {
	type DomainReference,
	type LinkName,
	type LinkReference,
	type NamedKind,
	type NameReference,
	NOUNS,
} from '../links/reference';
import { type Field, type ParsedField, type Parser, required, type ValueContext } from '../run/request';
import { alias, domainUrl, webUrl, shortUrlIn } from './addresses';
import { enteredId, id, listOf, LONGEST, parserOf, text, valueParser, visibleText } from './parsers';

/**
 * A parser for records by ID or name. A name is accepted where an ID is expected; a number in a column, or from a model, may be either.
 * Of QR codes, whose list is long, a number is always an ID.
 */
function byIdOrName(kind: NamedKind): Parser<number | NameReference> {
	return valueParser<number | NameReference>((value, origin) => {
		const { mode = '', isByModel, column } = origin;
		const name = visibleText(value);
		const found = mode === 'name' ? undefined : enteredId(value);
		const isEither =
			['column', 'mapped'].includes(mode) || (isByModel === true && mode !== 'list' && kind !== 'qrCode');
		if (found !== undefined && !isEither) return found;
		const isNumber = /^[-+]?\d[\d.,]*$/.test(name) && mode !== 'name' && !isEither;
		return isNumber || typeof value === 'object'
			? id(value, origin)
			: { kind, name, id: found, isOnlyOne: isByModel, column };
	});
}

export const pixelReferences = listOf(byIdOrName('pixel'));

/** A pasted short URL. */
export const shortUrl = parserOf(
	(value) => shortUrlIn(visibleText(value)),
	'is not a short URL',
	'Enter a whole short URL such as https://lnk.example/spring, with its host.',
	{ word: 'url', longest: LONGEST.address },
);

/** Whether a text starts with a host: it is a short URL then, or a long one. An alias itself may contain a slash. */
function hasHost(entered: string): boolean {
	const [first, ...others] = entered.split('/');
	return others.length > 0 && /[.:]/.test(first);
}

type LinkNames = Pick<LinkReference, 'name' | 'or'>;

/** The name of a link by the mode of its locator; undefined for its ID. */
function linkNameOf(value: unknown, origin: ValueContext, entered: string): LinkNames | undefined {
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
			return undefined;
	}
}

/** What a model means by its name of a link: it can't choose a mode. */
function linkNamesByModel(value: unknown, origin: ValueContext, entered: string): LinkNames {
	const found = enteredId(entered);
	if (found !== undefined) return { name: { by: 'alias', alias: entered }, or: found };
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
const linkReference: Parser<number | LinkReference> = valueParser<number | LinkReference>((value, origin) => {
	const entered = visibleText(value);
	const isFreely = origin.isByModel === true && origin.mode !== 'list' && typeof value !== 'object';
	const names = isFreely ? linkNamesByModel(value, origin, entered) : linkNameOf(value, origin, entered);
	return names === undefined ? id(value, origin) : { kind: 'link', ...names, entered };
});

/** A branded domain. From the list, it is spelled as the account has it. */
export const domainReference: Parser<string | DomainReference> = (value, origin) => {
	if (origin.mode === 'list') return text(value, origin);
	const name = domainUrl(value, origin);
	return name === undefined ? undefined : { kind: 'host', name, column: origin.column };
};

/** A mode of a locator in which text is entered. */
export function textMode(displayName: string, name: string, placeholder: string): INodePropertyMode {
	const shown = { type: 'string' as const, placeholder };
	return { displayName, name, ...shown };
}

const byId = textMode('By ID', 'id', 'e.g. 12');

/** A mode for records with unique names. */
const byName = textMode('By Name', 'name', 'e.g. Spring Sale');

function fromList(searchListMethod: string): INodePropertyMode {
	const typeOptions = { searchListMethod, searchable: true };
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

/** The locator of a record that has a name. @param search name of the list-search method */
function namedRecord(
	displayName: string,
	kind: NamedKind,
	search: string,
	name = 'name',
	others: INodePropertyMode[] = [],
) {
	return recordField(displayName, `${kind}Id`, search, `ID or ${name} of the ${NOUNS[kind]}`, byIdOrName(kind), others);
}

export const campaignId = namedRecord('Campaign', 'campaign', 'searchCampaigns', 'name', [byName]);
export const channelId = namedRecord('Channel', 'channel', 'searchChannels', 'name', [byName]);
export const domainId = namedRecord('Domain', 'domain', 'searchDomains', 'host');
export const pixelId = namedRecord('Pixel', 'pixel', 'searchPixels');
export const qrCodeId = namedRecord('QR Code', 'qrCode', 'searchQrCodes');
export const linkId = recordField('Link', 'linkId', 'searchLinks', 'ID, short URL, alias or long URL', linkReference, [
	textMode('By Short URL', 'shortUrl', 'e.g. https://lnk.example/spring'),
	textMode('By Alias', 'alias', 'e.g. spring, or lnk.example/spring'),
	textMode('By Long URL', 'longUrl', 'e.g. https://example.com/page'),
]);

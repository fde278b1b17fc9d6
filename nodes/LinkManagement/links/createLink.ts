/** Makes links, each once, whatever the service makes of the request and whatever becomes of its answer. */
import type { IDataObject } from 'n8n-workflow';

import { inEditor } from '../service/advice';
import { ApiError, DoneOtherwiseError } from '../service/errors';
import { inQuotes } from '../service/failures';
import { asText, idOf, withNumbers } from '../service/records';
import { sendChange } from '../service/serviceClient';
import { LinkFinder } from './find';
import type { LinkFields } from './linkFields';
import type { LinkRow } from './linkRow';
import type { Wish } from './newLinks';
import { aboutLink, describeLink, identityOf, type LinkRecord } from './reference';
import { hostOf, isSameAddress } from './url';

export interface CreatedLink {
	/** The service's record of it, with `id`, `shorturl`, `alias` and `longurl`. */
	record: IDataObject;
	/** It existed before, as far as that can be known. */
	existing: boolean;
	/** What it lacks of the request. */
	lacks?: Wish;
}

interface CreateOptions {
	/**
	 * No link had its alias, or else its long URL, when the run began: a link that has it is the new one, unless this knows it as
	 * another one.
	 */
	isNew?(link: LinkRecord): boolean;
	/** The service may choose another alias. */
	mayLackAlias?: boolean;
}

/** The error of a success that names no link. */
function nothingCreated({ message }: IDataObject): ApiError {
	return new ApiError(
		'refused',
		typeof message === 'string' && message !== ''
			? `The service says ${inQuotes(message)}`
			: 'The service answered, but created no link',
		'No link was created. The usual causes: the limit of your plan is reached, or the service rejects one of the values.',
	);
}

/** An answer with its short URL in `shorturl`; some services call it `short`. */
export function inOneSpelling({ short, ...answer }: IDataObject): IDataObject {
	return answer.shorturl === undefined && short !== undefined ? { ...answer, shorturl: short } : answer;
}

/** What a new link lacks of the request (field notes, "Resources"). An alias in small letters lacks nothing. */
function lackOf({ alias, shorturl }: LinkRecord, { custom, domain }: LinkFields): Wish | undefined {
	const host = hostOf(shorturl);
	if (custom !== undefined && alias !== undefined && asText(alias).toLowerCase() !== asText(custom).toLowerCase())
		return 'alias';
	return domain !== undefined && host !== undefined && host !== hostOf(domain) ? 'domain' : undefined;
}

/** The service gave another link than was asked for. The error shows it, so that nothing is lost. */
export class OtherLinkError extends DoneOtherwiseError {
	constructor(
		readonly link: CreatedLink,
		{ custom, domain }: LinkFields,
	) {
		const [differs, advice] =
			link.lacks === 'alias'
				? [
						`whose alias is not "${asText(custom)}"`,
						`Either the long URL already had this link, or your plan does not include custom aliases. ${inEditor('To accept this link, use the operation Create with Options → If Alias Exists → Return Existing Link.')}`,
					]
				: [
						`which is not on the domain ${asText(domain)}`,
						'Check that the domain belongs to the account and that your plan includes it. The link was created, or existed before.',
					];
		super(`The service gave the link ${describeLink(link.record)}, ${differs}`, advice);
		aboutLink(this, link.record);
	}
}

/** Whether a link that lacks something was there before: then the service drops nothing, but gives a long URL no second link. */
async function wasThere(row: LinkRow, record: LinkRecord): Promise<boolean> {
	const { index } = row.state;
	if (index.newest > 0) return false;
	// If this fails, nobody knows.
	await new LinkFinder(row).readNewest(0, () => true).catch(() => undefined);
	const [listed] = index.matching({ by: 'shortUrl', shortUrl: asText(record.shorturl) });
	return (idOf(record) ?? idOf(listed ?? {}) ?? Infinity) < index.newest;
}

/**
 * Sends a creation. If the answer is lost, a link counts as created if it has everything that was asked for. The answer is compared
 * with the request: services may return the link that a long URL already has, and drop aliases and domains silently.
 */
async function sendCreation(row: LinkRow, fields: LinkFields, isNew?: CreateOptions['isNew']): Promise<CreatedLink> {
	const { index, newLinks } = row.state;
	const { newest } = index;
	const { custom, url } = fields;
	let isFound = false;
	const find = async () => {
		if (custom === undefined && isNew === undefined) return undefined;
		const link = await new LinkFinder(row).findMade(fields, row.size);
		const isMade = link !== undefined && !newLinks.has(link) && isNew?.(link) !== false;
		isFound = isMade && isSameAddress(link.longurl, url);
		return isFound ? (link as IDataObject) : undefined;
	};
	const body = row.state.resolved(fields) as IDataObject;
	const answer = inOneSpelling(await sendChange(row, { method: 'POST', path: '/api/url/add', body }, find));
	const id = idOf(answer);
	const { alias = custom } = index.withAlias({ shorturl: answer.shorturl });
	const known = { ...(id === undefined ? {} : { id }), ...(alias === undefined ? {} : { alias: alias as string }) };
	const record = withNumbers({ ...answer, ...known, longurl: url as string });
	if (identityOf(record) === undefined) throw nothingCreated(answer);
	const lacks = lackOf(record, fields);
	const isThere = index.matching({ by: 'shortUrl', shortUrl: asText(record.shorturl) }).length > 0;
	const isListed = isThere || (id ?? Infinity) <= newest;
	const isKnown = !isFound && (isListed || (lacks !== undefined && (await wasThere(row, record))));
	if (!isThere) index.put(record);
	if (!isKnown) newLinks.add(record, fields, lacks);
	const link = { record, lacks, existing: isKnown || (!isFound && lacks === 'alias') };
	if (lacks !== undefined) throw new OtherLinkError(link, fields);
	if (custom !== undefined && record.alias !== asText(custom))
		row.atEnd(
			'alias in another case',
			() => `This service writes aliases in another case: "${asText(custom)}" comes back as ${inQuotes(record.alias)}.`,
		);
	return link;
}

/**
 * Creates a link, once.
 *
 * @param fields spec, "Body of POST /api/url/add"
 * @throws OtherLinkError if the service gives another link than was asked for
 */
export async function createLink(
	row: LinkRow,
	fields: LinkFields,
	{ isNew, mayLackAlias = false }: CreateOptions = {},
): Promise<CreatedLink> {
	const { custom, domain } = fields;
	const wishes: Wish[] = [
		...(custom === undefined || mayLackAlias ? [] : ['alias' as const]),
		...(domain === undefined ? [] : ['domain' as const]),
	];
	return await row.state.newLinks.create(fields, wishes, async () => await sendCreation(row, fields, isNew));
}

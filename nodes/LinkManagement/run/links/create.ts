import type { IDataObject } from 'n8n-workflow';

import { identityOf, type LinkRecord } from '../../account/linkIndex';
import { told } from '../../account/linkName';
import { aliasOf, hostOf, isSameAddress } from '../../account/url';
import { ApiError } from '../../api/apiError';
import { asText, idOf, withNumbers } from '../../api/records';
import type { LinkFields } from '../../sheet/changes';
import { sendChange } from '../change';
import type { Row } from '../row';
import { DoneOtherwiseError } from '../rowError';
import { accountLinksOf, accountOf, itemRecord } from './account';

/** A link that a creation brought. */
export interface CreatedLink {
	/** What the service says of it, with `id`, `shorturl`, `alias` and `longurl`. */
	record: IDataObject;
	/** It was there before, as far as that can be known. */
	existing: boolean;
}

/** The service gave another link than was asked for. The link is told, so that nothing is lost. */
export class OtherLinkError extends DoneOtherwiseError {
	constructor(
		message: string,
		advice: string,
		readonly link: CreatedLink,
		/** What is not as it was asked for. */
		readonly dropped: 'alias' | 'domain',
	) {
		const { id, shorturl } = link.record;
		super(message, advice, { ...(id === undefined ? {} : { id }), ...(shorturl === undefined ? {} : { shorturl }) });
	}
}

function recordOf({ short, ...answer }: IDataObject, body: LinkFields): IDataObject {
	const shorturl = answer.shorturl ?? short;
	const id = idOf(answer);
	const alias = aliasOf({ shorturl }) ?? body.custom;
	return withNumbers({
		...answer,
		...(id === undefined ? {} : { id }),
		...(shorturl === undefined ? {} : { shorturl }),
		...(alias === undefined ? {} : { alias: alias as string }),
		longurl: body.url as string,
	});
}

function nothingMade({ message }: IDataObject): ApiError {
	const said = typeof message === 'string' && message !== '' ? message : undefined;
	return new ApiError(
		'refused',
		said ?? 'The service answered the creation without a link',
		said === undefined
			? 'No link was made. The usual causes: the limit of the plan is reached, or a value that the service does not take.'
			: 'No link was made. This is the answer of the link service: correct what it names and run the node again.',
	);
}

/** What a link that the service gave has not of what was asked for. */
function droppedOf(record: LinkRecord, { custom, domain }: LinkFields): 'alias' | 'domain' | undefined {
	const alias = aliasOf({ shorturl: record.shorturl });
	const host = hostOf(record.shorturl);
	if (custom !== undefined && alias !== undefined && alias !== asText(custom)) return 'alias';
	return domain !== undefined && host !== undefined && host !== hostOf(domain) ? 'domain' : undefined;
}

/** The error for a link that lacks what was asked for. */
function otherLink(link: CreatedLink, what: 'alias' | 'domain', body: LinkFields): OtherLinkError {
	const gave = `The service gave the link ${told(link.record)}`;
	return what === 'alias'
		? new OtherLinkError(
				`${gave}, whose alias is not "${asText(body.custom)}"`,
				'Either the long URL had this link already, or the plan does not include aliases of your own. To take the link that is there, set Options → If Alias Exists to "Return Existing Link".',
				link,
				what,
			)
		: new OtherLinkError(
				`${gave}, which is not on the domain ${asText(body.domain)}`,
				'Check that the domain belongs to the account and that the plan includes it. The link was made, or was there before.',
				link,
				what,
			);
}

/**
 * Holds what came back against what was asked for (field notes, "Resources"): services return the link that a long URL has
 * already, and drop aliases and domains without a word.
 *
 * @throws ApiError when nothing was made, OtherLinkError when it is another link
 */
function checked(row: Row, answer: IDataObject, body: LinkFields): CreatedLink {
	const record = recordOf(answer, body);
	const identity = identityOf(record);
	if (identity === undefined) throw nothingMade(answer);
	const links = accountLinksOf(row);
	const isKnown = links.index.byId(identity) !== undefined;
	const dropped = droppedOf(record, body);
	if (!isKnown) {
		links.noteMade(record);
		if (body.custom !== undefined) links.noteDropping('alias', dropped === 'alias');
		if (body.domain !== undefined && dropped !== 'alias') links.noteDropping('domain', dropped === 'domain');
		if (body.domain === undefined && body.custom !== undefined && dropped === undefined) {
			links.noteDefault(record.shorturl);
		}
	}
	const link = { record, existing: isKnown };
	if (dropped !== undefined) throw otherLink({ ...link, existing: isKnown || dropped === 'alias' }, dropped, body);
	return link;
}

/** The link that has the very alias, domain and long URL of a creation, whoever made it. */
async function findExact(row: Row, { custom, domain, url }: LinkFields): Promise<LinkRecord | undefined> {
	if (custom === undefined) return undefined;
	const account = accountOf(row);
	const { links } = account;
	const name = {
		by: 'alias' as const,
		alias: asText(custom),
		...(domain === undefined ? {} : { domain: asText(domain) }),
	};
	const found = (await account.find(name)).filter(({ longurl }) => isSameAddress(longurl, url));
	// Without a domain, one on another than the account's own may be a colleague's.
	const host = domain === undefined ? links.defaultHost : undefined;
	const meant = host === undefined ? found : found.filter(({ shorturl }) => hostOf(shorturl) === host);
	if (meant.length !== 1) return undefined;
	if (domain !== undefined || host !== undefined) return meant[0];
	links.domains ??= await account.domains();
	return links.domains.some((one) => hostOf(one) === hostOf(meant[0].shorturl)) ? undefined : meant[0];
}

/**
 * A link that a service which drops aliases, or domains, has made of such a row before.
 *
 * @returns undefined where the service is not known to do that, or no such link is known
 */
export function madeOtherwise(row: Row, body: LinkFields): OtherLinkError | undefined {
	const links = accountLinksOf(row);
	const { custom, domain, url } = body;
	const dropsAlias = custom !== undefined && links.drops('alias');
	const dropsDomain = domain !== undefined && links.drops('domain');
	if (!dropsAlias && !dropsDomain) return undefined;
	const found = links.among({ by: 'url', url: asText(url) }).find((link) => {
		const dropped = droppedOf(link, body);
		return dropped === 'alias' ? dropsAlias : dropped === 'domain' && dropsDomain;
	});
	if (found === undefined) return undefined;
	return otherLink({ record: itemRecord(found), existing: true }, droppedOf(found, body) ?? 'alias', body);
}

/**
 * Creates a link, once. A link whose creation was answered by nothing is taken for the one that was asked for if it is that in
 * everything.
 *
 * @param body spec, "Body of POST /api/url/add"
 * @throws ApiError what the service refuses; OtherLinkError when it gave another link than was asked for
 */
export async function createLink(row: Row, body: LinkFields): Promise<CreatedLink> {
	let lost: LinkRecord | undefined;
	const find = async () => {
		lost = await findExact(row, body);
		return lost as IDataObject | undefined;
	};
	const answer = await sendChange(row, find, { method: 'POST', path: '/api/url/add', body: body as IDataObject });
	if (lost === undefined) return checked(row, answer, body);
	return { record: withNumbers({ ...lost, alias: aliasOf(lost) } as IDataObject), existing: false };
}

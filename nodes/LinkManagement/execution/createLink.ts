import type { IDataObject } from 'n8n-workflow';

import { ApiError } from '../api/apiError';
import type { LinkRecord } from '../match/linkIndex';
import { aliasOf, hostOf, isSameUrl } from '../match/url';
import { accountLinksOf, readerOf } from './accountLinks';
import { asText, withNumbers } from '../api/records';
import { sendChange } from './change';
import type { Item } from './item';

/** A link that a creation brought. */
export interface CreatedLink {
	/** What the service says of it, with `id`, `shorturl`, `alias` and `longurl`. */
	record: IDataObject;
	/** It was there before, as far as that can be known. */
	existing: boolean;
}

/** The service gave another link than was asked for. The link is told, so that nothing is lost. */
export class OtherLinkError extends ApiError {
	constructor(
		message: string,
		advice: string,
		readonly link: CreatedLink,
	) {
		super('rejected', message, advice);
	}
}

/** Notes a link that a creation brought. @returns whether an earlier creation of the run has brought it already */
function noteMade(item: Item, { id, shorturl }: IDataObject): boolean {
	const made = item.run.share('links made', () => new Set<string>());
	const key = asText(id ?? shorturl);
	const isKnown = made.has(key);
	made.add(key);
	return isKnown;
}

function recordOf(answer: IDataObject, body: IDataObject): IDataObject {
	const shorturl = answer.shorturl ?? answer.short;
	const alias = aliasOf({ shorturl }) ?? body.custom;
	const others = { ...answer };
	delete others.short;
	return withNumbers({
		...others,
		...(shorturl === undefined ? {} : { shorturl }),
		...(alias === undefined ? {} : { alias }),
		longurl: body.url,
	});
}

/**
 * Holds what came back against what was asked for (field notes, "Resources"): services return the link that a long URL has
 * already, and drop aliases and domains without a word.
 *
 * @throws ApiError when nothing was made, OtherLinkError when it is another link
 */
function checked(item: Item, answer: IDataObject, body: IDataObject): CreatedLink {
	const record = recordOf(answer, body);
	if (record.id === undefined && record.shorturl === undefined) {
		const said = typeof answer.message === 'string' && answer.message !== '' ? answer.message : undefined;
		throw new ApiError(
			'rejected',
			said ?? 'The service answered the creation without a link',
			said === undefined
				? 'No link was made. The usual causes: the limit of the plan is reached, or a value that the service does not take.'
				: 'No link was made. This is the answer of the link service: correct what it names and run the node again.',
		);
	}
	const link: CreatedLink = { record, existing: noteMade(item, record) };
	const { custom, domain } = body;
	const alias = aliasOf({ shorturl: record.shorturl });
	if (custom !== undefined && alias !== undefined && alias !== String(custom)) {
		throw new OtherLinkError(
			`The service gave the link ${asText(record.shorturl)} (ID ${asText(record.id)}), whose alias is not "${String(custom)}"`,
			'Either the long URL had this link already, or the plan does not include aliases of your own. To take the link that is there, set Options → If Alias Exists to "Return Existing Link".',
			{ record, existing: true },
		);
	}
	const host = hostOf(record.shorturl);
	if (domain !== undefined && host !== undefined && host !== hostOf(domain)) {
		throw new OtherLinkError(
			`The service gave the link ${asText(record.shorturl)} (ID ${asText(record.id)}), which is not on the domain ${String(domain)}`,
			'Check that the domain belongs to the account and that the plan includes it. The link was made, or was there before.',
			link,
		);
	}
	return link;
}

/** The link that a creation with an alias would have made. */
async function findMade(item: Item, body: IDataObject): Promise<LinkRecord | undefined> {
	if (body.custom === undefined) return undefined;
	const found = await findByAlias(item, body);
	return found !== undefined && isSameUrl(found.longurl, body.url) ? found : undefined;
}

/** The link that has the alias of a creation, on its domain if it names one. */
export async function findByAlias(item: Item, body: IDataObject): Promise<LinkRecord | undefined> {
	const { custom, domain } = body;
	return await accountLinksOf(item).find(String(custom), hostOf(domain), readerOf(item), undefined, domain);
}

/**
 * Creates a link, once.
 *
 * @param body spec, "Body of POST /api/url/add"
 * @param findLost finds the link when the answer to its creation was lost; by its alias unless stated
 * @throws ApiError what the service refuses; OtherLinkError when it gave another link than was asked for
 */
export async function createLink(
	item: Item,
	body: IDataObject,
	findLost: () => Promise<LinkRecord | undefined> = async () => await findMade(item, body),
): Promise<CreatedLink> {
	let lost: LinkRecord | undefined;
	const answer = await sendChange(
		item,
		async () => {
			lost = await findLost();
			return lost as IDataObject | undefined;
		},
		{ method: 'POST', path: '/api/url/add', body },
	);
	if (lost === undefined) return checked(item, answer, body);
	const record = withNumbers({ ...lost, alias: aliasOf(lost) });
	noteMade(item, record);
	return { record, existing: false };
}

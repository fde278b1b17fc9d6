/** Makes links, each once, whatever the service makes of the request and whatever becomes of its answer. */
import type { IDataObject } from 'n8n-workflow';

import { ApiError } from '../../service/answer/errors';
import { inQuotes } from '../../service/answer/failures';
import { asText, idOf, withNumbers } from '../../service/records';
import { sendChange } from '../../service/send/sendChange';
import { type Creation, linkIn, type Wish } from '../account';
import type { LinkFields } from '../linkFields';
import type { LinkRow } from '../linkRow';
import { aboutLink, describeLink, type LinkRecord } from '../reference';
import { hostOf, isSameAddress, isSimilarAddress, shortKey } from '../url';

/** What a service drops; `spelling`: the alias came in another case, or without signs or accents. */
type Lack = Exclude<Wish, 'url'> | 'spelling';

export interface CreatedLink {
	/** The service's record of it, with `id`, `shorturl`, `alias` and `longurl`. */
	record: IDataObject;
	existing: boolean;
	/** What it lacks of the request. */
	lacks?: Lack;
}

interface CreateOptions {
	/** No link had its alias, or else its long URL, when the run began: a link that has it is the new one. */
	isPlanned?: boolean;
	/** The service may choose another alias. */
	mayLackAlias?: boolean;
}

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

/** What became of what a creation asks for (field notes, "Resources"). */
interface Came {
	kept: Wish[];
	lacks?: Lack;
}

/** An alias as services that write aliases otherwise may write it: in small letters, without signs, and with or without accents. */
function respelled(alias: string): string[] {
	const small = alias.toLowerCase();
	const withoutAccents = small.normalize('NFKD').replace(/\p{M}/gu, '');
	return [small, withoutAccents].map((one) => one.replace(/[^a-z0-9]/g, ''));
}

/** Whether a service has given an alias in its own spelling. If no letter is left of it, it gives any other. */
function isRespelled(given: string, asked: string): boolean {
	return respelled(asked).some((one) => one === '' || respelled(given).includes(one));
}

function whatCame({ alias, shorturl }: LinkRecord, { custom, domain }: LinkFields): Came {
	const host = hostOf(shorturl);
	const isSpelled = custom === undefined || alias === undefined || asText(alias) === asText(custom);
	if (!isSpelled && !isRespelled(asText(alias), asText(custom))) return { kept: [], lacks: 'alias' };
	const isElsewhere = domain !== undefined && host !== undefined && host !== hostOf(domain);
	const kept: Wish[] = [];
	if (custom !== undefined && isSpelled) kept.push('alias');
	if (domain !== undefined && !isElsewhere) kept.push('domain');
	return { kept, lacks: isElsewhere ? 'domain' : isSpelled ? undefined : 'spelling' };
}

/** Why a service gives another link than was asked for. */
const WHY_OTHER = {
	alias: 'Either the long URL already had this link, or your plan does not include custom aliases.',
	domain: 'Check that the domain belongs to the account and that your plan includes it.',
	spelling: 'The service writes aliases in its own way: write the alias of the row as it does.',
};

/** The service gave another link than was asked for. The error shows it, so that nothing is lost. */
export class OtherLinkError extends ApiError {
	constructor(
		readonly link: CreatedLink,
		{ custom, domain }: LinkFields,
	) {
		const { record, lacks, existing } = link;
		const differs =
			lacks === 'domain' ? `which is not on the domain ${asText(domain)}` : `whose alias is not "${asText(custom)}"`;
		const was = existing ? 'The link was there before.' : 'The link was made.';
		super('otherwise', `The service gave the link ${describeLink(record)}, ${differs}`, {
			editor: `${was} ${WHY_OTHER[lacks!]}`,
			model: `${was} Use its address, and do not call again.`,
		});
		aboutLink(this, link.record);
	}
}

/** Whether a link that lacks something was there before: then the service drops nothing, but gives a long URL no second link. */
async function wasThere(row: LinkRow, record: LinkRecord): Promise<boolean> {
	const { index } = row.account;
	if (index.newest > 0) return false;
	// If this fails, nobody knows.
	await row.account.readNewest(0, () => true).catch(() => undefined);
	const [listed] = index.matching({ by: 'shortUrl', shortUrl: asText(record.shorturl) });
	return (idOf(record) ?? idOf(listed ?? {}) ?? Infinity) < index.newest;
}

/**
 * Whether a new link keeps its long URL, as far as that tells it from others: its details are read once a run. Some services add to
 * long URLs; the next run would not find the link, and would make it again.
 */
async function keepsLongUrl(row: LinkRow, record: LinkRecord): Promise<boolean> {
	const { account } = row;
	if (account.newLinks.keeps('url')) return true;
	const id = idOf(record);
	const details = async () => await account.detailsIfThere(id!);
	const look = async () =>
		id === undefined ? await account.lookUp(asText(record.shorturl)) : linkIn((await details()) ?? {}, id);
	// If this fails, nobody knows.
	const shown = await look().catch(() => undefined);
	const longurl = shown === 'unclear' ? undefined : shown?.longurl;
	if (longurl === undefined || isSimilarAddress(longurl, record.longurl)) return true;
	row.atEnd(
		'changed long URLs',
		() =>
			`The service changes long URLs: ${inQuotes(record.longurl)} became ${inQuotes(longurl)}. Give each row an alias: without one, each run makes its link again.`,
	);
	return false;
}

/**
 * Sends a creation. If the answer is lost, a link counts as created if it has everything that was asked for. The answer is compared
 * with the request: services may return the link that a long URL already has, and drop aliases and domains silently.
 */
async function sendCreation(row: LinkRow, creation: Creation, isPlanned: boolean): Promise<CreatedLink> {
	const { fields } = creation;
	const { client, index, newLinks } = row.account;
	const { newest } = index;
	const { custom, url } = fields;
	let isFound = false;
	const find = async () => {
		if (custom === undefined && !isPlanned) return undefined;
		const link = await row.account.findMade(fields, row.size);
		isFound = link !== undefined && !newLinks.has(link) && isSameAddress(link.longurl, url);
		return isFound ? (link as IDataObject) : undefined;
	};
	const onSend = () => newLinks.mayGo(creation);
	const request = { method: 'POST' as const, path: '/api/url/add', body: fields as IDataObject, onSend };
	const answer = inOneSpelling(await sendChange(client, request, find));
	const id = idOf(answer);
	const { alias = custom } = index.withAlias({ shorturl: answer.shorturl });
	const known = { ...(id === undefined ? {} : { id }), ...(alias === undefined ? {} : { alias: alias as string }) };
	const record = withNumbers({ ...answer, ...known, longurl: url as string });
	if (id === undefined && shortKey(record.shorturl) === undefined) throw nothingCreated(answer);
	const { kept, lacks } = whatCame(record, fields);
	const isThere = index.matching({ by: 'shortUrl', shortUrl: asText(record.shorturl) }).length > 0;
	const isListed = isThere || (id ?? Infinity) <= newest;
	const dropped = lacks === 'spelling' ? undefined : lacks;
	if (!isThere) index.put(record);
	if (creation.wishes.includes('url')) {
		if (await keepsLongUrl(row, record)) kept.push('url');
		else newLinks.add(record, creation, [], 'url');
	}
	const learn = async () => {
		const isKnown = !isFound && (isListed || (dropped !== undefined && (await wasThere(row, record))));
		if (!isKnown) newLinks.add(record, creation, kept, dropped);
		return isKnown;
	};
	const isKnown = await (dropped === undefined ? learn() : newLinks.doubt(creation, learn));
	const link = { record, lacks, existing: isKnown };
	if (lacks !== undefined) throw new OtherLinkError(link, fields);
	return link;
}

/** Creates a link, once (spec, "Body of POST /api/url/add"). @throws OtherLinkError if the service gives another one than was asked for */
export async function createLink(
	row: LinkRow,
	fields: LinkFields,
	{ isPlanned = false, mayLackAlias = false }: CreateOptions = {},
): Promise<CreatedLink> {
	const { custom, domain } = fields;
	const wishes: Wish[] = [
		...(custom === undefined || mayLackAlias ? [] : ['alias' as const]),
		...(domain === undefined ? [] : ['domain' as const]),
		...(custom === undefined && isPlanned ? ['url' as const] : []),
	];
	const creation = { fields, wishes };
	return await row.account.newLinks.create(creation, async () => await sendCreation(row, creation, isPlanned));
}

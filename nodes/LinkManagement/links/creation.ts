import type { IDataObject } from 'n8n-workflow';

import { inTurns } from '../n8n/slices';
import { ApiError, DoneOtherwiseError } from '../service/errors';
import { asText, idOf, withNumbers } from '../service/records';
import { sendChange } from '../service/sendRequest';
import type { LinkFields } from './changes';
import { identityOf, type LinkRecord } from './linkIndex';
import { aliasNameOf, describeLink, SeveralLinksError } from './reference';
import { accountOf, inOrderOfLinks, itemRecord, linksOf, type LinkItem, type LinkRow } from './row';
import { addressKey, aliasOf, hostOf, isSameAddress } from './url';

/** So many rows are worth a look-up that tells whether their links are there already. */
const MANY_ROWS = 10;
/** How long (ms) is remembered what a service gave in place of what a request asked for. */
export const OTHER_HOLDS = 7 * 24 * 60 * 60_000;

/** A link that a creation brought. */
export interface CreatedLink {
	/** What the service says of it, with `id`, `shorturl`, `alias` and `longurl`. */
	record: IDataObject;
	/** It was there before, as far as that can be known. */
	existing: boolean;
}

/** The service gave another link than was asked for. The error shows it, so that nothing is lost. */
export class OtherLinkError extends DoneOtherwiseError {
	constructor(
		readonly link: CreatedLink,
		/** What is not as it was asked for. */
		readonly dropped: 'alias' | 'domain',
		{ custom, domain }: LinkFields,
	) {
		const { id, shorturl } = link.record;
		const [differs, advice] =
			dropped === 'alias'
				? [
						`whose alias is not "${asText(custom)}"`,
						'Either the long URL had this link already, or the plan does not include aliases of your own. In the operation Create, Options → If Alias Exists → Return Existing Link takes this link.',
					]
				: [
						`which is not on the domain ${asText(domain)}`,
						'Check that the domain belongs to the account and that the plan includes it. The link was created, or was there before.',
					];
		const shown = { ...(id === undefined ? {} : { id }), ...(shorturl === undefined ? {} : { shorturl }) };
		super(`The service gave the link ${describeLink(link.record)}, ${differs}`, advice, shown);
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

function nothingCreated({ message }: IDataObject): ApiError {
	if (typeof message === 'string' && message !== '') {
		const advice = 'No link was created. This is the answer of the link service: correct what it names and try again.';
		return new ApiError('refused', message, advice);
	}
	return new ApiError(
		'refused',
		'The service answered the creation without a link',
		'No link was created. The usual causes: the limit of your plan is reached, or the service does not take one of the values.',
	);
}

/** What a link that the service gave has not of what was asked for (field notes, "Resources"). */
export function droppedOf({ shorturl }: LinkRecord, { custom, domain }: LinkFields): 'alias' | 'domain' | undefined {
	const alias = aliasOf({ shorturl });
	const host = hostOf(shorturl);
	if (custom !== undefined && alias !== undefined && alias !== asText(custom)) return 'alias';
	return domain !== undefined && host !== undefined && host !== hostOf(domain) ? 'domain' : undefined;
}

/** The very request: what came back otherwise is remembered for it, and for no other. */
function requestName({ url, custom, domain }: LinkFields): string {
	return `given for ${addressKey(url)} ${asText(custom)} ${hostOf(domain)}`;
}

/**
 * Holds what came back against what was asked for: services return the link that a long URL has already, and drop aliases and
 * domains without a word.
 */
function checkCreated(row: LinkRow, answer: IDataObject, body: LinkFields): CreatedLink {
	const record = recordOf(answer, body);
	const identity = identityOf(record);
	if (identity === undefined) throw nothingCreated(answer);
	const links = linksOf(row);
	const isKnown = links.index.byId(identity) !== undefined;
	const dropped = droppedOf(record, body);
	if (!isKnown) {
		links.noteMade(record);
		if (body.domain === undefined && body.custom !== undefined && dropped === undefined) {
			links.homeHost = hostOf(record.shorturl);
		}
	}
	const link = { record, existing: isKnown || dropped === 'alias' };
	if (dropped === undefined) return link;
	row.connection.learned.remember(requestName(body), link, OTHER_HOLDS);
	throw new OtherLinkError(link, dropped, body);
}

/** The link that has the very alias, domain and long URL of a creation, whoever made it. */
async function findExact(row: LinkRow, { custom, domain, url }: LinkFields): Promise<LinkRecord | undefined> {
	if (custom === undefined) return undefined;
	const account = accountOf(row);
	const found = await account.find(aliasNameOf({ custom, domain }));
	const same = found.filter(({ longurl }) => isSameAddress(longurl, url));
	if (domain !== undefined) return same.length === 1 ? same[0] : undefined;
	// One on another domain than the account's own may be a colleague's.
	const { homeHost } = account.links;
	const others = homeHost === undefined ? (await account.domains()).map(hostOf) : [];
	const isHome = (host: string | undefined) => (homeHost === undefined ? !others.includes(host) : host === homeHost);
	const meant = same.filter(({ shorturl }) => isHome(hostOf(shorturl)));
	return meant.length === 1 ? meant[0] : undefined;
}

/** Whether a link that the service gave earlier is still there: by its ID, or where it has told none by its short URL. */
async function isStillThere(row: LinkRow, { id, shorturl }: IDataObject): Promise<boolean> {
	const account = accountOf(row);
	if (id !== undefined) return (await account.byId(id as number)) !== undefined;
	return (await account.find({ by: 'shortUrl', shortUrl: asText(shorturl) })).length > 0;
}

/**
 * Creates a link, once. A link whose creation was answered by nothing is taken for the one that was asked for if it is that in
 * everything.
 *
 * @param body spec, "Body of POST /api/url/add"
 * @throws ApiError what the service refuses; OtherLinkError when it gave another link than was asked for, now or before
 */
export async function createLink(row: LinkRow, body: LinkFields): Promise<CreatedLink> {
	const before = row.connection.learned.recall<CreatedLink>(requestName(body));
	if (before !== undefined && (await isStillThere(row, before.record)))
		throw new OtherLinkError({ ...before, existing: true }, droppedOf(before.record, body) ?? 'alias', body);
	let lost: LinkRecord | undefined;
	const find = async () => {
		lost = await findExact(row, body);
		return lost as IDataObject | undefined;
	};
	const request = { method: 'POST' as const, path: '/api/url/add', body: body as IDataObject };
	const answer = await sendChange(row, request, find);
	if (lost === undefined) return checkCreated(row, answer, body);
	return { record: withNumbers({ ...lost, alias: aliasOf(lost) } as IDataObject), existing: false };
}

/** The same shape for a link that was created and for one that was found. */
function itemFor({ record, existing }: CreatedLink): LinkItem[] {
	return [{ json: { ...record, ...(existing ? { existing: true } : {}) } }];
}

/** A link that was found, with the fields that a creation gives. */
function existing({ id, shorturl, alias, longurl }: LinkRecord): LinkItem[] {
	return itemFor({ record: itemRecord({ id, shorturl, alias, longurl }), existing: true });
}

const isReturning = ({ request: { body, options } }: LinkRow) =>
	options.ifAliasExists === 'returnExisting' && body.custom !== undefined;

const nameOf = ({ request: { body } }: LinkRow) => aliasNameOf(body);

/** A refusal of a link with an alias, with what to do if the alias is the reason: the service says that in words of its own. */
function withAliasAdvice({ kind, message, advice, statusCode }: ApiError, alias: unknown): ApiError {
	const cure = `The row asked for the alias "${String(alias)}". If a link has that alias already, set Options → If Alias Exists to "Return Existing Link", or use the operation Create or Update.`;
	return new ApiError(kind, message, `${advice} ${cure}`, statusCode);
}

/** The link that has the alias already, in place of the service's refusal. */
async function linkWithAlias(row: LinkRow, refusal: ApiError): Promise<LinkItem[]> {
	const { url, custom } = row.request.body;
	const there = await accountOf(row).find(nameOf(row), true);
	if (there.length === 0) throw refusal;
	const same = there.filter(({ longurl }) => isSameAddress(longurl, url));
	if (same.length === 1) return existing(same[0]);
	if (same.length > 1) throw new SeveralLinksError(`The alias "${String(custom)}"`, same, 'Name the domain too.');
	throw new ApiError(
		'refused',
		`The alias "${String(custom)}" belongs to a link with another long URL`,
		`The service's answer to the creation was: ${refusal.message}`,
		refusal.statusCode,
	);
}

async function create(row: LinkRow): Promise<LinkItem[]> {
	const { body, options } = row.request;
	const isAnother = options.ifAliasExists === 'another';
	return await createLink(row, body).then(itemFor, async (error: unknown) => {
		if (error instanceof OtherLinkError) {
			if (isReturning(row)) return itemFor({ ...error.link, existing: true });
			if (isAnother && error.dropped === 'alias') return itemFor(error.link);
			throw error;
		}
		if (!(error instanceof ApiError) || error.kind !== 'refused' || body.custom === undefined) throw error;
		if (isReturning(row)) return await linkWithAlias(row, error);
		if (isAnother) return itemFor(await createLink(row, { ...body, custom: undefined }));
		throw withAliasAdvice(error, body.custom);
	});
}

/**
 * Finds the links of many rows together, if the first row's is there: then the sheet has run before, and this takes fewer requests
 * than to have each creation refused.
 */
async function findExisting(rows: LinkRow[]): Promise<void> {
	if (rows.length < MANY_ROWS) return;
	const [first] = rows;
	const account = accountOf(first);
	if ((await account.find(nameOf(first))).length === 0) return;
	await account.findAll(rows.map(nameOf));
	for await (const row of inTurns(rows)) {
		const there = account.links.among(nameOf(row));
		// One that leads elsewhere is left to the service to refuse.
		if (there.length !== 1 || !isSameAddress(there[0].longurl, row.request.body.url)) continue;
		row.decision = async () => existing(there[0]);
	}
}

/**
 * Plans the creation of links, each of which may be returned where it is there already, and is never updated. Of rows that name one
 * alias the earlier gets it.
 */
export async function planCreations(rows: readonly LinkRow[]): Promise<void> {
	for await (const row of inTurns(rows)) row.decision = async () => await create(row);
	inOrderOfLinks(rows, ({ request: { body } }) => (body.custom === undefined ? undefined : String(body.custom)));
	// What can't be read now is left to the creations, each of which says itself what is wrong.
	await findExisting(rows.filter(isReturning)).catch(() => undefined);
}

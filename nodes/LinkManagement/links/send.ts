/** Creations, updates and deletions, with what a service may do otherwise, and with answers that were lost. */
import type { IDataObject } from 'n8n-workflow';

import { ApiError, DoneOtherwiseError } from '../service/errors';
import { asText, flatRecord, idOf, withNumbers } from '../service/records';
import { sendChange } from '../service/sendRequest';
import {
	changedRecord,
	changesOf,
	clearedIn,
	differences,
	lostTargets,
	pick,
	updateBody,
	type LinkFields,
} from './changes';
import { LinkFinder } from './find';
import { linkIn } from './linkIndex';
import { aliasNameOf, describeLink, identityOf, type LinkRecord } from './reference';
import { nameOfId } from './names';
import { newLinksOf } from './newLinks';
import { accountKey, itemRecord, linksOf, readDetails, type LinkRow, type LinkRules } from './row';
import { aliasOf, hostOf, isLikeAddress } from './url';

export interface CreatedLink {
	/** What the service says of it, with `id`, `shorturl`, `alias` and `longurl`. */
	record: IDataObject;
	/** It was there before, as far as that can be known. */
	existing: boolean;
	/** What it lacks of the request. */
	dropped?: 'alias' | 'domain';
}

/** What a link that the service gave lacks of the request (field notes, "Resources"). */
function droppedOf({ shorturl }: LinkRecord, { custom, domain }: LinkFields): 'alias' | 'domain' | undefined {
	const alias = aliasOf({ shorturl });
	const host = hostOf(shorturl);
	if (custom !== undefined && alias !== undefined && alias !== asText(custom)) return 'alias';
	return domain !== undefined && host !== undefined && host !== hostOf(domain) ? 'domain' : undefined;
}

const TO_ACCEPT =
	'To accept this link, use the operation Create with Options → If Alias Exists → Return Existing Link.';

/** The service gives another link than was asked for. The error shows it, so that nothing is lost. */
export class OtherLinkError extends DoneOtherwiseError {
	constructor(
		readonly link: CreatedLink,
		message: string,
		advice: string,
	) {
		const { id, shorturl } = link.record;
		const shown = { ...(id === undefined ? {} : { id }), ...(shorturl === undefined ? {} : { shorturl }) };
		super(message, advice, shown);
	}
}

/** The answer to a creation names another link. */
function wrongLink(link: CreatedLink, { custom, domain }: LinkFields): OtherLinkError {
	const [differs, advice] =
		link.dropped === 'alias'
			? [
					`whose alias is not "${asText(custom)}"`,
					`Either the long URL already had this link, or your plan does not include custom aliases. ${TO_ACCEPT}`,
				]
			: [
					`which is not on the domain ${asText(domain)}`,
					'Check that the domain belongs to the account and that your plan includes it. The link was created, or existed before.',
				];
	return new OtherLinkError(link, `The service gave the link ${describeLink(link.record)}, ${differs}`, advice);
}

/** The service would make one link more of a row, which has one already. */
function linkInPlace(there: LinkRecord, fields: LinkFields, dropped: 'alias' | 'domain'): OtherLinkError {
	const { id, shorturl, alias, longurl } = there;
	const record = itemRecord({ id, shorturl, alias, longurl });
	const [included, accept] =
		fields.custom === undefined
			? ['this domain', 'To use this link, leave the domain of the row empty.']
			: [dropped === 'alias' ? 'custom aliases' : 'this domain', TO_ACCEPT];
	return new OtherLinkError(
		{ record, existing: true, dropped: droppedOf(record, fields) },
		`The service drops the ${dropped} of new links, and the long URL of this row already has the link ${describeLink(record)}`,
		`No link was created for this row. Check that your plan includes ${included}. ${accept}`,
	);
}

/** An answer that calls itself a success, and names no link. */
function nothingCreated({ message }: IDataObject): ApiError {
	return new ApiError(
		'refused',
		typeof message === 'string' && message !== '' ? message : 'The service answered, but created no link',
		'No link was created. The usual causes: the limit of your plan is reached, or the service rejects one of the values.',
	);
}

/** An answer whose short URL stands in `shorturl`, also where the service calls it `short`. */
function inOneSpelling({ short, ...answer }: IDataObject): IDataObject {
	return answer.shorturl === undefined && short !== undefined ? { ...answer, shorturl: short } : answer;
}

function recordOf(sent: IDataObject, body: LinkFields): IDataObject {
	const answer = inOneSpelling(sent);
	const id = idOf(answer);
	const alias = aliasOf({ shorturl: answer.shorturl }) ?? body.custom;
	return withNumbers({
		...answer,
		...(id === undefined ? {} : { id }),
		...(alias === undefined ? {} : { alias: alias as string }),
		longurl: body.url as string,
	});
}

/** The link that has the very alias, domain and long URL of a creation whose answer was lost. */
async function findCreated(row: LinkRow, { custom, domain, url }: LinkFields): Promise<LinkRecord | undefined> {
	if (custom === undefined) return undefined;
	const finder = new LinkFinder(row);
	const found = await finder.find(aliasNameOf({ custom, domain }));
	const same = found.filter(({ longurl }) => isLikeAddress(longurl, url));
	// One on another domain than the account's own may be a colleague's.
	const branded = domain === undefined ? (await finder.domains()).map(hostOf) : [];
	const [only, ...others] = same.filter(({ shorturl }) => !branded.includes(hostOf(shorturl)));
	return others.length === 0 ? only : undefined;
}

/**
 * Sends a creation. A link whose creation was answered by nothing is taken for the one that was asked for if it is that in everything.
 * What comes back is held against what was asked for: services return the link that a long URL has already, and drop aliases and
 * domains without a word.
 */
async function sendCreation(row: LinkRow, body: LinkFields): Promise<CreatedLink> {
	const { links } = new LinkFinder(row);
	const { newest } = links;
	let isFound = false;
	const find = async () => {
		const link = await findCreated(row, body);
		isFound = link !== undefined;
		return link as IDataObject | undefined;
	};
	const answer = await sendChange(row, { method: 'POST', path: '/api/url/add', body: body as IDataObject }, find);
	const record = recordOf(answer, body);
	if (identityOf(record) === undefined) throw nothingCreated(answer);
	// Services return the link that a long URL has already.
	const isKnown = links.known(record) !== undefined || (idOf(record) ?? Infinity) <= newest;
	if (links.known(record) === undefined) links.note(record);
	const dropped = droppedOf(record, body);
	newLinksOf(row).learn(record, body, dropped);
	const link = { record, dropped, existing: !isFound && (isKnown || dropped === 'alias') };
	if (dropped === undefined) return link;
	throw wrongLink(link, body);
}

/**
 * Creates a link, once.
 *
 * @param body spec, "Body of POST /api/url/add"
 * @param isAnother a further link is wanted, whichever the account has
 * @throws OtherLinkError where the service gives another one than was asked for
 */
export async function createLink(row: LinkRow, body: LinkFields, isAnother = false): Promise<CreatedLink> {
	const send = async () => await sendCreation(row, body);
	if (isAnother) return await send();
	return await newLinksOf(row).create(body, new LinkFinder(row), send, (link, dropped) =>
		linkInPlace(link, body, dropped),
	);
}

/** Sends the body of an update. It may be sent more than once: a second time changes nothing. */
async function sendBody(row: LinkRow, id: unknown, body: IDataObject): Promise<IDataObject> {
	return inOneSpelling(await row.send({ method: 'PUT', path: `/api/url/${asText(id)}/update`, body }));
}

function notCleared(names: readonly string[], { labelOf }: LinkRules, isSent: boolean): DoneOtherwiseError {
	const fields = names.map(labelOf).join(', ');
	return new DoneOtherwiseError(
		`This service does not clear ${fields}`,
		`${isSent ? 'The other changes were made.' : 'Nothing was sent.'} Clear ${fields} at the service, or leave the cell as it was.`,
		{},
	);
}

/** An update that asked for another alias than the link has come to. */
function wrongAlias(link: LinkRecord, { custom }: LinkFields): DoneOtherwiseError {
	const alias = asText(aliasOf(link));
	return new DoneOtherwiseError(
		`The service gave the link ${describeLink(link)} the alias "${alias}" in place of "${asText(custom)}"`,
		`The other changes were made. Enter "${alias}", or an alias that the service and your plan accept.`,
		{ id: link.id as number, shorturl: link.shorturl as string },
	);
}

/** How a service clears a field: by an empty value, or by leaving it out. */
type Clearing = 'empty' | 'omitted';

const clearingOf = (name: string) => `clearing ${name}`;

/** The fields that this execution has found the service not to clear. */
function neverCleared(row: LinkRow): Set<string> {
	return row.sharedByRounds(`never cleared by ${accountKey(row)}`, () => new Set<string>());
}

/** What is sent, and what it changes as items show it: campaigns and channels by their names, as far as these are known. */
interface PreparedUpdate {
	body: IDataObject;
	changes: IDataObject;
}

/**
 * Prepares the body of an update (field notes, "Endpoints that the document leaves out"), as far as the service is known to take it: what
 * is changed, and everything else that the link shows.
 *
 * @param shown the link's details as one flat record
 */
export function prepareUpdate(row: LinkRow, shown: LinkRecord, fields: LinkFields, rules: LinkRules): PreparedUpdate {
	const cleared = clearedIn(fields, shown);
	const clearing = (name: string) => row.connection.learned.recall<Clearing>(clearingOf(name));
	const never = cleared.filter((name) => neverCleared(row).has(name));
	if (never.length > 0) throw notCleared(never, rules, false);
	const lost = lostTargets(shown, fields);
	if (lost.length > 0) {
		throw new ApiError(
			'refused',
			`The link has targets by state (${lost.join(', ')}), which an update may lose: the API takes targets by country alone`,
			'Nothing was sent. Add Geo Targeting to the row, in place of the targets that are there, or change the link at the service.',
		);
	}
	const body = updateBody(shown, fields) as IDataObject;
	rules.check(body);
	for (const name of cleared) if (clearing(name) === 'omitted') delete body[name];
	const inWords = (name: string, value: unknown) =>
		name === 'campaign' || name === 'channel' ? (nameOfId(row, name, value) ?? value) : value;
	return { body, changes: changesOf(fields, shown, inWords) as IDataObject };
}

/** Sees to it that an update has cleared fields: those that still show what they had are left out of one more. */
async function clear(row: LinkRow, id: number, body: IDataObject, cleared: string[], rules: LinkRules): Promise<void> {
	const { learned } = row.connection;
	const learn = (name: string, way: Clearing) => learned.remember(clearingOf(name), way);
	let open = cleared.filter((name) => learned.recall(clearingOf(name)) === undefined);
	for (const way of ['empty', 'omitted'] as const) {
		if (open.length === 0) return;
		const wanted = pick(body, open);
		if (way === 'omitted') {
			await sendBody(row, id, Object.fromEntries(Object.entries(body).filter(([name]) => !open.includes(name))));
		}
		const left = differences(wanted, flatRecord(await readDetails(row, id)));
		for (const name of open) if (!left.includes(name)) learn(name, way);
		open = left;
	}
	for (const name of open) neverCleared(row).add(name);
	if (open.length > 0) throw notCleared(open, rules, true);
}

/** Whether an update was made that was answered by nothing, as far as the service shows what it has changed. */
async function wasMade(row: LinkRow, shown: LinkRecord, fields: LinkFields, error: unknown): Promise<boolean> {
	const failure = error instanceof ApiError ? error.failure : undefined;
	if (failure?.kind !== 'unreadable' || failure.why !== 'noResult') return false;
	const changed = pick(fields, differences(fields, shown));
	return differences(changed, flatRecord(await readDetails(row, shown.id))).length === 0;
}

/**
 * Updates a link.
 *
 * @param shown the link's details as one flat record
 * @param body by `prepareUpdate`
 * @returns the answer, with the short URL in `shorturl`, and the link as it is now
 */
export async function updateLink(
	row: LinkRow,
	shown: LinkRecord,
	fields: LinkFields,
	body: IDataObject,
	rules: LinkRules,
): Promise<{ answer: IDataObject; link: LinkRecord }> {
	const answer = await sendBody(row, shown.id, body).catch(async (error: unknown) => {
		if (!(await wasMade(row, shown, fields, error))) throw error;
		return {} as IDataObject;
	});
	const link = changedRecord(linkIn(shown as IDataObject), { ...fields, custom: body.custom }, answer.shorturl);
	linksOf(row).note(link);
	if (body.custom !== undefined && droppedOf(link, { custom: body.custom }) !== undefined) {
		throw wrongAlias(link, body);
	}
	await clear(row, shown.id as number, body, clearedIn(fields, shown), rules);
	return { answer, link };
}

/** Deletes a link. When the answer is lost, it is looked whether the link is gone. @returns the service's answer */
export async function deleteLink(row: LinkRow, id: number): Promise<IDataObject> {
	const find = async () =>
		(await row.lookUp(`/api/url/${id}`)) === undefined
			? { message: 'The link is gone. The answer to its deletion was lost.' }
			: undefined;
	const answer = await sendChange(row, { method: 'DELETE', path: `/api/url/${id}/delete` }, find);
	linksOf(row).forget({ id });
	return answer;
}

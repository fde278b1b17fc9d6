/** Sends creations, updates and deletions, and handles deviations of services and lost answers. */
import type { IDataObject } from 'n8n-workflow';

import { ApiError, DoneOtherwiseError } from '../service/errors';
import { inQuotes } from '../service/failures';
import { asText, flatRecord, idOf, withNumbers } from '../service/records';
import { sendChange } from '../service/serviceClient';
import { changedRecord, changesOf, clearedIn, differences, lostTargets, updateBody } from './comparison';
import { LinkFinder } from './find';
import { checkNeeds, labelOf, pick, type LinkFieldName, type LinkFields } from './linkFields';
import { linkIn } from './linkIndex';
import { aboutLink, aliasNameOf, describeLink, identityOf, type LinkRecord } from './reference';
import { nameOfId } from './names';
import { newLinksOf } from './newLinks';
import { droppedOf, possibleDuplicate, wrongLink, type CreatedLink } from './otherLink';
import { givenFieldsOf, linksOf, readDetails, type LinkRow } from './linkRow';
import { aliasOf, hostOf, isSameAddress } from './url';

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

/** Finds the link with exactly the alias, domain and long URL of a creation whose answer was lost. */
async function findCreated(row: LinkRow, { custom, domain, url }: LinkFields): Promise<LinkRecord | undefined> {
	if (custom === undefined) return undefined;
	const finder = new LinkFinder(row);
	const found = await finder.find(aliasNameOf({ custom, domain }));
	const same = found.filter(({ longurl }) => isSameAddress(longurl, url));
	// A link on another domain may be a colleague's.
	const branded = domain === undefined ? (await finder.domains()).map(hostOf) : [];
	const [only, ...others] = same.filter(({ shorturl }) => !branded.includes(hostOf(shorturl)));
	return others.length === 0 ? only : undefined;
}

/**
 * Sends a creation. If the answer is lost, a link counts as created if it has everything that was asked for. The answer is compared
 * with the request: services may return the link that a long URL already has, and drop aliases and domains silently.
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
	// Services may return the link that a long URL already has.
	const isKnown = links.get(record) !== undefined || (idOf(record) ?? Infinity) <= newest;
	if (links.get(record) === undefined) links.put(record);
	const dropped = droppedOf(record, body);
	if (dropped === undefined && body.custom !== undefined && record.alias !== asText(body.custom))
		row.atEnd(
			'alias in another case',
			() =>
				`This service writes aliases in another case: "${asText(body.custom)}" comes back as "${asText(record.alias)}".`,
		);
	newLinksOf(row).learn(record, body, dropped);
	givenFieldsOf(row).put(record, body);
	const link = { record, dropped, existing: !isFound && (isKnown || dropped === 'alias') };
	if (dropped === undefined) return link;
	throw wrongLink(link, body);
}

/**
 * Creates a link, once.
 *
 * @param body spec, "Body of POST /api/url/add"
 * @param isAnother a new link is wanted even if the long URL has one
 * @throws OtherLinkError if the service gives another link than was asked for
 */
export async function createLink(row: LinkRow, body: LinkFields, isAnother = false): Promise<CreatedLink> {
	const send = async () => await sendCreation(row, body);
	if (isAnother) return await send();
	return await newLinksOf(row).create(body, new LinkFinder(row), send, (link, dropped) =>
		possibleDuplicate(link, body, dropped),
	);
}

/** Sends an update. It may be sent more than once, which changes nothing. */
async function sendBody(row: LinkRow, id: unknown, body: IDataObject): Promise<IDataObject> {
	return inOneSpelling(await row.send({ method: 'PUT', path: `/api/url/${asText(id)}/update`, body }));
}

function notCleared(names: readonly LinkFieldName[], isSent: boolean): DoneOtherwiseError {
	const fields = names.map(labelOf).join(', ');
	return new DoneOtherwiseError(
		`This service does not clear ${fields}`,
		`${isSent ? 'The other changes were made.' : 'Nothing was sent.'} Clear ${fields} at the service, or leave the cell as it was.`,
	);
}

/** The error of an update after which the link has another alias than was asked for. */
function wrongAlias(link: LinkRecord, { custom }: LinkFields): DoneOtherwiseError {
	const alias = asText(aliasOf(link));
	const error = new DoneOtherwiseError(
		`The service gave the link ${describeLink(link)} the alias "${alias}" instead of "${asText(custom)}"`,
		`The other changes were made. Enter "${alias}", or an alias that the service and your plan accept.`,
	);
	return aboutLink(error, link);
}

/** How a service clears a field: by an empty value, or if it is left out. */
type Clearing = 'empty' | 'omitted';

const clearingOf = (name: LinkFieldName) => `clearing ${name}`;

/** The fields that the service does not clear, as this execution has found. */
function neverCleared(row: LinkRow): Set<LinkFieldName> {
	return row.sharedInLoop('never cleared', () => new Set<LinkFieldName>());
}

/** The body of an update, and its changes as items show them: campaigns and channels by their names if these are known. */
interface PreparedUpdate {
	body: IDataObject;
	changes: IDataObject;
}

/**
 * Prepares the body of an update (field notes, "Endpoints that the document leaves out"): the changes, and everything else that the
 * link shows, in the form that this service accepts.
 *
 * @param shown the link's details as one flat record
 */
export function prepareUpdate(row: LinkRow, shown: LinkRecord, fields: LinkFields): PreparedUpdate {
	const cleared = clearedIn(fields, shown);
	const clearing = (name: LinkFieldName) => row.connection.learned.recall<Clearing>(clearingOf(name));
	const never = cleared.filter((name) => neverCleared(row).has(name));
	if (never.length > 0) throw notCleared(never, false);
	const lost = lostTargets(shown, fields);
	if (lost.length > 0) {
		throw new ApiError(
			'refused',
			`The link has targets by state (${lost.join(', ')}), which an update may lose: the API only takes targets by country`,
			'Nothing was sent. Add Geo Targeting to the row, instead of the existing targets, or change the link at the service.',
		);
	}
	const body = updateBody(shown, fields, givenFieldsOf(row).get(shown)) as IDataObject;
	checkNeeds(body);
	for (const name of cleared) if (clearing(name) === 'omitted') delete body[name];
	const inWords = (name: LinkFieldName, value: unknown) =>
		name === 'campaign' || name === 'channel' ? (nameOfId(row, name, value) ?? value) : value;
	return { body, changes: changesOf(fields, shown, inWords) as IDataObject };
}

/** Checks that an update has cleared its fields; sends another one without those that are still filled. */
async function clear(row: LinkRow, id: number, body: IDataObject, cleared: LinkFieldName[]): Promise<void> {
	const { learned } = row.connection;
	const learn = (name: LinkFieldName, way: Clearing) => learned.remember(clearingOf(name), way);
	let open = cleared.filter((name) => learned.recall(clearingOf(name)) === undefined);
	for (const way of ['empty', 'omitted'] as const) {
		if (open.length === 0) return;
		const wanted = pick(body, open);
		if (way === 'omitted') {
			await sendBody(
				row,
				id,
				Object.fromEntries(Object.entries(body).filter(([name]) => !(open as string[]).includes(name))),
			);
		}
		const left = differences(wanted, flatRecord(await readDetails(row, id)));
		for (const name of open) if (!left.includes(name)) learn(name, way);
		open = left;
	}
	for (const name of open) neverCleared(row).add(name);
	if (open.length > 0) throw notCleared(open, true);
}

/** Whether an update was made although its answer does not say so, as far as the service shows it. */
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
): Promise<{ answer: IDataObject; link: LinkRecord }> {
	const answer = await sendBody(row, shown.id, body).catch(async (error: unknown) => {
		if (!(await wasMade(row, shown, fields, error))) throw error;
		return {} as IDataObject;
	});
	const link = changedRecord(linkIn(shown as IDataObject), { ...fields, custom: body.custom }, answer.shorturl);
	linksOf(row).putChanged(link);
	givenFieldsOf(row).put(link, body);
	if (body.custom !== undefined && aliasOf(link) !== asText(body.custom)) {
		throw wrongAlias(link, body);
	}
	await clear(row, shown.id as number, body, clearedIn(fields, shown));
	return { answer, link };
}

/** Deletes a link. If the answer is lost, checks whether the link is gone. @returns the service's answer */
export async function deleteLink(row: LinkRow, id: number): Promise<IDataObject> {
	const find = async () =>
		(await row.lookUp(`/api/url/${id}`)) === undefined
			? { message: 'The link is gone. The answer to its deletion was lost.' }
			: undefined;
	const answer = await sendChange(row, { method: 'DELETE', path: `/api/url/${id}/delete` }, find);
	linksOf(row).delete({ id });
	return answer;
}

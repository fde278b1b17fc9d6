import type { IDataObject } from 'n8n-workflow';

import { inTurns } from '../n8n/slices';
import { ApiError, DoneOtherwiseError } from '../service/errors';
import { asText, flatRecord } from '../service/records';
import { linkIn } from './account';
import { changedRecord, differences, emptyOf, isEmpty, lostTargets, updateBody, type LinkFields } from './changes';
import { findLinkIds, findLinksByList, inOrderOfChosen, readLink } from './chosen';
import { droppedOf, OTHER_HOLDS } from './creation';
import type { LinkRecord } from './linkIndex';
import { describeLink } from './reference';
import { accountOf, linksOf, namesOfLink, type LinkItem, type LinkRow } from './row';
import { aliasOf } from './url';

/** How often a deletion is sent whose answers are lost while the link stays. */
const MOST_DELETIONS = 3;
/** How long (ms) is remembered how a service clears a field. */
const CLEARING_HOLDS = 60 * 60_000;

/** The alias of an update: left out where it stays. */
function withoutSameAlias(fields: LinkFields, shown: LinkRecord): LinkFields {
	const { custom, ...others } = fields;
	return custom === undefined || asText(custom) === aliasOf(shown) ? others : fields;
}

/** Throws when a whole link can't be sent. */
export type CheckLink = (body: IDataObject) => void;

/** Sends the body of an update. It may be sent more than once: a second time changes nothing. */
async function sendBody(row: LinkRow, id: unknown, body: IDataObject): Promise<IDataObject> {
	const path = `/api/url/${encodeURIComponent(String(id))}/update`;
	const { short, ...answer } = await row.send({ method: 'PUT', path, body });
	return answer.shorturl === undefined && short !== undefined ? { ...answer, shorturl: short } : answer;
}

/** How a service clears a field: by an empty value, by leaving it out, or not at all. */
type Clearing = 'empty' | 'omitted' | 'never';

function notCleared(names: readonly string[], labels: (name: string) => string, isSent: boolean): DoneOtherwiseError {
	const fields = names.map(labels).join(', ');
	return new DoneOtherwiseError(
		`This service does not clear ${fields}`,
		`${isSent ? 'The other changes were made.' : 'Nothing was sent.'} Clear ${fields} at the service, or leave the cell as it was.`,
		{},
	);
}

/** What an update needs besides the link and its new fields. */
interface Updating {
	check: CheckLink;
	/** Names of the fields that are shown and to be cleared: what came of them is read. */
	cleared?: string[];
	/** The names that the editor shows of fields. */
	labels?: (name: string) => string;
}

const clearingOf = (name: string) => `clearing ${name}`;

/** The very renaming: what came of it is remembered for it, and for no other. */
const renamingOf = (id: unknown, { custom }: LinkFields) => `renaming ${asText(id)} ${asText(custom)}`;

/** An update that asked for another alias than the link has come to. */
function aliasKept(link: LinkRecord, { custom }: LinkFields, isSent: boolean): DoneOtherwiseError {
	const kept = asText(aliasOf(link));
	return new DoneOtherwiseError(
		`The service gave the link ${describeLink(link)} the alias "${kept}" in place of "${asText(custom)}"`,
		`${isSent ? 'The other changes were made.' : 'Nothing was sent.'} Enter "${kept}", or an alias that the service and your plan accept.`,
		{ id: link.id as number, shorturl: link.shorturl as string },
	);
}

/**
 * The body of an update (field notes, "Endpoints that the document leaves out"), as far as the service is known to take it: what
 * is changed, and everything else that the link shows. It is what a dry run can say of the update.
 *
 * @param shown the link's details as one flat record
 * @throws ApiError where the update would fail, or lose something that it can't send along
 */
export function bodyOfUpdate(
	{ connection: { learned } }: LinkRow,
	shown: LinkRecord,
	fields: LinkFields,
	{ check, cleared = [], labels = String }: Updating,
): IDataObject {
	const clearing = (name: string) => learned.recall<Clearing>(clearingOf(name));
	const never = cleared.filter((name) => clearing(name) === 'never');
	if (never.length > 0) throw notCleared(never, labels, false);
	const lost = lostTargets(shown, fields);
	if (lost.length > 0) {
		throw new ApiError(
			'refused',
			`The link has targets by state (${lost.join(', ')}), which an update may lose: the API takes targets by country alone`,
			'Nothing was sent. Add Geo Targeting to the row, in place of the targets that are there, or change the link at the service.',
		);
	}
	const body = updateBody(shown, withoutSameAlias(fields, shown)) as IDataObject;
	check(body);
	const kept = body.custom === undefined ? undefined : learned.recall(renamingOf(shown.id, body));
	if (kept !== undefined && kept === aliasOf(shown)) throw aliasKept(shown, body, false);
	for (const name of cleared) if (clearing(name) === 'omitted') delete body[name];
	return body;
}

/**
 * Updates a link.
 *
 * @param shown the link's details as one flat record
 * @returns the answer, with the short URL in `shorturl`, and the link as it is now
 */
export async function updateLink(
	row: LinkRow,
	shown: LinkRecord,
	fields: LinkFields,
	updating: Updating,
): Promise<{ answer: IDataObject; link: LinkRecord }> {
	const { cleared = [], labels = String } = updating;
	const { learned } = row.connection;
	const body = bodyOfUpdate(row, shown, fields, updating);
	const answer = await sendBody(row, shown.id, body);
	const link = changedRecord(linkIn(shown as IDataObject), withoutSameAlias(fields, shown), answer.shorturl);
	linksOf(row).note(link);
	if (body.custom !== undefined && droppedOf(link, { custom: body.custom }) !== undefined) {
		learned.remember(renamingOf(shown.id, body), aliasOf(link), OTHER_HOLDS);
		throw aliasKept(link, body, true);
	}
	let open = cleared.filter((name) => learned.recall(clearingOf(name)) === undefined);
	for (const way of ['empty', 'omitted'] as const) {
		if (open.length === 0) return { answer, link };
		for (const name of way === 'omitted' ? open : []) delete body[name];
		if (way === 'omitted') await sendBody(row, shown.id, body);
		const details = (await accountOf(row).byId(shown.id as number)) ?? {};
		const wanted = Object.fromEntries(open.map((name) => [name, fields[name]]));
		const left = differences(wanted, flatRecord(details));
		for (const name of open) if (!left.includes(name)) learned.remember(clearingOf(name), way, CLEARING_HOLDS);
		open = left;
	}
	for (const name of open) learned.remember(clearingOf(name), 'never', CLEARING_HOLDS);
	if (open.length > 0) throw notCleared(open, labels, true);
	return { answer, link };
}

/**
 * Deletes a link. When the answer is lost, it is looked up: a link that is gone is deleted, one that is still there is deleted again.
 *
 * @returns the service's answer
 */
async function deleteLink(row: LinkRow, id: number): Promise<IDataObject> {
	const links = linksOf(row);
	for (let tries = 1; ; tries++) {
		const answer = await row.send({ method: 'DELETE', path: `/api/url/${id}/delete` }).catch((error: unknown) => {
			const isLost = error instanceof ApiError && error.kind === 'uncertain';
			// A refusal of a deletion that was sent before may mean that the one before came through.
			const isRefusedAgain = error instanceof ApiError && error.kind === 'refused' && tries > 1;
			if (!isLost && !isRefusedAgain) throw error;
			return error;
		});
		if (!(answer instanceof ApiError)) {
			links.forget({ id });
			return answer;
		}
		const details = await accountOf(row).byId(id);
		if (details === undefined) {
			links.forget({ id });
			return { message: 'The link is gone. The answer to its deletion was lost.' };
		}
		links.note(linkIn(details, id));
		if (answer.kind !== 'uncertain' || tries === MOST_DELETIONS) throw answer;
	}
}

/** Plans the deletion of the links that rows choose. */
export async function planDeletions(rows: readonly LinkRow[]): Promise<void> {
	await findLinkIds(rows);
	await inOrderOfChosen(rows);
	for await (const row of inTurns(rows)) {
		row.decision = async () => {
			const id = Number(row.request.pathValues.linkId);
			const names = namesOfLink(row, id);
			const answer = await deleteLink(row, id);
			return [{ json: { deleted: true, ...answer, id, ...names } }];
		};
	}
}

/** Changes a link: reads what it shows, and sends it along. */
async function update(row: LinkRow, check: CheckLink, labels: (name: string) => string): Promise<LinkItem[]> {
	const { id, details } = await readLink(row);
	const { body, cleared = [] } = row.request;
	const shown: IDataObject = { ...(linksOf(row).known(id) as IDataObject), ...flatRecord(details), id };
	const fields = { ...body, ...Object.fromEntries(cleared.map((name) => [name, emptyOf(name)])) };
	const toClear = differences(fields, shown).filter((name) => isEmpty((fields as IDataObject)[name]));
	const { answer } = await updateLink(row, shown, fields, { check, cleared: toClear, labels });
	return [{ json: { success: true, ...answer, id, ...namesOfLink(row, id) } }];
}

/**
 * Plans updates of the links that rows choose. Rows of one link go one after another: each finds what the one before has left.
 *
 * @param check throws when a whole link can't be sent
 * @param labels the names that the editor shows of fields
 */
export function planUpdates(check: CheckLink, labels: (name: string) => string) {
	return async (rows: readonly LinkRow[]): Promise<void> => {
		await findLinksByList(rows);
		await inOrderOfChosen(rows);
		for await (const row of inTurns(rows)) row.decision = async () => await update(row, check, labels);
	};
}

/** Changes and deletes links. */
import type { IDataObject } from 'n8n-workflow';

import { LINK, pathOf } from '../service/endpoints';
import { ApiError, DoneOtherwiseError, listed } from '../service/errors';
import { inQuotes } from '../service/failures';
import { asText, flatRecord } from '../service/records';
import { sendChange } from '../service/serviceClient';
import { changesOf, clearedIn, differences, lostTargets, predict, updateBody } from './comparison';
import { inOneSpelling } from './createLink';
import { checkNeeds, labelOf, type LinkFieldName, type LinkFields, pick } from './linkFields';
import { linkIn } from './linkIndex';
import { type LinkRow, readDetails } from './linkRow';
import { nameOfId } from './names';
import { aboutLink, describeLink, idOfLink, isReference, type LinkRecord } from './reference';
import { aliasOf } from './url';

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
		`The service gave the link ${describeLink(link)} the alias ${inQuotes(alias)} instead of "${asText(custom)}"`,
		`The other changes were made. Enter ${inQuotes(alias)}, or an alias that the service and your plan accept.`,
	);
	return aboutLink(error, link);
}

/**
 * The body of an update (field notes, "Endpoints that the document leaves out"): the changes, and everything else that the link shows,
 * in the form that this service accepts.
 *
 * @param shown the link's details as one flat record
 * @throws ValueError, ApiError if the update can't be made
 */
export function prepareUpdate(row: LinkRow, shown: LinkRecord, fields: LinkFields): IDataObject {
	const never = clearedIn(fields, shown).filter((name) => row.state.clears.get(name) === false);
	if (never.length > 0) throw notCleared(never, false);
	const lost = lostTargets(shown, fields);
	if (lost.length > 0) {
		throw new ApiError(
			'refused',
			`The link has targets by state (${listed(lost.map(inQuotes))}), which an update may lose: the API only takes targets by country`,
			'Nothing was sent. Add Geo Targeting to the row, instead of the existing targets, or change the link at the service.',
		);
	}
	const body = updateBody(shown, fields) as IDataObject;
	checkNeeds(body);
	return body;
}

/** The changes of an update as items show them: campaigns and channels by their names if these are known. */
export function changesInWords(row: LinkRow, fields: LinkFields, shown: LinkRecord): IDataObject {
	const inWords = (name: LinkFieldName, value: unknown) => {
		if (name !== 'campaign' && name !== 'channel') return value;
		return isReference(value) && 'name' in value ? value.name : (nameOfId(row, name, value) ?? value);
	};
	return changesOf(fields, shown, inWords) as IDataObject;
}

/** Looks, once in a run, whether an update has cleared its fields. @throws DoneOtherwiseError if it has not */
async function checkCleared(
	row: LinkRow,
	id: number,
	cleared: readonly LinkFieldName[],
	fields: LinkFields,
): Promise<void> {
	const { clears } = row.state;
	const open = cleared.filter((name) => !clears.has(name));
	if (open.length === 0) return;
	const left = differences(pick(fields, open), flatRecord(await readDetails(row, id)));
	for (const name of open) clears.set(name, !left.includes(name));
	if (left.length > 0) throw notCleared(left, true);
}

/** Whether an update was made although its answer does not say so, as far as the service shows it. */
async function wasMade(row: LinkRow, shown: LinkRecord, fields: LinkFields, error: unknown): Promise<boolean> {
	const failure = error instanceof ApiError ? error.failure : undefined;
	if (failure?.kind !== 'unreadable' || failure.why !== 'noResult') return false;
	const changed = pick(fields, differences(fields, shown));
	return differences(changed, flatRecord(await readDetails(row, shown.id))).length === 0;
}

/**
 * Updates a link. The update may be sent more than once, which changes nothing.
 *
 * @param shown the link's details as one flat record
 * @param prepared by `prepareUpdate`
 * @returns the answer, with the short URL in `shorturl`, and the link as it is now
 */
export async function updateLink(
	row: LinkRow,
	shown: LinkRecord,
	fields: LinkFields,
	prepared: IDataObject,
): Promise<{ answer: IDataObject; link: LinkRecord }> {
	const body = row.state.resolved(prepared);
	const id = idOfLink(shown);
	const request = { method: 'PUT' as const, path: pathOf(`${LINK}/update`, { id }), body };
	const answer = await row.send(request).then(inOneSpelling, async (error: unknown): Promise<IDataObject> => {
		if (!(await wasMade(row, shown, row.state.resolved(fields), error))) throw error;
		return {};
	});
	const link = predict(linkIn(shown as IDataObject), { ...fields, custom: body.custom }, answer.shorturl);
	row.state.index.putChanged(link);
	const isOther = (alias: string) => alias !== asText(body.custom) && alias !== asText(body.custom).toLowerCase();
	if (body.custom !== undefined && isOther(aliasOf(link) ?? '')) throw wrongAlias(link, body);
	await checkCleared(row, id, clearedIn(fields, shown), fields);
	return { answer, link };
}

/** Deletes a link. If the answer is lost, checks whether the link is gone. @returns the service's answer */
export async function deleteLink(row: LinkRow, id: number): Promise<IDataObject> {
	const find = async () =>
		(await row.lookUp(pathOf(LINK, { id }))) === undefined
			? { message: 'The link is gone. The answer to its deletion was lost.' }
			: undefined;
	const answer = await sendChange(row, { method: 'DELETE', path: pathOf(`${LINK}/delete`, { id }) }, find);
	row.state.index.delete({ id });
	return answer;
}

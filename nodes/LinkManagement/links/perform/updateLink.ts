/** Changes and deletes links. */
import type { IDataObject } from 'n8n-workflow';

import { LINK, pathOf } from '../../service/endpoints';
import { ApiError, listed } from '../../service/answer/errors';
import { inQuotes } from '../../service/answer/failures';
import { asText } from '../../service/records';
import { sendChange } from '../../service/send/sendChange';
import { lostTargets, predict, updateBody } from '../comparison';
import { inOneSpelling } from './createLink';
import { checkNeeds, type LinkFields } from '../linkFields';
import { linkIn } from '../account';
import type { LinkRow } from '../linkRow';
import { aboutLink, describeLink, idOfLink, type LinkRecord } from '../reference';
import { aliasOf, isSameShortUrl } from '../url';

/** The error of an update after which the link has another alias than was asked for. */
function wrongAlias(link: LinkRecord, before: LinkRecord, { custom }: LinkFields): ApiError {
	const alias = inQuotes(aliasOf(link));
	const isMoved = !isSameShortUrl(link.shorturl, before.shorturl);
	const error = new ApiError(
		'otherwise',
		`The service gave the link ${describeLink(link)} the alias ${alias} instead of "${asText(custom)}"`,
		`The other changes were made. ${isMoved ? `${asText(before.shorturl)} does not work any more: write the new short URL into the row.` : `Enter ${alias}, or an alias that the service and your plan accept.`}`,
	);
	return aboutLink(error, link);
}

/**
 * The body of an update (field notes, "Endpoints that the document leaves out"): the changes, and everything else that the link shows,
 * in the form that this service accepts. @param shown the link's details as one flat record @throws ValueError, ApiError
 */
export function prepareUpdate(shown: LinkRecord, fields: LinkFields): IDataObject {
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

/** Updates a link. @param shown its details as one flat record @param body by `prepareUpdate` @returns the answer, and the link as it is now */
export async function updateLink(
	row: LinkRow,
	shown: LinkRecord,
	fields: LinkFields,
	body: IDataObject,
): Promise<{ answer: IDataObject; link: LinkRecord }> {
	const id = idOfLink(shown);
	const request = { method: 'PUT' as const, path: pathOf(`${LINK}/update`, { id }), body };
	const answer = inOneSpelling(await row.account.client.send(request));
	const link = predict(linkIn(shown as IDataObject), { ...fields, custom: body.custom }, answer.shorturl);
	row.account.index.putChanged(link);
	if (body.custom !== undefined && aliasOf(link) !== asText(body.custom)) throw wrongAlias(link, shown, body);
	return { answer, link };
}

/** Deletes a link. If the answer is lost, checks whether the link is gone. @returns the service's answer */
export async function deleteLink(row: LinkRow, id: number): Promise<IDataObject> {
	const { client, index } = row.account;
	const find = async () =>
		(await client.lookUp(pathOf(LINK, { id }))) === undefined
			? { message: 'The link is gone. The answer to its deletion was lost.' }
			: undefined;
	const answer = await sendChange(client, { method: 'DELETE', path: pathOf(`${LINK}/delete`, { id }) }, find);
	index.delete({ id });
	return answer;
}

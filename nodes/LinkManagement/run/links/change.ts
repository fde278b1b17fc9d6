import type { IDataObject } from 'n8n-workflow';

import { linkIn } from '../../account/accountLinks';
import type { LinkRecord } from '../../account/linkIndex';
import { aliasOf } from '../../account/url';
import { ApiError } from '../../api/apiError';
import { asText } from '../../api/records';
import { changedRecord, lostTargets, updateBody, type LinkFields } from '../../sheet/changes';
import type { Row } from '../row';
import { accountLinksOf, accountOf } from './account';

/** How often a deletion is sent whose answers are lost while the link stays. */
const MOST_TRIES = 3;

/** Throws when a whole link can't be sent. */
export type Check = (body: IDataObject) => void;

/** The alias of an update: left out where it stays. */
function withoutSameAlias(fields: LinkFields, shown: LinkRecord): LinkFields {
	const { custom, ...others } = fields;
	return custom === undefined || asText(custom) === aliasOf(shown) ? others : fields;
}

/**
 * What an update of a link sends (field notes, "Endpoints that the document leaves out"): what is changed, and everything else that
 * the link shows.
 *
 * @param shown the link's details as one flat record
 * @throws ApiError where the link has something that an update can't send along and may lose
 */
export function updateOf(shown: LinkRecord, fields: LinkFields, check: Check): IDataObject {
	const lost = lostTargets(shown, fields);
	if (lost.length > 0) {
		throw new ApiError(
			'refused',
			`The link has targets by state (${lost.join(', ')}), which an update may lose: the API takes targets by country alone`,
			'Nothing was sent. Name the targets in the row (Geo Targeting), in place of those that are there, or change the link at the service.',
		);
	}
	const body = updateBody(shown, withoutSameAlias(fields, shown)) as IDataObject;
	check(body);
	return body;
}

/**
 * Sends the update of a link. It may be sent more than once: a second time changes nothing.
 *
 * @returns the answer, with the short URL in `shorturl`
 */
export async function sendUpdate(
	row: Row,
	shown: LinkRecord,
	fields: LinkFields,
	body: IDataObject,
): Promise<{ answer: IDataObject; link: LinkRecord }> {
	const path = `/api/url/${encodeURIComponent(String(shown.id))}/update`;
	const { short, ...others } = await row.send({ method: 'PUT', path, body });
	const shorturl = others.shorturl ?? short;
	const link = changedRecord(shown, withoutSameAlias(fields, shown), shorturl);
	accountLinksOf(row).note(link);
	return { answer: { ...others, ...(shorturl === undefined ? {} : { shorturl }) }, link };
}

/**
 * Deletes a link. When the answer is lost, it is looked up: a link that is gone is deleted, one that is still there is deleted again.
 *
 * @returns the service's answer
 * @throws ApiError what the service refuses
 */
export async function deleteLink(row: Row, id: number): Promise<IDataObject> {
	const links = accountLinksOf(row);
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
		if (answer.kind !== 'uncertain' || tries === MOST_TRIES) throw answer;
	}
}

import type { IDataObject } from 'n8n-workflow';

import { withoutError } from '../api/envelope';
import type { LinkRecord } from '../match/linkIndex';
import { updateBody } from '../match/merge';
import type { LinkFields } from '../match/plan';
import type { Item } from './item';

/**
 * Sends the update of a link (field notes, "Endpoints that the document leaves out"), with everything that the link shows. It may be
 * sent more than once: a second time changes nothing.
 *
 * @param shown the link's details as one flat record
 * @param changes what is to be changed
 * @param check throws when the whole can't be sent
 * @returns the answer, with the short URL in `shorturl`
 */
export async function sendLinkUpdate(
	item: Item,
	shown: LinkRecord,
	changes: LinkFields,
	check: (body: IDataObject) => void = () => undefined,
): Promise<IDataObject> {
	const body = updateBody(shown, changes) as IDataObject;
	check(body);
	const answer = await item.send({
		method: 'PUT',
		path: `/api/url/${encodeURIComponent(String(shown.id))}/update`,
		body,
	});
	const { short, ...others } = withoutError(answer.body as IDataObject);
	return { ...others, ...(short === undefined ? {} : { shorturl: short }) };
}

import type { INodeExecutionData } from 'n8n-workflow';

import { deletion } from '../../fields/alike';
import { linkId } from '../../fields/locators';
import { namesOf } from '../../run/links/account';
import { deleteLink } from '../../run/links/change';
import { findLinkIds } from '../../run/links/which';
import type { Row } from '../../run/row';

async function perform(row: Row): Promise<INodeExecutionData[]> {
	const id = Number(row.request.pathValues.linkId);
	const names = namesOf(row, id);
	const answer = await deleteLink(row, id);
	return [{ json: { deleted: true, ...answer, id, ...names } }];
}

export const remove = deletion('a short link', '/api/url/:linkId/delete', linkId, {
	description: 'Delete a short link. Its address leads nowhere from then on.',
	prepare: [findLinkIds],
	perform,
});

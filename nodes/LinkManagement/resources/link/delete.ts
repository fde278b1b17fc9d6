import type { INodeExecutionData } from 'n8n-workflow';

import { linkId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { linkReference } from '../../fields/references';
import { namesOf } from '../../run/links/account';
import { deleteLink } from '../../run/links/change';
import { findLinkIds } from '../../run/links/which';
import type { Row } from '../../run/row';
import { required } from '../../run/request';

async function perform(row: Row): Promise<INodeExecutionData[]> {
	const id = Number(row.request.pathValues.linkId);
	const names = namesOf(row, id);
	const answer = await deleteLink(row, id);
	return [{ json: { deleted: true, ...answer, id, ...names } }];
}

export const remove: OperationDefinition = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a short link',
	description: 'Delete a short link. Its address leads nowhere from then on.',
	request: { method: 'DELETE', url: '/api/url/:linkId/delete' },
	fields: [linkId],
	prepare: [findLinkIds],
	sends: { path: { linkId: required(linkReference) } },
	perform,
};

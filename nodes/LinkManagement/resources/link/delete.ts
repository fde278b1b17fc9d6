import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { linkId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { linkReference } from '../../fields/references';
import { deleteLink } from '../../execution/deleteLink';
import type { Item } from '../../execution/item';
import { required } from '../../execution/request';

async function perform(item: Item): Promise<INodeExecutionData[]> {
	const id = Number(item.request.pathValues.linkId);
	const answer: IDataObject = await deleteLink(item, id);
	return [{ json: { deleted: true, ...answer, id } }];
}

export const remove: OperationDefinition = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a short link',
	description: 'Delete a short link. Its address leads nowhere from then on.',
	request: { method: 'DELETE', url: '/api/url/:linkId/delete' },
	fields: [linkId],
	finds: ['link'],
	sends: { path: { linkId: required(linkReference) } },
	perform,
};

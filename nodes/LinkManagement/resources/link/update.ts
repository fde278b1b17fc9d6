import type { INodeExecutionData } from 'n8n-workflow';

import { linkId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { ifNameMissing } from '../../fields/options';
import { linkReference } from '../../fields/references';
import { webUrl } from '../../fields/rules';
import { flat } from '../../execution/accountLinks';
import type { Item } from '../../execution/item';
import { required } from '../../execution/request';
import { sendLinkUpdate } from '../../execution/updateLink';
import { deepLinkHasTargets, linkRules, changedLinkFields } from './fields';
import { readLink } from './read';

const KEPT =
	'Change a short link. Long URL, title, description, expiry and targets that are not changed are kept. Password, pixels, deep link and other fields that no service shows are lost at services that reset what an update leaves out: enter them again.';

/** Changes a link: reads what it shows, and sends it along. */
async function perform(item: Item): Promise<INodeExecutionData[]> {
	const details = flat(await readLink(item));
	const answer = await sendLinkUpdate(item, details, item.request.body, deepLinkHasTargets);
	return [{ json: { success: true, ...answer, id: Number(details.id) } }];
}

const rules = { ...linkRules };
delete rules.domain;

export const update: OperationDefinition = {
	value: 'update',
	name: 'Update',
	action: 'Update a short link',
	description: KEPT,
	request: { method: 'PUT', url: '/api/url/:linkId/update' },
	fields: [linkId, changedLinkFields],
	finds: ['names'],
	extraOptions: [ifNameMissing],
	sends: {
		path: { linkId: required(linkReference) },
		bodyFrom: { linkFields: { url: webUrl, ...rules } },
		needsOneOf: 'linkFields',
	},
	perform,
};

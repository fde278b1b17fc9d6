import type { INodeExecutionData } from 'n8n-workflow';

import { byNames, change } from '../../fields/alike';
import { linkId } from '../../fields/locators';
import { flatRecord } from '../../api/flatRecord';
import type { Row } from '../../run/row';
import { accountLinksOf, namesOf } from '../../run/links/account';
import { sendUpdate, updateOf } from '../../run/links/change';
import { findLinksByList, readLink } from '../../run/links/which';
import { deepLinkHasTargets, joinParameters } from './fieldRules';
import { changedLinkFields } from './fields';

const KEPT =
	'Change a short link. Long URL, title, description, expiry and targets that are not changed are kept. Password, pixels, deep link and other fields that no service shows are lost at services that reset what an update leaves out: enter them again.';

/** Changes a link: reads what it shows, and sends it along. */
async function perform(row: Row): Promise<INodeExecutionData[]> {
	const { id, details } = await readLink(row);
	const { body: fields } = row.request;
	const shown = { ...accountLinksOf(row).known(id), ...flatRecord(details), id };
	const { answer } = await sendUpdate(row, shown, fields, updateOf(shown, fields, deepLinkHasTargets));
	return [{ json: { success: true, ...answer, id, ...namesOf(row, id) } }];
}

export const update = change('a short link', '/api/url/:linkId/update', [linkId, changedLinkFields], {
	...byNames(findLinksByList),
	description: KEPT,
	needsChange: true,
	complete: ({ body }) => joinParameters(body),
	perform,
});

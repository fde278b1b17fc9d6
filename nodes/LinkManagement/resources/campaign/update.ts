import { change } from '../../fields/alike';
import { updateFields } from '../../fields/collections';
import { textField } from '../../fields/inputs';
import { campaignId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { ifNameMissing } from '../../fields/options';
import { succeeded } from '../../fields/output';
import { findNames, makeNames, presentName } from '../../run/links/names';
import { ValueError, type Field } from '../../run/request';
import type { Row } from '../../run/row';
import { nameInItsPlace } from './record';

/** The present name of the row's campaign. */
async function nameOf(row: Row): Promise<string | undefined> {
	return await presentName(row, 'campaign', Number(row.request.pathValues.campaignId));
}

/** The service wants the name with every update (spec, "Campaigns"). The rows of a campaign wait for each other: one may rename it. */
async function checkNames(rows: Row[]): Promise<void> {
	const latest = new Map<unknown, Row>();
	for (const row of rows) {
		const { campaignId } = row.request.pathValues;
		row.waitFor(latest.get(campaignId));
		latest.set(campaignId, row);
		if (row.request.body.name !== undefined || (await nameOf(row)) !== undefined) continue;
		const problem = `Name is empty, and the account has no campaign with the ID ${String(campaignId)}`;
		row.refuse(new ValueError(problem, 'Choose another campaign, or enter a name.'));
	}
}

const name = textField('Name', 'name', {
	placeholder: 'e.g. Spring Sale',
	description: 'New name; the present one where empty',
});

/** @param others what may be changed besides the name */
export function updateWith(others: Field[]): OperationDefinition {
	const fields = [campaignId, name, updateFields('campaign', others)];
	return change('a campaign', '/api/campaign/:campaignId/update', fields, {
		description: 'Change the name, slug or access of a campaign',
		prepare: [findNames, makeNames, checkNames],
		extraOptions: [ifNameMissing],
		async perform(row) {
			row.request.body.name ??= await nameOf(row);
			return undefined;
		},
		output: [nameInItsPlace, succeeded({ id: 'campaignId' })],
	});
}

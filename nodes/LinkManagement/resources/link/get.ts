import type { INodeExecutionData } from 'n8n-workflow';

import { linkId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { simplified, simplify } from '../../fields/simplify';
import { Account } from '../../account/account';
import { AccountLinks, linkIn } from '../../account/accountLinks';
import type { LinkRecord } from '../../account/linkIndex';
import { itemRecord } from '../../run/links/account';
import { findLinksByList, linkNameOf, LinkReference, onlyLink, readLink } from '../../run/links/which';
import type { Row } from '../../run/row';
import { choiceField } from '../../fields/inputs';

const nameOfLink = ({ request }: Row) => linkNameOf(request.pathValues.linkId);
const wantsTotals = ({ request }: Row) => request.options.details === 'totals';

/** What lists say of the links: for many rows read from the list, for a few each by itself. */
async function learnTotals(rows: Row[]): Promise<void> {
	const wanted = rows.filter(wantsTotals);
	const [first] = wanted;
	if (first === undefined) return;
	// Counts are read in this run, however much is known of the links from earlier ones.
	const links = new AccountLinks(first.connection);
	await new Account(first, links).findAll(wanted.map(nameOfLink));
	for (const row of wanted) {
		row.decision = async () => [{ json: itemRecord(await totalsOf(row, links.among(nameOfLink(row)))) }];
	}
}

async function totalsOf(row: Row, found: readonly LinkRecord[]): Promise<LinkRecord> {
	const { linkId } = row.request.pathValues as { linkId: unknown };
	if (linkId instanceof LinkReference) return onlyLink(linkId, found);
	const [known] = found;
	if (known !== undefined) return known;
	const { id, details } = await readLink(row);
	return linkIn(details, id);
}

/** Links that only the list tells are found in it, for all rows together. */
async function findOthers(rows: Row[]): Promise<void> {
	await findLinksByList(rows.filter((row) => !wantsTotals(row)));
}

async function perform(row: Row): Promise<INodeExecutionData[]> {
	const { details } = await readLink(row);
	return [{ json: simplified(row, details) }];
}

export const get: OperationDefinition = {
	value: 'get',
	name: 'Get',
	action: 'Get a short link',
	description: 'Get a short link with its statistics',
	request: { method: 'GET', url: '/api/url/:linkId' },
	fields: [linkId, simplify],
	extraOptions: [
		choiceField('Details', 'details', {
			options: [
				{ name: 'Full', value: 'full', description: 'Targets, expiry and statistics: one request for each link' },
				{
					name: 'Totals',
					value: 'totals',
					description: 'What lists say, with the total of clicks: for many links in few requests',
				},
			],
			default: 'full',
			description: 'How much to get of each link',
		}),
	],
	prepare: [learnTotals, findOthers],
	perform,
};

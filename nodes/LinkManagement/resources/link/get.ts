import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { choiceField } from '../../fields/inputs';
import { linkId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { simplified, simplify } from '../../fields/results';
import { findLinksToRead, findTotals, readLink, totalsOf } from '../../links/perform';
import { itemRecord } from '../../links/linkRow';
import type { LinkRecord } from '../../links/reference';
import type { Row } from '../../run/row';
import { flatRecord } from '../../service/records';

const wantsTotals = ({ request }: Row) => request.options.details === 'totals';

/** Finds the links of all rows together. */
async function findChosenLinks(rows: Row[]): Promise<void> {
	await findTotals(rows.filter(wantsTotals));
	await findLinksToRead(rows.filter((row) => !wantsTotals(row)));
}

/** Adds the alias, which details don't show. */
const withAlias =
	({ alias }: LinkRecord) =>
	(details: IDataObject): IDataObject => {
		const { id, ...record } = flatRecord(details);
		const own = alias === undefined ? {} : { alias: alias as string };
		return { ...(id === undefined ? {} : { id }), ...own, ...record };
	};

async function readOne(row: Row): Promise<INodeExecutionData[]> {
	if (wantsTotals(row)) return [{ json: itemRecord(await totalsOf(row)) }];
	const { details, link } = await readLink(row);
	return [{ json: simplified(row, details, withAlias(link)) }];
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
				{
					name: 'Full',
					value: 'full',
					description: 'Details with targets, expiry and statistics, at one request per link',
				},
				{
					name: 'Totals',
					value: 'totals',
					description: 'What the list of links shows, with the total of clicks, for many links in few requests',
				},
			],
			default: 'full',
		}),
	],
	prepare: [findChosenLinks],
	performRow: readOne,
};

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { getMany } from '../../fields/standardOperations';
import { collection } from '../../fields/collections';
import { choiceField, returnAllOrLimit, textField } from '../../fields/inputs';
import { readMany, requestOf } from '../../run/sendRequest';
import type { ConnectedRow } from '../../run/row';
import { ApiError } from '../../service/errors';
import { asText, figuresIn } from '../../service/records';
import { LISTS } from '../../service/endpoints';

const filters = [
	choiceField('Order', 'order', {
		options: [
			{ name: 'Most Clicked First', value: 'click' },
			{ name: 'Newest First', value: 'date' },
		],
		default: 'date',
	}),
	textField('Search', 'q', { placeholder: 'e.g. spring' }),
];

function holds(record: IDataObject, words: string): boolean {
	return Object.values(record).some((value) => asText(value).toLowerCase().includes(words.toLowerCase()));
}

/** @throws ApiError if the service has ignored the search: what follows may delete all links that come */
async function checkSearch(row: ConnectedRow, records: IDataObject[], total?: number): Promise<void> {
	const { q } = row.request.query;
	if (q === undefined || total === undefined || records.length === 0) return;
	if (records.some((record) => holds(record, asText(q)))) return;
	const answer = await row.send({ method: 'GET', path: requestOf(row).path, query: { limit: 1 } });
	if (figuresIn(answer).result !== total) return;
	throw new ApiError(
		'refused',
		`This service ignores Search: it gives all ${total} links, and none of those that were read holds "${asText(q)}"`,
		'Remove Search, turn on Return All, and choose the links in a Filter node.',
	);
}

/** Field by which the links are sorted, greatest first, and how people call it. */
const ORDERS: Record<string, [field: string, inWords: string]> = {
	click: ['clicks', 'clicks'],
	date: ['date', 'date'],
};

/** The links in the order that was asked for. All links can be sorted here; of some, nobody knows which they should be. */
function inOrder(row: ConnectedRow, records: IDataObject[]): IDataObject[] {
	const { query, options } = row.request;
	const [field, inWords] = ORDERS[asText(query.order)] ?? [];
	if (field === undefined) return records;
	const isBefore = (one: IDataObject, other: IDataObject) => (one[field] ?? '') > (other[field] ?? '');
	if (!records.some((record, at) => at > 0 && isBefore(record, records[at - 1]))) return records;
	if (options.returnAll === true)
		return [...records].sort((one, other) => Number(isBefore(other, one)) - Number(isBefore(one, other)));
	row.atEnd(
		'order',
		() =>
			`This service ignores Order: these links are not sorted by ${inWords}, and there may be others above them. Turn on Return All to have them in order.`,
	);
	return records;
}

async function perform(row: ConnectedRow): Promise<INodeExecutionData[]> {
	const { records, total } = await readMany(row);
	await checkSearch(row, records, total);
	return inOrder(row, records).map((json) => ({ json }));
}

export const getAll = getMany('short links', LISTS.links, {
	description: 'Get many short links, all or those that match a search',
	fields: [...returnAllOrLimit, collection('Filters', 'filters', filters, 'Add filter')],
	perform,
});

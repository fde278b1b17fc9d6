import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { collection } from '../../fields/collections';
import { choiceField, returnAllOrLimit, textField } from '../../fields/inputs';
import { getMany } from '../../fields/standardOperations';
import { modelItem, type ModelPage, readModelPage } from '../../run/modelList';
import type { Row } from '../../run/row';
import { readMany, requestOf } from '../../run/sendRequest';
import { LISTS } from '../../service/endpoints';
import { ApiError } from '../../service/answer/errors';
import { asText, figuresIn } from '../../service/records';

const filters = [
	choiceField('Order', 'order', {
		options: [
			{ name: 'Most Clicked First', value: 'click' },
			{ name: 'Newest First', value: 'date' },
		],
		default: 'date',
	}),
	textField('Search', 'q', { placeholder: 'e.g. spring', description: 'Words of the title, alias or long URL' }),
];

function holds(record: IDataObject, words: string): boolean {
	return Object.values(record).some((value) => asText(value).toLowerCase().includes(words.toLowerCase()));
}

/** @throws ApiError if the service has ignored the search: what follows may delete all links that come */
async function checkSearch(row: Row, records: IDataObject[], total?: number): Promise<void> {
	const { q } = row.request.query;
	if (q === undefined || total === undefined || records.length === 0) return;
	if (records.some((record) => holds(record, asText(q)))) return;
	const answer = await row.account.client.send({ method: 'GET', path: requestOf(row).path, query: { limit: 1 } });
	if (figuresIn(answer).result !== total) return;
	throw new ApiError(
		'refused',
		`This service ignores Search: it gives all ${total} links, and none of those that were read holds "${asText(q)}"`,
		{
			editor: 'Remove Search, turn on Return All, and choose the links in a Filter node.',
			model: 'Call again without it, and look through the pages.',
		},
	);
}

/** Field by which the links are sorted, greatest first. */
const SORTED_BY: Record<string, string> = { click: 'clicks', date: 'date' };

/** What to say of links that are not in the order that was asked for. */
function unsorted(row: Row, records: IDataObject[]): string | undefined {
	const field = SORTED_BY[asText(row.request.query.order)];
	const isBefore = (one: IDataObject, other: IDataObject) => (one[field] ?? '') > (other[field] ?? '');
	if (field === undefined || !records.some((record, at) => at > 0 && isBefore(record, records[at - 1])))
		return undefined;
	return `This service ignores Order: these links are not sorted by ${field}, and there may be others above them.`;
}

/** A page of links for a model. */
async function pageFor(row: Row): Promise<ModelPage> {
	const { query, options } = row.request;
	const page = await readModelPage(row, LISTS.links.path);
	await checkSearch(row, page.records, page.total);
	if (page.records.length > 0 || query.q === undefined) return { ...page, note: unsorted(row, page.records) };
	const isFirst = (options.page ?? 1) === 1;
	return { ...page, note: isFirst ? `No link holds "${asText(query.q)}".` : 'There are no further links.' };
}

async function listLinks(row: Row): Promise<INodeExecutionData[]> {
	const { records, total } = await readMany(row);
	await checkSearch(row, records, total);
	const note = unsorted(row, records);
	if (note !== undefined)
		row.atEnd('order', () => `${note} To have them in order, turn on Return All and add a Sort node.`);
	return records.map((json) => ({ json }));
}

export const getAll = getMany('short links', LISTS.links, {
	description: 'Retrieve a list of short links, all or those that match a search',
	fields: [...returnAllOrLimit, collection('Filters', 'filters', filters, 'Add filter')],
	performRow: listLinks,
	asTool: {
		performRow: async (row) => [modelItem(await pageFor(row), ['id', 'shorturl', 'longurl', 'title', 'clicks'])],
	},
});

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { collection } from '../../fields/collections';
import { choiceField, returnAllOrLimit, textField } from '../../fields/inputs';
import { getMany } from '../../fields/standardOperations';
import { linkAt } from '../../links/perform';
import { shortUrlIn } from '../../links/url';
import { modelItem, type ModelPage, MOST_RECORDS, readModelPage } from '../../run/modelList';
import type { Row } from '../../run/row';
import { readMany, requestOf } from '../../run/sendRequest';
import { inEditor, toModel } from '../../service/advice';
import { LISTS } from '../../service/endpoints';
import { ApiError } from '../../service/errors';
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
	const answer = await row.client.send({ method: 'GET', path: requestOf(row).path, query: { limit: 1 } });
	if (figuresIn(answer).result !== total) return;
	throw new ApiError(
		'refused',
		`This service ignores Search: it gives all ${total} links, and none of those that were read holds "${asText(q)}"`,
		`${inEditor('Remove Search, turn on Return All, and choose the links in a Filter node.')} ${toModel('Call again without it, and look through the pages.')}`,
	);
}

/** Field by which the links are sorted, greatest first, and how people call it. */
const ORDERS: Record<string, [field: string, inWords: string]> = {
	click: ['clicks', 'clicks'],
	date: ['date', 'date'],
};

/**
 * The links in the order that was asked for. All links can be sorted here; of some, nobody knows which they should be.
 *
 * @returns what to say if they are not in this order
 */
function inOrder(row: Row, records: IDataObject[]): { sorted: IDataObject[]; unsorted?: string } {
	const { query, options } = row.request;
	const [field, inWords] = ORDERS[asText(query.order)] ?? [];
	const isBefore = (one: IDataObject, other: IDataObject) => (one[field] ?? '') > (other[field] ?? '');
	const isSorted = field === undefined || !records.some((record, at) => at > 0 && isBefore(record, records[at - 1]));
	if (isSorted) return { sorted: records };
	if (options.returnAll === true && !row.isTool)
		return { sorted: [...records].sort((one, other) => Number(isBefore(other, one)) - Number(isBefore(one, other))) };
	const unsorted = `This service ignores Order: these links are not sorted by ${inWords}, and there may be others above them.`;
	return { sorted: records, unsorted };
}

/** Most words of a keyword that are tried singly. */
const MOST_WORDS = 4;

/** The links that hold single words of a keyword, those with most of them first. */
async function withSomeWords(row: Row, keyword: string): Promise<ModelPage | undefined> {
	const words = [...new Set(keyword.split(/\s+/).filter((word) => word.length > 2))].slice(0, MOST_WORDS);
	if (words.length < 2) return undefined;
	const found = new Map<unknown, { record: IDataObject; count: number }>();
	let more = false;
	for (const q of words) {
		const page = await readModelPage(row, LISTS.links.path, { q });
		more ||= page.more;
		for (const record of page.records.filter((one) => holds(one, q))) {
			const count = (found.get(record.id)?.count ?? 0) + 1;
			found.set(record.id, { record, count });
		}
	}
	if (found.size === 0) return undefined;
	const ranked = [...found.values()].sort((one, other) => other.count - one.count);
	const records = ranked.slice(0, MOST_RECORDS).map(({ record }) => record);
	const note = `No link holds "${keyword}". These hold at least one of its words: ${words.join(', ')}.`;
	return { records, more: more || records.length < ranked.length, note };
}

/** A page of links for a model. A keyword may be a short URL. */
async function pageFor(row: Row): Promise<ModelPage> {
	const { query, options } = row.request;
	const keyword = query.q === undefined ? undefined : asText(query.q);
	const shortUrl = keyword !== undefined && /[./]/.test(keyword) ? shortUrlIn(keyword) : undefined;
	const known = shortUrl === undefined ? undefined : await linkAt(row, shortUrl);
	if (known !== undefined) return { records: [known], total: 1, more: false };
	const page = await readModelPage(row, LISTS.links.path);
	await checkSearch(row, page.records, page.total);
	if (page.records.length > 0 || keyword === undefined) return { ...page, note: inOrder(row, page.records).unsorted };
	const isFirst = (options.page ?? 1) === 1;
	const nothing = { ...page, note: isFirst ? `No link holds "${keyword}".` : 'There are no further links.' };
	return (isFirst ? await withSomeWords(row, keyword) : undefined) ?? nothing;
}

async function listLinks(row: Row): Promise<INodeExecutionData[]> {
	if (row.isTool) return [modelItem(await pageFor(row), ['id', 'shorturl', 'longurl', 'title', 'clicks'])];
	const { records, total } = await readMany(row);
	await checkSearch(row, records, total);
	const { sorted, unsorted } = inOrder(row, records);
	if (unsorted !== undefined) row.atEnd('order', () => `${unsorted} Turn on Return All to have them in order.`);
	return sorted.map((json) => ({ json }));
}

export const getAll = getMany('short links', LISTS.links, {
	description: 'Retrieve a list of short links, all or those that match a search',
	fields: [...returnAllOrLimit, collection('Filters', 'filters', filters, 'Add filter')],
	perform: listLinks,
});

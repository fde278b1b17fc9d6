import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { linkId } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { linkReference } from '../../fields/references';
import { flatRecord } from '../../api/flatRecord';
import { simplify } from '../../fields/simplify';
import { readerOf, itemRecord } from '../../execution/accountLinks';
import type { Item } from '../../execution/item';
import { readParameter } from '../../execution/parameter';
import { askingFor, linkAmong, noSuchLink, ShortUrl } from '../../execution/references';
import { required } from '../../execution/request';
import { accountKey, together } from '../../execution/together';
import { AccountLinks, listed } from '../../match/account';
import { aliasOf, hostOf } from '../../match/url';
import { readById, readLink } from './read';

/** What lists say of a link: for many items read from the list, for a few each by itself. */
async function readTotals(item: Item, reference: number | ShortUrl): Promise<IDataObject> {
	const key = `totals\n${accountKey(item)}`;
	// Counts are read in this run, however much is known from earlier ones.
	const links = item.run.share(key, () => new AccountLinks(item.connection.address));
	const reader = readerOf(item);
	await together(item, 'totals', reference, async (references) => {
		await links.learn(references.flatMap(askingFor), reader);
	});
	if (!(reference instanceof ShortUrl)) {
		const known = links.index.byId(reference);
		return itemRecord(known ?? listed(flatRecord(await readById(item, reference))));
	}
	const known = linkAmong(links, reference);
	if (known !== undefined) return itemRecord(known);
	for (const shortUrl of reference.candidates) {
		const alias = aliasOf({ shorturl: shortUrl }) ?? '';
		const found = await links.find(alias, hostOf(shortUrl), reader, shortUrl);
		if (found !== undefined) return itemRecord(found);
	}
	throw noSuchLink(item, reference);
}

async function perform(item: Item): Promise<INodeExecutionData[]> {
	const reference = item.request.pathValues.linkId as unknown as number | ShortUrl;
	if (item.request.options.details === 'totals') return [{ json: await readTotals(item, reference) }];
	const body = await readLink(item);
	return [{ json: readParameter(item.context, 'simplify') === false ? body : flatRecord(body) }];
}

export const get: OperationDefinition = {
	value: 'get',
	name: 'Get',
	action: 'Get a short link',
	description: 'Get a short link with its statistics',
	request: { method: 'GET', url: '/api/url/:linkId' },
	fields: [linkId, simplify],
	extraOptions: [
		{
			displayName: 'Details',
			name: 'details',
			type: 'options',
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
		},
	],
	sends: { path: { linkId: required(linkReference) } },
	perform,
};

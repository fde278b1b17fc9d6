import { NodeOperationError, type PostReceiveAction } from 'n8n-workflow';

import { linkIdOrShortUrl } from '../../fields/locators';
import type { OperationDefinition } from '../../fields/operation';
import { id, spelled, webUrl } from '../../fields/rules';
import { simplified, simplify } from '../../fields/statistics';
import { isRecord } from '../../service/envelope';
import { readParameter } from '../../service/parameter';
import { chosen, required, type Rule } from '../../service/prepare';
import { linkWithShortUrl } from './shortUrl';

/** The ID of a link, or its short URL: in the mode for short URLs nothing else will do, in the others an expression may give either. */
const idOrShortUrl: Rule = (value, source) =>
	source.mode === 'shortUrl' || /^https?:/i.test(spelled(value)) ? webUrl(value, source) : id(value, source);

/** A search by short URL that found nothing may come as a list without the link: that is no link. */
const oneLink: PostReceiveAction = async function (items, response) {
	const body = response.body as unknown;
	if (!isRecord(body) || !isRecord(body.data) || !Array.isArray(body.data.urls)) return items;
	const shortUrl = String(chosen(readParameter(this, 'linkId'))).trim();
	const record = linkWithShortUrl(body, shortUrl);
	if (record !== undefined) return [{ json: record }];
	const itemIndex = this.getItemIndex();
	throw new NodeOperationError(this.getNode(), `There is no short link with the URL ${shortUrl} [item ${itemIndex}]`, {
		itemIndex,
		description: 'Check the short URL, and that the link belongs to the account of the credential.',
	});
};

export const get: OperationDefinition = {
	value: 'get',
	name: 'Get',
	action: 'Get a short link',
	description: 'Get a short link with its statistics',
	request: { method: 'GET', url: '/api/url/:linkId' },
	fields: [linkIdOrShortUrl, simplify],
	sends: {
		path: { linkId: required(idOrShortUrl) },
		complete(request) {
			const reference = decodeURIComponent(request.url.slice('/api/url/'.length));
			if (/^\d+$/.test(reference)) return;
			// Spec, GET /api/urls: with `short`, all other parameters are ignored and a single link comes back.
			request.url = '/api/urls';
			request.qs = { short: reference };
		},
	},
	output: [oneLink, simplified],
};

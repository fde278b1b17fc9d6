import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { OperationDefinition } from '../../fields/operation';
import { ifNameMissing } from '../../fields/options';
import { webUrl } from '../../fields/rules';
import { ApiError } from '../../api/apiError';
import { accountLinksOf, readerOf, itemRecord } from '../../execution/accountLinks';
import { createLink, findByAlias, OtherLinkError, type CreatedLink } from '../../execution/createLink';
import type { Item } from '../../execution/item';
import { required } from '../../execution/request';
import { together } from '../../execution/together';
import type { Asking } from '../../match/account';
import type { LinkRecord } from '../../match/linkIndex';
import { linkOf } from '../../match/plan';
import { isSameUrl } from '../../match/url';
import { deepLinkHasTargets, linkRules, longUrl, newLinkFields } from './fields';

/** So many rows are worth a look-up that tells whether their links are there already. */
const MANY_ROWS = 10;

/** The same shape for a link that was made and for one that was found. */
function itemFor({ record, existing }: CreatedLink): INodeExecutionData[] {
	return [{ json: { ...record, ...(existing ? { existing: true } : {}) } }];
}

/** A link that was found, with the fields that a creation gives. */
function found({ id, shorturl, alias, longurl }: LinkRecord): CreatedLink {
	return { record: itemRecord({ id, shorturl, alias, longurl }), existing: true };
}

/** A refusal of a link with an alias, with what to do if the alias is the reason: the service says that in words of its own. */
function naming({ kind, message, advice, statusCode }: ApiError, alias: unknown): ApiError {
	const cure = `It was asked for with the alias "${String(alias)}". If a link has that alias already, set Options → If Alias Exists to "Return Existing Link", or use the operation Create or Update.`;
	return new ApiError(kind, message, `${advice} ${cure}`, statusCode);
}

/** The link that has the alias already, in place of the service's refusal. */
async function linkWithAlias(item: Item, refusal: ApiError): Promise<CreatedLink> {
	const { body } = item.request;
	const link = await findByAlias(item, body);
	if (link === undefined) throw refusal;
	if (isSameUrl(link.longurl, body.url)) return found(link);
	throw new ApiError(
		'rejected',
		`The alias "${String(body.custom)}" belongs to a link with another long URL`,
		`The service's answer to the creation was: ${refusal.message}`,
		refusal.statusCode,
	);
}

/** The link that the long URL has already. All items' long URLs are looked for together. */
async function linkWithLongUrl(item: Item, isWanted: boolean): Promise<LinkRecord | undefined> {
	const { url, domain } = item.request.body;
	const asking = isWanted ? [{ fields: { url, domain }, matchOn: 'url' as const }] : [];
	const links = accountLinksOf(item);
	await together(item, 'long URLs', asking, async (all) => {
		const rows = all.flat();
		if (rows.length > 0) await links.learn(rows, readerOf(item));
	});
	if (!isWanted) return undefined;
	const meant = linkOf({ url, domain }, links.index, 'url');
	return meant !== undefined && 'record' in meant ? meant.record : undefined;
}

/**
 * Finds the links of many rows together, if the first row's is there: then the sheet has run before, and this takes fewer requests
 * than to have each creation refused.
 *
 * @returns whether they were looked for
 */
async function learnAliases(item: Item, rows: Asking[]): Promise<boolean> {
	if (rows.length < MANY_ROWS) return false;
	const links = accountLinksOf(item);
	if (!links.isComplete && (await findByAlias(item, rows[0].fields as IDataObject)) === undefined) return false;
	await links.learn(rows, readerOf(item));
	return true;
}

/**
 * The link that has the alias already and leads where it shall, as far as that is known without asking for it alone.
 *
 * @param isWanted whether this item takes the link that is there
 */
async function linkKnownByAlias(item: Item, isWanted: boolean): Promise<LinkRecord | undefined> {
	const { url, custom, domain } = item.request.body;
	const asking: Asking[] = isWanted && custom !== undefined ? [{ fields: { custom, domain }, matchOn: 'alias' }] : [];
	const areKnown = await together(
		item,
		'aliases',
		asking,
		// What can't be read now is left to the creations, each of which says itself what is wrong.
		async (all) => await learnAliases(item, all.flat()).catch(() => false),
	);
	if (!areKnown || asking.length === 0) return undefined;
	const meant = linkOf({ custom, domain }, accountLinksOf(item).index, 'alias');
	// One that leads elsewhere is left to the service to refuse.
	return meant !== undefined && 'record' in meant && isSameUrl(meant.record.longurl, url) ? meant.record : undefined;
}

async function perform(item: Item): Promise<INodeExecutionData[]> {
	const { body, options } = item.request;
	const returnsSameUrl = options.ifLongUrlExists === 'returnExisting';
	const returnsSameAlias = options.ifAliasExists === 'returnExisting';
	const sameUrl = await linkWithLongUrl(item, returnsSameUrl);
	const there = (await linkKnownByAlias(item, returnsSameAlias && sameUrl === undefined)) ?? sameUrl;
	if (there !== undefined) return itemFor(found(there));
	return await createLink(item, body).then(
		(link) => {
			accountLinksOf(item).note(link.record);
			return itemFor(link);
		},
		async (error: unknown) => {
			if (error instanceof OtherLinkError && (returnsSameUrl || returnsSameAlias)) {
				return itemFor({ ...error.link, existing: true });
			}
			const isRefused = error instanceof ApiError && error.kind === 'rejected' && !(error instanceof OtherLinkError);
			if (!isRefused || body.custom === undefined) throw error;
			if (returnsSameAlias) return itemFor(await linkWithAlias(item, error));
			throw naming(error, body.custom);
		},
	);
}

export const create: OperationDefinition = {
	value: 'create',
	name: 'Create',
	action: 'Create a short link',
	description: 'Shorten a long URL',
	request: { method: 'POST', url: '/api/url/add' },
	fields: [{ ...longUrl, required: true }, newLinkFields],
	finds: ['names'],
	extraOptions: [
		{
			displayName: 'If Alias Exists',
			name: 'ifAliasExists',
			type: 'options',
			options: [
				{ name: 'Fail', value: 'fail', description: "Fail with the service's message" },
				{
					name: 'Return Existing Link',
					value: 'returnExisting',
					description:
						'Return the link that has the alias already, if it has the same long URL. Makes a spreadsheet safe to run again.',
				},
			],
			default: 'fail',
			description: 'What to do when the alias is taken',
		},
		{
			displayName: 'If Long URL Exists',
			name: 'ifLongUrlExists',
			type: 'options',
			options: [
				{ name: 'Create', value: 'create', description: 'Make another link, as far as the service allows it' },
				{
					name: 'Return Existing Link',
					value: 'returnExisting',
					description: 'Return a link that leads there already. Reads the list of links, once for all items.',
				},
			],
			default: 'create',
			description: 'What to do when the account has a link to the long URL already',
		},
		ifNameMissing,
	],
	sends: {
		body: { url: required(webUrl) },
		bodyFrom: { linkFields: linkRules },
		complete: ({ body }: { body: IDataObject }) => deepLinkHasTargets(body),
	},
	runAgain:
		'To run again without making them twice, give each row an alias and set Options → If Alias Exists to "Return Existing Link", use the operation Create or Update, or leave those rows out.',
	perform,
};

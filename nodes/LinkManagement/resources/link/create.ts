import type { INodeExecutionData } from 'n8n-workflow';

import { creation } from '../../fields/alike';
import { ifNameMissing } from '../../fields/options';
import { ApiError } from '../../api/apiError';
import { SeveralLinksError } from '../../account/linkName';
import type { LinkRecord } from '../../account/linkIndex';
import { addressKey, isSameAddress } from '../../account/url';
import { accountForRun, accountLinksOf, accountOf, itemRecord } from '../../run/links/account';
import { createLink, madeOtherwise, OtherLinkError, type CreatedLink } from '../../run/links/create';
import { findNames, makeNames } from '../../run/links/names';
import { inTurns } from '../../engine/slices';
import { best } from '../../sheet/plan';
import type { Row } from '../../run/row';
import { deepLinkHasTargets, joinParameters } from './fieldRules';
import { longUrl, newLinkFields } from './fields';
import { choiceField } from '../../fields/inputs';

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

const takesSameUrl = ({ request }: Row) => request.options.ifLongUrlExists === 'returnExisting';
const takesSameAlias = ({ request }: Row) => request.options.ifAliasExists === 'returnExisting';

function domainOf({ request: { body } }: Row): { domain?: string } {
	return body.domain === undefined ? {} : { domain: String(body.domain) };
}

function aliasNameOf(row: Row) {
	return { by: 'alias' as const, alias: String(row.request.body.custom), ...domainOf(row) };
}

function urlNameOf(row: Row) {
	return { by: 'url' as const, url: String(row.request.body.url), ...domainOf(row) };
}

/** The link that has the alias already, in place of the service's refusal. */
async function linkWithAlias(row: Row, refusal: ApiError): Promise<CreatedLink> {
	const { url, custom } = row.request.body;
	const there = await accountOf(row).find(aliasNameOf(row));
	if (there.length === 0) throw refusal;
	const same = there.filter(({ longurl }) => isSameAddress(longurl, url));
	if (same.length === 1) return found(same[0]);
	if (same.length > 1) throw new SeveralLinksError(`The alias "${String(custom)}"`, same, 'Name the domain too.');
	throw new ApiError(
		'refused',
		`The alias "${String(custom)}" belongs to a link with another long URL`,
		`The service's answer to the creation was: ${refusal.message}`,
		refusal.statusCode,
	);
}

/**
 * Finds the links of many rows together, if the first row's is there: then the sheet has run before, and this takes fewer requests
 * than to have each creation refused.
 *
 * @returns whether they were looked for
 */
async function learnAliases(rows: Row[]): Promise<boolean> {
	if (rows.length < MANY_ROWS) return false;
	const [first] = rows;
	const account = accountForRun(first);
	if (!account.links.isComplete && (await account.find(aliasNameOf(first))).length === 0) return false;
	await account.findAll(rows.map(aliasNameOf));
	return true;
}

/** The link that a row takes in place of a new one, for it leads to the row's long URL: as far as links are known by now. */
function linkToUrl(row: Row): LinkRecord | undefined {
	const there = takesSameUrl(row) ? accountLinksOf(row).among(urlNameOf(row)) : [];
	return there.length === 0 ? undefined : best(row.request.body, there);
}

function take(row: Row, link: LinkRecord): void {
	row.decision = async () => await Promise.resolve(itemFor(found(link)));
}

/** Finds the links of long URLs. Where there is none, the row waits for an earlier one that makes it. */
async function findByUrl(rows: Row[]): Promise<void> {
	const asking = rows.filter(takesSameUrl);
	if (asking.length === 0) return;
	await accountForRun(asking[0]).findAll(asking.map(urlNameOf));
	const makers = new Map<string | undefined, Row>();
	for await (const row of inTurns(rows)) {
		const link = linkToUrl(row);
		if (link !== undefined) {
			take(row, link);
			continue;
		}
		const address = addressKey(row.request.body.url);
		if (takesSameUrl(row)) row.waitFor(makers.get(address));
		makers.set(address, row);
	}
}

/** Finds the links that rows take in place of new ones: those of their long URLs, then those of their aliases. */
async function findThere(rows: Row[]): Promise<void> {
	await findByUrl(rows);
	const named = rows.filter(({ decision, request }) => decision === undefined && request.body.custom !== undefined);
	// Of two rows that name one alias the earlier gets it, also where it waits for others. The later may name it on another domain:
	// it is looked for beside what was there before.
	const before = new Map<unknown, Row>();
	for await (const row of inTurns(named)) {
		const { custom } = row.request.body;
		const last = before.get(custom);
		if (takesSameAlias(row) || last?.after.length) row.waitFor(last);
		before.set(custom, row);
	}
	const byAlias = named.filter(takesSameAlias);
	// What can't be read now is left to the creations, each of which says itself what is wrong.
	if (!(await learnAliases(byAlias).catch(() => false))) return;
	for await (const row of inTurns(byAlias)) {
		const there = accountLinksOf(row).among(aliasNameOf(row));
		// One that leads elsewhere is left to the service to refuse.
		if (there.length === 1 && isSameAddress(there[0].longurl, row.request.body.url)) take(row, there[0]);
	}
}

async function perform(row: Row): Promise<INodeExecutionData[]> {
	const { body, options } = row.request;
	// An earlier row may have made it.
	const there = linkToUrl(row);
	if (there !== undefined) return itemFor(found(there));
	const isAnother = options.ifAliasExists === 'another';
	const other = takesSameUrl(row) ? madeOtherwise(row, body) : undefined;
	if (other !== undefined) return itemFor(other.link);
	return await createLink(row, body).then(itemFor, async (error: unknown) => {
		if (error instanceof OtherLinkError) {
			if (takesSameUrl(row) || takesSameAlias(row)) return itemFor({ ...error.link, existing: true });
			if (isAnother && error.dropped === 'alias') return itemFor(error.link);
			throw error;
		}
		if (!(error instanceof ApiError) || error.kind !== 'refused' || body.custom === undefined) throw error;
		if (takesSameAlias(row)) return itemFor(await linkWithAlias(row, error));
		if (isAnother) return itemFor(await createLink(row, { ...body, custom: undefined }));
		throw naming(error, body.custom);
	});
}

export const create = creation('a short link', '/api/url/add', [{ ...longUrl, required: true }, newLinkFields], {
	description: 'Shorten a long URL',
	prepare: [findNames, findThere, makeNames],
	extraOptions: [
		choiceField('If Alias Exists', 'ifAliasExists', {
			options: [
				{ name: 'Fail', value: 'fail', description: "Fail with the service's message" },
				{
					name: 'Let the Service Choose Another',
					value: 'another',
					description: 'Make the link without the alias: the service chooses one',
				},
				{
					name: 'Return Existing Link',
					value: 'returnExisting',
					description:
						'Return the link that has the alias already, if it has the same long URL. Makes a spreadsheet safe to run again.',
				},
			],
			default: 'fail',
			description: 'What to do when the alias is taken',
		}),
		choiceField('If Long URL Exists', 'ifLongUrlExists', {
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
		}),
		ifNameMissing,
	],
	complete({ body }) {
		joinParameters(body);
		deepLinkHasTargets(body);
	},
	runAgain:
		'To run again without making them twice, give each row an alias and set Options → If Alias Exists to "Return Existing Link", use the operation Create or Update, or leave those rows out.',
	perform,
});

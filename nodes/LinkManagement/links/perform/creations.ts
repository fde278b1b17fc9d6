/** The operation Create. */
import { inEditor, together } from '../../service/answer/advice';
import { ApiError } from '../../service/answer/errors';
import { inQuotes } from '../../service/answer/failures';
import { asText } from '../../service/records';
import { type CreatedLink, createLink, OtherLinkError } from './createLink';
import type { LinkFields } from '../linkFields';
import { itemRecord, type LinkItem, type LinkRow, type Unit } from '../linkRow';
import { aboutLink, aliasNameOf, type LinkRecord } from '../reference';
import { isSameAddress } from '../url';

function itemFor({ record, existing }: CreatedLink): LinkItem[] {
	return [{ json: { ...record, ...(existing ? { existing: true } : {}) } }];
}

/** Whether the service itself refused something, which may be the alias. */
function isOwnRefusal(error: unknown): error is ApiError {
	return error instanceof ApiError && error.kind === 'refused';
}

/** The link that has the alias of a refused creation, for a model that repeats its call. @throws ApiError if it leads elsewhere */
function itemOfTaken({ url, custom }: LinkFields, { id, shorturl, alias, longurl }: LinkRecord): LinkItem[] {
	const there = itemRecord({ id, shorturl, alias, longurl });
	if (isSameAddress(longurl, url)) return itemFor({ record: there, existing: true });
	const error = new ApiError(
		'refused',
		`The alias "${asText(custom)}" belongs to a link with another long URL: ${inQuotes(longurl)}`,
		'No link was created. Choose another alias, or correct the long URL.',
	);
	throw aboutLink(error, there);
}

/** The link that has the alias of a creation, where the new link would be. */
async function linkWithAlias(row: LinkRow, fields: LinkFields): Promise<LinkRecord | undefined> {
	const { account } = row;
	const { index } = account;
	const name = aliasNameOf(fields);
	// If this fails, the refusal is what is told.
	await account.find([name]).catch(() => undefined);
	return index.matching({ ...name, domain: name.domain ?? index.likelyHost })[0];
}

async function createOrFind(row: LinkRow, isRepeatable: boolean): Promise<LinkItem[]> {
	const { options, body } = row.request;
	const { custom, url } = body as LinkFields;
	const isAnother = options.ifAliasExists === 'another';
	return await createLink(row, body, { mayLackAlias: isAnother }).then(itemFor, async (error: unknown) => {
		if (isAnother && error instanceof OtherLinkError && error.link.lacks !== 'domain') return itemFor(error.link);
		if (!isOwnRefusal(error) || custom === undefined) throw error;
		const there = isRepeatable ? await linkWithAlias(row, body) : undefined;
		const isMeant = there !== undefined && (!isAnother || isSameAddress(there.longurl, url));
		if (isMeant) return itemOfTaken(body, there);
		if (isAnother) return itemFor(await createLink(row, { ...body, custom: undefined }));
		// The alias may be the reason: services say that in different words.
		const cure = `The row asked for the alias "${asText(custom)}". If a link has it already, the operation Create or Update returns that link, or changes it.`;
		throw error.with({ advice: together(error.advice, inEditor(cure)) });
	});
}

/**
 * Plans creations. The first of several rows with one alias gets it.
 *
 * @param isRepeatable a row may have been done before: a link that has all that it asks for is returned
 */
export async function planCreations(rows: readonly LinkRow[], isRepeatable = false): Promise<Unit[]> {
	const aliasOf = ({ request: { body } }: LinkRow) => body.custom && asText(body.custom).toLowerCase();
	return rows.map((row) => ({
		rows: [row],
		turn: aliasOf(row) || undefined,
		perform: async () => [await createOrFind(row, isRepeatable)],
	}));
}

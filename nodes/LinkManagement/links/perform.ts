/** Performs the operations on links, row by row. */
import { ApiError, DoneOtherwiseError } from '../service/errors';
import { flatRecord } from '../service/records';
import { readLink } from './chosenLink';
import { LinkFinder } from './find';
import { newLinksOf } from './newLinks';
import { aboutLink, aliasNameOf, SeveralLinksError, type LinkRecord } from './reference';
import { itemRecord, namesOfLink, type LinkItem, type LinkRow, type Step } from './linkRow';
import { OtherLinkError, type CreatedLink } from './otherLink';
import { createLink, deleteLink, prepareUpdate, updateLink } from './send';
import { performInSheet } from './performInSheet';
import { isSimilarAddress, isSameAddress } from './url';

/** The item of a link that was created or found. */
function itemFor({ record, existing }: CreatedLink): LinkItem[] {
	return [{ json: { ...record, ...(existing ? { existing: true } : {}) } }];
}

/** The item of a link that was found, with the fields of a creation. */
function itemForFound({ id, shorturl, alias, longurl }: LinkRecord): LinkItem[] {
	return itemFor({ record: itemRecord({ id, shorturl, alias, longurl }), existing: true });
}

/** Finds the link that already has the alias, after the service refused it. */
async function linkWithAlias(row: LinkRow, refusal: ApiError): Promise<LinkItem[]> {
	const { url, custom } = row.request.body;
	const there = await new LinkFinder(row).find(aliasNameOf(row.request.body), true);
	if (there.length === 0) throw refusal;
	const same = there.filter(({ longurl }) => isSameAddress(longurl, url));
	if (same.length === 1) {
		newLinksOf(row).claim(same[0]);
		return itemForFound(same[0]);
	}
	if (same.length > 1) throw new SeveralLinksError(`The alias "${String(custom)}"`, same, 'Name the domain too.');
	const twin = there.find(({ longurl }) => isSimilarAddress(longurl, url));
	const other = twin === undefined ? 'another long URL' : `another spelling of the long URL: ${String(twin.longurl)}`;
	const error = new ApiError(
		'refused',
		`The alias "${String(custom)}" belongs to a link with ${other}`,
		`The service's answer to the creation was: ${refusal.message}`,
		refusal.statusCode,
	);
	throw there.length === 1 ? aboutLink(error, there[0]) : error;
}

/** Whether the service itself refused something, which may be the alias. */
function isOwnRefusal(error: unknown): error is ApiError {
	return error instanceof ApiError && error.kind === 'refused' && !(error instanceof DoneOtherwiseError);
}

/** Creates the link of a row, or returns the one that has its alias, if the row asks for that. */
async function create(row: LinkRow): Promise<LinkItem[]> {
	const { body, options } = row.request;
	const { custom } = body;
	const isReturning = options.ifAliasExists === 'returnExisting' && custom !== undefined;
	const isAnother = options.ifAliasExists === 'another';
	return await createLink(row, body, isAnother).then(itemFor, async (error: unknown) => {
		if (error instanceof OtherLinkError) {
			if (isReturning) return itemFor({ ...error.link, existing: true });
			if (isAnother && error.link.dropped === 'alias') return itemFor(error.link);
			throw error;
		}
		if (!isOwnRefusal(error) || custom === undefined) throw error;
		if (isReturning) return await linkWithAlias(row, error);
		if (isAnother) return itemFor(await createLink(row, { ...body, custom: undefined }, true));
		// The alias may be the reason: services say that in different words.
		const cure = `The row asked for the alias "${String(custom)}". If a link has that alias already, set Options → If Alias Exists to "Return Existing Link", or use the operation Create or Update.`;
		throw new ApiError('refused', error.message, `${error.advice} ${cure}`, error.statusCode);
	});
}

/** Updates the link that a row chooses: reads it, and sends back what the row does not change. */
export async function performUpdate(row: LinkRow): Promise<LinkItem[]> {
	const { id, details } = await readLink(row);
	const shown = await new LinkFinder(row).fullRecord({ ...flatRecord(details), id });
	const { body: fields } = row.request;
	const { body, changes } = prepareUpdate(row, shown, fields);
	const { answer } = await updateLink(row, shown, fields, body);
	return [{ json: { success: true, ...answer, id, ...namesOfLink(row, id), changes } }];
}

export async function performDeletion(row: LinkRow): Promise<LinkItem[]> {
	const id = Number(row.request.pathValues.linkId);
	const names = namesOfLink(row, id);
	return [{ json: { deleted: true, ...(await deleteLink(row, id)), id, ...names } }];
}

/** Does the planned step of a row; by default, creates its link. */
export async function performStep(row: LinkRow, step: Step = { kind: 'create' }): Promise<LinkItem[]> {
	switch (step.kind) {
		case 'create':
			return await create(row);
		case 'return':
			return itemForFound(step.link);
		case 'createOrUpdate':
		case 'show':
			return [{ json: await performInSheet(row, step) }];
	}
}

import type { IDataObject } from 'n8n-workflow';

import { linkIn } from '../../account/accountLinks';
import type { LinkRecord } from '../../account/linkIndex';
import { SeveralLinksError, type LinkName } from '../../account/linkName';
import { ValueError } from '../request';
import type { Prepare, Row } from '../row';
import { inTurns } from '../../engine/slices';
import { accountForRun, accountOf } from './account';

/** A link that is named by something else than its ID, in a place where the ID goes out. */
export class LinkReference {
	constructor(
		readonly name: Exclude<LinkName, { by: 'id' }>,
		/** As it was entered. */
		readonly entered: string,
	) {}
}

const KINDS = { shortUrl: 'URL', alias: 'alias', url: 'long URL' } as const;

/** The place of a row's request that names a link. */
function placeOf({ request: { pathValues } }: Row): { name: string; reference: LinkReference } | undefined {
	const place = Object.entries(pathValues as Record<string, unknown>).find(
		(entry): entry is [string, LinkReference] => entry[1] instanceof LinkReference,
	);
	return place && { name: place[0], reference: place[1] };
}

/** What a row names its link by: an ID, or something else. */
export function linkNameOf(value: unknown): LinkName {
	return value instanceof LinkReference ? value.name : { by: 'id', id: Number(value) };
}

/** The one link that a reference means. @throws ValueError when there is none, ApiError when there are several */
export function onlyLink({ name, entered }: LinkReference, found: readonly LinkRecord[]): LinkRecord {
	const what = `the ${KINDS[name.by]} ${entered}`;
	if (found.length === 0) {
		throw new ValueError(
			`There is no short link with ${what}`,
			`Check the ${KINDS[name.by]}, and that the link belongs to the account of the credential.`,
		);
	}
	if (found.length === 1) return found[0];
	const advice =
		name.by === 'alias'
			? 'Name the domain too, as in go.example.com/spring, or choose By Short URL.'
			: 'Name the link by its short URL or its ID.';
	throw new SeveralLinksError(what.replace('the', 'The'), found, advice);
}

/** Finds the links of rows, all of them together, and lets each row take its own. */
async function find(rows: readonly Row[], take: (row: Row, place: string, link: LinkRecord) => void): Promise<void> {
	const asked = rows.flatMap((row) => {
		const place = placeOf(row);
		return place === undefined ? [] : [{ row, ...place }];
	});
	if (asked.length === 0) return;
	const [{ row: first }] = asked;
	const account = accountForRun(first);
	const wasComplete = account.links.isComplete;
	await account.findAll(asked.map(({ reference }) => reference.name));
	for await (const { row, name: place, reference } of inTurns(asked)) {
		const { name } = reference;
		let found = account.links.among(name);
		// It may have been renamed since the list was read.
		if (found.length === 0 && wasComplete && name.by !== 'url') found = await account.find(name);
		try {
			take(row, place, onlyLink(reference, found));
		} catch (error) {
			row.refuse(error);
		}
	}
}

/** Puts IDs in the places of what links are named by, for operations that send the ID. */
export const findLinkIds: Prepare = async (rows) => {
	await find(rows, (row, place, link) => {
		row.request.pathValues[place] = Number(link.id);
	});
};

/** The same, but for links whose details are read one by one anyhow, by a request that finds them too. */
export const findLinksByList: Prepare = async (rows) => {
	await findLinkIds(rows.filter((row) => placeOf(row)?.reference.name.by !== 'shortUrl'));
};

/**
 * Reads the link that a row names in `linkId`.
 *
 * @returns its ID, and its details as sent
 * @throws ValueError, ApiError when there is no such link, or several
 */
export async function readLink(row: Row): Promise<{ id: number; details: IDataObject }> {
	const account = accountOf(row);
	const { links } = account;
	const given = row.request.pathValues.linkId as unknown;
	let id = Number(given);
	if (given instanceof LinkReference && given.name.by !== 'url') {
		id = Number(onlyLink(given, await account.find(given.name)).id);
	}
	const details = links.takeDetails(id) ?? (await row.send({ method: 'GET', path: `/api/url/${id}` }));
	links.note(linkIn(details, id));
	return { id, details };
}

/** Finds campaigns, channels and other records by their names: after that, requests hold IDs. */
import type { IDataObject } from 'n8n-workflow';

import { inEditor, together } from '../../service/answer/advice';
import { LISTS } from '../../service/endpoints';
import { ApiError, ValueError } from '../../service/answer/errors';
import { readList } from '../../service/lists/listReader';
import { asText, idOf, nameIn } from '../../service/records';
import type { ServiceClient } from '../../service/send/serviceClient';
import { groupedBy, type LinkRow } from '../linkRow';
import { howToLeaveOut, isNamed, type NamedKind, type NameReference, NOUNS } from '../reference';
import { type Named, namedIn } from './named';
import { NamedRecords } from './namedRecords';

const LISTS_OF = {
	campaign: LISTS.campaigns,
	channel: LISTS.channels,
	pixel: LISTS.pixels,
	domain: LISTS.domains,
	qrCode: LISTS.qrCodes,
};

const NAMED_KINDS = Object.keys(NOUNS) as NamedKind[];

async function recordsOf(client: ServiceClient, kind: NamedKind): Promise<NamedRecords> {
	const records = new NamedRecords(kind);
	for (const record of await readList(client, LISTS_OF[kind], Infinity)) {
		const id = idOf(record);
		const name = nameIn(record);
		if (id !== undefined && name !== undefined) records.add({ id, name: asText(name) });
	}
	return records;
}

function problemWith(names: readonly NameReference[], records: NamedRecords): ValueError | undefined {
	const twice = names.flatMap((name) => (name.isOnlyOne ? (records.twofold(name) ?? []) : []));
	if (twice.length > 0) return new ValueError(twice.join('. '), 'Pass a name or an ID that only one of them has.');
	const wrong = names.filter((name) => records.idOf(name) === undefined);
	if (wrong.length === 0) return undefined;
	const column = wrong.find((name) => name.column)?.column;
	const cure = together(inEditor('Check the spelling, or choose from the list.'), records.inWords);
	return new ValueError(
		wrong.map((name) => records.problem(name)).join('. '),
		column === undefined ? cure : together(cure, howToLeaveOut(column)),
	);
}

/** Why numbers can't be used as IDs where the list of names can't be read: it may only be hidden from this key. */
function problemUnread(names: readonly NameReference[], error: unknown): unknown {
	const isHidden = error instanceof ApiError && error.affects === 'endpoint';
	return isHidden && names.every(({ id }) => id !== undefined) ? undefined : error;
}

/** Puts the IDs of one kind into the requests of rows. Rows with names that no record has, or several, are refused. */
async function findKind(named: ReadonlyArray<Named<NameReference>>, kind: NamedKind): Promise<void> {
	const byRow = groupedBy(
		named.filter(({ reference }) => reference.kind === kind),
		({ row }) => row,
	);
	if (byRow.length === 0) return;
	const { account } = byRow[0][0].row;
	const found = await recordsOf(account.client, kind).catch((error: unknown) => ({ error }));
	const records = found instanceof NamedRecords ? found : undefined;
	if (records !== undefined) account.names.set(kind, records);
	for (const some of byRow) {
		const [{ row }] = some;
		const names = some.map(({ reference }) => reference);
		const problem = 'error' in found ? problemUnread(names, found.error) : problemWith(names, found);
		if (problem !== undefined) row.refuse(problem);
		else for (const { reference, put } of some) put((records === undefined ? reference.id : records.idOf(reference))!);
	}
}

/** The name of the record that a row is about, as far as it was read. */
export function nameOfChosen({ request: { pathValues }, account }: LinkRow): IDataObject {
	const kind = NAMED_KINDS.find((one) => pathValues[`${one}Id`] !== undefined);
	const name = kind && account.names.get(kind)?.nameOf(Number(pathValues[`${kind}Id`]));
	return name === undefined ? {} : { name };
}

/** Finds the records that rows name. Each list is read once for all rows. */
export async function findNames(rows: readonly LinkRow[]): Promise<void> {
	const named = await namedIn(rows, isNamed);
	for (const kind of NAMED_KINDS) await findKind(named, kind);
}

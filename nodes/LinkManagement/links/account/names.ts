/** Finds campaigns, channels and other records by their names: after that, requests hold IDs. */
import type { IDataObject } from 'n8n-workflow';

import { inEditor } from '../../service/advice';
import { LISTS } from '../../service/endpoints';
import { ApiError, ValueError } from '../../service/errors';
import type { ListEndpoint } from '../../service/listEndpoint';
import { readList } from '../../service/listReader';
import { asText, idOf, isBlank } from '../../service/records';
import type { LinkRow } from '../linkRow';
import { NamedRecords } from './namedRecords';
import { howToLeaveOut, isNamed, type NamedKind, type NameReference, NOUNS } from '../reference';
import { type Named, namedIn } from './named';

/** The fields that may hold a name. For campaigns, services differ, and so do lists and answers (spec, "Campaign"; field notes, "Resources"). */
const NAME_FIELDS = ['name', 'campaign', 'domain'] as const;

export function nameFieldOf(record: IDataObject): (typeof NAME_FIELDS)[number] | undefined {
	return NAME_FIELDS.find((field) => !isBlank(record[field]));
}

/** The name of a campaign or channel, if it has one. */
export function nameIn(record: IDataObject): unknown {
	const field = nameFieldOf(record);
	return field && record[field];
}

const LISTS_OF: Record<NamedKind, ListEndpoint> = {
	campaign: LISTS.campaigns,
	channel: LISTS.channels,
	pixel: LISTS.pixels,
	domain: LISTS.domains,
	qrCode: LISTS.qrCodes,
};

const KINDS = Object.keys(NOUNS) as NamedKind[];

/** All records of a kind. */
async function recordsOf({ account: { client } }: LinkRow, kind: NamedKind): Promise<NamedRecords> {
	const records = new NamedRecords(kind);
	for (const record of await readList(client, LISTS_OF[kind], Infinity)) {
		const id = idOf(record);
		const name = nameIn(record);
		if (id !== undefined && name !== undefined) records.add({ id, name: asText(name) });
	}
	return records;
}

/** Why the names of a row can't be used, if they can't. */
function problemWith(names: readonly NameReference[], records: NamedRecords, isTool: boolean): ValueError | undefined {
	const twice = names.flatMap((name) => (isTool ? (records.twofold(name) ?? []) : []));
	if (twice.length > 0) return new ValueError(twice.join('. '), 'Pass a name or an ID that only one of them has.');
	const wrong = names.filter((name) => records.idOf(name) === undefined);
	if (wrong.length === 0) return undefined;
	const column = wrong.find((name) => name.column)?.column;
	const cures = [
		inEditor('Check the spelling, or choose from the list.'),
		records.inWords,
		...(column === undefined ? [] : [howToLeaveOut(column)]),
	];
	return new ValueError(wrong.map((name) => records.problem(name)).join('. '), cures.join(' '));
}

/** How names are read. */
interface Found {
	records?: NamedRecords;
	idOf(name: NameReference): number | undefined;
	/** Why names can't be used, if they can't. */
	problem(names: readonly NameReference[], isTool: boolean): unknown;
}

const known = (records: NamedRecords): Found => ({
	records,
	idOf: (name) => records.idOf(name),
	problem: (names, isTool) => problemWith(names, records, isTool),
});

/** Where a list can't be read. If the service hides it from this key, a number is an ID. */
function unread(error: unknown): Found {
	const isHidden = error instanceof ApiError && error.affects === 'endpoint';
	const isEnough = (names: readonly NameReference[]) => isHidden && names.every(({ id }) => id !== undefined);
	return { idOf: ({ id }) => id, problem: (names) => (isEnough(names) ? undefined : error) };
}

/** Puts the IDs of one kind into the requests of rows. Rows with names that no record has, or several, are refused. */
async function findKind(named: ReadonlyArray<Named<NameReference>>, kind: NamedKind): Promise<void> {
	const byRow = new Map<LinkRow, Array<Named<NameReference>>>();
	for (const one of named) {
		if (one.reference.kind === kind) byRow.set(one.row, [...(byRow.get(one.row) ?? []), one]);
	}
	const [first] = byRow.keys();
	if (first === undefined) return;
	const found = await recordsOf(first, kind).then(known, unread);
	if (found.records !== undefined) first.account.names.set(kind, found.records);
	for (const [row, names] of byRow) {
		const references = names.map(({ reference }) => reference);
		const problem = found.problem(references, row.isTool);
		if (problem !== undefined) row.refuse(problem);
		else for (const { reference, put } of names) put(found.idOf(reference)!);
	}
}

/** The name of the record that a row is about, as far as it was read. */
export function nameOfChosen({ request: { pathValues }, account }: LinkRow): IDataObject {
	const kind = KINDS.find((one) => pathValues[`${one}Id`] !== undefined);
	const name = kind && account.names.get(kind)?.nameOf(Number(pathValues[`${kind}Id`]));
	return name === undefined ? {} : { name };
}

/** Finds the records that rows name. Each list is read once for all rows. */
export async function findNames(rows: readonly LinkRow[]): Promise<void> {
	const named = await namedIn(rows, isNamed);
	for (const kind of KINDS) await findKind(named, kind);
}

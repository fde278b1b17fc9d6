import type { IDataObject } from 'n8n-workflow';

import { nameIn, nameKey, NamedRecords, type Named } from '../../account/findNamed';
import { ApiError } from '../../api/apiError';
import { readList } from '../../api/list';
import { asText, idOf } from '../../api/records';
import { ValueError } from '../request';
import { accountKey, type Prepare, type Row } from '../row';
import { inSlices, inTurns } from '../../engine/slices';

/** Records that are chosen by their names. */
export type NamedKind = 'campaign' | 'channel';

/** A campaign or channel by its name, in a place where its ID goes out. */
export class RecordName {
	/** @param id that is meant where no record has the name: a number in a column may be either */
	constructor(
		readonly kind: NamedKind,
		readonly name: string,
		readonly id?: number,
	) {}
}

const LISTS: Record<NamedKind, { path: string; collection: string; create: string }> = {
	campaign: { path: '/api/campaigns', collection: 'campaigns', create: '/api/campaign/add' },
	channel: { path: '/api/channels', collection: 'channels', create: '/api/channel/add' },
};

const ADVICE =
	'Check the spelling, choose from the list, or set Options → If Name Is Missing to "Create" to have it made.';

async function readNames(row: Row, kind: NamedKind): Promise<NamedRecords> {
	const records = (await readList(row, LISTS[kind], Infinity)).flatMap((record): Named[] => {
		const id = idOf(record);
		const name = nameIn(record);
		return id === undefined || name === undefined ? [] : [{ id, name: asText(name) }];
	});
	return new NamedRecords(kind, records);
}

/** What the run knows of an account's campaigns or channels. */
function knownNames(row: Row, kind: NamedKind): { records?: NamedRecords } {
	return row.run.memory.share(`${kind}s of ${accountKey(row)}`, () => ({}));
}

/** All campaigns or channels of an account; the list is read once for all rows of a run. */
async function namesOf(row: Row, kind: NamedKind): Promise<NamedRecords> {
	const known = knownNames(row, kind);
	return (known.records ??= await readNames(row, kind));
}

/** The name that a campaign or channel has now, from the list. */
export async function presentName(row: Row, kind: NamedKind, id: number): Promise<string | undefined> {
	return (await namesOf(row, kind)).nameOf(id);
}

/** The name that the row's campaign or channel has now, for its item: the one the row gave it, or what is known without asking. */
export function knownName(row: Row, kind: NamedKind): IDataObject {
	const { body, pathValues } = row.request;
	if (pathValues[`${kind}Id`] === undefined) return {};
	const id = Number(pathValues[`${kind}Id`]);
	const { records } = knownNames(row, kind);
	if (typeof body.name === 'string') records?.rename(id, body.name);
	const name = body.name ?? records?.nameOf(id);
	return name === undefined ? {} : { name };
}

/** The places of a row's request that hold names of this kind. */
function placesOf({ request }: Row, kind?: NamedKind) {
	return [request.pathValues, request.body].flatMap((holder: Record<string, unknown>) =>
		Object.entries(holder).flatMap(([at, value]) =>
			value instanceof RecordName && (kind ?? value.kind) === value.kind ? [{ holder, at, value }] : [],
		),
	);
}

/** Puts IDs in the places of one kind of names, as far as there are records of those names. */
async function findKind(rows: readonly Row[], kind: NamedKind): Promise<void> {
	const all = await inSlices(rows, (row) => ({ row, places: placesOf(row, kind) }));
	const asked = all.filter(({ places }) => places.length > 0);
	if (asked.length === 0) return;
	const [{ row: first }] = asked;
	const records = await namesOf(first, kind);
	const wrong = new Map<Row, RecordName[]>();
	for await (const { row, places } of inTurns(asked)) {
		for (const { holder, at, value } of places) {
			const answer = records.find(value);
			if (answer !== 'none' && 'id' in answer) holder[at] = answer.id;
			else if (answer !== 'none' || row.request.options.ifNameMissing !== 'create') {
				wrong.set(row, [...(wrong.get(row) ?? []), value]);
			}
		}
	}
	const problem = first.run.continues ? undefined : await records.problem([...wrong.values()].flat());
	for await (const [row, names] of inTurns(wrong)) {
		row.refuse(new ValueError(problem ?? (await records.problem(names)) ?? '', ADVICE));
	}
}

/**
 * Puts IDs in the places of campaigns' and channels' names. Each list is read once for all rows; names that nobody has are told in
 * one error before anything is sent.
 */
export const findNames: Prepare = async (rows) => {
	await findKind(rows, 'campaign');
	await findKind(rows, 'channel');
};

/** Makes a record of this name, unless somebody else was quicker. */
async function makeNamed(row: Row, { kind, name }: RecordName): Promise<number> {
	const request = { method: 'POST' as const, path: LISTS[kind].create, body: { name } };
	const answer = await row.send(request).catch((error: unknown) => {
		const mayBeThere = error instanceof ApiError && (error.kind === 'refused' || error.kind === 'uncertain');
		if (!mayBeThere) throw error;
		return error;
	});
	const made = answer instanceof ApiError ? undefined : idOf(answer);
	if (made !== undefined) return made;
	const there = (await readNames(row, kind)).find({ name });
	if (there !== 'none' && 'id' in there) return there.id;
	if (answer instanceof ApiError) throw answer;
	throw new ApiError(
		'refused',
		`The service did not make the ${kind} "${name}"`,
		`Create the ${kind} at the service, and run the node again.`,
	);
}

/**
 * Makes the campaigns and channels that are missing, each once, where that was asked for: the last of all that is prepared, for it
 * changes the account. A dry run makes none.
 */
export const makeNames: Prepare = async (rows) => {
	const made = new Map<string, number>();
	for await (const row of inTurns(rows)) {
		for (const { holder, at, value } of placesOf(row)) {
			const key = `${value.kind} ${nameKey(value.name)}`;
			try {
				const id = row.request.options.dryRun === true ? value.name : (made.get(key) ?? (await makeNamed(row, value)));
				if (typeof id === 'number' && !made.has(key))
					knownNames(row, value.kind).records?.add({ id, name: value.name });
				if (typeof id === 'number') made.set(key, id);
				holder[at] = id;
			} catch (error) {
				row.refuse(error);
			}
		}
	}
};

import type { IDataObject } from 'n8n-workflow';

import { inSlices, inTurns } from '../n8n/slices';
import { ApiError, ValueError } from '../service/errors';
import { readList } from '../service/list';
import { asText, idOf } from '../service/records';
import { nameIn, nameKey, NamedRecords, type Named } from './named';
import { accountKey, type LinkRow } from './row';

/** Records that are chosen by their names. */
export type NamedKind = 'campaign' | 'channel' | 'pixel';

/** A campaign, channel or pixel by its name, in a place where its ID goes out. */
export class RecordName {
	/** @param id that is meant where no record has the name: a number in a column may be either */
	constructor(
		readonly kind: NamedKind,
		readonly name: string,
		readonly id?: number,
	) {}
}

/** Pixels can't be created by their name alone. */
const LISTS: Record<NamedKind, { path: string; collection: string; create?: `/api/${string}` }> = {
	campaign: { path: '/api/campaigns', collection: 'campaigns', create: '/api/campaign/add' },
	channel: { path: '/api/channels', collection: 'channels', create: '/api/channel/add' },
	pixel: { path: '/api/pixels', collection: 'pixels' },
};

const ADVICE = 'Check the spelling, choose from the list, or set Options → If Name Is Missing to "Create".';
const ADVICE_WITHOUT_CREATION = 'Check the spelling, or choose from the list.';

async function readNames(row: LinkRow, kind: NamedKind): Promise<NamedRecords> {
	const records = (await readList(row, LISTS[kind], Infinity)).flatMap((record): Named[] => {
		const id = idOf(record);
		const name = nameIn(record);
		return id === undefined || name === undefined ? [] : [{ id, name: asText(name) }];
	});
	return new NamedRecords(kind, records);
}

/** What the run knows of an account's records of a kind. */
function knownNames(row: LinkRow, kind: NamedKind): { read?: NamedRecords } {
	return row.shared(`${kind}s of ${accountKey(row)}`, () => ({}));
}

/** All records of a kind; the list is read once for all rows of a run. */
async function namesOf(row: LinkRow, kind: NamedKind): Promise<NamedRecords> {
	const known = knownNames(row, kind);
	return (known.read ??= await readNames(row, kind));
}

/** The name that a campaign or channel has now, from the list. */
export async function presentName(row: LinkRow, kind: NamedKind, id: number): Promise<string | undefined> {
	return (await namesOf(row, kind)).nameOf(id);
}

/** The name of a record, as far as it is known without asking. */
export function nameOfId(row: LinkRow, kind: NamedKind, id: unknown): string | undefined {
	return knownNames(row, kind).read?.nameOf(Number(id));
}

/** The name that the row's campaign or channel has now, for its item: the one the row gave it, or what is known without asking. */
export function knownName(row: LinkRow, kind: NamedKind): IDataObject {
	const { body, pathValues } = row.request;
	if (pathValues[`${kind}Id`] === undefined) return {};
	const id = Number(pathValues[`${kind}Id`]);
	const { read } = knownNames(row, kind);
	if (typeof body.name === 'string') read?.rename(id, body.name);
	const name = body.name ?? read?.nameOf(id);
	return name === undefined ? {} : { name };
}

/** A place of a row's request that holds a name. */
interface Place {
	holder: Record<string, unknown> | unknown[];
	at: string | number;
	name: RecordName;
}

function placesIn(holder: Record<string, unknown> | unknown[]): Place[] {
	return Object.entries(holder).flatMap(([at, value]: [string, unknown]): Place[] => {
		if (value instanceof RecordName) return [{ holder, at, name: value }];
		return Array.isArray(value) ? placesIn(value as unknown[]) : [];
	});
}

function placesOf({ request }: LinkRow): Place[] {
	return [...placesIn(request.pathValues), ...placesIn(request.body)];
}

function put({ holder, at }: Place, value: unknown): void {
	(holder as Record<string | number, unknown>)[at] = value;
}

/** Puts IDs in the places of one kind of names, as far as there are records of those names. */
async function findKind(rows: readonly LinkRow[], kind: NamedKind, mayCreate: boolean): Promise<void> {
	const all = await inSlices(rows, (row) => ({ row, places: placesOf(row).filter(({ name }) => name.kind === kind) }));
	const asking = all.filter(({ places }) => places.length > 0);
	if (asking.length === 0) return;
	const records = await namesOf(asking[0].row, kind).catch((error: unknown) => {
		// Rows without such a name need not know the list, nor do IDs where the service has none, or does not show it to this key.
		const isHidden = error instanceof ApiError && ['noEndpoint', 'noRight'].includes(error.kind);
		for (const { row, places } of asking) {
			if (isHidden && places.every(({ name }) => name.id !== undefined)) {
				for (const place of places) put(place, place.name.id);
			} else row.refuse(error);
		}
		return undefined;
	});
	if (records === undefined) return;
	const isCreated = mayCreate && LISTS[kind].create !== undefined;
	for await (const { row, places } of inTurns(asking)) {
		const wrong: RecordName[] = [];
		for (const place of places) {
			const answer = records.find(place.name);
			if (answer !== 'none' && 'id' in answer) put(place, answer.id);
			else if (answer !== 'none' || !isCreated || row.request.options.ifNameMissing !== 'create')
				wrong.push(place.name);
		}
		if (wrong.length === 0) continue;
		row.refuse(new ValueError(records.problem(wrong), isCreated ? ADVICE : ADVICE_WITHOUT_CREATION));
	}
}

/** Puts IDs in the places of campaigns', channels' and pixels' names. Each list is read once for all rows. */
export async function findNames(rows: readonly LinkRow[], mayCreate = true): Promise<void> {
	await findKind(rows, 'campaign', mayCreate);
	await findKind(rows, 'channel', mayCreate);
	await findKind(rows, 'pixel', mayCreate);
}

/** The same where the records have to be there already. */
export async function findExistingNames(rows: readonly LinkRow[]): Promise<void> {
	await findNames(rows, false);
}

/** Creates a record of this name, unless somebody else was quicker. */
async function createNamed(row: LinkRow, { kind, name }: RecordName): Promise<number> {
	const request = { method: 'POST' as const, path: LISTS[kind].create!, body: { name } };
	const answer = await row.send(request).catch((error: unknown) => {
		const mayBeThere = error instanceof ApiError && (error.kind === 'refused' || error.kind === 'uncertain');
		if (!mayBeThere) throw error;
		return error;
	});
	const created = answer instanceof ApiError ? undefined : idOf(answer);
	if (created !== undefined) return created;
	const there = (await readNames(row, kind)).find({ name });
	if (there !== 'none' && 'id' in there) return there.id;
	if (answer instanceof ApiError) throw answer;
	throw new ApiError(
		'refused',
		`The service did not create the ${kind} "${name}"`,
		`Create the ${kind} at the service, and run the node again.`,
	);
}

/**
 * Creates the campaigns and channels that are missing, each once, where that was asked for: the last step before the rows are
 * sent, for it changes the account. A dry run creates none.
 */
export async function createNames(rows: readonly LinkRow[]): Promise<void> {
	const created = new Map<string, number>();
	for await (const row of inTurns(rows)) {
		for (const place of placesOf(row)) {
			const { kind, name } = place.name;
			const key = `${kind} ${nameKey(name)}`;
			try {
				const isDry = row.request.options.dryRun === true;
				const id = isDry ? undefined : (created.get(key) ?? (await createNamed(row, place.name)));
				if (id !== undefined && !created.has(key)) {
					created.set(key, id);
					knownNames(row, kind).read?.add({ id, name });
				}
				put(place, id ?? name);
			} catch (error) {
				row.refuse(error);
			}
		}
	}
}

/** Finds campaigns, channels and other records by their names, and makes those that are missing. */
import type { IDataObject } from 'n8n-workflow';

import { mapYielding, yielding } from '../n8n/slices';
import { inEditor, toModel } from '../service/advice';
import { LISTS } from '../service/endpoints';
import { ApiError, ValueError } from '../service/errors';
import type { ListEndpoint } from '../service/listEndpoint';
import { readList } from '../service/listReader';
import { asText, idOf, isBlank } from '../service/records';
import { sendChange } from '../service/serviceClient';
import { type LinkRow, referencesOf } from './linkRow';
import { NamedRecords } from './namedRecords';
import { howToLeaveOut, isNamed, type NamedKind, nameKey, type NameReference, NOUNS } from './reference';

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

/** Those without `create` need more than a name. */
const ENDPOINTS: Record<NamedKind, { list: ListEndpoint; create?: `/api/${string}` }> = {
	campaign: { list: LISTS.campaigns, create: '/api/campaign/add' },
	channel: { list: LISTS.channels, create: '/api/channel/add' },
	pixel: { list: LISTS.pixels },
	domain: { list: LISTS.domains },
	qrCode: { list: LISTS.qrCodes },
};

const KINDS = Object.keys(NOUNS) as NamedKind[];

async function readNamed(row: LinkRow, kind: NamedKind): Promise<NamedRecords> {
	const records = new NamedRecords(kind);
	for (const record of await readList(row.reader, ENDPOINTS[kind].list, Infinity)) {
		const id = idOf(record);
		const name = nameIn(record);
		if (id !== undefined && name !== undefined) records.add({ id, name: asText(name) });
	}
	return records;
}

/** All records of a kind; the list is read once for all rows of the run. */
async function recordsOf(row: LinkRow, kind: NamedKind): Promise<NamedRecords> {
	const { state } = row;
	const known = state.names.get(kind);
	if (known !== undefined) return known;
	const records = await state.once(kind, async () => await readNamed(row, kind));
	state.names.set(kind, records);
	return records;
}

/** The name of a record, if it is known without a request. */
export function nameOfId({ state }: LinkRow, kind: NamedKind, id: unknown): string | undefined {
	return state.names.get(kind)?.nameOf(Number(id));
}

/** The name of the record that a row is about, for its item: the one that the row gave it, or the known one. */
export function knownName(row: LinkRow): IDataObject {
	const { body, pathValues } = row.request;
	const kind = KINDS.find((one) => pathValues[`${one}Id`] !== undefined);
	if (kind === undefined) return {};
	const { [`${kind}Id`]: id } = row.state.resolved(pathValues);
	if (typeof body.name === 'string') row.state.names.get(kind)?.rename(Number(id), body.name);
	const name = body.name ?? nameOfId(row, kind, id);
	return name === undefined ? {} : { name };
}

/** Finds the records of one kind that rows name. Rows with names that no record has, or several, are refused. */
async function findKind(rows: readonly LinkRow[], kind: NamedKind, mayCreate: boolean): Promise<void> {
	const all = await mapYielding(rows, (row) => ({
		row,
		names: referencesOf(row, isNamed).filter((name) => name.kind === kind),
	}));
	const asking = all.filter(({ names }) => names.length > 0);
	if (asking.length === 0) return;
	const records = await recordsOf(asking[0].row, kind).catch((error: unknown) => {
		// Only these rows need the list, and a number may be an ID if the service does not show the list to this key.
		const isHidden = error instanceof ApiError && error.affects === 'endpoint';
		for (const { row, names } of asking) if (!isHidden || names.some(({ id }) => id === undefined)) row.refuse(error);
		return undefined;
	});
	if (records === undefined) return;
	const isCreatable = mayCreate && ENDPOINTS[kind].create !== undefined;
	const cure = isCreatable
		? 'Check the spelling, choose from the list, or set Options → If Name Is Missing to "Create".'
		: 'Check the spelling, or choose from the list.';
	const advice = `${inEditor(cure)} ${toModel(records.inWords)}`;
	for await (const { row, names } of yielding(asking)) {
		const isCreated = isCreatable && row.request.options.ifNameMissing === 'create';
		const twice = names.flatMap((name) => (row.isTool ? (records.twofold(name) ?? []) : []));
		if (twice.length > 0) {
			row.refuse(new ValueError(twice.join('. '), 'Pass a name or an ID that only one of them has.'));
			continue;
		}
		const open = names.filter((name) => row.state.isMissing(name));
		const wrong = open.filter(({ name }) => !isCreated || records.find(name).length > 0);
		if (wrong.length === 0) continue;
		const column = wrong.find((name) => name.column)?.column;
		const problem = wrong.map(({ name }) => records.problem(name)).join('. ');
		row.refuse(new ValueError(problem, column === undefined ? advice : `${advice} ${howToLeaveOut(column)}`));
	}
}

/** Finds the records that rows name. Each list is read once for all rows. */
export async function findNames(rows: readonly LinkRow[], mayCreate = true): Promise<void> {
	for (const kind of KINDS) await findKind(rows, kind, mayCreate);
}

/** The same for records that must exist. */
export async function findExistingNames(rows: readonly LinkRow[]): Promise<void> {
	await findNames(rows, false);
}

/** Campaigns and channels, counted. */
export function countedNames(names: readonly NameReference[]): string {
	const counts = new Map<NamedKind, number>();
	for (const { kind } of names) counts.set(kind, (counts.get(kind) ?? 0) + 1);
	return Array.from(counts, ([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`).join(' and ');
}

async function createRecord(row: LinkRow, reference: NameReference): Promise<void> {
	const { kind, name } = reference;
	const { madeNames } = row.state;
	const find = async () => (await readNamed(row, kind)).find(name)[0] as IDataObject | undefined;
	const answer = await sendChange(row, { method: 'POST', path: ENDPOINTS[kind].create!, body: { name } }, find);
	const id = idOf(answer) ?? idOf((await find()) ?? {});
	if (id === undefined) {
		throw new ApiError(
			'refused',
			`The service did not create the ${kind} "${name}"`,
			`Create the ${kind} at the service first.`,
		);
	}
	(await recordsOf(row, kind)).add({ id, name });
	madeNames.push(reference);
	row.atEnd('new names', () => `Also created: ${countedNames(madeNames)}.`);
}

/** Makes a missing campaign or channel, once for all rows. */
export async function createName(row: LinkRow, name: NameReference): Promise<void> {
	const question = `new ${name.kind} ${nameKey(name.name)}` as const;
	await row.state.once(question, async () => await createRecord(row, name));
}

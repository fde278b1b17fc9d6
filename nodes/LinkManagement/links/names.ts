/** Finds campaigns, channels and pixels by their names. */
import type { IDataObject } from 'n8n-workflow';

import { mapYielding, yielding } from '../n8n/slices';
import { ApiError, ValueError } from '../service/errors';
import { readList, type ListSource } from '../service/listReader';
import { asText, idOf, isBlank } from '../service/records';
import { sendChange } from '../service/serviceClient';
import type { NamedKind, NameReference } from './reference';
import { setAt, type LinkRow, type Steps } from './linkRow';
import { LISTS } from '../service/endpoints';

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

type NamedRecord = { id: number; name: string };

/** Names are compared without case: services capitalize the first letter. */
function nameKey(name: string): string {
	return name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

const MOST_SIMILAR = 3;

/** The number of letters that two names share at their beginning and end. */
function common(one: string, other: string): number {
	const most = Math.min(one.length, other.length);
	let start = 0;
	while (start < most && one[start] === other[start]) start++;
	let end = 0;
	while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
	return start + end;
}

/** All campaigns, channels or pixels of an account, by name. */
class NamedRecords {
	private readonly byKey = new Map<string, NamedRecord[]>();
	private readonly names = new Map<number, string>();

	constructor(private readonly kind: NamedKind) {}

	add(record: NamedRecord): void {
		this.names.set(record.id, record.name);
		const key = nameKey(record.name);
		const same = this.byKey.get(key);
		if (same === undefined) this.byKey.set(key, [record]);
		else same.push(record);
	}

	/** Notes a new name. Other rows of the run still find the record by its old one, by which they were prepared. */
	rename(id: number, name: string): void {
		this.names.set(id, name);
	}

	nameOf(id: number): string | undefined {
		return this.names.get(id);
	}

	/** The ID of the record with a name, or else with a number, which may be an ID. */
	idOf(name: string, number?: number): number | undefined {
		const found = this.find(name);
		if (found.length > 0) return found.length === 1 ? found[0].id : undefined;
		return number !== undefined && this.names.has(number) ? number : undefined;
	}

	/** The records that a name may mean: those with exactly this name, or else those that differ only in case. */
	find(name: string): readonly NamedRecord[] {
		const all = this.byKey.get(nameKey(name)) ?? [];
		const exact = all.filter((record) => record.name.trim() === name.trim());
		return exact.length > 0 ? exact : all;
	}

	/** The problem with a name that means no record, or several. */
	problem(wrong: string): string {
		const found = this.find(wrong);
		if (found.length === 0) return `There is no ${this.kind} named "${wrong}"${this.similarTo(wrong)}`;
		const those = found.map(({ id, name }) => `${id} "${name}"`);
		return `There are ${found.length} ${this.kind}s named "${wrong}" (${those.join(', ')})`;
	}

	/** Suggests the names that share most letters with a wrong one. */
	private similarTo(name: string): string {
		const key = nameKey(name);
		const least = Math.max(2, Math.ceil(key.length / 2));
		const all = [...this.byKey].map(([other, [{ name: known }]]) => ({ known, letters: common(key, other) }));
		const near = all.filter(({ letters }) => letters >= least);
		near.sort((one, other) => other.letters - one.letters || (one.known < other.known ? -1 : 1));
		const names = near.slice(0, MOST_SIMILAR).map(({ known }) => `"${known}"`);
		return names.length === 0 ? '' : ` (did you mean ${names.join(', ')}?)`;
	}
}

/** Pixels have no `create`: they need more than a name. */
const ENDPOINTS: Record<NamedKind, { list: ListSource; create?: `/api/${string}` }> = {
	campaign: { list: LISTS.campaigns, create: '/api/campaign/add' },
	channel: { list: LISTS.channels, create: '/api/channel/add' },
	pixel: { list: LISTS.pixels },
};

async function readRecords(row: LinkRow, kind: NamedKind): Promise<NamedRecords> {
	const records = new NamedRecords(kind);
	for (const record of await readList(row.reader, ENDPOINTS[kind].list, Infinity)) {
		const id = idOf(record);
		const name = nameIn(record);
		if (id !== undefined && name !== undefined) records.add({ id, name: asText(name) });
	}
	return records;
}

/** The records of a kind, if the run has read them. */
function knownRecords(row: LinkRow, kind: NamedKind): { read?: NamedRecords } {
	return row.sharedInRun(`${kind}s`, () => ({}));
}

/** All records of a kind; the list is read once for all rows of the run. */
async function recordsOf(row: LinkRow, kind: NamedKind): Promise<NamedRecords> {
	const known = knownRecords(row, kind);
	const read = async () => await readRecords(row, kind);
	return (known.read ??= await row.once(`${kind}s`, read));
}

/** The current name of the row's campaign, from the list. */
export async function presentName(row: LinkRow): Promise<string | undefined> {
	return (await recordsOf(row, 'campaign')).nameOf(Number(row.request.pathValues.campaignId));
}

/** The name of a record, if it is known without a request. */
export function nameOfId(row: LinkRow, kind: NamedKind, id: unknown): string | undefined {
	return knownRecords(row, kind).read?.nameOf(Number(id));
}

/** The name of the row's campaign or channel, for its item: the one that the row gave it, or the known one. */
export function knownName(row: LinkRow, kind: NamedKind): IDataObject {
	const { body, pathValues } = row.request;
	if (pathValues[`${kind}Id`] === undefined) return {};
	const id = Number(pathValues[`${kind}Id`]);
	if (typeof body.name === 'string') knownRecords(row, kind).read?.rename(id, body.name);
	const name = body.name ?? nameOfId(row, kind, id);
	return name === undefined ? {} : { name };
}

/** Puts the IDs of records of one kind into the requests, as far as there are records of these names. */
async function findKind(rows: readonly LinkRow[], kind: NamedKind, mayCreate: boolean): Promise<void> {
	const all = await mapYielding(rows, (row) => ({
		row,
		names: row.request.names.filter((name) => name.kind === kind),
	}));
	const asking = all.filter(({ names }) => names.length > 0);
	if (asking.length === 0) return;
	const records = await recordsOf(asking[0].row, kind).catch((error: unknown) => {
		// Only these rows need the list, and a number may be an ID if the service does not show the list to this key.
		const isHidden = error instanceof ApiError && error.affects === 'endpoint';
		for (const { row, names } of asking) {
			if (!isHidden || names.some(({ id }) => id === undefined)) row.refuse(error);
			else for (const { path, id } of names) setAt(row.request, path, id);
		}
		return undefined;
	});
	if (records === undefined) return;
	const isCreatable = mayCreate && ENDPOINTS[kind].create !== undefined;
	const advice = isCreatable
		? 'Check the spelling, choose from the list, or set Options → If Name Is Missing to "Create".'
		: 'Check the spelling, or choose from the list.';
	for await (const { row, names } of yielding(asking)) {
		const isCreated = isCreatable && row.request.options.ifNameMissing === 'create';
		const open = names.filter(({ name, id: given, path }) => {
			const id = records.idOf(name, given);
			if (id !== undefined) setAt(row.request, path, id);
			return id === undefined;
		});
		row.request.names = row.request.names.filter((name) => name.kind !== kind || open.includes(name));
		const wrong = open.filter(({ name }) => !isCreated || records.find(name).length > 0);
		if (wrong.length === 0) continue;
		const isFound = names.some((name) => name.isFound);
		const orNot = ` If the column ${kind} is not meant for the link, set Mapping Column Mode to Map Each Column Manually and leave it out.`;
		const problem = wrong.map(({ name }) => records.problem(name)).join('. ');
		row.refuse(new ValueError(problem, isFound ? advice + orNot : advice));
	}
}

/** Replaces the names of campaigns, channels and pixels by IDs. Each list is read once for all rows. */
export async function findNames(rows: readonly LinkRow[], mayCreate = true): Promise<void> {
	for (const kind of ['campaign', 'channel', 'pixel'] as const) await findKind(rows, kind, mayCreate);
}

/** The same for records that must exist. */
export async function findExistingNames(rows: readonly LinkRow[]): Promise<void> {
	await findNames(rows, false);
}

async function createRecord(row: LinkRow, { kind, name }: NameReference): Promise<number> {
	const find = async () => (await readRecords(row, kind)).find(name)[0] as NamedRecord | undefined;
	const answer = await sendChange(row, { method: 'POST', path: ENDPOINTS[kind].create!, body: { name } }, find);
	const id = idOf(answer) ?? idOf((await find()) ?? {});
	if (id === undefined) {
		throw new ApiError(
			'refused',
			`The service did not create the ${kind} "${name}"`,
			`Create the ${kind} at the service, and run the node again.`,
		);
	}
	(await recordsOf(row, kind)).add({ id, name });
	return id;
}

/**
 * Creates missing campaigns and channels, each once, if the rows ask for it. Until then, and in a dry run, the requests hold their
 * names.
 */
export async function createNames(rows: readonly LinkRow[], steps: Steps): Promise<void> {
	for await (const row of yielding(rows)) {
		const step = steps.get(row);
		const isLeftAlone = step?.kind === 'createOrUpdate' && step.planned.decision.action === 'unchanged';
		if (step?.kind === 'show' || isLeftAlone) continue;
		for (const name of row.request.names) {
			const key = `new ${name.kind} ${nameKey(name.name)}`;
			const made = row.once(key, async () => await createRecord(row, name));
			await made.then((id) => setAt(row.request, name.path, id), row.refuse.bind(row));
		}
	}
}

import { NodeOperationError, type IDataObject, type IExecuteSingleFunctions } from 'n8n-workflow';

import { ApiError } from '../api/apiError';
import { withoutError } from '../api/envelope';
import { readList } from '../api/list';
import type { AccountLinks, Asking } from '../match/account';
import type { LinkRecord } from '../match/linkIndex';
import { findByName, nameKey, nameProblem, type Named } from '../match/names';
import { aliasOf, hostOf, shortUrlsIn } from '../match/url';
import { accountLinksOf, readerOf } from './accountLinks';
import type { Item } from './item';
import { accountKey, together } from './together';

/** Records that are chosen by their names. */
export type NamedKind = 'campaign' | 'channel';

/** A campaign or channel by its name, in a place where its ID goes out. */
export class RecordName {
	constructor(
		readonly kind: NamedKind,
		readonly name: string,
	) {}
}

/** A link by its short URL, in a place where its ID goes out. */
export class ShortUrl {
	/** The short URLs that it may stand for; see `shortUrlsIn`. */
	readonly candidates: string[];

	constructor(readonly pasted: string) {
		this.candidates = shortUrlsIn(pasted);
	}
}

const LISTS: Record<NamedKind, { path: string; collection: string; create: string }> = {
	campaign: { path: '/api/campaigns', collection: 'campaigns', create: '/api/campaign/add' },
	channel: { path: '/api/channels', collection: 'channels', create: '/api/channel/add' },
};

/** Campaigns have their name under one of three (field notes, "Resources"; spec, "Campaign"). */
function nameIn({ name, campaign, domain }: IDataObject): string {
	return String([name, campaign, domain].find((value) => typeof value === 'string' && value !== '') ?? '');
}

async function readNames(item: Item, kind: NamedKind): Promise<Named[]> {
	const { path, collection } = LISTS[kind];
	const records = await readList(
		{ path, collection, address: item.connection.address, send: async (request) => await item.send(request) },
		Infinity,
	);
	return records
		.map((record) => ({ id: Number(record.id), name: nameIn(record) }))
		.filter(({ id, name }) => Number.isSafeInteger(id) && name !== '');
}

/** The name that a campaign or channel has now; the list is read once for all items of a run. */
export async function presentName(item: Item, kind: NamedKind, id: number): Promise<string | undefined> {
	const key = `present names of ${kind}\n${accountKey(item)}`;
	const all = await item.run.share(key, async () => await readNames(item, kind));
	return all.find((one) => one.id === id)?.name;
}

/** Makes a record of this name, unless somebody else was quicker. */
async function createNamed(item: Item, kind: NamedKind, name: string): Promise<Named> {
	const answer = await item
		.send({ method: 'POST', path: LISTS[kind].create, body: { name } })
		.catch((error: unknown) => {
			const mayBeThere = error instanceof ApiError && (error.kind === 'rejected' || error.kind === 'uncertain');
			if (!mayBeThere) throw error;
			return error;
		});
	const made = answer instanceof ApiError ? undefined : Number(withoutError(answer.body as IDataObject).id);
	if (made !== undefined && Number.isSafeInteger(made) && made > 0) return { id: made, name };
	const id = findByName([name], await readNames(item, kind)).ids.get(name);
	if (id !== undefined) return { id, name };
	if (answer instanceof ApiError) throw answer;
	throw new ApiError(
		'rejected',
		`The service did not make the ${kind} "${name}"`,
		`Create the ${kind} at the service, and run the node again.`,
	);
}

/** What an item asks for. */
interface NameRequest {
	item: Item;
	names: RecordName[];
	mayCreate: boolean;
}

/** What the names stand for, and what is wrong with them. */
interface NameAnswers {
	ids: Map<string, number>;
	/** All names that nobody has, in one text; undefined where there are none. */
	problem?: string;
	/** The same for some names alone. */
	problemOf(names: RecordName[]): string | undefined;
}

function keyOf({ kind, name }: RecordName): string {
	return `${kind} ${nameKey(name)}`;
}

/** Reads each list once, and finds or makes what the items name. */
async function findNames(requests: NameRequest[]): Promise<NameAnswers> {
	const ids = new Map<string, number>();
	const records = new Map<NamedKind, Named[]>();
	const problems = (names: RecordName[]) =>
		[...records]
			.flatMap(([kind, all]) => {
				const wanted = names.filter((one) => one.kind === kind && !ids.has(keyOf(one))).map(({ name }) => name);
				return nameProblem(findByName(wanted, all), kind) ?? [];
			})
			.join('. ') || undefined;
	const named = requests.flatMap(({ names }) => names);
	for (const kind of ['campaign', 'channel'] as const) {
		const wanted = named.filter((one) => one.kind === kind);
		if (wanted.length === 0) continue;
		const [{ item }] = requests.filter(({ names }) => names.some((one) => one.kind === kind));
		const all = await readNames(item, kind);
		records.set(kind, all);
		const found = findByName(
			wanted.map(({ name }) => name),
			all,
		);
		for (const [name, id] of found.ids) ids.set(keyOf(new RecordName(kind, name)), id);
	}
	const fatal = requests.filter(({ mayCreate, item }) => !mayCreate && !item.context.continueOnFail());
	const problem = problems(fatal.flatMap(({ names }) => names));
	if (problem === undefined) {
		for (const { item, names, mayCreate } of requests) {
			for (const one of names) {
				if (!mayCreate || ids.has(keyOf(one))) continue;
				const isAmbiguous = findByName([one.name], records.get(one.kind) ?? []).ambiguous.length > 0;
				if (isAmbiguous) continue;
				ids.set(keyOf(one), (await createNamed(item, one.kind, one.name)).id);
			}
		}
	}
	return { ids, problem, problemOf: problems };
}

/** The places of an item's request that hold references. */
function placesOf({ request }: Item): Array<{ holder: IDataObject; name: string; value: unknown }> {
	return [request.pathValues, request.body].flatMap((holder) =>
		Object.entries(holder).map(([name, value]) => ({ holder, name, value: value as unknown })),
	);
}

function unknownName(context: IExecuteSingleFunctions, message: string): NodeOperationError {
	const itemIndex = context.getItemIndex();
	return new NodeOperationError(context.getNode(), `${message} [item ${itemIndex}]`, {
		itemIndex,
		description:
			'Check the spelling, choose from the list, or set Options → If Name Is Missing to "Create" to have it made.',
	});
}

/**
 * Puts IDs in the places of campaigns' and channels' names. Each list is read once for all items; names that nobody has are told
 * in one error before anything is sent, or made, each once.
 *
 * @returns false where another item's error ends the run
 * @throws NodeOperationError that tells all unknown names, each with the nearest
 */
export async function resolveNames(item: Item): Promise<boolean> {
	const places = placesOf(item).filter(({ value }) => value instanceof RecordName);
	const names = places.map(({ value }) => value as RecordName);
	const { options } = item.request;
	const mayCreate = options.ifNameMissing === 'create' && options.dryRun !== true;
	const answers = await together(item, 'names', { item, names, mayCreate }, findNames);
	const isMade = (one: RecordName) => answers.ids.has(keyOf(one));
	if (answers.problem !== undefined && !item.context.continueOnFail()) {
		if (!names.every(isMade) && !mayCreate) throw unknownName(item.context, answers.problem);
		return false;
	}
	const isPlanned = options.dryRun === true && options.ifNameMissing === 'create';
	if (!names.every(isMade) && !isPlanned) {
		throw unknownName(item.context, answers.problemOf(names) ?? 'There is no record of that name');
	}
	for (const { holder, name, value } of places) {
		const id = answers.ids.get(keyOf(value as RecordName));
		holder[name] = id ?? (value as RecordName).name;
	}
	return true;
}

/** The link that a short URL leads to, among those that were read. */
export function linkAmong(links: AccountLinks, { candidates }: ShortUrl): LinkRecord | undefined {
	for (const shortUrl of candidates) {
		const [found] = links.index.byAlias(aliasOf({ shorturl: shortUrl }) ?? '', hostOf(shortUrl));
		if (found !== undefined) return found;
	}
	return undefined;
}

/**
 * Finds the links that items name by their short URLs: one by one, or by reading the list where that takes fewer requests.
 *
 * @param reference what this item names; undefined where it names a link by its ID
 */
async function findLink(item: Item, reference: ShortUrl | undefined): Promise<LinkRecord | undefined> {
	const links = accountLinksOf(item);
	const reader = readerOf(item);
	await together(item, 'shortUrls', reference, async (references) => {
		const asked = references.flatMap((one) => (one === undefined ? [] : askingFor(one)));
		if (asked.length > 0) await links.learn(asked, reader);
	});
	if (reference === undefined) return undefined;
	const found = linkAmong(links, reference);
	if (found !== undefined) return found;
	// It may have been made after the list was read; what was looked up just now was not.
	for (const shortUrl of links.isComplete ? reference.candidates : reference.candidates.slice(0, -1)) {
		const alias = aliasOf({ shorturl: shortUrl });
		if (alias === undefined) continue;
		const late = await links.find(alias, hostOf(shortUrl), reader, shortUrl);
		if (late !== undefined) return late;
	}
	return undefined;
}

/** What an item asks of the account's links. */
export function askingFor(reference: number | ShortUrl): Asking[] {
	if (!(reference instanceof ShortUrl)) return [{ fields: {}, matchOn: 'alias', id: reference }];
	const shortUrl = reference.candidates.at(-1);
	if (shortUrl === undefined) return [];
	const domain = shortUrl.slice(0, shortUrl.lastIndexOf('/'));
	return [{ fields: { custom: aliasOf({ shorturl: shortUrl }), domain }, matchOn: 'alias' }];
}

/** The error for a short URL that leads nowhere. */
export function noSuchLink(item: Item, { pasted }: ShortUrl): NodeOperationError {
	const itemIndex = item.context.getItemIndex();
	return new NodeOperationError(
		item.context.getNode(),
		`There is no short link with the URL ${pasted.trim()} [item ${itemIndex}]`,
		{
			itemIndex,
			description: 'Check the short URL, and that the link belongs to the account of the credential.',
		},
	);
}

/**
 * Puts the ID in the place of a link's short URL, for operations that send the ID.
 *
 * @throws NodeOperationError when there is no such link
 */
export async function resolveShortUrls(item: Item): Promise<void> {
	const place = placesOf(item).find(({ value }) => value instanceof ShortUrl);
	const reference = place?.value as ShortUrl | undefined;
	const link = await findLink(item, reference);
	if (place === undefined || reference === undefined) return;
	if (link === undefined) throw noSuchLink(item, reference);
	place.holder[place.name] = Number(link.id);
}

import type { IDataObject } from 'n8n-workflow';

import { noSuchRecord } from '../service/errors';
import { asText, withNumbers } from '../service/records';
import type { ServiceClient } from '../service/serviceClient';
import type { Created } from '../service/services';
import { LinkIndex } from './linkIndex';
import type { LinkFieldName, LinkFields } from './linkFields';
import type { PlannedRow } from './plan';
import {
	identityOf,
	type DomainReference,
	type Identity,
	type LinkRecord,
	type LinkReference,
	type NameReference,
	type Path,
	type Placed,
} from './reference';
import { shortKey } from './url';

export type LinkItem = { json: IDataObject };

/** A short URL in a sheet: of the link that its row means, or of another service. */
export interface ShortUrlCell {
	title: string;
	shortUrl: string;
	/** Its last part, as an alias. @throws ValueError where no link can have it */
	alias(): string | undefined;
}

/** What a row asks for, as far as links and names go: made once, of its parameters. */
export interface LinkRequest {
	/** Values of the path parameters, under their names. */
	pathValues: IDataObject;
	query: IDataObject;
	/** What it says of its link, or of another record; an empty value clears the field (spec, "Body of POST /api/url/add"). */
	body: IDataObject;
	options: IDataObject;
	link?: Placed<LinkReference>;
	/** Campaigns, channels and pixels that are named, and not found yet. */
	names: Array<Placed<NameReference>>;
	/** The domain that it enters, in place of which the account's spelling goes out. */
	domain?: Placed<DomainReference>;
	/** The short URLs that it holds, in a sheet. */
	shortUrls?: ShortUrlCell[];
	/** Why values can't be given to a link, though they may be those of one that is there. */
	unfit?: Partial<Record<LinkFieldName, Error>>;
}

export function setAt(request: LinkRequest, [part, name, at]: Path, value: IDataObject[string]): void {
	if (at === undefined) request[part][name] = value;
	else (request[part][name] as unknown[])[at] = value;
}

/** Puts the ID of the link that a row chooses in its place. */
export function putLinkId(request: LinkRequest, link: Placed<LinkReference>, id: number): void {
	request.link = { ...link, name: { by: 'id', id } };
	setAt(request, link.path, id);
}

/** What a row of Create or Update does, or shows in a dry run. */
export interface SheetStep {
	does: 'createOrUpdate' | 'show';
	planned: PlannedRow;
	/** Fields that the service does not show → how many rows of the run they alone had updated. */
	hidden: Map<LinkFieldName, number>;
}

/** What a row does with its link, where that is decided for all rows before any of them is sent. */
export type Step = { does: 'create' } | { does: 'return'; link: LinkRecord } | SheetStep;

export type Steps = ReadonlyMap<LinkRow, Step>;

/** A row of a run (run/row.ts), as far as its links go. */
export interface LinkRow extends ServiceClient {
	readonly label: string;
	readonly size: number;
	readonly request: LinkRequest;
	readonly isRefused: boolean;
	/** Reads lists, for all rows of the account together. */
	readonly reader: ServiceClient;
	/** Its place in the order in which rows are done. */
	order: number;
	/** Asks for something once for all rows of the account, in this try of the run. */
	once<T>(key: string, ask: () => Promise<T>): Promise<T>;
	/** What the rows of the account have in common, over the tries of the run. */
	shared<T>(key: string, make: () => T): T;
	/** The same for all rounds of a loop over the node. */
	sharedByRounds<T>(key: string, make: () => T): T;
	refuse(error: unknown): void;
	waitFor(earlier: LinkRow | undefined): void;
	/** Does something when the run has ended, once for all rows of the account; what it returns is shown above the items. */
	atEnd(about: string, work: () => string | undefined): void;
}

/** The links that this run and others have created since it began, by what tells them from all else. */
export function createdMeanwhile(row: LinkRow): Created {
	return row.shared('created meanwhile', () => new Map() as Created);
}

/** What this run knows of the links of the row's account. @param earlier what an earlier round of a loop has read of them */
export function linksOf(row: LinkRow, earlier?: LinkIndex): LinkIndex {
	const make = () => (earlier?.isComplete ? earlier.asHint() : new LinkIndex(row.connection.address));
	return row.shared('links', make);
}

/**
 * What this execution has given links: services may not show it, and reset what an update leaves out. A link without an ID is known by
 * its short URL.
 */
class GivenFields {
	private readonly fields = new Map<Identity, LinkFields>();

	/** @param body the whole of what was sent */
	put(link: LinkRecord, body: LinkFields): void {
		const id = identityOf(link);
		if (id !== undefined) this.fields.set(id, body);
	}

	get(link: LinkRecord): LinkFields {
		const { fields } = this;
		return fields.get(identityOf(link) ?? '') ?? fields.get(shortKey(link.shorturl) ?? '') ?? {};
	}
}

export function givenFieldsOf(row: LinkRow): GivenFields {
	return row.sharedByRounds('given to links', () => new GivenFields());
}

export function itemRecord(record: LinkRecord): IDataObject {
	return withNumbers({ ...record } as IDataObject);
}

/** The details of a link, as sent. @throws ApiError where there is none */
export async function readDetails(row: LinkRow, id: unknown): Promise<IDataObject> {
	return await row.send({ method: 'GET', path: `/api/url/${asText(id)}` }).catch((error: unknown) => {
		throw noSuchRecord(error, 'short link', id);
	});
}

/** What names a link beside what was done to it, as far as that is known without asking for it. */
export function namesOfLink(row: LinkRow, id: unknown): IDataObject {
	const { alias, shorturl } = linksOf(row).get({ id }) ?? {};
	return {
		...(alias === undefined ? {} : { alias: alias as string }),
		...(shorturl === undefined ? {} : { shorturl: shorturl as string }),
	};
}

/** Rows that have a key in common are done one after another, in their order. */
export function inOrder<R extends LinkRow>(rows: Iterable<R>, keyOf: (row: R) => string | undefined): void {
	const last = new Map<string, R>();
	for (const row of rows) {
		const key = keyOf(row);
		if (key === undefined) continue;
		row.waitFor(last.get(key));
		last.set(key, row);
	}
}

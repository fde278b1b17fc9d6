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

/** A short URL in a sheet: that of the row's link, or one of another service. */
export interface ShortUrlCell {
	title: string;
	shortUrl: string;
	/** Its last part, as an alias. @throws ValueError if no link can have it */
	alias(): string | undefined;
}

/** The part of a row's request that concerns links and names. */
export interface LinkRequest {
	/** Values of the path parameters, under their names. */
	pathValues: IDataObject;
	query: IDataObject;
	/** The fields of the link or other record; an empty value clears the field (spec, "Body of POST /api/url/add"). */
	body: IDataObject;
	options: IDataObject;
	link?: Placed<LinkReference>;
	/** The campaigns, channels and pixels whose IDs are not known yet. */
	names: Array<Placed<NameReference>>;
	/** The domain as entered; the account's spelling of it is sent. */
	domain?: Placed<DomainReference>;
	/** The short URLs in the row of a sheet. */
	shortUrls?: ShortUrlCell[];
	/** Field → why a link can't be given this value, although an existing link may have it. */
	errorsIfGiven?: Partial<Record<LinkFieldName, Error>>;
}

export function setAt(request: LinkRequest, [part, name, at]: Path, value: IDataObject[string]): void {
	if (at === undefined) request[part][name] = value;
	else (request[part][name] as unknown[])[at] = value;
}

/** Puts the ID of a row's link into its request. */
export function putLinkId(request: LinkRequest, link: Placed<LinkReference>, id: number): void {
	request.link = { ...link, name: { by: 'id', id } };
	setAt(request, link.path, id);
}

/** The step of a row of Create or Update; `show` in a dry run. */
export interface SheetStep {
	kind: 'createOrUpdate' | 'show';
	planned: PlannedRow;
	/** Field that the service does not show → how many rows of the run were updated only for it. */
	hidden: Map<LinkFieldName, number>;
}

/** What a row does with its link, decided for all rows before anything is sent. */
export type Step = { kind: 'create' } | { kind: 'return'; link: LinkRecord } | SheetStep;

export type Steps = ReadonlyMap<LinkRow, Step>;

/** A row of a run (run/row.ts), as the code for links sees it. */
export interface LinkRow extends ServiceClient {
	readonly label: string;
	readonly size: number;
	readonly request: LinkRequest;
	readonly isRefused: boolean;
	/** A client that reads lists for all rows of the account. */
	readonly reader: ServiceClient;
	/** Its position in the order in which rows are done. */
	order: number;
	/** Asks for something once for all rows of the account, in this try of the run. (Retry On Fail makes several tries.) */
	once<T>(key: string, ask: () => Promise<T>): Promise<T>;
	/** A value that the rows of the account share in all tries of the run. */
	sharedInRun<T>(key: string, make: () => T): T;
	/** The same in all rounds of a loop over the node. */
	sharedInLoop<T>(key: string, make: () => T): T;
	refuse(error: unknown): void;
	waitFor(earlier: LinkRow | undefined): void;
	/** Calls `work` once for all rows of the account when the run has ended. A sentence that it returns is shown above the items. */
	atEnd(about: string, work: () => string | undefined): void;
}

/** The links that this run and others have created since it began, by their keys. */
export function createdMeanwhile(row: LinkRow): Created {
	return row.sharedInRun('created meanwhile', () => new Map() as Created);
}

/** The links of the row's account, as this run knows them. @param earlier the index of an earlier round of a loop */
export function linksOf(row: LinkRow, earlier?: LinkIndex): LinkIndex {
	const make = () => (earlier?.isComplete ? earlier.asHint() : new LinkIndex(row.connection.address));
	return row.sharedInRun('links', make);
}

/**
 * The fields that this execution has set of links: services may not show them, and may reset those that an update leaves out. A link
 * without an ID is known by its short URL.
 */
class GivenFields {
	private readonly fields = new Map<Identity, LinkFields>();

	/** @param body all fields that were sent */
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
	return row.sharedInLoop('given to links', () => new GivenFields());
}

export function itemRecord(record: LinkRecord): IDataObject {
	return withNumbers({ ...record } as IDataObject);
}

/** The details of a link, as sent. @throws ApiError if there is no such link */
export async function readDetails(row: LinkRow, id: unknown): Promise<IDataObject> {
	return await row.send({ method: 'GET', path: `/api/url/${asText(id)}` }).catch((error: unknown) => {
		throw noSuchRecord(error, 'short link', id);
	});
}

/** The alias and short URL of a link, as far as they are known without a request. */
export function namesOfLink(row: LinkRow, id: unknown): IDataObject {
	const { alias, shorturl } = linksOf(row).get({ id }) ?? {};
	return {
		...(alias === undefined ? {} : { alias: alias as string }),
		...(shorturl === undefined ? {} : { shorturl: shorturl as string }),
	};
}

/** Has rows with the same key done one after another, in their order. */
export function inOrder<R extends LinkRow>(rows: Iterable<R>, keyOf: (row: R) => string | undefined): void {
	const last = new Map<string, R>();
	for (const row of rows) {
		const key = keyOf(row);
		if (key === undefined) continue;
		row.waitFor(last.get(key));
		last.set(key, row);
	}
}

/** Rows of a run (run/row.ts), as the code for links sees them, and what is done with them. */
import type { IDataObject } from 'n8n-workflow';

import { withNumbers } from '../service/records';
import type { Account } from './account/account';
import type { LinkRecord } from './reference';

export type LinkItem = { json: IDataObject };

/** What a row asks for. Names of records stand in it until these are found (named.ts). */
export interface LinkRequest {
	pathValues: IDataObject;
	query: IDataObject;
	/** The fields of the link or other record; an empty value clears the field (spec, "Body of POST /api/url/add"). */
	body: IDataObject;
	options: IDataObject;
	/** The short URL in the row of a sheet: that of its link, or one of another service. */
	shortUrl?: string;
}

export interface LinkRow {
	readonly label: string;
	readonly index: number;
	readonly size: number;
	readonly request: LinkRequest;
	readonly isRefused: boolean;
	readonly continues: boolean;
	readonly account: Account;
	refuse(error: unknown): void;
	/** Calls `work` once when the run has ended. A sentence that it returns is shown above the items. */
	atEnd(about: string, work: () => string | undefined): void;
}

/** What is done at once: with one row, or with the rows of one link. */
export interface Unit<R extends LinkRow = LinkRow> {
	readonly rows: readonly R[];
	/** Units with the same key are done one after another. */
	readonly turn?: string;
	/** @returns the items of each row @throws the error with which all of them fail */
	perform(): Promise<LinkItem[][]>;
}

/** Puts what has one key together, in its order; what has none stands alone. */
export function groupedBy<One>(all: Iterable<One>, keyOf: (one: One) => unknown): One[][] {
	const groups = new Map<unknown, One[]>();
	for (const one of all) {
		const key = keyOf(one) ?? one;
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [one]);
		else group.push(one);
	}
	return [...groups.values()];
}

export function itemRecord(record: LinkRecord): IDataObject {
	return withNumbers({ ...record } as IDataObject);
}

/** What names a link, as far as it is known without a request. @param fields of its record */
export function namesOfLink({ account }: LinkRow, id: unknown, fields = ['alias', 'shorturl']): IDataObject {
	const known = (account.index.get({ id }) ?? {}) as IDataObject;
	return Object.fromEntries(fields.flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]])));
}

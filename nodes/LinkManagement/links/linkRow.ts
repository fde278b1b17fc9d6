/** Rows of a run (run/row.ts), as the code for links sees them, and what is done with them. */
import type { IDataObject } from 'n8n-workflow';

import { StoppedError } from '../n8n/stop';
import { withNumbers } from '../service/records';
import type { Account } from './account/account';
import type { LinkRecord } from './reference';

export type LinkItem = { json: IDataObject };

/** What came of a row: its items, or the error of its failure. */
export interface Outcome {
	items: LinkItem[];
	error?: unknown;
}

/** A short URL in a sheet: that of the row's link, or one of another service. */
export interface ShortUrlCell {
	title: string;
	shortUrl: string;
}

/** What a row asks for. Names of records stand in it until these are found (named.ts). */
export interface LinkRequest {
	/** Values of the path parameters, under their names. */
	pathValues: IDataObject;
	query: IDataObject;
	/** The fields of the link or other record; an empty value clears the field (spec, "Body of POST /api/url/add"). */
	body: IDataObject;
	options: IDataObject;
	/** The short URLs in the row of a sheet. */
	shortUrls?: ShortUrlCell[];
	/** UTM parameters that the long URL has with another value than the row. */
	keptUtm?: string[];
}

export interface LinkRow {
	readonly label: string;
	/** Its index in the run, from 0. */
	readonly index: number;
	/** Number of rows of the run. */
	readonly size: number;
	readonly request: LinkRequest;
	readonly isRefused: boolean;
	/** A model calls: the node is a tool. */
	readonly isTool: boolean;
	/** A failed row does not stop the others. */
	readonly continues: boolean;
	/** What the run knows of its account. */
	readonly account: Account;
	refuse(error: unknown): void;
	/** Calls `work` once when the run has ended. A sentence that it returns is shown above the items. */
	atEnd(about: string, work: () => string | undefined): void;
}

/** Rows that are done together: those of one link, for example. */
export interface Unit<R extends LinkRow = LinkRow> {
	readonly rows: readonly R[];
	/**
	 * @returns what came of its rows; those that are not in it have not begun
	 * @throws the error with which all of them fail
	 */
	perform(): Promise<ReadonlyMap<R, Outcome>>;
}

/** Rows that are done one after another. A failure ends them, unless the run goes on after it. */
export function inTurn<R extends LinkRow>(rows: readonly R[], work: (row: R) => Promise<LinkItem[]>): Unit<R> {
	const perform = async () => {
		const done = new Map<R, Outcome>();
		for (const row of rows) {
			const outcome = await work(row).then(
				(items): Outcome => ({ items }),
				(error: unknown): Outcome => ({ items: [], error }),
			);
			// The rows before it are done.
			if (outcome.error instanceof StoppedError) break;
			done.set(row, outcome);
			if (outcome.error !== undefined && !row.continues) break;
		}
		return done;
	};
	return { rows, perform };
}

/** Rows by a key, in their order; each row without a key stands alone. */
export function groupedBy<R>(rows: Iterable<R>, keyOf: (row: R) => string | undefined): R[][] {
	const groups = new Map<unknown, R[]>();
	for (const row of rows) {
		const key = keyOf(row) ?? row;
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [row]);
		else group.push(row);
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

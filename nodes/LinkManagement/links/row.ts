import type { IDataObject } from 'n8n-workflow';

import { withNumbers } from '../service/records';
import type { Speaker } from '../service/sendRequest';
import { AccountLinks } from './account';
import { Account } from './find';
import type { LinkRecord } from './linkIndex';

/** An item that comes of a row. */
export type LinkItem = { json: IDataObject };

/** A row of a run, as far as its links go. */
export interface LinkRow extends Speaker {
	/** As people find it: "row 8", or "item 3". */
	readonly label: string;
	/** How many rows the run has. */
	readonly size: number;
	/** IANA name of the workflow's time zone. */
	readonly timezone: string;
	readonly request: {
		body: IDataObject;
		pathValues: IDataObject;
		options: IDataObject;
		/** The short URL that the row holds. */
		shortUrl?: string;
		/** Names of fields that the row clears. */
		cleared?: readonly string[];
	};
	/** It can't be done. */
	readonly isRefused: boolean;
	/** What the row will do in its turn, in place of what its operation does for each row. */
	decision?: () => Promise<LinkItem[]>;
	/** Something that the rows of a run have in common, over its tries. The first row that asks makes it. */
	shared<T>(key: string, make: () => T): T;
	/** The same for all rounds of a loop over the node; for calls of an agent's tool, each by itself. */
	sharedByRounds<T>(key: string, make: () => T): T;
	/** The row can't be done as it stands. The first reason counts. */
	refuse(error: unknown): void;
	/** This row begins when an earlier one has ended. */
	waitFor(earlier: LinkRow | undefined): void;
	/** Does something when the run has ended. What it returns is shown above the items. */
	atEnd(work: () => string | undefined): void;
}

/** The service and account that a row talks to: what is known of one account says nothing of another. */
export function accountKey({ connection }: Speaker): string {
	return `${connection.address}\n${connection.apiKey}`;
}

/** What this run knows of the links of the row's account. */
export function linksOf(row: LinkRow): AccountLinks {
	return row.shared(`links of ${accountKey(row)}`, () => new AccountLinks(row.connection));
}

/** The account of a row: asks in the row's name for what is not known of the links. */
export function accountOf(row: LinkRow): Account {
	return new Account(row, linksOf(row));
}

/** A link's record as an item holds it. */
export function itemRecord(record: LinkRecord): IDataObject {
	return withNumbers({ ...record } as IDataObject);
}

/** What names a link beside what was done to it, as far as that is known without asking for it. */
export function namesOfLink(row: LinkRow, id: unknown): IDataObject {
	const { alias, shorturl } = linksOf(row).known(id) ?? {};
	return {
		...(alias === undefined ? {} : { alias: alias as string }),
		...(shorturl === undefined ? {} : { shorturl: shorturl as string }),
	};
}

/** Rows of one link are done one after another, in their order. */
export function inOrderOfLinks<R extends LinkRow>(rows: Iterable<R>, keyOf: (row: R) => string | undefined): void {
	const last = new Map<string, R>();
	for (const row of rows) {
		const key = keyOf(row);
		if (key === undefined) continue;
		row.waitFor(last.get(key));
		last.set(key, row);
	}
}

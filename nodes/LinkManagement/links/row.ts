import type { IDataObject } from 'n8n-workflow';

import { withNumbers } from '../service/records';
import type { Speaker } from '../service/sendRequest';
import { LinkIndex } from './linkIndex';
import type { LinkRecord } from './reference';

/** An item that comes of a row. */
export type LinkItem = { json: IDataObject };

/** A row of a run (run/row.ts), as far as its links go. */
export interface LinkRow extends Speaker {
	readonly label: string;
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
	readonly isRefused: boolean;
	decision?: () => Promise<LinkItem[]>;
	once<T>(key: string, ask: () => Promise<T>): Promise<T>;
	shared<T>(key: string, make: () => T): T;
	sharedByRounds<T>(key: string, make: () => T): T;
	refuse(error: unknown): void;
	waitFor(earlier: LinkRow | undefined): void;
	atEnd(work: () => string | undefined): void;
}

/** The service and account that a row talks to: what is known of one account says nothing of another. */
export function accountKey({ connection }: Speaker): string {
	return `${connection.address}\n${connection.apiKey}`;
}

/** What this run knows of the links of the row's account. @param earlier what an earlier round of a loop has read of them */
export function linksOf(row: LinkRow, earlier?: LinkIndex): LinkIndex {
	const make = () => (earlier?.isComplete ? earlier.asHint() : new LinkIndex(row.connection.address));
	return row.shared(`links of ${accountKey(row)}`, make);
}

/** A link's record as an item holds it. */
export function itemRecord(record: LinkRecord): IDataObject {
	return withNumbers({ ...record } as IDataObject);
}

/** What names a link beside what was done to it, as far as that is known without asking for it. */
export function namesOfLink(row: LinkRow, id: unknown): IDataObject {
	const { alias, shorturl } = linksOf(row).known({ id }) ?? {};
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

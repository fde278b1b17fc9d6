import type { IDataObject } from 'n8n-workflow';

import { Account } from '../../account/account';
import { AccountLinks } from '../../account/accountLinks';
import { identityOf, type LinkRecord } from '../../account/linkIndex';
import { shortKey } from '../../account/url';
import { withNumbers } from '../../api/records';
import type { LinkFields } from '../../sheet/changes';
import type { Said } from '../../sheet/plan';
import { accountKey, type Row } from '../row';

/** What is known of an account's links may be this old (ms) when a further run of the execution takes it up. */
const LONGEST_KEPT = 30 * 60_000;
/** More links than these (about 80 MB) are not kept from one run of an execution to the next. */
const MOST_KEPT = 200_000;

/** What an execution knows of an account. */
interface Known {
	links: AccountLinks;
	since: number;
	/** What the rows of a node have said of a link, by the node's name and the link's identity. */
	said: Map<string, Said & { run: object }>;
}

function knownOf(row: Row): Known {
	return row.run.execution.share(`links of ${accountKey(row)}`, () => ({
		links: new AccountLinks(row.connection),
		since: Date.now(),
		said: new Map(),
	}));
}

/** What this execution knows of the links of the row's account. */
export function accountLinksOf(row: Row): AccountLinks {
	return knownOf(row).links;
}

/** The account of a row: asks in its name what is not known of the links. */
export function accountOf(row: Row): Account {
	return new Account(row, accountLinksOf(row));
}

/** The same at the beginning of a run: what is too old, or too much, is let go of. */
export function accountForRun(row: Row): Account {
	const known = knownOf(row);
	if (Date.now() - known.since > LONGEST_KEPT || known.links.index.size > MOST_KEPT) {
		known.links = new AccountLinks(row.connection);
		known.since = Date.now();
	}
	return accountOf(row);
}

/** What the row's node has said of a link. What it said of the link before its ID was told is kept by the ID from then on. */
function saidOf(row: Row, link: LinkRecord) {
	const { said } = knownOf(row);
	const [key, atShortUrl] = [identityOf(link), shortKey(link.shorturl)].map(
		(one) => `${row.context.getNode().name}\n${one}`,
	);
	const before = said.get(key) ?? said.get(atShortUrl);
	if (key !== atShortUrl) said.delete(atShortUrl);
	if (before !== undefined) said.set(key, before);
	return { said, key, before };
}

/** What rows of the row's node have said of a link: those of earlier runs, as a loop makes them, and those of this run that are done. */
export function saidBefore(row: Row, link: LinkRecord): Said | undefined {
	const { before } = saidOf(row, link);
	return before && { ...before, at: { ...before.at, isEarlierRun: before.run !== row.run.memory } };
}

/** A row that was done has said this of a link. */
export function noteSaid(row: Row, link: LinkRecord, fields: LinkFields): void {
	const { said, key, before } = saidOf(row, link);
	said.set(key, { run: row.run.memory, fields: { ...before?.fields, ...fields }, at: { item: row.index } });
}

/** A link's record as an item holds it. */
export function itemRecord(record: LinkRecord): IDataObject {
	return withNumbers({ ...record } as IDataObject);
}

/** What is told of a link beside what was done to it, as far as it is known without asking for it. */
export function namesOf(row: Row, id: unknown): IDataObject {
	const { alias, shorturl } = accountLinksOf(row).known(id) ?? {};
	return {
		...(alias === undefined ? {} : { alias: alias as string }),
		...(shorturl === undefined ? {} : { shorturl: shorturl as string }),
	};
}

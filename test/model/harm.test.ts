/**
 * Columns that mean something else change nothing of anybody's links: written from docs/columns.md alone, over sheets that are not
 * about short links, for three nights, with the short URL written back.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { ADDRESS_TITLES, LISTS_OF_ADDRESSES, OTHER_SHEETS, OWN_ADDRESS_TITLES } from '../brought/otherSheets';
import { CONTINUE, openAccount } from '../engine/account';
import { DIALECTS, type Dialect } from '../sandbox';
import { testNoComplaints } from './complaints';

const account = openAccount();
const RUNS = Number(process.env.HARM_RUNS ?? 60);
const NIGHTS = 3;

/** What no column of such a sheet may say of a link. */
const NEVER_SENT = ['password', 'expiry', 'status', 'type', 'campaign', 'custom'];

interface OtherSheet {
	dialect: Dialect;
	title: string;
	columns: Array<[title: string, cells: readonly unknown[]]>;
	/** For each row: the number of its address, and which cell of each column it has. */
	rows: Array<{ address: number; at: number }>;
	/** Addresses that have a link before the first night. */
	linked: number[];
}

const page = (address: number) => `https://shop.example/page-${address}`;

const columnsOf = (kind: string) => Object.entries(OTHER_SHEETS[kind]);
/** Mostly of one kind; some from others, as people add them. */
const columnsFrom = (kinds: readonly string[]) =>
	fc
		.tuple(fc.constantFrom(...kinds), fc.constantFrom(...kinds))
		.chain(([kind, other]) =>
			fc
				.tuple(
					fc.subarray(columnsOf(kind), { minLength: 2 }),
					fc.subarray(columnsOf(other), { minLength: 0, maxLength: 2 }),
				)
				.map(([own, more]) => [...own, ...more]),
		);

const sheetsOf = (kinds: readonly string[], titles: readonly string[]): fc.Arbitrary<OtherSheet> =>
	fc.record({
		dialect: fc.constantFrom(...DIALECTS),
		title: fc.constantFrom(...titles),
		columns: columnsFrom(kinds),
		rows: fc.uniqueArray(fc.record({ address: fc.nat({ max: 40 }), at: fc.nat({ max: 1 }) }), {
			minLength: 1,
			maxLength: 14,
			selector: ({ address }) => address,
		}),
		linked: fc.uniqueArray(fc.nat({ max: 40 }), { maxLength: 5 }),
	});

const sheets = fc.oneof(
	{ weight: 3, arbitrary: sheetsOf(Object.keys(OTHER_SHEETS), ADDRESS_TITLES) },
	{ weight: 1, arbitrary: sheetsOf(LISTS_OF_ADDRESSES, OWN_ADDRESS_TITLES) },
);

const isAlias = (cell: unknown) => /^[\w-]{2,12}$/.test(String(cell));

/** Links that are there: of some addresses, and one for each cell that could be an alias. */
function linksFor({ columns: all, linked }: OtherSheet): Array<{ custom?: string; alias?: string; longurl: string }> {
	const aliases = new Set(all.flatMap(([, cells]) => cells.filter(isAlias).map(String)));
	return [
		...linked.map((address) => ({ alias: `own-${address}`, longurl: page(address) })),
		...[...aliases].map((alias) => ({ alias, longurl: `https://somebody.example/${alias}` })),
	];
}

async function complaintsOf(sheet: OtherSheet): Promise<string[]> {
	await account.has(sheet.dialect, { links: linksFor(sheet) });
	const before = await account.sandbox.links();
	let rows: IDataObject[] = sheet.rows.map(({ address, at }) => ({
		...Object.fromEntries(sheet.columns.map(([title, cells]) => [title, cells[at]])),
		[sheet.title]: page(address),
	})) as IDataObject[];
	const complaints: string[] = [];
	for (let night = 1; night <= NIGHTS; night++) {
		const { items } = await account.upsert(rows, {}, CONTINUE);
		rows = rows.map((row, at) => ({ ...row, short_url: items[at]?.json.shorturl ?? row.short_url ?? '' }));
		account.restart();
	}
	const after = new Map((await account.sandbox.links()).map((link) => [link.id, link]));
	for (const { id, alias, longurl } of before) {
		const now = after.get(id);
		if (now?.alias !== alias || now.longurl !== longurl)
			complaints.push(`${alias} led to ${longurl}, and is now ${now?.alias}, to ${now?.longurl}`);
	}
	for (const { method, path, body } of await account.sandbox.requests()) {
		const sent = method === 'GET' ? [] : NEVER_SENT.filter((name) => (body as IDataObject)[name] !== undefined);
		for (const name of sent) complaints.push(`${method} ${path} has ${name}: ${String((body as IDataObject)[name])}`);
	}
	return complaints;
}

testNoComplaints('a sheet about something else changes no link', sheets, complaintsOf, RUNS);

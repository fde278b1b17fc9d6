import type { SandboxControl, LinkWithAddress } from './control';
import type { Dialect } from './dialect';

/** A row of a sheet, under the names that its columns have. */
export interface SheetRow {
	[column: string]: string;
	'Long URL': string;
	Alias: string;
}

/** A sheet that is kept in step with an account, and what the account had before. */
export interface Sheet {
	rows: SheetRow[];
	/** Numbers of the rows whose links are there. */
	known: number[];
	/** How many of those lead elsewhere than the row says. */
	moved: number;
}

export const OLDER_THAN_ALL_OTHERS = '2020-01-01 00:00:00';
/** Something that lists don't show, and that no sheet says: an update has to send it along, or some services reset it. */
export const EXPIRY = '2031-12-31 00:00:00';

/** The row with this number. */
export function sheetRow(number: number, path = 'page'): SheetRow {
	return { 'Long URL': `https://example.com/${path}/${number}`, Alias: `row-${number}` };
}

/** The first rows, all leading where they always did. */
export function sheetRows(count: number): SheetRow[] {
	return Array.from({ length: count }, (_, number) => sheetRow(number));
}

/** A sheet as it is after a day: of a hundred rows two lead elsewhere now, and three are new. */
export function sheetOfToday(count: number): Sheet {
	const isNew = (number: number) => number % 100 >= 97;
	const isMoved = (number: number) => number % 50 === 10;
	const numbers = Array.from({ length: count }, (_, number) => number);
	return {
		rows: numbers.map((number) => sheetRow(number, isMoved(number) ? 'moved' : 'page')),
		known: numbers.filter((number) => !isNew(number)),
		moved: numbers.filter(isMoved).length,
	};
}

/** Makes an account of `links` links, which the service shows in pages of `page`: those of the `known` rows are its oldest. */
export async function fillAccount(
	service: SandboxControl,
	{ dialect, key, links, page, known }: { dialect: Dialect; key: string; links: number; page: number; known: number[] },
): Promise<void> {
	await service.reset({
		dialect,
		deviations: { pageCap: page },
		records: { links: 0, campaigns: 0 },
		limit: { requests: null },
		apiKeys: [key],
		validate: false,
	});
	await service.createRecords({
		links: known.map((number) => {
			const { 'Long URL': longurl, Alias: alias } = sheetRow(number);
			return { alias, longurl, date: OLDER_THAN_ALL_OTHERS, expiry: EXPIRY };
		}),
	});
	await service.seedRecords({ links: links - known.length });
	await service.clearRequests();
}

/** How an account keeps to a sheet. */
export interface InStep {
	/** Rows whose alias leads where they say. */
	done: number;
	/** Links beyond one a row. */
	twice: number;
	/** Links of known rows that have lost what the sheet does not speak of. */
	spoilt: number;
}

/** Compares a sheet with the links that a service has. */
export function compare({ rows, known }: Pick<Sheet, 'rows' | 'known'>, links: LinkWithAddress[]): InStep {
	const byAlias = new Map(links.map((link) => [link.alias, link]));
	const addresses = new Map<string, number>();
	for (const { longurl } of links) addresses.set(longurl, (addresses.get(longurl) ?? 0) + 1);
	return {
		done: rows.filter((row) => byAlias.get(row.Alias)?.longurl === row['Long URL']).length,
		twice: rows.reduce((sum, row) => sum + Math.max(0, (addresses.get(row['Long URL']) ?? 0) - 1), 0),
		spoilt: known.filter((number) => byAlias.get(`row-${number}`)?.expiry !== EXPIRY).length,
	};
}

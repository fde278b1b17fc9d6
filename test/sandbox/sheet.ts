import type { SandboxControl } from './control';
import type { Dialect } from './dialect';

/** A row of a sheet, under the names that its columns have. */
export interface SheetRow {
	[column: string]: string;
	'Long URL': string;
	Alias: string;
}

const OLDER_THAN_ALL_OTHERS = '2020-01-01 00:00:00';
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

/** Makes an account of `links` links, which the service shows in pages of `page`: those of the `known` rows are its oldest. It has no domains. */
export async function fillAccount(
	service: SandboxControl,
	{ dialect, key, links, page, known }: { dialect: Dialect; key: string; links: number; page: number; known: number[] },
): Promise<void> {
	await service.reset({
		dialect,
		deviations: { pageCap: page, sharedDomains: 0 },
		records: { links: 0, campaigns: 0, domains: 0 },
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

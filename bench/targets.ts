import { DIALECTS } from '../test/sandbox';
import { COUNTRIES, type Night, nightChecks, nightlySheet, Nights, nightTables } from './nights';
import type { Findings, Scenario } from './scenario';

export const run: Scenario['run'] = async (bench): Promise<Findings> => {
	const nights = new Nights(bench, bench.quick ? 100 : 1000);
	const { rows, links, page } = nights;
	await nights.start();
	const sheets = [nightlySheet('targets in all rows', rows, 1), nightlySheet('targets in one row of four', rows, 4)];
	const found: Night[] = [];
	for (const dialect of DIALECTS) for (const sheet of sheets) found.push(...(await nights.of(dialect, sheet)));
	return {
		title: 'A sheet with targets, beside the script',
		introduction: [
			`A sheet of ${rows.toLocaleString('en')} rows and an account of ${links.toLocaleString('en')} links, shown in pages of ${page}; ${COUNTRIES.length} countries lead to an address of their own where a row names ` +
				'one. The script is what users of these services were seen to write: it reads the list, and sends one request for each row, every night. Requests and rows are counted at the service; ' +
				'the minutes are computed from the requests. A row is wrong whose link leads elsewhere than it says, or has lost its expiry, of which the sheet does not speak.',
		],
		checks: nightChecks(found),
		tables: nightTables(found),
		runs: 1,
	};
};

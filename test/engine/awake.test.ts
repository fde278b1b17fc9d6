/** Others get their turns while thousands of rows are gone through: counted in turns, not in time. */
import type { IDataObject } from 'n8n-workflow';

import { upsertOf } from './account';
import { openService, rowsOf, run } from './service';
import { turnsDuring } from './turns';

openService({ records: { links: 0, qrs: 0 }, validate: false });

/** The turns that a run over 60 rows gives away, beyond those of a run over 10. */
async function turnsOfFifty(parameters: IDataObject): Promise<number> {
	const turns = async (count: number) => await turnsDuring(async () => await run(parameters, { rows: rowsOf(count) }));
	return (await turns(60)) - (await turns(10));
}

test('each row gives turns away while it is read, named, matched, planned and put out', async () => {
	const dryRun = upsertOf({ dryRun: true });
	const ofEachRow = 14;
	expect(await turnsOfFifty(dryRun)).toBeGreaterThanOrEqual(ofEachRow * 50);
});

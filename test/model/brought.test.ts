/** However a sheet is brought, its links are those of the plain sheet. */
import { actions, CONTINUE, openAccount } from '../engine/account';
import { broughtSheets, CAMPAIGNS } from '../brought/bring';
import type { IDataObject } from 'n8n-workflow';
import { testNoComplaints } from './complaints';

const account = openAccount();
const RUNS = Number(process.env.BROUGHT_RUNS ?? 40);

/** What is sent for a sheet, row by row, and what its rows say of it. */
async function sentFor(rows: IDataObject[]): Promise<string[]> {
	await account.has('field', { campaigns: CAMPAIGNS.map((name) => ({ name })), deviations: { knownLongUrl: 'new' } });
	const work = await account.upsert(rows, {}, CONTINUE);
	const changes = (await account.sandbox.requests()).filter(({ method }) => method !== 'GET');
	const bodies = changes.map(({ body }) => JSON.stringify(Object.entries(body as IDataObject).sort()));
	return [...actions(work).map(String), String(work.error?.message), ...bodies.sort()];
}

testNoComplaints(
	'a sheet with other headings, in another place of its items and with other cells is the same sheet',
	broughtSheets,
	async ({ plain, brought }) => {
		const [wanted, got] = [await sentFor(plain), await sentFor(brought)];
		return got.flatMap((line, at) => (line === wanted[at] ? [] : [`${line} in place of ${wanted[at]}`]));
	},
	RUNS,
);

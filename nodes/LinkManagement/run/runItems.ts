import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { Slices } from '../n8n/slices';
import type { Row, Run } from './row';
import { failedItem } from './rowError';

/** Outcomes of rows that did not fail, in the order of the sentence. */
const DONE = ['created', 'updated', 'unchanged', 'there already', 'skipped', 'deleted', 'assigned', 'read'];
const PLANNED = ['created', 'updated'];
const DONE_BY: Record<string, string> = { GET: 'read', POST: 'created', PUT: 'updated', DELETE: 'deleted' };
function whatWasDone({ outcome, run }: Row): string {
	const { action, existing } = outcome?.items[0]?.json ?? {};
	const { method, url } = run.operation.request;
	if (DONE.includes(String(action))) return String(action);
	if (existing === true) return 'there already';
	return url.includes('/assign/') ? 'assigned' : DONE_BY[method];
}

function counted(words: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
	return counts;
}

/** What was done in a run of several rows. */
export function totalsInWords({ rows }: Run): string {
	const done = rows.filter(({ isRefused }) => !isRefused);
	const isDryRun = rows.some((row) => row.isDryRun);
	const counts = counted(done.map(whatWasDone));
	const parts = DONE.filter((word) => counts.has(word)).map((word) => {
		const isPlanned = isDryRun && PLANNED.includes(word);
		return `${counts.get(word)} ${isPlanned ? `would be ${word}` : word}`;
	});
	const failed = rows.length - done.length;
	if (failed > 0) parts.push(`${failed} ${isDryRun ? 'would fail' : 'failed'}`);
	return `${isDryRun ? 'Dry run, nothing was changed: ' : ''}${parts.join(', ')}.`;
}

function nameBeside(item: IDataObject, wanted: string): string {
	let name = wanted;
	for (let number = 2; name in item; number++) name = `${wanted}${number}`;
	return name;
}

/** An item as it leaves the node: without the API key, and with the row's own fields, as they came, if the option says so. */
function itemOf(row: Row, item: INodeExecutionData): INodeExecutionData {
	const { caller, redact } = row.run;
	const json = caller.itemFor(redact?.data(item.json) ?? item.json);
	if (caller.isModel || row.request.options.includeInput !== true) return { ...item, json };
	const { error, ...others } = row.input.json;
	// n8n takes an item with `error` for a failed one.
	const input = error === undefined ? others : { ...others, [nameBeside(row.input.json, 'error')]: error };
	const binary = row.input.binary || item.binary ? { binary: { ...row.input.binary, ...item.binary } } : {};
	return { ...item, json: { ...input, [nameBeside(input, row.run.operation.resource)]: json }, ...binary };
}

/** The items of a run, with their pairing, in the order of the rows. */
export async function itemsOf(run: Run): Promise<INodeExecutionData[]> {
	const slices = new Slices();
	const all: INodeExecutionData[] = [];
	for (const row of run.rows) {
		await slices.yieldIfDue();
		const pairedItem = { item: row.index };
		for (const item of row.outcome?.items ?? []) {
			await slices.yieldIfDue();
			all.push({ ...itemOf(row, item), pairedItem });
		}
		if (row.isRefused) all.push(failedItem(row, row.outcome?.error));
	}
	return all;
}

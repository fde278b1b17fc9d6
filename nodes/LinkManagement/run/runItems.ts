import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { showHint } from '../n8n/messages';
import { Slices } from '../n8n/slices';
import { durationInWords } from '../service/errors';
import type { Row, Run } from './row';
import { failedItem, hasOwnOutput, rangesOf } from './rowError';
import { forModel } from './toolCall';

/** Outcomes of rows that did not fail, in the order of the sentence. */
const DONE = ['created', 'updated', 'unchanged', 'there already', 'skipped', 'deleted', 'assigned', 'read'];
/** Those that a dry run only plans. */
const PLANNED = ['created', 'updated'];
/** Outcome by the method of the request. */
const DONE_BY: Record<string, string> = { GET: 'read', POST: 'created', PUT: 'updated', DELETE: 'deleted' };
/** Most reasons of failures that are told in words. */
const MOST_REASONS = 3;
/** Waits shorter than this (ms) are not mentioned. */
const SHORTEST_WAIT = 1000;

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

/** Why rows failed: the most frequent reasons first. Reasons that differ only in the values that they quote are the same. */
function reasonsInWords(failed: ReadonlyMap<Row, string>): string {
	const reasons = new Map<string, Row[]>();
	for (const [row, reason] of failed) {
		const withoutQuotes = reason.replace(/(?<! says )"[^"]*"/g, '"…"').replace(/\.$/, '');
		const others = reasons.get(withoutQuotes);
		if (others === undefined) reasons.set(withoutQuotes, [row]);
		else others.push(row);
	}
	const ranked = [...reasons].sort(([, one], [, other]) => other.length - one.length);
	const told = ranked.slice(0, MOST_REASONS).map(([reason, rows]) => `${rows.length} × ${reason} (${rangesOf(rows)})`);
	const others = ranked.slice(MOST_REASONS).flatMap(([, rows]) => rows);
	if (others.length > 0) told.push(`${others.length} × other reasons (${rangesOf(others)})`);
	return told.join(', ');
}

/** What was done in a run of several rows, and how long it waited for the rate limit. */
function totalsInWords({ rows, accounts }: Run, failed: ReadonlyMap<Row, string>): string {
	const done = rows.filter(({ isRefused }) => !isRefused);
	const isDryRun = rows.some((row) => row.isDryRun);
	const counts = counted(done.map(whatWasDone));
	const parts = DONE.filter((word) => counts.has(word)).map((word) => {
		const isPlanned = isDryRun && PLANNED.includes(word);
		const why = word === 'skipped' ? ' (empty)' : '';
		return `${counts.get(word)} ${isPlanned ? `would be ${word}` : word}${why}`;
	});
	const pictureless = done.filter(({ outcome }) => outcome?.items[0]?.json.pictureError !== undefined).length;
	if (pictureless > 0) parts.push(`${pictureless} of them without a picture`);
	if (failed.size > 0) parts.push(`${failed.size} ${isDryRun ? 'would fail' : 'failed'}: ${reasonsInWords(failed)}`);
	const waited = Math.max(
		0,
		...[...accounts].map(([limiter, { throttledBefore }]) => limiter.throttledFor - throttledBefore),
	);
	const wait = waited < SHORTEST_WAIT ? '' : ` Waited ${durationInWords(waited)} for the rate limit.`;
	return `${isDryRun ? 'Dry run, nothing was changed: ' : ''}${parts.join(', ')}.${wait}`;
}

/** A name that is not taken in an item. */
function nameBeside(item: IDataObject, wanted: string): string {
	let name = wanted;
	for (let number = 2; name in item; number++) name = `${wanted}${number}`;
	return name;
}

/** An item of a run with failed rows: `error: null` gives the table one order of columns. */
function withoutError(item: IDataObject): IDataObject {
	const action = item.action === undefined ? {} : { action: item.action };
	return { ...action, error: null, ...item };
}

/** An item as it leaves the node: with the row's own fields if the option says so, and without the API key. */
function itemOf(row: Row, item: INodeExecutionData, hasFailedRows: boolean): INodeExecutionData {
	const { error, ...others } = row.input.json;
	// n8n takes an item with `error` for a failed one.
	const input = error === undefined ? others : { ...others, [nameBeside(row.input.json, 'error')]: error };
	const name = nameBeside(input, row.run.operation.resource);
	// The input of a tool is what its agent works on.
	const isIncluded = row.options.includeInput === true && !row.isTool;
	const json = isIncluded ? { ...input, [name]: item.json } : item.json;
	const whole = row.redact?.data(json) ?? json;
	const shown = row.isTool ? (forModel(whole) as IDataObject) : whole;
	return { ...item, json: hasFailedRows ? withoutError(shown) : shown };
}

/** The items of a run, with their pairing, in the order of the rows. A hint above them says what was done. */
export async function itemsOf(run: Run): Promise<INodeExecutionData[]> {
	const slices = new Slices();
	const all: INodeExecutionData[] = [];
	const failed = new Map<Row, string>();
	const hasFailedRows = run.rows.some((row) => row.isRefused && !hasOwnOutput(row));
	for (const row of run.rows) {
		const pairedItem = { item: row.index };
		for (const item of row.outcome?.items ?? []) {
			await slices.yieldIfDue();
			all.push({ ...itemOf(row, item, hasFailedRows), pairedItem });
		}
		if (!row.isRefused) continue;
		await slices.yieldIfDue();
		const { item, reason } = failedItem(row, row.outcome?.error);
		all.push(item);
		failed.set(row, reason);
	}
	if (run.rows.length > 1) showHint(run.rows[0].context, totalsInWords(run, failed));
	return all;
}

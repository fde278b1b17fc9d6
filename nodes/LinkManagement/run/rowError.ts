import { NodeOperationError, type INodeExecutionData } from 'n8n-workflow';

import { SeveralLinksError } from '../links/reference';
import { itemOfFailure } from '../n8n/output';
import { isTool } from '../n8n/lifetimes';
import type { Connection } from '../service/connection';
import { ApiError, DoneOtherwiseError, toNodeError, ValueError } from '../service/errors';
import type { Row, Run } from './row';

/**
 * Whether a row that failed so must not be tried again: it was done, or nobody knows; or its words could not be done, and what other
 * rows have changed meanwhile must not give them another meaning.
 */
export function isFinal(error: unknown): boolean {
	const isInput = error instanceof ValueError || error instanceof SeveralLinksError;
	return isInput || error instanceof DoneOtherwiseError || (error instanceof ApiError && error.kind === 'uncertain');
}

/** Ranges of rows that a sentence names, at most. */
const MOST_RANGES = 10;

/** Several rows in short: "rows 2 to 10, 12". Where one has no number, all are named by their places. */
function rangesOf(rows: readonly Row[]): string {
	const noun = rows.some(({ number }) => number === undefined) ? 'item' : 'row';
	const ranges: Array<[first: number, last: number]> = [];
	for (const { index, number = index } of rows) {
		const at = noun === 'item' ? index : number;
		const latest = ranges.at(-1);
		if (latest?.[1] === at - 1) latest[1] = at;
		else ranges.push([at, at]);
	}
	const shown = ranges.slice(0, MOST_RANGES).map(([first, last]) => (first === last ? first : `${first} to ${last}`));
	return `${rows.length === 1 ? noun : `${noun}s`} ${shown.join(', ')}${ranges.length > MOST_RANGES ? ', …' : ''}`;
}

/** What an error that ends a run leaves done, and how to go on. */
function doneBesides({ rows, ledger, operation: { runAgain } }: Run): string[] {
	const done = rows.filter(({ index }) => ledger.has(index) && ledger.get(index)?.error === undefined);
	if (done.length === 0) return [];
	const howToGoOn = runAgain ?? 'To run again without repeating them, leave those rows out.';
	return [`${done.length} of ${rows.length} rows were processed anyway (${rangesOf(done)}).`, howToGoOn];
}

/** Only this row is the reason: the others can still be done. */
function isOfRow(error: unknown): boolean {
	if (error instanceof ApiError) return ['none', 'refused', 'uncertain'].includes(error.kind);
	return error instanceof ValueError || error instanceof NodeOperationError;
}

/** Whether the very request failed that the operation is for. */
export function isOfOperation({ endpoint }: ApiError, { request }: Row): boolean {
	return endpoint === `${request.method} ${request.path}`;
}

/** What n8n shows of the error of a row, without the key. `message` and `advice` know of no items. */
function shownError(row: Row, error: unknown) {
	const { context, connection, index, run } = row;
	const { redact } = (connection as Connection | undefined) ?? {};
	const shown = toNodeError(context.getNode(), error, redact, index);
	const isMissing = error instanceof ApiError && error.kind === 'noEndpoint';
	if (isMissing && isOfOperation(error, row)) shown.message = `This service does not offer "${run.operation.action}"`;
	const message = shown.message.replace(/ \[item \d+\]$/, '');
	// A system error code in the message would have n8n put words of its own in place of all of it.
	const advice = shown.description?.replace(/ \([A-Z_]+\)/g, '') || undefined;
	const whole = advice ? `${message}${/[.!?]$/.test(message) ? '' : '.'} ${advice}` : message;
	return { shown, message, advice, whole };
}

/** Rows of bad input that an error names, at most. */
const MOST_NAMED = 5;

/** What is wrong with rows, each reason with the rows that it is of. */
function reasonsOf(rows: readonly Row[]): string[] {
	const labels = new Map<string, string[]>();
	for (const row of rows) {
		const { message } = shownError(row, row.outcome?.error);
		labels.set(message, [...(labels.get(message) ?? []), row.label]);
	}
	return [...labels].map(([message, of]) => `${message} [${of.join(', ')}]`);
}

/**
 * The error of a row that ends the run, as n8n shows it: with the row, what to do, what was done besides, and never the key. A model
 * reads of its message alone.
 *
 * @param refused the rows that end the run together, for none of them can be done: this one first
 */
export function explain(row: Row, error: unknown, refused: readonly Row[] = []): Error {
	const { context, run, label } = row;
	const { shown, message, advice, whole } = shownError(row, error);
	if (isTool(context)) {
		shown.message = whole;
		// Without one, later n8n put the first message in its place, with its item.
		shown.description = advice ?? message;
		return shown;
	}
	const [first, ...others] = reasonsOf(refused.slice(0, MOST_NAMED));
	const more = refused.length - MOST_NAMED;
	if (first !== undefined && (refused.length > 1 || error instanceof ValueError)) shown.message = first;
	else if (error instanceof ValueError) shown.message = `${message} [${label}]`;
	const ofRow = error instanceof ApiError ? `${label.replace(/^./, (letter) => letter.toUpperCase())}: ` : '';
	const isOfOne = run.rows.length > 1 && isOfRow(error);
	const parts = [
		`${ofRow}${shown.description ?? ''}`,
		...(others.length === 0 ? [] : [`Other rows: ${others.join('; ')}.`]),
		...(more > 0 ? [`${more} more ${more === 1 ? 'row is' : 'rows are'} invalid.`] : []),
		...doneBesides(run),
		...(isOfOne ? ['To process the other rows anyway, set Settings → On Error to Continue.'] : []),
	];
	shown.description = parts.join(' ').trim() || undefined;
	return shown;
}

/** A failed row under On Error → Continue: the error, with what to do, and the row as it came in, so that it can be found again. */
export function failedItem(row: Row, error: unknown): { item: INodeExecutionData; reason: string } {
	const { shown, message, whole } = shownError(row, error);
	const record = error instanceof DoneOtherwiseError ? row.connection.redact.data(error.record) : undefined;
	return { item: itemOfFailure(row.context, whole, shown, record), reason: message };
}

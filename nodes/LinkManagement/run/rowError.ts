import type { INodeExecutionData } from 'n8n-workflow';

import { SeveralLinksError } from '../links/reference';
import { asLines, asMessage, hasErrorOutput, itemOfFailure } from '../n8n/output';
import { isTool } from '../n8n/lifetimes';
import { StoppedError } from '../n8n/stop';
import { CredentialError } from '../service/baseUrl';
import { adviceOf, ApiError, DoneOtherwiseError, messageOfError, toNodeError, ValueError } from '../service/errors';
import type { Row, Run } from './row';

/** Whether it is what a row says that can't be done, and no matter of the service or the credential. */
export function isInput(error: unknown): boolean {
	if (error instanceof ApiError) return error instanceof SeveralLinksError;
	return !(error instanceof CredentialError || error instanceof StoppedError);
}

/**
 * Whether a row that failed so must not be tried again: it was done, or nobody knows; or its words could not be done, and what other
 * rows have changed meanwhile must not give them another meaning.
 */
export function isFinal(error: unknown): boolean {
	const isUncertain = error instanceof ApiError && error.kind === 'uncertain';
	return [ValueError, SeveralLinksError, DoneOtherwiseError].some((kind) => error instanceof kind) || isUncertain;
}

/** Ranges of rows that a sentence names, at most. */
const MOST_RANGES = 10;

/** Several rows in short: "rows 2 to 10, 12". Where one has no number, all are named by their places. */
export function rangesOf(rows: readonly Row[]): string {
	const isByPlace = rows.some(({ number }) => number === undefined);
	const ranges: Array<[first: number, last: number]> = [];
	for (const { index, number } of rows) {
		const at = isByPlace || number === undefined ? index + 1 : number;
		const latest = ranges.at(-1);
		if (latest?.[1] === at - 1) latest[1] = at;
		else ranges.push([at, at]);
	}
	const shown = ranges.slice(0, MOST_RANGES).map(([first, last]) => (first === last ? first : `${first} to ${last}`));
	return `row${rows.length === 1 ? '' : 's'} ${shown.join(', ')}${ranges.length > MOST_RANGES ? ', …' : ''}`;
}

/** What an error that ends a run leaves done, and how to go on. */
function doneBesides({ rows, size, ledger, operation: { runAgain } }: Run): string[] {
	const done = rows.filter(({ index }) => ledger.has(index) && ledger.get(index)?.error === undefined);
	if (done.length === 0) return [];
	const howToGoOn = runAgain ?? 'To run again without repeating them, leave those rows out.';
	return [`${done.length} of ${size} rows are already processed (${rangesOf(done)}).`, howToGoOn];
}

/** This row may be the only reason: the others can still be done. */
function isOfRow(error: unknown): boolean {
	return error instanceof ApiError ? error.affects === 'row' : isInput(error);
}

/** Whether a row has failed and ends the run. Under On Error → Continue it comes out, and so it does where nothing was to be changed. */
export function endsRun({ isRefused, isDryRun, run, outcome }: Row): boolean {
	return isRefused && !run.continues && !(isDryRun && isOfRow(outcome?.error));
}

/** Whether the very request failed that the operation is for. */
export function isOfOperation(error: ApiError, row: Row): boolean {
	return error.endpoint === row.endpoint;
}

/** What is to be said of the input of a run. */
export function remarkOn(row: Row): string | undefined {
	const remark = row.run.operation.remark?.(row.context);
	return remark && (row.redact?.text(remark) ?? remark);
}

/** A message with the rows that it is of, where they have a number or others beside them. */
function withRows(message: string, rows: readonly Row[]): string {
	const [{ number, size }] = rows;
	return number === undefined && size === 1 ? message : `${message} [${rows.map(({ label }) => label).join(', ')}]`;
}

/** What n8n shows of the error of a row, without the key. `message` and `advice` know of no rows. */
function shownError(row: Row, error: unknown) {
	const { context, run, redact } = row;
	const shown = toNodeError(context.getNode(), error, redact);
	const whatToDo = adviceOf(error, redact);
	const isMissing = error instanceof ApiError && error.kind === 'missingEndpoint';
	const isOffered = !(isMissing && isOfOperation(error, row));
	const message = isOffered ? messageOfError(error, redact) : `This service does not offer "${run.operation.action}"`;
	// A system error code in the message would have n8n put words of its own in place of all of it.
	const advice = whatToDo?.replace(/ \([A-Z_]+\)/g, '') || undefined;
	const whole = advice ? `${message}${/[.!?]$/.test(message) ? '' : '.'} ${advice}` : message;
	return { shown, message, whatToDo, whole };
}

const HOW_TO_CONTINUE = 'To process the other rows anyway, set Settings → On Error to Continue.';

/** Rows of bad input that an error names, at most. */
const MOST_NAMED = 5;

const messageOf = ({ outcome }: Row) => (outcome?.error as Error | undefined)?.message;

/** What is wrong with rows, each reason with the rows that it is of. */
function reasonsOf(rows: readonly Row[]): string[] {
	const reasons = new Map<string, Row[]>();
	for (const row of rows) {
		const error = row.outcome?.error;
		const parts = error instanceof ValueError ? error.parts : [error];
		for (const { message } of parts.map((part) => shownError(row, part)))
			reasons.set(message, [...(reasons.get(message) ?? []), row]);
	}
	return [...reasons].map(([message, of]) => withRows(message, of));
}

/**
 * The error of a row that ends the run, as n8n shows it: with the row, what to do, what was done besides, and never the key. A model
 * reads of its message alone.
 *
 * @param refused the rows that end the run together, for none of them can be done: this one first
 */
export function toRunError(row: Row, error: unknown, refused: readonly Row[] = []): Error {
	const { context, run } = row;
	const { shown, message, whatToDo = '', whole } = shownError(row, error);
	if (isTool(context)) {
		shown.message = asMessage(whole);
		// n8n adds it to the message unless the message holds it; without one, later n8n put the first message in its place, with its item.
		shown.description = ' ';
		return shown;
	}
	// What is wrong with all of them in the same way is no matter of a row.
	const isOfAll =
		run.size > 1 && refused.length === run.size && refused.every((one) => messageOf(one) === messageOf(row));
	const count = isOfAll ? 0 : refused.length;
	const [first, ...others] = count < 2 ? [] : reasonsOf(refused.slice(0, MOST_NAMED));
	const more = count - MOST_NAMED;
	const ofRow = isOfRow(error) && !isOfAll ? withRows(message, [row]) : message;
	shown.message = asMessage(first === undefined ? ofRow : `${count} of ${run.size} rows are invalid. ${first}`);
	const remark = isInput(error) ? remarkOn(row) : undefined;
	const also = [
		...(others.length === 0 ? [] : ['Also:', ...others.map((reason) => `• ${reason}`)]),
		...(more > 0 ? [`${more} more ${more === 1 ? 'row is' : 'rows are'} invalid.`] : []),
	];
	const further = [
		...(remark === undefined ? [] : [remark]),
		...doneBesides(run),
		...(run.size > Math.max(1, refused.length) && isOfRow(error) ? [HOW_TO_CONTINUE] : []),
	];
	const paragraphs = also.length === 0 ? [[whatToDo, ...further].join(' ')] : [whatToDo, ...also, further.join(' ')];
	shown.description = asLines(paragraphs) || undefined;
	return shown;
}

/** Whether the item of a failed row goes to the separate error output. That of a dry run stands among the others. */
export function isSeparate({ isDryRun, context }: Row): boolean {
	return !isDryRun && hasErrorOutput(context);
}

/** A failed row that comes out: the error, with what to do, and the row as it came in, so that it can be found again. */
export function failedItem(row: Row, error: unknown): { item: INodeExecutionData; reason: string } {
	const { message, whole } = shownError(row, error);
	const { shown } = error instanceof ValueError || error instanceof ApiError ? error : {};
	const action = row.run.operation.hasAction === true ? { action: 'failed' } : {};
	const dryRun = row.isDryRun ? { dryRun: true } : {};
	const about = shown === undefined ? {} : (row.redact?.data(shown) ?? shown);
	const failure = { ...action, error: whole, ...dryRun, ...about };
	return { item: itemOfFailure(row.context, failure, isSeparate(row)), reason: message };
}

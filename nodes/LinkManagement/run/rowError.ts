import type { INodeExecutionData } from 'n8n-workflow';

import { MOST_NAMED } from '../links/plan';
import { asLines, asMessage, hasErrorOutput, itemOfFailure } from '../n8n/messages';
import { StoppedError } from '../n8n/stop';
import { CredentialError } from '../service/baseUrl';
import { adviceOf, ApiError, listed, messageOfError, toNodeError, ValueError } from '../service/answer/errors';
import type { Row, Run } from './row';

/** Whether an error is about the input of a row, not about the service or the credential. */
export function isInputError(error: unknown): boolean {
	return ![ApiError, CredentialError, StoppedError].some((kind) => error instanceof kind);
}

/** Names several rows: "rows 2 to 10, 12". If one has no number, all are named by their positions. */
function rangesOf(rows: readonly Row[]): string {
	const isByPlace = rows.some(({ number }) => number === undefined);
	const ranges: Array<[first: number, last: number]> = [];
	for (const { index, number } of rows) {
		const at = isByPlace || number === undefined ? index + 1 : number;
		const latest = ranges.at(-1);
		if (latest?.[1] === at - 1) latest[1] = at;
		else ranges.push([at, at]);
	}
	const shown = ranges.map(([first, last]) => (first === last ? first : `${first} to ${last}`));
	return `row${rows.length === 1 ? '' : 's'} ${listed(shown)}`;
}

/** Which rows are done when an error ends the run, and how to go on. */
function alreadyProcessed({ rows, size, operation: { request, runAgain } }: Run): string[] {
	const done = rows.filter(({ outcome, isRefused }) => outcome !== undefined && !isRefused);
	if (done.length === 0 || request.method === 'GET') return [];
	const howToGoOn = runAgain ?? 'To run again without repeating them, leave those rows out.';
	return [`${done.length} of ${size} rows are already processed (${rangesOf(done)}).`, howToGoOn];
}

/** Whether an error affects one row: the others can still be done. */
function affectsOneRow(error: unknown): boolean {
	return error instanceof ApiError ? error.affects === 'row' : isInputError(error);
}

/** Whether a row has failed and ends the run. Under On Error → Continue, and in a dry run, it is put out instead. */
export function endsRun({ isRefused, isDryRun, run, outcome }: Row): boolean {
	return isRefused && !run.continues && !(isDryRun && affectsOneRow(outcome?.error));
}

export function isOfMainRequest({ endpoint = '' }: ApiError, { run }: Row): boolean {
	const { method, url } = run.operation.request;
	return new RegExp(`^${method} ${url.replace(/:[A-Za-z]\w*/g, '[^/]+')}$`).test(endpoint);
}

export function remarkOn(row: Row): string | undefined {
	const remark = row.run.operation.inputRemark?.(row.context);
	return remark && (row.run.redact?.text(remark) ?? remark);
}

/** Adds the rows to a message, unless there is only one, without a number. */
function withRows(message: string, rows: readonly Row[]): string {
	const [{ number, size }] = rows;
	return number === undefined && size === 1 ? message : `${message} [${rows.map(({ label }) => label).join(', ')}]`;
}

/** What a model can do about an error: often nothing. */
function adviceForModel(error: unknown, { redact }: Run): string | undefined {
	const isLasting = error instanceof ApiError && ['key', 'service'].includes(error.affects) && !error.isTransient;
	const more = isLasting || error instanceof CredentialError ? 'Only the owner of this tool can mend that.' : '';
	return `${adviceOf(error, redact, 'model') ?? ''} ${more}`.trim();
}

/** The error of a row as n8n shows it, without secrets. `message` and `advice` name no rows. */
function shownError(row: Row, error: unknown) {
	const { context, run } = row;
	const { redact } = run;
	const shown = toNodeError(context.getNode(), error, redact);
	const whatToDo = run.caller.isModel ? adviceForModel(error, run) : adviceOf(error, redact);
	const isMissing = error instanceof ApiError && error.kind === 'missingEndpoint';
	const isOffered = !(isMissing && isOfMainRequest(error, row));
	const message = isOffered ? messageOfError(error, redact) : `This service does not offer "${run.operation.action}"`;
	// n8n would replace a message that holds a system error code.
	const advice = whatToDo?.replace(/ \([A-Z_]+\)/g, '') || undefined;
	const whole = advice ? `${message}${/[.!?]$/.test(message) ? '' : '.'} ${advice}` : message;
	return { shown, message, whatToDo, whole };
}

const HOW_TO_CONTINUE = 'To process the other rows anyway, set Settings → On Error to Continue.';

const reasonOf = ({ outcome }: Row) => (outcome?.error as Error | undefined)?.message;

/** What is wrong with rows: each reason with its rows. */
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
 * The error that ends the run, as n8n shows it: with the row, what to do and which rows are done, and without secrets. A model sees
 * only its message. @param refused all rows that end the run together, this one first
 */
export function toRunError(row: Row, error: unknown, refused: readonly Row[] = []): Error {
	const { run } = row;
	const { shown, message, whatToDo = '', whole } = shownError(row, error);
	if (run.caller.isModel) {
		shown.message = asMessage(whole);
		// n8n adds the description to the message unless it is part of it; without one, newer versions put the first message in its place.
		shown.description = ' ';
		return shown;
	}
	// A reason that all rows share needs no rows.
	const isOfAll =
		run.size > 1 && refused.length === run.size && refused.every((one) => reasonOf(one) === reasonOf(row));
	const count = isOfAll ? 0 : refused.length;
	const [first, ...others] = count < 2 ? [] : reasonsOf(refused.slice(0, MOST_NAMED));
	const more = count - MOST_NAMED;
	const ofRow = affectsOneRow(error) && !isOfAll ? withRows(message, [row]) : message;
	shown.message = asMessage(first === undefined ? ofRow : `${count} of ${run.size} rows are invalid. ${first}`);
	const remark = isInputError(error) ? remarkOn(row) : undefined;
	const also = [
		...(others.length === 0 ? [] : ['Also:', ...others.map((reason) => `• ${reason}`)]),
		...(more > 0 ? [`${more} more ${more === 1 ? 'row is' : 'rows are'} invalid.`] : []),
	];
	const further = [
		...(remark === undefined ? [] : [remark]),
		...alreadyProcessed(run),
		...(run.size > Math.max(1, refused.length) && affectsOneRow(error) ? [HOW_TO_CONTINUE] : []),
	];
	const paragraphs = also.length === 0 ? [[whatToDo, ...further].join(' ')] : [whatToDo, ...also, further.join(' ')];
	shown.description = asLines(paragraphs) || undefined;
	return shown;
}

/** Whether the item of a failed row goes to the separate error output. In a dry run, it does not. */
function hasOwnOutput({ isDryRun, context }: Row): boolean {
	return !isDryRun && hasErrorOutput(context);
}

/** The item of a failed row: the error, with what to do, and the row's own fields. */
export function failedItem(row: Row, error: unknown): INodeExecutionData {
	const { whole } = shownError(row, error);
	// What the agent works on is none of the model's business, or of its provider's.
	if (row.run.caller.isModel) return { json: { error: whole }, pairedItem: { item: row.index } };
	const { shown } = error instanceof ValueError || error instanceof ApiError ? error : {};
	const action = row.run.operation.hasAction === true ? { action: 'failed' } : {};
	const dryRun = row.isDryRun ? { dryRun: true } : {};
	const about = shown === undefined ? {} : (row.run.redact?.data(shown) ?? shown);
	const failure = { ...action, error: whole, ...dryRun, ...about };
	return itemOfFailure(row.context, failure, hasOwnOutput(row));
}

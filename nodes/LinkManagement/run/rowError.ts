import { NodeOperationError, type INodeExecutionData, type NodeApiError } from 'n8n-workflow';

import { SeveralLinksError } from '../links/reference';
import { CredentialError } from '../service/baseUrl';
import { ApiError, detailsOf, DoneOtherwiseError, ValueError, withoutSecrets } from '../service/errors';
import type { Connection } from '../service/connection';
import { errorInWords, itemOfFailure } from '../n8n/output';
import { isTool } from '../n8n/lifetimes';
import type { Operation } from './operation';
import type { Row } from './row';
import { rowRanges } from './rowLabel';

/**
 * Whether a row that failed so must not be tried again: it was done, or nobody knows; or its words could not be done, and what other
 * rows have changed meanwhile must not give them another meaning.
 */
export function isFinal(error: unknown): boolean {
	const isInput = error instanceof ValueError || error instanceof SeveralLinksError;
	return isInput || error instanceof DoneOtherwiseError || (error instanceof ApiError && error.kind === 'uncertain');
}

/** What an error that ends a run leaves done, and how to go on. */
function doneBesides({ run }: Row, { runAgain }: Operation, rows: readonly Row[]): string {
	const done = run.memory.doneRows.flatMap((index) => rows[index] ?? []);
	if (done.length === 0) return '';
	const howToGoOn = runAgain ?? 'To run again without doing them twice, leave those rows out.';
	return ` ${done.length} of ${run.size} rows were processed all the same (${rowRanges(done)}). ${howToGoOn}`;
}

/** A row alone is the reason, so that the others can be done all the same. */
function isOfRow(error: unknown): boolean {
	if (error instanceof ApiError) return ['none', 'refused', 'uncertain'].includes(error.kind);
	return error instanceof ValueError || error instanceof NodeOperationError;
}

/** What the error of a row says of the run that it ends. */
function ofTheRun(row: Row, operation: Operation, error: unknown, rows: readonly Row[]): string {
	const others = row.run.size > 1 && isOfRow(error);
	return `${doneBesides(row, operation, rows)}${others ? ' To process the other rows anyway, set Settings → On Error to Continue.' : ''}`;
}

/** An error as n8n shows it, without the key. */
function shownError(row: Row, operation: Operation, error: unknown): NodeOperationError | NodeApiError {
	const shown = plainError(row, operation, error);
	const connection = row.connection as Connection | undefined;
	return connection === undefined ? shown : withoutSecrets(shown, connection.redact);
}

function plainError(row: Row, operation: Operation, error: unknown): NodeOperationError | NodeApiError {
	const node = row.context.getNode();
	const itemIndex = row.index;
	if (error instanceof NodeOperationError) return error;
	if (error instanceof CredentialError) return new NodeOperationError(node, error.message, { itemIndex });
	if (error instanceof ValueError) {
		return new NodeOperationError(node, error.message, { itemIndex, description: error.advice });
	}
	// An expression that fails.
	if (row.connection === undefined) return new NodeOperationError(node, error as Error, { itemIndex });
	const message =
		error instanceof ApiError && error.endpoint === `${row.request.method} ${row.request.path}`
			? `This service does not offer "${operation.action}"`
			: error instanceof Error
				? error.message
				: String(error);
	return errorInWords(node, { message, ...detailsOf(error), itemIndex });
}

/** What an error says, and what it advises; both know of no items. */
function inParts({ message, description }: NodeOperationError | NodeApiError): { message: string; advice?: string } {
	// A system error code in the message would have n8n put words of its own in place of all of it.
	const advice = description?.replace(/ \([A-Z_]+\)/g, '') || undefined;
	return { message: message.replace(/ \[item \d+\]$/, ''), advice };
}

/** What an error says and advises, in one text. */
function inOneText(error: NodeOperationError | NodeApiError): string {
	const { message, advice } = inParts(error);
	return advice ? `${message}${/[.!?]$/.test(message) ? '' : '.'} ${advice}` : message;
}

/** Rows of bad input that an error names, at most. */
const MOST_NAMED = 5;

/** What is wrong with rows, each reason with the rows that it is of. */
function reasonsOf(rows: readonly Row[], operation: Operation): string[] {
	const labels = new Map<string, string[]>();
	for (const row of rows) {
		const { message } = inParts(shownError(row, operation, row.refusal?.error));
		labels.set(message, [...(labels.get(message) ?? []), row.label]);
	}
	return [...labels].map(([message, of]) => `${message} [${of.join(', ')}]`);
}

/**
 * The error of a row that ends the run, as n8n shows it: with the row, what to do, what was done besides, and never the key. A model
 * reads of its message alone.
 *
 * @param rows all rows of the run
 * @param refused the rows that end it together, for none of them can be done: this one first
 */
export function explain(
	row: Row,
	operation: Operation,
	error: unknown,
	rows: readonly Row[],
	refused: readonly Row[] = [],
): Error {
	const shown = shownError(row, operation, error);
	const { message, advice } = inParts(shown);
	if (isTool(row.context)) {
		shown.message = inOneText(shown);
		// Without one, later n8n put the first message in its place, with its item.
		shown.description = advice ?? message;
		return shown;
	}
	const ofRow = error instanceof ApiError ? `${row.label.replace(/^./, (letter) => letter.toUpperCase())}: ` : '';
	const [first, ...others] = reasonsOf(refused.slice(0, MOST_NAMED), operation);
	const more = refused.length - MOST_NAMED;
	if (first !== undefined && (refused.length > 1 || error instanceof ValueError)) shown.message = first;
	else if (error instanceof ValueError) shown.message = `${message} [${row.label}]`;
	const parts = [
		`${ofRow}${shown.description ?? ''}`,
		...(others.length === 0 ? [] : [`Other rows: ${others.join('; ')}.`]),
		...(more > 0 ? [`${more} more ${more === 1 ? 'row is' : 'rows are'} invalid.`] : []),
	];
	shown.description = `${parts.join(' ')}${ofTheRun(row, operation, error, rows)}`.trim() || undefined;
	return shown;
}

/** A failed row under On Error → Continue: the error, with what to do, and the row as it came in, so that it can be found again. */
export function failedItem(
	row: Row,
	operation: Operation,
	cause: unknown,
): { item: INodeExecutionData; reason: string } {
	const shown = shownError(row, operation, cause);
	const record = cause instanceof DoneOtherwiseError ? cause.record : undefined;
	const connection = row.connection as Connection | undefined;
	const item = itemOfFailure(row.context, inOneText(shown), shown, connection?.redact.data(record) ?? record);
	return { item, reason: inParts(shown).message };
}

import { NodeOperationError, type IDataObject, type INodeExecutionData, type NodeApiError } from 'n8n-workflow';

import { SeveralLinksError } from '../account/linkName';
import { ApiError, CredentialError } from '../api/apiError';
import type { Connection } from '../api/connection';
import { detailsOf, withoutSecrets } from '../api/nodeError';
import { errorInWords, itemOfFailure } from '../engine/failure';
import { isTool } from '../engine/tool';
import type { Operation } from './operation';
import { inputError, ValueError } from './request';
import type { Row } from './row';

/** The row was done, though otherwise than it asked for: no try does it again. */
export class DoneOtherwiseError extends ApiError {
	constructor(
		message: string,
		advice: string,
		/** What the failed row tells of what was done, so that nothing is lost. */
		readonly told: IDataObject,
	) {
		super('refused', message, advice);
	}
}

/**
 * Whether a row that failed so must not be tried again: it was done, or nobody knows; or its words could not be done, and what other
 * rows have changed meanwhile must not give them another meaning.
 */
export function isFinal(error: unknown): boolean {
	const isInput = error instanceof ValueError || error instanceof SeveralLinksError;
	return isInput || error instanceof DoneOtherwiseError || (error instanceof ApiError && error.kind === 'uncertain');
}

/** Ranges of rows that an error names, at most. */
const MOST_RANGES = 10;

/** Rows as people count them, from 1, in short: "2 to 10, 12". */
function rowRanges(indexes: number[]): string {
	const ranges: Array<[first: number, last: number]> = [];
	for (const row of indexes.map((index) => index + 1)) {
		const latest = ranges.at(-1);
		if (latest?.[1] === row - 1) latest[1] = row;
		else ranges.push([row, row]);
	}
	const shown = ranges
		.slice(0, MOST_RANGES)
		.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
	return `${ranges.length === 1 && ranges[0][0] === ranges[0][1] ? 'row' : 'rows'} ${shown.join(', ')}${ranges.length > MOST_RANGES ? ', …' : ''}`;
}

/** What an error that ends a run leaves done, and how to go on. */
function doneBesides({ run }: Row, { runAgain }: Operation): string {
	const done = run.memory.doneRows;
	if (done.length === 0) return '';
	const howToGoOn = runAgain ?? 'To run again without doing them twice, leave those rows out.';
	return ` ${done.length} of ${run.size} rows were done all the same (${rowRanges(done)}). ${howToGoOn}`;
}

/** A row alone is the reason, so that the others can be done all the same. */
function isOfRow(error: unknown): boolean {
	if (error instanceof ApiError) return ['none', 'refused', 'uncertain'].includes(error.kind);
	return error instanceof ValueError || error instanceof NodeOperationError;
}

/** What the error of a row says of the run that it ends. */
function ofTheRun(row: Row, operation: Operation, error: unknown): string {
	const others = row.run.size > 1 && isOfRow(error);
	return `${doneBesides(row, operation)}${others ? ' To have the other rows done all the same, set Settings → On Error to "Continue".' : ''}`;
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
	if (error instanceof ValueError) return inputError(row.context, error);
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

/**
 * The error of a row that ends the run, as n8n shows it: with the item, what to do, what was done besides, and never the key. A
 * model reads of its message alone.
 */
export function explain(row: Row, operation: Operation, error: unknown): Error {
	const shown = shownError(row, operation, error);
	if (isTool(row.context)) {
		const { message, advice } = inParts(shown);
		shown.message = inOneText(shown);
		// Without one, later n8n put the first message in its place, with its item.
		shown.description = advice ?? message;
		return shown;
	}
	const item = error instanceof ApiError ? `Item ${row.index}: ` : '';
	shown.description = `${item}${shown.description ?? ''}${ofTheRun(row, operation, error)}`.trim() || undefined;
	return shown;
}

/** A failed row under On Error → Continue: the error, with what to do, and the row itself, so that it can be found again. */
export function failedItem(row: Row, operation: Operation, cause: unknown): INodeExecutionData {
	const shown = shownError(row, operation, cause);
	const told = cause instanceof DoneOtherwiseError ? cause.told : undefined;
	return itemOfFailure(row.context, inOneText(shown), shown, told);
}

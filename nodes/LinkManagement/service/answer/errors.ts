import { Duration } from 'luxon';
import { type IDataObject, type INode, NodeOperationError } from 'n8n-workflow';

import { asHtml, asMessage, asPlainText, errorInWords } from '../../n8n/messages';
import { PROBE_AFTER } from '../../rateLimit/rateLimiter';
import type { Redaction } from '../redact';
import { type Advice, inEditor, readBy, type Reader, together } from './advice';
import { NOTHING_FOUND } from './answer';
import { effectOf, type Failure, type FailureKind, type Told, wordsFor } from './failures';

/** A value that can't be used; `advice` says what to enter instead. */
export class ValueError extends Error {
	/** The errors of the single values, where several of a row can't be used. */
	readonly parts: readonly ValueError[];
	/** Further fields of the failed item. */
	shown?: IDataObject;

	constructor(
		message: string,
		readonly advice: Advice,
		parts?: readonly ValueError[],
	) {
		super(message);
		this.parts = parts ?? [this];
	}

	/** The same error in other words. */
	with({ message = this.message, advice = this.advice }: Partial<ValueError>): ValueError {
		const error = new ValueError(message, advice, this.parts.length > 1 ? this.parts : undefined);
		error.shown = this.shown;
		return error;
	}
}

/** The errors of single values. @throws any other error */
function partsOf(error: unknown): readonly ValueError[] {
	if (error instanceof ValueError) return error.parts;
	throw error;
}

/** Runs several checks. @throws ValueError one error for all values that can't be used */
export function checkAll(...works: Array<() => void>): void {
	const found: ValueError[] = [];
	for (const work of works) {
		try {
			work();
		} catch (error) {
			found.push(...partsOf(error));
		}
	}
	if (found.length === 1) throw found[0];
	if (found.length === 0) return;
	const advice = together(...new Set(found.map((one) => one.advice)));
	throw new ValueError(found.map(({ message }) => message).join('. '), advice, found);
}

/** A request that failed for good. `message` says what happened, `advice` what to do. */
export class ApiError extends Error {
	/** Further fields of the failed item. */
	shown?: IDataObject;

	constructor(
		readonly kind: FailureKind,
		message: string,
		readonly advice: Advice,
		readonly statusCode?: number,
		/** The classified answer of the request to `endpoint`. */
		readonly failure?: Failure,
		readonly endpoint?: string,
	) {
		super(message);
	}

	/** See `FAILURES`. */
	get affects() {
		return effectOf(this.kind).affects;
	}

	get isTransient(): boolean {
		return effectOf(this.kind).isTransient === true;
	}

	/** The same failure in other words. */
	with({ kind = this.kind, message = this.message, advice = this.advice }: Partial<ApiError>): ApiError {
		const error = new ApiError(kind, message, advice, this.statusCode, this.failure, this.endpoint);
		error.shown = this.shown;
		return error;
	}
}

/** Passes over the refusal of an endpoint: the service does not have it, or the key has no right to it. @throws any other error */
export function ignoreRefusedEndpoint(error: unknown): void {
	if (!(error instanceof ApiError) || error.affects !== 'endpoint') throw error;
}

/** The same error with a further sentence of advice, if it is about one request, and not about the key or the service. */
export function withAdvice(error: unknown, more: string): unknown {
	const isOfRow = error instanceof ValueError || (error instanceof ApiError && error.affects === 'row');
	return isOfRow ? error.with({ advice: together(error.advice, more) }) : error;
}

/** The error of a failed request: what happened, and what to do. */
export function errorOf(told: Told, redact: Redaction): ApiError {
	const { failure, method, path, statusCode, isKnown } = told;
	// An address that has never answered as this API does may be wrong: then a missing page says nothing about endpoints.
	if (failure.kind === 'missingEndpoint' && failure.why !== undefined && !isKnown)
		return errorOf({ ...told, failure: { kind: 'unreadable', why: failure.why } }, redact);
	const { message, advice } = wordsFor(told, redact);
	return new ApiError(failure.kind, message, advice, statusCode, failure, `${method} ${path}`);
}

const MADE: Record<string, string> = { POST: 'It may have been created', DELETE: 'It may have been deleted' };

/** The error of a change whose answer was lost. `kind` stays where sending the change again does no harm. */
export function lostChange(error: ApiError, method: string): ApiError {
	return error.with({
		kind: method === 'PUT' ? error.kind : 'uncertain',
		message: `${error.message}. ${MADE[method] ?? 'The change may have been made'} anyway`,
		advice: together(
			{ editor: 'Look at the service before you run it again.', model: 'Look for it before you call again.' },
			error.advice,
		),
	});
}

/**
 * The error of reading a record by its ID: "there is no such record" if the service refuses it as it refuses missing ones.
 *
 * @param noun the kind of record, in words
 */
export function noSuchRecord(error: unknown, noun: string, id: unknown): unknown {
	if (!(error instanceof ApiError) || error.kind !== 'refused' || !NOTHING_FOUND.has(error.statusCode ?? 0))
		return error;
	const advice = `It may have been deleted, or belong to another account. ${error.message}.`;
	return error.with({ message: `There is no ${noun} with the ID ${String(id)}`, advice });
}

/** @param collection the field that holds the records */
export function listName(collection: string | readonly string[]): string {
	return `the list "${[collection].flat()[0]}"`;
}

/**
 * A list that no reading has shown whole.
 *
 * @param read the records that were read, and have to be; and whether some were deleted while each reading went on
 */
export function shortList(
	collection: string | readonly string[],
	read: { counted: number; least: number; hasFallen: boolean },
): ApiError {
	const { counted, least, hasFallen } = read;
	const why = hasFallen ? 'others were deleted meanwhile, each time' : 'the pages of this service leave some out';
	const cure = hasFallen
		? 'Run the node again when fewer records are deleted.'
		: "Run the node again. If that doesn't help, tell the owner of the service that its pages show records of equal date or clicks in another order each time.";
	return new ApiError(
		'unreadable',
		`Read ${counted} of the ${least} records in ${listName(collection)}: ${why}`,
		together('Nothing is created or changed while records are missing.', { editor: cure, model: 'Call again later.' }),
	);
}

/** A list has no end. */
export function endlessList(collection: string | readonly string[], most: number): ApiError {
	return new ApiError(
		'refused',
		`There are more than ${most.toLocaleString('en')} records in ${listName(collection)}`,
		together('So many are not read.', inEditor('Ask the owner of the service whether the list is right.')),
	);
}

/** Names in a sentence: the first of them, if there are many. */
export function listed(names: readonly unknown[], most = 10): string {
	return names.slice(0, most).join(', ') + (names.length > most ? ', …' : '');
}

/** A duration (ms) in words. */
export function durationInWords(milliseconds: number): string {
	const wait = Duration.fromMillis(milliseconds);
	const unit = (['days', 'hours', 'minutes'] as const).find((one) => wait.as(one) >= 2) ?? 'seconds';
	return Duration.fromObject({ [unit]: Math.max(1, Math.ceil(wait.as(unit))) }, { locale: 'en' }).toHuman();
}

/**
 * The error of a rate limit that was not waited out.
 *
 * @param waitMs until the service answers again, as far as it says that
 * @param isUntouched nothing was changed before
 */
export function limitError(waitMs = PROBE_AFTER, isUntouched = true): ApiError {
	const when = durationInWords(waitMs);
	const [done, look] = isUntouched ? ['Nothing was sent.', ''] : ['The call was done in part.', ', and look first'];
	return new ApiError(
		'rateLimited',
		'Rate limit reached',
		{
			editor: `The service may answer again in ${when}: run it again then. Others use the same key, or the limit of the plan is reached.`,
			model: `${done} Call again in ${when}${look}.`,
		},
		429,
	);
}

/** Removes the secrets of the credential from all that n8n shows and saves of an error. */
export function withoutSecrets<E extends Error>(error: E, redact: Redaction): E {
	const texts = error as unknown as Record<string, unknown>;
	for (const name of ['message', 'stack', 'description', 'messages']) {
		const value = texts[name];
		if (typeof value === 'string') texts[name] = redact.text(value);
		else if (Array.isArray(value)) texts[name] = value.map((entry) => redact.text(String(entry)));
	}
	if (error.cause instanceof Error && error.cause !== error) withoutSecrets(error.cause, redact);
	return error;
}

/** The advice of an error, if it has any, as one of its readers gets it. */
export function adviceOf(error: unknown, redact?: Redaction, reader: Reader = 'editor'): string | undefined {
	if (!(error instanceof ValueError || error instanceof ApiError)) return undefined;
	const advice = readBy(reader, error.advice);
	return asPlainText(redact?.text(advice) ?? advice);
}

/** The message of an error, without the secrets of the credential. */
export function messageOfError(error: unknown, redact?: Redaction): string {
	const { message } = error as Error;
	return asPlainText(redact?.text(message) ?? message);
}

/** An error as n8n shows it, without the secrets of the credential. It names rows itself: n8n counts them from 0. */
export function toNodeError(node: INode, error: unknown, redact?: Redaction) {
	const shown =
		error instanceof ApiError
			? errorInWords(node, error.message, { httpCode: error.statusCode?.toString() })
			: new NodeOperationError(node, error as Error);
	const advice = adviceOf(error, redact);
	if (advice !== undefined) shown.description = asHtml(advice);
	delete shown.context.itemIndex;
	if (redact !== undefined) withoutSecrets(shown, redact);
	shown.message = asMessage(shown.message);
	return shown;
}

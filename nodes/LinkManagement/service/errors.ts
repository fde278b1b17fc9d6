import { Duration } from 'luxon';
import { type IDataObject, type INode, NodeOperationError } from 'n8n-workflow';

import { asHtml, asMessage, asPlainText, errorInWords } from '../n8n/messages';
import { LONGEST_WAIT, PROBE_AFTER } from '../rateLimit/rateLimitState';
import { inEditor, readBy, type Reader, toModel } from './advice';
import { NOTHING_FOUND } from './answer';
import { type Circumstances, effectOf, type Failure, type FailureKind, wordsFor } from './failures';
import type { Redaction } from './redact';

/** A value that can't be used; `advice` says what to enter instead. */
export class ValueError extends Error {
	/** The errors of the single values, where several of a row can't be used. */
	readonly parts: readonly ValueError[];
	/** Further fields of the failed item. */
	shown?: IDataObject;

	constructor(
		message: string,
		readonly advice: string,
		parts?: readonly ValueError[],
	) {
		super(message);
		this.parts = parts ?? [this];
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
	const advice = [...new Set(found.map((one) => one.advice))].join(' ');
	throw new ValueError(found.map(({ message }) => message).join('. '), advice, found);
}

/** A request that failed for good. `message` says what happened, `advice` what to do. */
export class ApiError extends Error {
	/** Further fields of the failed item. */
	shown?: IDataObject;

	constructor(
		readonly kind: FailureKind,
		message: string,
		readonly advice: string,
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
		return new ApiError(kind, message, advice, this.statusCode, this.failure, this.endpoint);
	}
}

/** Passes over the refusal of an endpoint: the service does not have it, or the key has no right to it. @throws any other error */
export function ignoreRefusedEndpoint(error: unknown): void {
	if (!(error instanceof ApiError) || error.affects !== 'endpoint') throw error;
}

/** The same error with a further sentence of advice, if it is about one request, and not about the key or the service. */
export function withAdvice(error: unknown, more: string): unknown {
	const isOfRow = error instanceof ValueError || (error instanceof ApiError && error.affects === 'row');
	// It may be the error of others, too.
	return isOfRow ? Object.create(error, { advice: { value: `${error.advice} ${more}`.trim() } }) : error;
}

/** A row was done differently than it asked for. Retry On Fail must not do it again. */
export class DoneOtherwiseError extends ApiError {
	constructor(message: string, advice: string) {
		super('refused', message, advice);
	}
}

/** The error of a failed request: what happened, and what to do. */
export function errorOf(answer: Failure, circumstances: Circumstances): ApiError {
	const { method, path, statusCode, isKnown } = circumstances;
	// An address that has never answered as this API does may be wrong: then a missing page says nothing about endpoints.
	const isPage = answer.kind === 'missingEndpoint' && answer.why !== undefined;
	const failure: Failure = isPage && !isKnown ? { kind: 'unreadable', why: answer.why! } : answer;
	const [message, advice] = wordsFor(failure, circumstances);
	return new ApiError(failure.kind, message, advice, statusCode, failure, `${method} ${path}`);
}

const MADE: Record<string, string> = { POST: 'It may have been created', DELETE: 'It may have been deleted' };

/** The error of a change whose answer was lost. `kind` stays where sending the change again does no harm. */
export function lostChange(error: ApiError, method: string): ApiError {
	return error.with({
		kind: method === 'PUT' ? error.kind : 'uncertain',
		message: `${error.message}. ${MADE[method] ?? 'The change may have been made'} anyway`,
		advice: `${inEditor('Look at the service before you run it again.')} ${toModel('Look for it before you call again.')} ${error.advice}`,
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

/** Whether the service never shows such a record by its ID. */
export function isNotShown(error: unknown): boolean {
	if (!(error instanceof ApiError)) return false;
	const { kind, statusCode = 200 } = error;
	return kind === 'refused' || error.affects === 'endpoint' || (kind === 'unreadable' && statusCode >= 400);
}

/** @param collection the field that holds the records */
export function listName(collection: string | readonly string[]): string {
	return `the list "${[collection].flat()[0]}"`;
}

const OTHER_ORDER =
	"Run the node again. If that doesn't help, tell the owner of the service that its pages show records of equal date or clicks in another order each time.";

/** The pages of a list leave records out. */
export function shortList(collection: string | readonly string[], read: number, total: number): ApiError {
	return new ApiError(
		'unreadable',
		`Read ${read} of the ${total} records in ${listName(collection)}: the pages of this service leave some out`,
		`Nothing is created or changed while records are missing. ${inEditor(OTHER_ORDER)} ${toModel('Call again later.')}`,
	);
}

/** A list has no end. */
export function endlessList(collection: string | readonly string[], most: number): ApiError {
	return new ApiError(
		'refused',
		`There are more than ${most.toLocaleString('en')} records in ${listName(collection)}`,
		`So many are not read. ${inEditor('Ask the owner of the service whether the list is right.')}`,
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

const WAITS = {
	onScreen: 'Try again then. Other work with the same key has used up the limit.',
	run: 'The node has waited for ten minutes. Others use the same key, or the limit of the plan is reached. Run it again later.',
	tooLong:
		'The node waits for ten minutes at most. Run it again after that time, or ask the service for a larger plan.',
};

/** The error of a tool's call whose time is over before the rate limit ends. @param waitMs until the service answers again (ms); 0 if that is unknown */
export function outOfTime(isUntouched: boolean, waitMs: number): ApiError {
	const again = `Call again in ${durationInWords(waitMs || PROBE_AFTER)}`;
	const advice = isUntouched ? `Nothing was sent. ${again}.` : `The call was done in part. ${again}, and look first.`;
	return new ApiError('rateLimited', 'Rate limit reached', advice, 429);
}

/** The error of a rate limit that was not waited out. @param waitMs how long (ms) it lasts; 0 if that is unknown */
export function limitError(who: Exclude<keyof typeof WAITS, 'tooLong'> = 'run', waitMs = 0): ApiError {
	const isTooLong = waitMs > LONGEST_WAIT;
	const isGuess = waitMs === 0 || (who === 'onScreen' && waitMs <= PROBE_AFTER);
	const when = isGuess
		? 'The service may answer again in a minute'
		: `The service answers again in ${durationInWords(waitMs)}`;
	// After ten minutes of waiting, no further time is promised.
	const what = who === 'run' && !isTooLong ? '' : `. ${when}`;
	return new ApiError('rateLimited', `Rate limit reached${what}`, WAITS[isTooLong ? 'tooLong' : who], 429);
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

import type { Behaviour } from './dialect';
import type { Pages } from './pages';
import type { Store, StoredLink } from './records';

/** A request that passed the door: its parameters and its body. */
export interface Call {
	params: Record<string, unknown>;
	query: Record<string, unknown>;
	body: Record<string, unknown>;
}

/** Operations by the contract's operationId. Answers are in the document's form, but for what `behaviour` changes. */
export type Operations = Record<string, (call: Call) => Record<string, unknown>>;

/** What the operations work on. */
export interface Operating {
	store: Store;
	/** The service's address; no slash at its end. */
	base: string;
	/** Read again by each call. */
	behaviour: Behaviour;
	/** The service's clock, in milliseconds. */
	now(): number;
	pages: Pages;
	/** Where short links without a domain of their own stand. */
	ownAddress(): string;
	shortUrl(link: StoredLink): string;
}

/**
 * Why the service fails: something is taken, a record is not there, a value is none that it takes, a name is there already, the data
 * does not suit the type of a QR code, the plan is full.
 */
export type Failure = 'refused' | 'notFound' | 'value' | 'duplicate' | 'qrData' | 'planFull';

/** A failure that the service reports in place of an answer. */
export class ServiceError extends Error {
	constructor(
		message: string,
		readonly why: Failure = 'refused',
	) {
		super(message);
	}
}

/** The answer of an action. */
export function done(message: string): Record<string, unknown> {
	return { error: 0, message };
}

/** What the service says of a record that is not there. */
export function unknown(label: string): ServiceError {
	return new ServiceError(`${label} does not exist.`, 'notFound');
}

/** @throws ServiceError when there is no record */
export function known<T>(record: T | undefined, label: string): T {
	if (record === undefined) throw unknown(label);
	return record;
}

export function text(value: unknown): string {
	return typeof value === 'string' ? value : String(value ?? '');
}

/** Nothing for what is missing or empty. */
export function optionalText(value: unknown): string | undefined {
	return value === undefined || value === null || value === '' ? undefined : text(value);
}

export function withoutSlash(address: string): string {
	return address.replace(/\/+$/, '');
}

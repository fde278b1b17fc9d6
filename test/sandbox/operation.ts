import type { RecordTypes, Store } from './records';
import type { Service } from './service';

/** A request that passed the door: its parameters and its body. */
export interface Call {
	params: Record<string, unknown>;
	query: Record<string, unknown>;
	body: Record<string, unknown>;
}

/** Operations by the contract's operationId. Answers are in the document's form, but for what `behavior` changes. */
export type Operations = Record<string, (call: Call) => Record<string, unknown>>;

/** What the operations work on. */
export type Operating = Service;

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

/** What the service calls a record. */
const LABELS = {
	links: 'Link',
	qrs: 'QR code',
	campaigns: 'Campaign',
	channels: 'Channel',
	domains: 'Domain',
	pixels: 'Pixel',
} as const;

type Named = keyof typeof LABELS;

/** The record with this ID. @throws ServiceError when there is none */
export function found<Name extends Named>(store: Store, name: Name, id: unknown): RecordTypes[Name] {
	const record = store.collection(name).get(Number(id));
	if (record === undefined) throw unknown(LABELS[name]);
	return record;
}

/** What deletes a record by its ID. @param end of its answer: that about links has no full stop */
export function deleting(store: Store, name: Named, end = '.'): Operations[string] {
	return ({ params }) => {
		if (!store.delete(name, Number(params.id), 'api')) throw unknown(LABELS[name]);
		return done(`${LABELS[name]} has been deleted successfully${end}`);
	};
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

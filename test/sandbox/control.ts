import type { Behavior, Dialect } from './dialect';
import type { Fault } from './faults';
import type { LimitSettings } from './limit';
import type {
	LedgerEntry,
	RecordCounts,
	RecordsToCreate,
	RecordsToDelete,
	RecordTypes,
	StoredLink,
	StoredQr,
} from './records';
import type { PictureRequest } from './pictures';

/** Where the sandbox starts from; reset goes back there. */
export interface SandboxState {
	/** What the service speaks: `document` when left out. */
	dialect?: Dialect;
	/** What it does otherwise than the dialect says; deviations/ has the table. */
	deviations?: Partial<Behavior>;
	/** Decides ids, names, dates and counts; 1 when left out. */
	seed?: number;
	/** How many records of each kind; a few of each when left out. */
	records?: RecordCounts;
	/** The request budget: 30 requests a minute in a fixed window when left out. What is said here goes before the dialect. */
	limit?: Partial<LimitSettings>;
	/** Keys that are accepted, each with a budget of its own; `sandbox-key` alone when left out. */
	apiKeys?: string[];
	/** Keys that have expired. */
	expiredKeys?: string[];
	/** Where each new link and each click are posted, as the owner of an account can set it. */
	notify?: string;
	/** False skips the contract's checks, for measurements. */
	validate?: boolean;
}

/** A request as the service saw it. The key is there as a hash alone. */
export interface LoggedRequest {
	/** Counts from 1, in the order of arrival. */
	n: number;
	/** Arrival and end of the answer, milliseconds since 1970 by the machine's clock. */
	at: number;
	doneAt: number | null;
	method: string;
	/** Without the query. */
	path: string;
	/** The contract's operation, when the request matches one. */
	operationId: string | null;
	query: Record<string, string | string[]>;
	/** The parsed body; its text when it is no JSON; null when there was none. */
	body: unknown;
	/** HTTP status of the answer; 0 when there was none. */
	status: number;
	/** Answered with 429 before any work. */
	refused: boolean;
	authorized: boolean;
	/** Whether the operation did its work. */
	worked: boolean;
	violations: string[];
	/** First 16 hex digits of the key's SHA-256; null without a key. */
	keyHash: string | null;
}

/** A breach of the contract. */
export interface Violation {
	n: number;
	method: string;
	path: string;
	where: 'request' | 'response';
	errors: string[];
}

/** Figures of the request log, and what was created since it began: at the start, the last reset, or the last clearRequests. */
export interface SandboxStats {
	requests: number;
	refused: number;
	/** Requests by the contract's operation; those to no endpoint under `none`. */
	byOperation: Record<string, number>;
	/** Created through the API, by kind. */
	created: Record<keyof RecordTypes, number>;
}

/** A link with its address. */
export type LinkWithAddress = StoredLink & { shorturl: string };

export type CreatedRecords = {
	[Name in keyof RecordTypes]: Name extends 'links' ? LinkWithAddress[] : Array<RecordTypes[Name]>;
};

/** Clicks and scans to add; `unique` is taken as `count` when left out. */
export interface Traffic {
	clicks?: Array<{ id: number; count: number; unique?: number }>;
	scans?: Array<{ id: number; count: number; unique?: number }>;
}

/** What can be done to the sandbox from outside the API. */
export interface ControlActions {
	/** Back to the state that the sandbox was started with, changed by `state`: records, budgets, faults, log, figures. */
	reset(state?: SandboxState): void;
	/** Changes how the service answers from now on: as another dialect has it, or in single deviations. */
	configure(
		settings: Pick<SandboxState, 'dialect' | 'deviations' | 'apiKeys' | 'expiredKeys' | 'notify' | 'validate'>,
	): void;
	/** Changes the limit from now on; what was used of the budget stays used. */
	setLimit(limit: Partial<LimitSettings>): void;
	/** Replaces the faults; their chances are drawn again from `seed` (the sandbox's own when left out). */
	setFaults(faults: Fault[], seed?: number): void;
	clearFaults(): void;
	/** Adds made-up records with dates in the past, as if they had been there before; the ledger doesn't tell of them. */
	seedRecords(counts: RecordCounts): void;
	/** Creates records elsewhere than through the API; dated now by the service's clock unless `date` is given. */
	createRecords(records: RecordsToCreate): CreatedRecords;
	/** Deletes records elsewhere than through the API. An id that isn't there is an error. */
	deleteRecords(ids: RecordsToDelete): void;
	simulate(traffic: Traffic): void;
	/** The requests to the API. */
	requests(): LoggedRequest[];
	/** Empties the request log and sets the figures of stats back; budgets, records and violations stay. */
	clearRequests(): void;
	stats(): SandboxStats;
	/** What happened to the records, after the entry with number `since`. */
	ledger(from?: { since?: number }): LedgerEntry[];
	links(): LinkWithAddress[];
	qrs(): StoredQr[];
	/** The requests for pictures of QR codes, at the service and where it stores them. */
	pictureRequests(): PictureRequest[];
	/** Breaches of the contract since the start or the last reset. */
	violations(): Violation[];
	/** What the service holds of one kind. */
	records<Name extends keyof RecordTypes>(collection: Name): Array<RecordTypes[Name]>;
}

type Remote = {
	[Name in Exclude<keyof ControlActions, 'records'>]: (
		...args: Parameters<ControlActions[Name]>
	) => Promise<ReturnType<ControlActions[Name]>>;
};

/** The control calls of a sandbox in this process or another. */
export interface SandboxControl extends Remote {
	/** The service's address, without a slash at its end. */
	readonly url: string;
	records<Name extends keyof RecordTypes>(collection: Name): Promise<Array<RecordTypes[Name]>>;
}

/** Makes a control call: its name, and its arguments as JSON. @returns what came of it, as JSON */
type Caller = (name: string, args: string) => string | Promise<string>;

/** Speaks to the sandbox at this address: each control call is a request of its name, with its arguments. */
export function controlOf(address: string, call?: Caller): SandboxControl {
	const url = address.replace(/\/+$/, '');
	const caller = call ?? (async (name, args) => await request(url, name, args));
	return new Proxy({ url } as SandboxControl, {
		get: (own, name) => {
			// What is awaited is asked whether it is a promise.
			if (Reflect.has(own, name) || typeof name === 'symbol' || name === 'then')
				return Reflect.get(own, name) as unknown;
			return async (...args: unknown[]) => JSON.parse(await caller(name, JSON.stringify(args))) as unknown;
		},
	});
}

/** Does what a control call asks for. */
export function perform(actions: ControlActions, name: string, args: string): string {
	const action = actions[name as keyof ControlActions] as (...args: unknown[]) => unknown;
	// JSON has null where an argument was left out.
	return JSON.stringify(action(...(JSON.parse(args) as unknown[]).map((arg) => arg ?? undefined)) ?? null);
}

async function request(url: string, name: string, body: string): Promise<string> {
	const headers = { 'Content-Type': 'application/json' };
	const response = await fetch(`${url}/control/${name}`, { method: 'POST', headers, body });
	const output = await response.text();
	if (!response.ok) throw new Error(`Sandbox control ${name}: ${output}`);
	return output;
}

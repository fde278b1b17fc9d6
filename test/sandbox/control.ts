import type { Behaviour, Dialect } from './dialect';
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
	deviations?: Partial<Behaviour>;
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
	clock?: Partial<Clock>;
	/** False skips the contract's checks, for measurements. */
	validate?: boolean;
}

/** The service's clock. */
export interface Clock {
	/** How far it is ahead of the machine's, in milliseconds; negative when behind. */
	skewMs: number;
	/** Whether the Date header follows it; otherwise the header tells the machine's time. */
	dateHeader: boolean;
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
	contentType: string | null;
	userAgent: string | null;
	/** HTTP status of the answer; 0 when there was none. */
	status: number;
	/** Answered with 429 before any work. */
	refused: boolean;
	authorized: boolean;
	/** Whether the operation did its work. */
	worked: boolean;
	violations: string[];
	/** The kinds of the faults that befell it, joined by +. */
	fault?: string;
	/** First 16 hex digits of the key's SHA-256; null without a key. */
	keyHash: string | null;
	remotePort: number;
}

/** A breach of the contract. */
export interface Violation {
	n: number;
	method: string;
	path: string;
	where: 'request' | 'response';
	errors: string[];
}

/** Figures since the start, the last reset, or the last clearRequests. Times are milliseconds since 1970. */
export interface SandboxStats {
	requests: number;
	refused: number;
	unauthorized: number;
	/** Requests that a fault befell. */
	faulted: number;
	/** Requests by the contract's operation; those to no endpoint under `none`. */
	byOperation: Record<string, number>;
	/** Created through the API, by kind. */
	created: Record<keyof RecordTypes, number>;
	firstRequestAt: number | null;
	lastRequestAt: number | null;
	lastCreationAt: number | null;
	/** When the window began in which the first request fell. */
	firstWindowAt: number | null;
	inFlight: number;
	peakInFlight: number;
}

/**
 * Records that come and go between two pages: once page `afterPage` of a list was answered, records are created and
 * deleted.
 */
export interface PageHook {
	/** The list's name in its envelope: urls, qrs, campaigns … */
	collection: string;
	afterPage: number;
	/** How often it happens; once when left out. */
	times?: number;
	create?: RecordsToCreate;
	delete?: RecordsToDelete;
	/** Deletes so many of the records that this page showed, from its top. */
	deleteShown?: number;
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
	reset(state: SandboxState): void;
	configure(settings: Pick<SandboxState, 'dialect' | 'deviations' | 'apiKeys' | 'expiredKeys' | 'validate'>): void;
	setLimit(limit: Partial<LimitSettings>): void;
	useBudget(use: { requests: number; key?: string }): void;
	setClock(clock: Partial<Clock>): void;
	setFaults(plan: { faults: Fault[]; seed?: number }): void;
	setPageHooks(hooks: PageHook[]): void;
	seedRecords(counts: RecordCounts): void;
	createRecords(records: RecordsToCreate): CreatedRecords;
	deleteRecords(ids: RecordsToDelete): void;
	simulate(traffic: Traffic): void;
	resetCounts(target: { links?: number[]; qrs?: number[] }): void;
	requests(from: { since?: number }): LoggedRequest[];
	clearRequests(none: Record<string, never>): void;
	stats(none: Record<string, never>): SandboxStats;
	ledger(from: { since?: number }): LedgerEntry[];
	links(none: Record<string, never>): LinkWithAddress[];
	qrs(none: Record<string, never>): StoredQr[];
	pictureRequests(none: Record<string, never>): PictureRequest[];
	records(of: { collection: keyof RecordTypes }): Array<RecordTypes[keyof RecordTypes]>;
	violations(none: Record<string, never>): Violation[];
	info(none: Record<string, never>): { apiKeys: string[] };
}

/** A client of the sandbox's control calls, for a sandbox in this process or another. */
export class SandboxControl {
	/** The service's address, without a slash at its end. */
	readonly url: string;

	constructor(url: string) {
		this.url = url.replace(/\/+$/, '');
	}

	/** Back to the state that the sandbox was started with, changed by `state`: records, budgets, faults, log, figures. */
	async reset(state: SandboxState = {}): Promise<void> {
		await this.call('reset', state);
	}

	/** Changes how the service answers from now on: as another dialect has it, or in single deviations. */
	async configure(settings: Parameters<ControlActions['configure']>[0]): Promise<void> {
		await this.call('configure', settings);
	}

	/** Changes the limit from now on; what was used of the budget stays used. */
	async setLimit(limit: Partial<LimitSettings>): Promise<void> {
		await this.call('setLimit', limit);
	}

	/** Uses up requests of a key's budget, as another client would. The sandbox's first key when none is named. */
	async useBudget(requests: number, key?: string): Promise<void> {
		await this.call('useBudget', { requests, ...(key === undefined ? {} : { key }) });
	}

	async setClock(clock: Partial<Clock>): Promise<void> {
		await this.call('setClock', clock);
	}

	/** Replaces the faults; their chances are drawn again from `seed` (the sandbox's own when left out). */
	async setFaults(faults: Fault[], seed?: number): Promise<void> {
		await this.call('setFaults', { faults, ...(seed === undefined ? {} : { seed }) });
	}

	async clearFaults(): Promise<void> {
		await this.call('setFaults', { faults: [] });
	}

	/** Replaces the hooks that change records between two pages of a list. */
	async setPageHooks(hooks: PageHook[]): Promise<void> {
		await this.call('setPageHooks', hooks);
	}

	/** Adds made-up records with dates in the past, as if they had been there before; the ledger doesn't tell of them. */
	async seedRecords(counts: RecordCounts): Promise<void> {
		await this.call('seedRecords', counts);
	}

	/** Creates records elsewhere than through the API; dated now by the service's clock unless `date` is given. */
	async createRecords(records: RecordsToCreate): Promise<CreatedRecords> {
		return await this.call('createRecords', records);
	}

	/** Deletes records elsewhere than through the API. An id that isn't there is an error. */
	async deleteRecords(ids: RecordsToDelete): Promise<void> {
		await this.call('deleteRecords', ids);
	}

	async simulate(traffic: Traffic): Promise<void> {
		await this.call('simulate', traffic);
	}

	/** Sets statistics back to zero: those of the link or QR code with this id. */
	async resetCounts(target: { links?: number[]; qrs?: number[] }): Promise<void> {
		await this.call('resetCounts', target);
	}

	/** The requests to the API, those after the one with number `since`. */
	async requests(from: { since?: number } = {}): Promise<LoggedRequest[]> {
		return await this.call('requests', from);
	}

	/** Empties the request log and sets the figures of stats back; budgets, records and violations stay. */
	async clearRequests(): Promise<void> {
		await this.call('clearRequests', {});
	}

	async stats(): Promise<SandboxStats> {
		return await this.call('stats', {});
	}

	/** What happened to the records, after the entry with number `since`. */
	async ledger(from: { since?: number } = {}): Promise<LedgerEntry[]> {
		return await this.call('ledger', from);
	}

	async links(): Promise<LinkWithAddress[]> {
		return await this.call('links', {});
	}

	async qrs(): Promise<StoredQr[]> {
		return await this.call('qrs', {});
	}

	/** The requests for pictures of QR codes, at the service and where it stores them. */
	async pictureRequests(): Promise<PictureRequest[]> {
		return await this.call('pictureRequests', {});
	}

	/** What the service holds of one kind. */
	async records<Name extends keyof RecordTypes>(collection: Name): Promise<Array<RecordTypes[Name]>> {
		return (await this.call('records', { collection })) as Array<RecordTypes[Name]>;
	}

	/** Breaches of the contract since the start or the last reset. */
	async violations(): Promise<Violation[]> {
		return await this.call('violations', {});
	}

	/** The keys that the service accepts. */
	async keys(): Promise<string[]> {
		return (await this.call('info', {})).apiKeys;
	}

	private async call<Name extends keyof ControlActions>(
		name: Name,
		input: Parameters<ControlActions[Name]>[0],
	): Promise<ReturnType<ControlActions[Name]>> {
		const response = await fetch(`${this.url}/control/${name}`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(input),
		});
		const output: unknown = await response.json();
		if (!response.ok) throw new Error(`Sandbox control ${name}: ${JSON.stringify(output)}`);
		return output as ReturnType<ControlActions[Name]>;
	}
}

import type { LimitSettings } from './limit';
import { Random } from './records';

/** Which requests a fault befalls. All conditions that are given have to hold. */
export interface FaultConditions {
	match?: {
		/** GET, POST, PUT or DELETE. */
		method?: string;
		/** Source of a regular expression, tried on the path without its query. */
		path?: string;
	};
	/** From 0 to 1, drawn from a seeded generator; 1 when left out. */
	probability?: number;
	/** Befalls at most so many requests. */
	times?: number;
	/** Spares the first so many matching requests. */
	after?: number;
	/** Befalls each so-manieth matching request after those. */
	every?: number;
}

export type FaultKind =
	/** Answers later, and does the work later, too. */
	| { kind: 'latency'; ms: number; jitterMs?: number }
	/** An error envelope in the answer's place, or a page; the work is done all the same with `workDone`. */
	| { kind: 'status'; status: number; body?: 'envelope' | 'html'; message?: string; workDone?: boolean }
	| { kind: 'errorEnvelope'; status?: number; message?: string; error?: unknown }
	| { kind: 'html'; status?: number; workDone?: boolean }
	/** This text in the answer's place; the work is done all the same with `workDone`. */
	| { kind: 'answer'; status?: number; text: string; headers?: Record<string, string>; workDone?: boolean }
	/** The page of a list without its records; its figures are as they are. */
	| { kind: 'emptied' }
	/** The first page of the list, whichever was asked for. */
	| { kind: 'firstPage' }
	/** The connection ends before the service saw the request: nothing is counted, nothing done. */
	| { kind: 'dropBefore' }
	/** The connection ends after the work was done, without an answer. */
	| { kind: 'dropAfter' }
	/** Work done, half of the JSON of the answer; with `broken` the connection ends there. */
	| { kind: 'truncatedJson'; broken?: boolean }
	/** A redirect in the answer's place; with `keepPath` path and query are appended to `to`. */
	| { kind: 'redirect'; to: string; keepPath?: boolean }
	/** A refusal though the budget allowed the request. */
	| { kind: 'rateLimited'; headers?: boolean; retryAfter?: number | string; resetInMs?: number }
	/** Work done, the answer's types wrong; see BadTypes. */
	| { kind: 'badTypes'; variant?: BadTypes }
	/** Lists whose paging fields hold these values. */
	| { kind: 'listFields'; fields: Record<string, unknown> }
	/** The limit changes when this request arrives. */
	| { kind: 'limit'; limit: Partial<LimitSettings> };

/** Numbers as text, or the data missing. */
export type BadTypes = 'textNumbers' | 'dataMissing';

/** Where it befalls requests. */
export type FaultPlace = Pick<FaultConditions, 'after' | 'times'>;

export type Fault = FaultConditions & FaultKind;

/** Faults that only add to a request, and leave room for one that takes its place. */
const ADDING: ReadonlySet<string> = new Set(['latency', 'limit']);

/** Decides for each request, in the order of arrival, which faults befall it: the same seed, the same decisions. */
export class FaultPlan {
	private random = new Random(1);

	private entries: Array<{ fault: Fault; path?: RegExp; matched: number; fired: number }> = [];

	set(faults: Fault[], seed: number): void {
		this.random = new Random(seed);
		this.entries = faults.map((fault) => ({
			fault,
			path: fault.match?.path === undefined ? undefined : new RegExp(fault.match.path),
			matched: 0,
			fired: 0,
		}));
	}

	/** The faults that befall the next request: any number that add to it, at most one that takes its place. */
	pick(method: string, path: string): Fault[] {
		const picked: Fault[] = [];
		let replaced = false;
		for (const entry of this.entries) {
			const { fault } = entry;
			const adds = ADDING.has(fault.kind);
			if (!adds && replaced) continue;
			if (fault.match?.method !== undefined && fault.match.method.toUpperCase() !== method) continue;
			if (entry.path && !entry.path.test(path)) continue;
			entry.matched++;
			const number = entry.matched - (fault.after ?? 0);
			if (number < 1) continue;
			if (fault.every !== undefined && number % fault.every !== 0) continue;
			if (fault.times !== undefined && entry.fired >= fault.times) continue;
			if (fault.probability !== undefined && this.random.next() >= fault.probability) continue;
			entry.fired++;
			picked.push(fault);
			replaced ||= !adds;
		}
		return picked;
	}

	/** A number from 0 to 1 from the plan's own generator. */
	draw(): number {
		return this.random.next();
	}
}

type Json = Record<string, unknown>;

function isJson(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Applies one of the wrong-type variants to an answer. */
export function withBadTypes({ data, ...rest }: Json, variant: BadTypes): unknown {
	if (variant === 'dataMissing') return rest;
	return JSON.parse(JSON.stringify({ ...rest, data }), (_key, leaf: unknown) =>
		typeof leaf === 'number' ? String(leaf) : leaf,
	);
}

/** A page of a list without its records. */
export function withoutRecords(body: Json, collection: string | undefined): Json {
	if (collection === undefined) return body;
	return isJson(body.data) ? { ...body, data: { ...body.data, [collection]: [] } } : { ...body, [collection]: [] };
}

/** Patches the paging fields of a list answer. */
export function withListFields(body: Json, fields: Json): Json {
	return isJson(body.data) ? { ...body, data: { ...body.data, ...fields } } : body;
}

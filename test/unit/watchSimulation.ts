import type { IDataObject } from 'n8n-workflow';

import { Learned } from '../../nodes/LinkManagement/service/learned';
import type { PageRequest } from '../../nodes/LinkManagement/service/lists/page';
import type { TriggerEvent } from '../../nodes/LinkManagement/trigger/events';
import type { PollClient } from '../../nodes/LinkManagement/trigger/pollClient';
import { WatchedRecords } from '../../nodes/LinkManagement/trigger/watchedRecords';
import {
	beginReading,
	type Change,
	type Reading,
	type ServiceRecord,
	type Watch,
	type WatchState,
} from '../../nodes/LinkManagement/watch';
import { Random } from '../sandbox/records';

/** How the simulated service orders its listing, and in which order it puts what was created in one second. */
export type Order = 'newest' | 'oldest' | 'scattered';
/** `drawn`: in another order on each page. */
export type Ties = 'rising' | 'falling' | 'scattered' | 'drawn';

interface Kept {
	id: number;
	second: number;
	count: number;
	/** It shows no count, as one that was never counted. */
	isBlank?: boolean;
	/** It has vanished, and may return. */
	isHidden?: boolean;
}

const scattered = ({ id }: Kept) => (id * 7919) % 1009;
const drawn = ({ id }: Kept, request: number) => new Random(id * 104_729 + request).next();

/** A service that changes while it is read: what a watch sees of it, without HTTP. */
export class SimulatedService {
	requests = 0;
	/** So many pages from now, an odd answer comes: one without any record. */
	emptyIn?: number;
	private readonly records = new Map<number, Kept>();
	private second = 0;
	private lastId = 0;

	constructor(
		/** What it makes of the order that it is asked for. */
		private readonly order: Order,
		readonly pageSize: number,
		/** `more`: the total counts so many that are not shown. */
		private readonly manner: { ties?: Ties; totals?: boolean; more?: number } = {},
	) {}

	/** Time goes on, so that the next record comes later. */
	tick(): void {
		this.second++;
	}

	/** @param isLate its ID was given before that of the one before, and shows only now */
	create(count = 0, isLate = false): number {
		const id = isLate && this.lastId > 2 && !this.records.has(this.lastId - 1) ? this.lastId - 1 : this.lastId + 2;
		this.lastId = Math.max(this.lastId, id);
		this.records.set(id, { id, second: this.second, count, isBlank: count === 0 });
		return id;
	}

	remove(id: number): void {
		this.records.delete(id);
	}

	/** Changes what is there of a record. A new count shows. */
	change(id: number, changed: Partial<Omit<Kept, 'id'>>): void {
		const isCounted = changed.count !== undefined && { isBlank: false };
		Object.assign(this.records.get(id) ?? {}, isCounted, changed);
	}

	countOf(id: number): number {
		return this.records.get(id)?.count ?? 0;
	}

	/** The IDs of the records that it shows, or of those that have vanished. */
	ids(isHidden = false): number[] {
		return [...this.records.values()].filter((one) => (one.isHidden ?? false) === isHidden).map(({ id }) => id);
	}

	page(page: number, size = this.pageSize): { records: ServiceRecord[]; result?: number } {
		this.requests++;
		const isEmpty = this.emptyIn === 0;
		this.emptyIn = this.emptyIn ? this.emptyIn - 1 : undefined;
		const all = isEmpty ? [] : this.sorted();
		const from = (page - 1) * size;
		const records = all.slice(from, from + size).map(asSent);
		return { records, ...(this.manner.totals !== false && { result: all.length + (this.manner.more ?? 0) }) };
	}

	/** @returns undefined if there is no such record */
	record(id: number): ServiceRecord | undefined {
		this.requests++;
		const record = this.records.get(id);
		return record && !record.isHidden ? asSent(record) : undefined;
	}

	private sorted(): Kept[] {
		const { ties = 'rising' } = this.manner;
		const all = [...this.records.values()].filter(({ isHidden }) => !isHidden);
		const byTies = {
			rising: (a: Kept, b: Kept) => a.id - b.id,
			falling: (a: Kept, b: Kept) => b.id - a.id,
			scattered: (a: Kept, b: Kept) => scattered(a) - scattered(b) || a.id - b.id,
			drawn: (a: Kept, b: Kept) => drawn(a, this.requests) - drawn(b, this.requests),
		};
		const orders = {
			newest: (a: Kept, b: Kept) => b.second - a.second || byTies[ties](a, b),
			oldest: (a: Kept, b: Kept) => a.id - b.id,
			scattered: byTies.scattered,
		};
		return all.sort(orders[this.order]);
	}
}

function asSent({ id, count, isBlank }: Kept): ServiceRecord {
	return { id, scans: isBlank ? null : count, name: `record ${id}`, date: `day ${id}` };
}

/** A poll has no time for another request. */
class TimeIsUp extends Error {}

interface PollOptions {
	/** Time for this many requests only. */
	requests?: number;
	/** What happens before each request but the first. */
	between?(): void;
}

/** The client of one poll of a simulated service. */
function clientOf(service: SimulatedService, options: PollOptions): PollClient {
	const { requests = Infinity, between } = options;
	let sent = 0;
	const answer = <Answer>(read: () => Answer): Answer => {
		if (sent === requests) throw new TimeIsUp();
		if (sent > 0) between?.();
		if (++sent > 10_000) throw new Error('The poll does not end');
		return read();
	};
	const client = {
		connection: { learned: new Learned(), address: 'https://links.example' },
		send: async ({ query }: { query: PageRequest }) => {
			const { page, limit } = query;
			return await Promise.resolve(
				answer(() => ({ data: service.page(page, Math.min(limit, service.pageSize)) as unknown as IDataObject })),
			);
		},
		lookUp: async (path: string) => await Promise.resolve(answer(() => service.record(Number(path)))),
	};
	return client as unknown as PollClient;
}

/** A trigger at a simulated service, which keeps its state in memory. */
export class SimulatedTrigger {
	state?: WatchState;
	/** What a poll had no time to finish. */
	private unfinished?: { of: string; reading: Reading<WatchState>; records: WatchedRecords };

	constructor(
		private readonly settings: Watch,
		private readonly service: SimulatedService,
		/** Single records are shown. */
		private readonly hasSingles = false,
	) {}

	async poll(options: PollOptions = {}): Promise<Change[]> {
		const since = this.state && copyOf(this.state);
		const client = clientOf(this.service, options);
		const of = JSON.stringify([this.settings, this.state]);
		const { reading, records } = (this.unfinished =
			this.unfinished?.of === of ? this.unfinished : this.begin(of, client));
		try {
			for (let isEnough = false; !isEnough && !records.isOver;)
				isEnough = reading.take(await records.next(client, reading.left), records.total);
		} catch (error) {
			if (error instanceof TimeIsUp) return [];
			this.unfinished = undefined;
			throw error;
		}
		this.unfinished = undefined;
		const { changes, state } = reading.end(since === undefined);
		this.state = copyOf(state);
		return changes;
	}

	private begin(of: string, client: PollClient) {
		const { settings, hasSingles, state } = this;
		const single = hasSingles ? { recordPath: String } : {};
		const listed = { path: '/api/records', collection: 'records', countField: settings.countField, ...single };
		const event = { listed, isNewestFirst: false } as unknown as TriggerEvent;
		return { of, reading: beginReading(settings, state && copyOf(state)), records: new WatchedRecords(client, event) };
	}
}

function copyOf<Value>(value: Value): Value {
	return JSON.parse(JSON.stringify(value)) as Value;
}

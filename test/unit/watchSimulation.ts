import type { IDataObject } from 'n8n-workflow';

import type { PageRequest } from '../../nodes/LinkManagement/service/lists/page';
import { ListReader, type ListClient } from '../../nodes/LinkManagement/service/lists/listReader';
import { Learned } from '../../nodes/LinkManagement/service/learned';
import { Random } from '../sandbox/records';
import {
	beginReading,
	type Change,
	type Listing,
	type Reading,
	type ServiceRecord,
	type RecordSource,
	type WatchState,
	type Watch,
} from '../../nodes/LinkManagement/watch';

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

	record(id: number): ServiceRecord | 'gone' {
		this.requests++;
		const record = this.records.get(id);
		return record && !record.isHidden ? asSent(record) : 'gone';
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

/** The service fails in the middle of a poll. */
export class SimulatedFailure extends Error {}

/** A poll has no time for another request. */
class TimeIsUp extends Error {}

interface PollOptions {
	/** Time for this many requests only. */
	requests?: number;
	/** The request at which the service fails. */
	failAt?: number;
	/** What happens before each request but the first. */
	between?(): void;
}

/** What one poll reads from a simulated service, as the trigger does. */
class SimulatedSource implements RecordSource {
	private sent = 0;

	constructor(
		private readonly service: SimulatedService,
		private readonly options: PollOptions,
	) {}

	private readonly client: ListClient = {
		connection: { learned: new Learned() },
		send: async ({ query }): Promise<IDataObject> => {
			const { page, limit } = query as unknown as PageRequest;
			const answer = await this.answer(() => this.service.page(page, Math.min(limit, this.service.pageSize)));
			if (answer === undefined) throw new TimeIsUp();
			return { data: answer as unknown as IDataObject };
		},
	};

	list(): Listing {
		return new ListReader(this.client, { path: '/api/records', collection: 'records' }, { ifShort: 'tell' });
	}

	async page(listing: Listing) {
		return await (listing as ListReader).next(this.client).then(
			(records) => records ?? [],
			(error: unknown) => {
				if (!(error instanceof TimeIsUp)) throw error;
				return undefined;
			},
		);
	}

	async record(id: number) {
		return await this.answer(() => this.service.record(id));
	}

	private async answer<Answer>(read: () => Answer): Promise<Answer | undefined> {
		const { requests = Infinity, failAt, between } = this.options;
		if (this.sent === requests) return undefined;
		if (this.sent > 0) between?.();
		if (this.sent++ === failAt) throw new SimulatedFailure();
		if (this.sent > 10_000) throw new Error('The poll does not end');
		return read();
	}
}

/** A trigger at a simulated service: keeps a state in memory, and what of it a host without durable cursors has saved. */
export class SimulatedTrigger {
	state?: WatchState;
	/** What survives a crash. */
	saved?: WatchState;
	/** What a poll had no time to finish. */
	private unfinished?: { of: string; reading: Reading };

	constructor(
		/** An edit changes them. */
		public settings: Watch,
		private readonly service: SimulatedService,
	) {}

	async poll(options: PollOptions = {}): Promise<Change[]> {
		const from = this.state && copyOf(this.state);
		const { unfinished } = this;
		const of = JSON.stringify([this.settings, this.state]);
		const reading = unfinished?.of === of ? unfinished.reading : beginReading(this.settings, from);
		this.unfinished = undefined;
		const found = await reading.read(new SimulatedSource(this.service, options));
		const { changes, state: fields } = found ?? { changes: [], state: reading.unfinished };
		if (found === undefined) this.unfinished = { of: JSON.stringify([this.settings, fields]), reading };
		const isFirst = this.state === undefined;
		this.state = copyOf(fields);
		if (isFirst || changes.length > 0) this.save();
		return changes;
	}

	/** The host saves what is there, as after an edit. */
	save(): void {
		this.saved = this.state;
	}

	/** The process dies; what was not saved is gone. */
	crash(): void {
		this.unfinished = undefined;
		this.state = this.saved;
	}
}

function copyOf<Value>(value: Value): Value {
	return JSON.parse(JSON.stringify(value)) as Value;
}

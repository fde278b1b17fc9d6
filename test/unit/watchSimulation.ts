import { EndlessListError, ListReading } from '../../nodes/LinkManagement/api/listReading';
import type { PageOf } from '../../nodes/LinkManagement/api/paging';
import {
	startPoll,
	type Change,
	type Answer,
	type Listing,
	type ServiceRecord,
	type StateFields,
	type Wanted,
	type WantedPage,
	type WatchSettings,
} from '../../nodes/LinkManagement/watch';

/** How the simulated service orders its listing. */
export type Order = 'newest' | 'oldest' | 'scattered' | 'highest';

/** What a service shows besides its records. */
export interface Manner {
	dates: 'spec' | 'none' | 'dayFirst';
	/** `comeAndGo`: not on every page. */
	totals: 'told' | 'none' | 'comeAndGo';
}

interface Kept {
	id: number;
	date: string;
	count: number;
}

/** A listing that changes while it is read: what a watch sees of a service, without HTTP. */
export class SimulatedService {
	private readonly records = new Map<number, Kept>();

	/** The service never gives an ID twice. */
	private readonly used = new Set<number>();

	private second = 0;

	private lastId = 0;

	requests = 0;

	constructor(
		/** What it makes of the order that it is asked for. */
		private readonly order: Order,
		/** May change between polls. */
		public pageSize: number,
		private readonly manner: Partial<Manner> = {},
	) {}

	/** Time goes on, so that the next record is dated later. */
	tick(): void {
		this.second++;
	}

	/** @param options an ID in a gap below the highest, a date in the past */
	create(options: { count?: number; lowId?: boolean; secondsAgo?: number } = {}): number {
		// Every second ID stays free for records whose ID comes late.
		let id = this.lastId + 2;
		if (options.lowId) {
			const free = [...this.records.keys()]
				.map((taken) => taken - 1)
				.find((candidate) => candidate > 0 && !this.used.has(candidate));
			if (free !== undefined) id = free;
		}
		this.used.add(id);
		this.lastId = Math.max(this.lastId, id);
		this.records.set(id, { id, date: at(this.second - (options.secondsAgo ?? 0)), count: options.count ?? 0 });
		return id;
	}

	remove(id: number): void {
		this.records.delete(id);
	}

	grow(id: number, by: number): void {
		this.setCount(id, this.countOf(id) + by);
	}

	setCount(id: number, count: number): void {
		const record = this.records.get(id);
		if (record) record.count = count;
	}

	countOf(id: number): number {
		return this.records.get(id)?.count ?? 0;
	}

	ids(): number[] {
		return [...this.records.keys()];
	}

	/** @param isOther asked for by date: a service that has its records by counts heeds orders */
	page(page: number, isOther: boolean): PageOf<ServiceRecord> {
		this.requests++;
		const all = this.sorted(isOther && this.order === 'highest' ? 'newest' : this.order);
		const from = (page - 1) * this.pageSize;
		const { totals = 'told' } = this.manner;
		const isTold = totals === 'told' || (totals === 'comeAndGo' && this.requests % 3 > 0);
		return {
			records: all.slice(from, from + this.pageSize).map((record) => this.asSent(record)),
			...(isTold && { result: all.length, maxpage: Math.max(1, Math.ceil(all.length / this.pageSize)) }),
			perpage: this.pageSize,
		};
	}

	record(id: number): ServiceRecord | 'gone' {
		this.requests++;
		const record = this.records.get(id);
		return record ? this.asSent(record) : 'gone';
	}

	private asSent({ id, date, count }: Kept): ServiceRecord {
		const { dates = 'spec' } = this.manner;
		const [day, time] = date.split(' ');
		const shown = dates === 'spec' ? date : `${day.split('-').reverse().join('/')} ${time}`;
		return { id, ...(dates !== 'none' && { date: shown }), scans: count, name: `record ${id}` };
	}

	private sorted(order: Order): Kept[] {
		const all = [...this.records.values()];
		switch (order) {
			case 'newest':
				// Within a second the service may put the older record first.
				return all.sort((a, b) => (a.date === b.date ? a.id - b.id : a.date < b.date ? 1 : -1));
			case 'oldest':
				return all.sort((a, b) => a.id - b.id);
			case 'highest':
				return all.sort((a, b) => b.count - a.count || b.id - a.id);
			case 'scattered':
				return all.sort((a, b) => ((a.id * 7919) % 101) - ((b.id * 7919) % 101) || a.id - b.id);
		}
	}
}

function at(second: number): string {
	return new Date(Date.UTC(2030, 0, 1) + second * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** The service fails in the middle of a poll. */
export class SimulatedFailure extends Error {}

/**
 * A trigger over a simulated service: keeps a state in memory, and what of it a host without durable cursors has saved.
 */
export class SimulatedTrigger {
	state: StateFields | undefined;

	/** What survives a crash. */
	saved: StateFields | undefined;

	private reading?: ListReading<ServiceRecord>;

	constructor(
		private readonly settings: WatchSettings,
		private readonly service: SimulatedService,
	) {}

	/**
	 * One poll.
	 *
	 * @param options `requests`: time for this many only; `failAt`: the request at which the service fails;
	 * `between`: what happens before each request but the first
	 */
	poll(options: { requests?: number; failAt?: number; between?: () => void } = {}): Change[] {
		const started = startPoll(this.settings, this.state && roundTrip(this.state));
		let step = started.next();
		for (let sent = 0; !step.done; sent++) {
			const wanted = step.value;
			if (sent === (options.requests ?? Infinity)) {
				step = started.next('stop');
				continue;
			}
			if (sent > 0) options.between?.();
			if (sent === options.failAt) throw new SimulatedFailure();
			step = started.next(this.answer(wanted));
			if (sent > 10_000) throw new Error('The poll does not end');
		}
		const { changes, fields } = step.value;
		const activates = this.state === undefined;
		this.state = fields;
		if (activates || changes.length > 0) this.saved = roundTrip(fields);
		return changes;
	}

	private answer(wanted: Wanted): Answer {
		return 'id' in wanted ? { record: this.service.record(wanted.id) } : { listing: this.page(wanted) };
	}

	private page(wanted: WantedPage): Listing {
		const { service } = this;
		const isOther = 'otherOrder' in wanted;
		let reading = this.reading;
		if (!('more' in wanted)) {
			const { position = 0, total, size: granted } = 'from' in wanted ? wanted.from : {};
			const size = service.pageSize;
			reading = new ListReading(
				Infinity,
				{ size, worked: size, most: size, isRefused: true },
				{ begin: position, total, granted, largest: size },
			);
			if (!isOther) this.reading = reading;
		}
		return pageOf(reading!, (page) => service.page(page, isOther));
	}

	/** The process dies; what was not saved is gone. */
	crash(): void {
		this.state = this.saved && roundTrip(this.saved);
	}
}

/** Reads a page as the trigger does. */
export function pageOf(reading: ListReading<ServiceRecord>, read: (page: number) => PageOf<ServiceRecord>): Listing {
	try {
		const asked = reading.ask()!;
		const records = reading.take(asked, read(asked.page), 1);
		const { place: position, total, granted: size, pagesLeft } = reading;
		return { records, total, pagesLeft, ...(position !== undefined && { place: { position, total, size } }) };
	} catch (error) {
		if (!(error instanceof EndlessListError)) throw error;
		return { records: [], pagesLeft: 0, isEndless: true };
	}
}

function roundTrip(fields: StateFields): StateFields {
	return JSON.parse(JSON.stringify(fields)) as StateFields;
}

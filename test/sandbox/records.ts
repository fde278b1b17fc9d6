import { createHash } from 'crypto';

/** What the service holds. Dates are the service's own text, YYYY-MM-DD HH:MM:SS in UTC, which also sorts as text. */
export interface StoredLink {
	id: number;
	alias: string;
	/** The branded domain with its scheme; empty for the service's own. */
	domain: string;
	longurl: string;
	title: string;
	description: string;
	date: string;
	clicks: number;
	uniqueClicks: number;
	expiry: string | null;
	/** Country name in lower case → address, or addresses by state. */
	location: Record<string, string | Record<string, string>>;
	/** Device name in lower case → address. */
	device: Record<string, string>;
	campaign: number | null;
	status: string;
	/** What a link is created with and no answer shows: password, pixels, deep links and so on, as they were sent. */
	unseen: Record<string, unknown>;
}

export interface StoredQr {
	id: number;
	code: string;
	name: string;
	type: string;
	data: unknown;
	date: string;
	scans: number;
	uniqueScans: number;
}

export interface StoredCampaign {
	id: number;
	name: string;
	slug: string | null;
	public: boolean;
	/** The specification shows one list item with its name under `domain`. */
	listedUnderDomain: boolean;
	date: string;
}

export interface StoredChannel {
	id: number;
	name: string;
	description: string;
	color: string;
	starred: boolean;
	items: Array<{ type: ItemType; id: number }>;
}

export interface StoredDomain {
	id: number;
	domain: string;
	redirectroot: string | null;
	redirect404: string | null;
}

export interface StoredSplash {
	id: number;
	name: string;
	date: string;
}

export interface StoredOverlay extends StoredSplash {
	type: string;
}

export interface StoredPixel extends StoredOverlay {
	tag: string;
}

/** A bio page; the service's interface refers to it by its identifier alone. */
export interface StoredBio {
	id: number;
	title: string;
	date: string;
}

/** Where the items of a channel are, by their type. */
export const ITEM_COLLECTIONS = { links: 'links', qr: 'qrs', bio: 'bios' } as const;

export type ItemType = keyof typeof ITEM_COLLECTIONS;

export interface RecordTypes {
	links: StoredLink;
	qrs: StoredQr;
	campaigns: StoredCampaign;
	channels: StoredChannel;
	domains: StoredDomain;
	splash: StoredSplash;
	overlays: StoredOverlay;
	bios: StoredBio;
	pixels: StoredPixel;
}

export type CollectionName = keyof RecordTypes;

/** How many records of each kind to seed. */
export type RecordCounts = Partial<Record<CollectionName, number>>;

/** Records to create with chosen fields, or a number of them with made-up ones. */
export type RecordsToCreate = {
	[Name in CollectionName]?: number | Array<Partial<RecordTypes[Name]>>;
};

/** IDs to delete. */
export type RecordsToDelete = { [Name in CollectionName]?: number[] };

/** Everything that happened to the records, in order. */
export interface LedgerEntry {
	seq: number;
	/** Milliseconds since 1970, by the machine's clock. */
	at: number;
	kind: 'created' | 'updated' | 'deleted' | 'clicked' | 'scanned';
	collection: CollectionName;
	id: number;
	/** Who did it: a request to the API, a control call, or a visitor of a short address. */
	by: 'api' | 'control' | 'visitor';
	/** Clicks or scans after it, and how many it added. */
	total?: number;
	added?: number;
	/** Of a created link. */
	longurl?: string;
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'];

/** A small seeded generator (mulberry32): the same seed gives the same sequence on every machine. */
export class Random {
	private state: number;

	constructor(seed: number) {
		this.state = seed >>> 0;
	}

	/** A number from 0 (inclusive) to 1 (exclusive). */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let mixed = this.state;
		mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	}

	/** An integer from `from` to `to`, both included. */
	integer(from: number, to: number): number {
		return from + Math.floor(this.next() * (to - from + 1));
	}

	pick<T>(choices: readonly T[]): T {
		return choices[this.integer(0, choices.length - 1)];
	}

	/** Letters and digits, as in a random alias. */
	text(length: number): string {
		return Array.from({ length }, () => this.pick(LETTERS)).join('');
	}
}

/** Writes a time in milliseconds as the service does: YYYY-MM-DD HH:MM:SS, UTC. */
export function formatMoment(milliseconds: number): string {
	return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}

/** Names a key without showing it: the first 16 hex digits of its SHA-256. */
export function hashKey(key: string): string {
	return createHash('sha256').update(key).digest('hex').slice(0, 16);
}

type Compare<T> = (a: T, b: T) => number;

/** Records by id, and sorted in one or more orders, each when it is read after a change. */
export class Collection<T extends { id: number }> {
	private readonly byId = new Map<number, T>();

	private readonly sorted = new Map<string, { version: number; ascending: T[] }>();

	/** Grows with every change, so that what was derived from the records can be kept until then. */
	version = 0;

	constructor(private readonly orders: Record<string, Compare<T>>) {}

	get size(): number {
		return this.byId.size;
	}

	get(id: number): T | undefined {
		return this.byId.get(id);
	}

	all(): T[] {
		return [...this.byId.values()];
	}

	/** The first record, in the order of creation, that is as asked. */
	find(asked: (record: T) => boolean): T | undefined {
		for (const record of this.byId.values()) if (asked(record)) return record;
		return undefined;
	}

	add(record: T): void {
		this.version++;
		this.byId.set(record.id, record);
	}

	remove(id: number): T | undefined {
		const record = this.byId.get(id);
		if (this.byId.delete(id)) this.version++;
		return record;
	}

	/** A stretch of the records, greatest first. */
	descending(name: string, offset: number, count: number): T[] {
		const ascending = this.ascending(name);
		const end = Math.max(0, ascending.length - offset);
		return ascending.slice(Math.max(0, end - count), end).reverse();
	}

	private ascending(name: string): T[] {
		const { version } = this;
		let last = this.sorted.get(name);
		if (last?.version !== version) {
			last = { version, ascending: this.all().sort(this.orders[name]) };
			this.sorted.set(name, last);
		}
		return last.ascending;
	}
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
const byDate = (a: { id: number; date: string }, b: { id: number; date: string }) =>
	compareText(a.date, b.date) || a.id - b.id;
const byClicks = (a: StoredLink, b: StoredLink) => a.clicks - b.clicks || byDate(a, b);

const DEFAULT_COUNTS: Required<RecordCounts> = {
	links: 25,
	qrs: 12,
	campaigns: 5,
	channels: 4,
	domains: 3,
	splash: 3,
	overlays: 4,
	bios: 3,
	pixels: 0,
};

export const COLLECTION_NAMES = Object.keys(DEFAULT_COUNTS) as CollectionName[];

const SEED_FROM = Date.UTC(2024, 0, 1);
const SEED_TO = Date.UTC(2025, 0, 1);

const ADJECTIVES = 'Autumn Bright Coastal Early Golden Green Northern Quiet Summer Urban'.split(' ');
const NOUNS = 'Bakery Catalogue Concert Festival Garden Harbour Market Museum Race Theatre'.split(' ');
const OVERLAY_TYPES = ['message', 'contact', 'poll', 'newsletter', 'image'];
const PIXEL_TYPES = ['gtmpixel', 'fbpixel', 'linkedinpixel', 'pinterest'];
const BADGE_COLORS = ['#1F77B4', '#FF7F0E', '#2CA02C', '#D62728', '#9467BD', '#8C564B'];

/** What of a record counts its visitors. */
const COUNTS = {
	links: { kind: 'clicked', total: 'clicks', unique: 'uniqueClicks' },
	qrs: { kind: 'scanned', total: 'scans', unique: 'uniqueScans' },
} as const;

type Counted = keyof typeof COUNTS;

/** The service's records: made from a seed, changed by requests and control calls, with a ledger of each change. */
export class Store {
	readonly links = new Collection<StoredLink>({ date: byDate, click: byClicks });
	readonly qrs = new Collection<StoredQr>({ date: byDate });
	readonly campaigns = new Collection<StoredCampaign>({ id: byId });
	readonly channels = new Collection<StoredChannel>({ id: byId });
	readonly domains = new Collection<StoredDomain>({ id: byId });
	readonly splash = new Collection<StoredSplash>({ id: byId });
	readonly overlays = new Collection<StoredOverlay>({ id: byId });
	readonly bios = new Collection<StoredBio>({ id: byId });
	readonly pixels = new Collection<StoredPixel>({ id: byId });

	readonly ledger: LedgerEntry[] = [];

	/** Is called after each change. */
	onChange: (entry: LedgerEntry) => void = () => {};

	private readonly random: Random;

	private readonly lastIds = new Map<CollectionName, number>();

	private readonly linkByAddress = new Map<string, StoredLink>();

	constructor(seed: number, counts: RecordCounts) {
		this.random = new Random(seed);
		COLLECTION_NAMES.forEach((name, index) => this.lastIds.set(name, (index + 1) * 100));
		this.seed({ ...DEFAULT_COUNTS, ...counts });
		this.fillSeededChannels();
	}

	/** Adds made-up records with dates in the past; they are a starting point, not events of the ledger. */
	seed(counts: RecordCounts): void {
		for (const name of COLLECTION_NAMES) {
			const count = counts[name] ?? 0;
			for (let index = 0; index < count; index++) {
				const date = formatMoment(SEED_FROM + ((SEED_TO - SEED_FROM) * (index + this.random.next())) / count);
				this.insert(name, this.complete(name, {}, date, true));
			}
		}
	}

	/**
	 * Creates one record; what `fields` leaves open is made up, the date is now.
	 * @throws Error when the id or a link's address is taken.
	 */
	create<Name extends CollectionName>(
		name: Name,
		fields: Partial<RecordTypes[Name]>,
		by: LedgerEntry['by'],
	): RecordTypes[Name] {
		const record = this.complete(name, fields, formatMoment(Date.now()), false);
		this.insert(name, record);
		const { longurl } = record as Partial<StoredLink>;
		this.write({ kind: 'created', collection: name, id: record.id, by, longurl });
		return record;
	}

	/** Deletes one record. @returns whether it was there. */
	delete(name: CollectionName, id: number, by: LedgerEntry['by']): boolean {
		const record = this.collection(name).remove(id);
		if (!record) return false;
		if (name === 'links') this.linkByAddress.delete(addressKey(record as StoredLink));
		this.write({ kind: 'deleted', collection: name, id, by });
		return true;
	}

	updateLink(link: StoredLink, changes: Partial<StoredLink>): void {
		this.linkByAddress.delete(addressKey(link));
		Object.assign(link, changes);
		this.linkByAddress.set(addressKey(link), link);
		this.links.version++;
		this.write({ kind: 'updated', collection: 'links', id: link.id, by: 'api' });
	}

	/** Adds clicks to a link, or scans to a QR code. @throws Error when it does not exist */
	count(name: Counted, id: number, count: number, unique: number, by: LedgerEntry['by']): void {
		const counts = this.countsOf(name, id);
		const { kind, ...fields } = COUNTS[name];
		counts[fields.total] += count;
		counts[fields.unique] += unique;
		this.collection(name).version++;
		this.write({ kind, collection: name, id, by, total: counts[fields.total], added: count });
	}

	private countsOf(name: Counted, id: number): Record<string, number> {
		const record: unknown = this.collection(name).get(id);
		if (record === undefined) throw new Error(`No record ${id} in ${name}`);
		return record as Record<string, number>;
	}

	/** The link with this alias under this domain (empty: the service's own). */
	linkAt(domain: string, alias: string): StoredLink | undefined {
		return this.linkByAddress.get(addressKey({ domain, alias }));
	}

	collection<Name extends CollectionName>(name: Name): Collection<RecordTypes[Name]> {
		// Each property holds the collection of its own name's type, which the compiler can't follow through the index.
		return this[name] as unknown as Collection<RecordTypes[Name]>;
	}

	private insert<Name extends CollectionName>(name: Name, record: RecordTypes[Name]): void {
		const collection = this.collection(name);
		if (collection.get(record.id)) throw new Error(`The id ${record.id} is taken in ${name}`);
		if (name === 'links') {
			const link = record as StoredLink;
			if (this.linkAt(link.domain, link.alias)) throw new Error(`The alias ${link.alias} is taken`);
			this.linkByAddress.set(addressKey(link), link);
		}
		this.lastIds.set(name, Math.max(this.lastIds.get(name) ?? 0, record.id));
		collection.add(record);
	}

	/** Made-up records of each kind. Seeded ones look used, others new. */
	private readonly made: {
		[Name in CollectionName]: (given: {
			id: number;
			title: string;
			date: string;
			seeded: boolean;
		}) => RecordTypes[Name];
	} = {
		links: ({ id, title, date, seeded }) => {
			const clicks = seeded ? this.usedCount(500) : 0;
			return {
				id,
				alias: this.freeAlias(),
				domain: '',
				longurl: `https://www.example.com/${title.toLowerCase().replace(/ /g, '/')}`,
				title,
				...blankLink(),
				...(seeded ? { description: `Page of the ${title.toLowerCase()}` } : {}),
				date,
				clicks,
				uniqueClicks: Math.ceil(clicks * 0.7),
			};
		},
		qrs: ({ id, title, date, seeded }) => {
			const scans = seeded ? this.usedCount(300) : 0;
			return {
				id,
				code: this.random.text(8),
				name: title,
				type: 'link',
				data: `https://www.example.com/poster/${id}`,
				date,
				scans,
				uniqueScans: Math.ceil(scans * 0.7),
			};
		},
		campaigns: ({ id, title, date, seeded }) => ({
			id,
			name: title,
			slug: seeded && this.campaigns.size % 2 === 0 ? `rotator-${id}` : null,
			public: seeded && this.random.next() < 0.5,
			listedUnderDomain: seeded && this.campaigns.size === 1,
			date,
		}),
		channels: ({ id, title, seeded }) => ({
			id,
			name: title,
			description: seeded ? `Everything about the ${title.toLowerCase()}` : '',
			color: this.random.pick(BADGE_COLORS),
			starred: seeded && this.random.next() < 0.3,
			items: [],
		}),
		domains: ({ id, seeded }) => ({
			id,
			domain: `https://go${id}.example.com`,
			redirectroot: seeded ? 'https://www.example.com/' : null,
			redirect404: seeded ? 'https://www.example.com/not-found' : null,
		}),
		splash: ({ id, title, date }) => ({ id, name: title, date }),
		overlays: ({ id, title, date }) => ({ id, type: this.random.pick(OVERLAY_TYPES), name: title, date }),
		bios: ({ id, title, date }) => ({ id, title, date }),
		pixels: ({ id, title, date }) => ({ id, type: this.random.pick(PIXEL_TYPES), name: title, tag: `TAG-${id}`, date }),
	};

	/** Fills in what `fields` leaves open. */
	private complete<Name extends CollectionName>(
		name: Name,
		fields: Partial<RecordTypes[Name]>,
		date: string,
		seeded: boolean,
	): RecordTypes[Name] {
		const id = fields.id ?? (this.lastIds.get(name) ?? 0) + (seeded ? this.random.integer(1, 3) : 1);
		const title = `${this.random.pick(ADJECTIVES)} ${this.random.pick(NOUNS)} ${id}`;
		return { ...this.made[name]({ id, title, date, seeded }), ...fields, id };
	}

	/** Clicks or scans as accounts have them: few for most, many for some. */
	private usedCount(most: number): number {
		return Math.floor(this.random.next() ** 4 * most);
	}

	private freeAlias(): string {
		let alias = this.random.text(6);
		while (this.linkAt('', alias)) alias = this.random.text(6);
		return alias;
	}

	private fillSeededChannels(): void {
		this.channels.all().forEach((channel, index) => {
			const some = (type: ItemType, each: number) =>
				this.collection(ITEM_COLLECTIONS[type])
					.all()
					.slice(index * each, (index + 1) * each)
					.map(({ id }) => ({ type, id }));
			channel.items = [...some('links', 3), ...some('qr', 2), ...some('bio', 1)];
		});
	}

	private write(entry: Omit<LedgerEntry, 'seq' | 'at'>): void {
		const written = { seq: this.ledger.length + 1, at: Date.now(), ...entry };
		this.ledger.push(written);
		this.onChange(written);
	}
}

/** A link that nothing is said of but its address. */
export function blankLink() {
	return { description: '', expiry: null, location: {}, device: {}, campaign: null, status: 'private', unseen: {} };
}

function addressKey(link: { domain: string; alias: string }): string {
	return `${link.domain}/${link.alias}`;
}

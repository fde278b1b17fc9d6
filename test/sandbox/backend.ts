import type {
	ControlActions,
	CreatedRecords,
	LinkWithAddress,
	LoggedRequest,
	SandboxState,
	Violation,
} from './control';
import { Answers } from './answers';
import { behaviorOf, limitOf, type Behavior } from './dialect';
import { FaultPlan } from './faults';
import { DEFAULT_LIMIT, Limiter } from './limit';
import { Notifier } from './notify';
import {
	COLLECTION_NAMES,
	Store,
	type CollectionName,
	type RecordsToCreate,
	type RecordsToDelete,
	type RecordTypes,
} from './records';
import type { PictureRequest } from './pictures';
import { Service } from './service';

/** The log keeps so many requests and forgets the oldest. */
const LOG_LENGTH = 200_000;

/** `sandbox-key` is the key of a sandbox that was told of none; it opens nothing else. */
const DEFAULTS = { seed: 1, apiKeys: ['sandbox-key'], expiredKeys: [] as string[], notify: '', validate: true };

/** Everything that the sandbox remembers, and the control calls on it. */
export class Backend {
	store!: Store;

	service!: Service;

	answers!: Answers;

	behavior!: Behavior;

	limiter!: Limiter;

	settings!: typeof DEFAULTS;

	readonly faults = new FaultPlan();

	private readonly start: SandboxState;

	private log: LoggedRequest[] = [];

	private lastNumber = 0;

	private violations: Violation[] = [];

	private pictureRequests: PictureRequest[] = [];

	/** Creations count from this entry of the ledger on. */
	private ledgerFrom = 0;

	/**
	 * @param base the service's address, for short links
	 * @param pictureStore where pictures of QR codes are stored
	 * @param start what reset goes back to
	 * @param report is told of each breach of the contract
	 */
	constructor(
		private readonly base: string,
		readonly pictureStore: string,
		start: SandboxState,
		private readonly report: (violation: Violation) => void,
	) {
		// As a control call has it: without what is undefined.
		this.start = JSON.parse(JSON.stringify(start)) as SandboxState;
		this.reset({});
	}

	isValidKey(key: string | null): boolean {
		const { apiKeys, expiredKeys } = this.settings;
		return key !== null && apiKeys.includes(key) && !expiredKeys.includes(key);
	}

	/** Enters a request into the log. */
	arrived(request: Omit<LoggedRequest, 'n'>): LoggedRequest {
		const logged = { n: ++this.lastNumber, ...request };
		this.log.push(logged);
		if (this.log.length > LOG_LENGTH * 1.1) this.log = this.log.slice(-LOG_LENGTH);
		return logged;
	}

	/** Enters a request for a picture. @returns whether it is the first for this path */
	pictureSeen(request: PictureRequest): boolean {
		const first = !this.pictureRequests.some(({ path }) => path === request.path);
		this.pictureRequests.push(request);
		return first;
	}

	violated(violation: Violation): void {
		this.violations.push(violation);
		this.report(violation);
	}

	readonly actions: ControlActions = {
		reset: (state = {}) => this.reset(state),
		configure: ({ dialect, deviations, ...settings }) => {
			Object.assign(this.settings, settings);
			if (settings.notify !== undefined) this.watchLinks();
			const before = limitOf(this.behavior);
			Object.assign(this.behavior, dialect && behaviorOf(dialect), deviations);
			// What was set of the limit apart from the dialect stays.
			const changed = Object.entries(limitOf(this.behavior)).filter(
				([name, value]) => Reflect.get(before, name) !== value,
			);
			this.limiter.settings = { ...this.limiter.settings, ...Object.fromEntries(changed) };
		},
		setLimit: (limit) => {
			this.limiter.settings = { ...this.limiter.settings, ...limit };
		},
		setFaults: (faults, seed = this.settings.seed) => this.faults.set(faults, seed),
		clearFaults: () => this.faults.set([], this.settings.seed),
		seedRecords: (counts) => this.store.seed(counts),
		createRecords: (records) => this.createRecords(records),
		deleteRecords: (ids) => this.deleteRecords(ids),
		simulate: ({ clicks = [], scans = [] }) => {
			for (const { id, count, unique = count } of clicks) this.store.count('links', id, count, unique, 'control');
			for (const { id, count, unique = count } of scans) this.store.count('qrs', id, count, unique, 'control');
		},
		requests: () => this.log,
		clearRequests: () => {
			this.log = [];
			this.pictureRequests = [];
			this.ledgerFrom = this.store.ledger.length;
		},
		stats: () => {
			const byOperation: Record<string, number> = {};
			for (const { operationId } of this.log) {
				const name = operationId ?? 'none';
				byOperation[name] = (byOperation[name] ?? 0) + 1;
			}
			const entries = this.store.ledger.slice(this.ledgerFrom);
			const made = entries.filter(({ kind, by }) => kind === 'created' && by === 'api');
			return {
				requests: this.log.length,
				refused: this.log.filter(({ refused }) => refused).length,
				byOperation,
				created: byCollection((name) => made.filter(({ collection }) => collection === name).length),
			};
		},
		ledger: ({ since = 0 } = {}) => this.store.ledger.slice(since),
		links: () => this.store.links.all().map((link) => this.withAddress(link)),
		qrs: () => this.store.qrs.all(),
		pictureRequests: () => this.pictureRequests,
		records: (collection) => this.store.collection(collection).all(),
		violations: () => this.violations,
	};

	private reset(changes: SandboxState): void {
		const { records, limit, dialect, deviations, ...settings } = {
			...this.start,
			...changes,
			limit: { ...this.start.limit, ...changes.limit },
			deviations: { ...this.start.deviations, ...changes.deviations },
		};
		this.settings = { ...DEFAULTS, ...settings };
		this.behavior = { ...behaviorOf(dialect ?? 'document'), ...deviations };
		this.limiter = new Limiter({ ...DEFAULT_LIMIT, ...limitOf(this.behavior), ...limit });
		this.faults.set([], this.settings.seed);
		this.log = [];
		this.lastNumber = 0;
		this.pictureRequests = [];
		this.violations = [];
		this.ledgerFrom = 0;
		this.store = new Store(this.settings.seed, records ?? {});
		this.answers = new Answers(this.behavior);
		this.service = new Service(this.store, this.base, this.behavior);
		this.watchLinks();
	}

	/** Posts what happens to links, where the owner of the account wants that. */
	private watchLinks(): void {
		const { notify } = this.settings;
		const notifier = new Notifier(notify, this.service.shortUrl);
		this.store.onChange = (entry) => {
			const link = entry.collection === 'links' && notify !== '' ? this.store.links.get(entry.id) : undefined;
			if (link !== undefined) notifier.linkChanged(entry, link);
		};
	}

	private createRecords(records: RecordsToCreate): CreatedRecords {
		const create = <Name extends CollectionName>(name: Name): Array<RecordTypes[Name]> => {
			const wanted = records[name] ?? [];
			const list: Array<Partial<RecordTypes[Name]>> =
				typeof wanted === 'number' ? Array.from({ length: wanted }, () => ({})) : wanted;
			return list.map((fields) => this.store.create(name, fields, 'control'));
		};
		const created = byCollection(create) as CreatedRecords;
		return { ...created, links: created.links.map((link) => this.withAddress(link)) };
	}

	private deleteRecords(ids: RecordsToDelete): void {
		for (const [name, list] of Object.entries(ids) as Array<[CollectionName, number[]]>) {
			for (const id of list) {
				if (!this.store.delete(name, id, 'control')) throw new Error(`No record ${id} in ${name}`);
			}
		}
	}

	private withAddress(link: RecordTypes['links']): LinkWithAddress {
		return { ...link, shorturl: this.service.shortUrl(link) };
	}
}

/** A value for each kind of records. */
function byCollection<T>(valueOf: (name: CollectionName) => T): Record<CollectionName, T> {
	return Object.fromEntries(COLLECTION_NAMES.map((name) => [name, valueOf(name)])) as Record<CollectionName, T>;
}

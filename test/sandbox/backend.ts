import type {
	Clock,
	ControlActions,
	CreatedRecords,
	LinkWithAddress,
	LoggedRequest,
	PageHook,
	SandboxState,
	SandboxStats,
	Violation,
} from './control';
import { Answers } from './answers';
import { behaviourOf, limitOf, type Behaviour } from './dialect';
import { FaultPlan } from './faults';
import { DEFAULT_LIMIT, Limiter } from './limit';
import { Store, type CollectionName, type RecordsToCreate, type RecordsToDelete, type RecordTypes } from './records';
import type { PictureRequest } from './pictures';
import { Service } from './service';

/** The log keeps so many requests and forgets the oldest. */
const LOG_LENGTH = 200_000;

/** The key of a sandbox that was told of none; opens nothing else. */
const DEFAULT_KEY = 'sandbox-key';

const EMPTY_COUNTS = {
	links: 0,
	qrs: 0,
	campaigns: 0,
	channels: 0,
	domains: 0,
	splash: 0,
	overlays: 0,
	bios: 0,
	pixels: 0,
};

/** Everything that the sandbox remembers, and the control calls on it. */
export class Backend {
	store!: Store;

	service!: Service;

	answers!: Answers;

	behaviour!: Behaviour;

	limiter!: Limiter;

	readonly faults = new FaultPlan();

	clock: Clock = { skewMs: 0, dateHeader: true };

	apiKeys: string[] = [];

	validate = true;

	inFlight = 0;

	private expiredKeys: string[] = [];

	private seed = 1;

	private log: LoggedRequest[] = [];

	private lastNumber = 0;

	private violations: Violation[] = [];

	private hooks: Array<PageHook & { left: number }> = [];

	private figures = emptyFigures();

	private pictureRequests: PictureRequest[] = [];

	/**
	 * @param base the service's address, for short links
	 * @param pictureStore where pictures of QR codes are stored
	 * @param start what reset goes back to
	 * @param report is told of each breach of the contract
	 */
	constructor(
		private readonly base: string,
		readonly pictureStore: string,
		private readonly start: SandboxState,
		private readonly report: (violation: Violation) => void,
	) {
		this.reset({});
	}

	/** The service's time in milliseconds. */
	readonly now = (): number => Date.now() + this.clock.skewMs;

	isValidKey(key: string | null): boolean {
		return key !== null && this.apiKeys.includes(key) && !this.expiredKeys.includes(key);
	}

	/** Enters a request into the log and the figures. */
	arrived(request: Omit<LoggedRequest, 'n'>): LoggedRequest {
		const logged = { n: ++this.lastNumber, ...request };
		this.log.push(logged);
		if (this.log.length > LOG_LENGTH * 1.1) this.log = this.log.slice(-LOG_LENGTH);
		this.figures.requests++;
		const operation = request.operationId ?? 'none';
		this.figures.byOperation[operation] = (this.figures.byOperation[operation] ?? 0) + 1;
		this.figures.firstRequestAt ??= request.at;
		this.figures.lastRequestAt = request.at;
		this.inFlight++;
		this.figures.peakInFlight = Math.max(this.figures.peakInFlight, this.inFlight);
		return logged;
	}

	/** Counts what became of a request once its answer is known. */
	answered(logged: LoggedRequest): void {
		if (logged.refused) this.figures.refused++;
		if (!logged.authorized) this.figures.unauthorized++;
		if (logged.fault !== undefined) this.figures.faulted++;
	}

	/** @param windowAt beginning of the window by the service's clock */
	windowSeen(windowAt: number): void {
		this.figures.firstWindowAt ??= windowAt - this.clock.skewMs;
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

	/** Runs the page hooks for the list page that was just answered. */
	pageShown(): void {
		const { shown } = this.service;
		if (!shown) return;
		for (const hook of this.hooks) {
			if (hook.left < 1 || hook.collection !== shown.collection || hook.afterPage !== shown.page) continue;
			hook.left--;
			const name = collectionOfList(shown.collection);
			shown.ids.slice(0, hook.deleteShown ?? 0).forEach((id) => this.store.delete(name, id, 'control'));
			if (hook.delete) this.deleteRecords(hook.delete);
			if (hook.create) this.createRecords(hook.create);
		}
	}

	readonly actions: ControlActions = {
		reset: (state) => this.reset(state),
		configure: ({ dialect, deviations, apiKeys, expiredKeys, validate }) => {
			this.apiKeys = apiKeys ?? this.apiKeys;
			this.expiredKeys = expiredKeys ?? this.expiredKeys;
			this.validate = validate ?? this.validate;
			const before = limitOf(this.behaviour);
			Object.assign(this.behaviour, dialect && behaviourOf(dialect), withoutUndefined(deviations ?? {}));
			// What was set of the limit apart from the dialect stays.
			const changed = Object.entries(limitOf(this.behaviour)).filter(
				([name, value]) => Reflect.get(before, name) !== value,
			);
			this.limiter.settings = { ...this.limiter.settings, ...Object.fromEntries(changed) };
		},
		setLimit: (limit) => {
			this.limiter.settings = { ...this.limiter.settings, ...limit };
		},
		useBudget: ({ requests, key }) => {
			for (let index = 0; index < requests; index++) this.limiter.take(key ?? this.apiKeys[0], this.now());
		},
		setClock: (clock) => {
			this.clock = { ...this.clock, ...clock };
		},
		setFaults: ({ faults, seed }) => this.faults.set(faults, seed ?? this.seed),
		setPageHooks: (hooks) => {
			this.hooks = hooks.map((hook) => ({ ...hook, left: hook.times ?? 1 }));
		},
		seedRecords: (counts) => this.store.seed(counts),
		createRecords: (records) => this.createRecords(records),
		deleteRecords: (ids) => this.deleteRecords(ids),
		simulate: ({ clicks = [], scans = [] }) => {
			for (const { id, count, unique } of clicks) this.store.click(id, count, unique ?? count, 'control');
			for (const { id, count, unique } of scans) this.store.scan(id, count, unique ?? count, 'control');
		},
		resetCounts: ({ links = [], qrs = [] }) => {
			for (const id of links) this.store.resetCounts('links', id);
			for (const id of qrs) this.store.resetCounts('qrs', id);
		},
		requests: ({ since = 0 }) => this.log.filter(({ n }) => n > since),
		clearRequests: () => {
			this.log = [];
			this.pictureRequests = [];
			this.figures = { ...emptyFigures(), ledgerFrom: this.store.ledger.length };
		},
		stats: (): SandboxStats => {
			const created = { ...EMPTY_COUNTS };
			let lastCreationAt: number | null = null;
			for (const entry of this.store.ledger.slice(this.figures.ledgerFrom)) {
				if (entry.kind !== 'created' || entry.by !== 'api') continue;
				created[entry.collection]++;
				lastCreationAt = entry.at;
			}
			const { ledgerFrom: _ledgerFrom, ...figures } = this.figures;
			return { ...figures, created, lastCreationAt, inFlight: this.inFlight };
		},
		ledger: ({ since = 0 }) => this.store.ledger.slice(since),
		links: () => this.store.links.all().map((link) => this.withAddress(link)),
		qrs: () => this.store.qrs.all(),
		pictureRequests: () => this.pictureRequests,
		records: ({ collection }) => this.store.collection(collection).all(),
		violations: () => this.violations,
		info: () => ({ apiKeys: this.apiKeys }),
	};

	private reset(changes: SandboxState): void {
		const { seed, records, limit, apiKeys, expiredKeys, clock, validate, dialect, deviations } = {
			...this.start,
			...withoutUndefined(changes),
			limit: { ...this.start.limit, ...changes.limit },
			deviations: { ...this.start.deviations, ...changes.deviations },
		};
		this.seed = seed ?? 1;
		this.apiKeys = apiKeys ?? [DEFAULT_KEY];
		this.expiredKeys = expiredKeys ?? [];
		this.clock = { skewMs: 0, dateHeader: true, ...clock };
		this.validate = validate ?? true;
		this.behaviour = { ...behaviourOf(dialect ?? 'document'), ...withoutUndefined(deviations) };
		this.limiter = new Limiter({ ...DEFAULT_LIMIT, ...limitOf(this.behaviour), ...withoutUndefined(limit) });
		this.faults.set([], this.seed);
		this.hooks = [];
		this.log = [];
		this.lastNumber = 0;
		this.pictureRequests = [];
		this.violations = [];
		this.store = new Store(this.seed, withoutUndefined(records ?? {}), this.now);
		this.answers = new Answers(this.behaviour);
		this.service = new Service(this.store, this.base, this.behaviour, this.now);
		this.figures = emptyFigures();
	}

	private createRecords(records: RecordsToCreate): CreatedRecords {
		const create = <Name extends CollectionName>(name: Name): Array<RecordTypes[Name]> => {
			const wanted = records[name] ?? [];
			const list: Array<Partial<RecordTypes[Name]>> =
				typeof wanted === 'number' ? Array.from({ length: wanted }, () => ({})) : wanted;
			return list.map((fields) => this.store.create(name, fields, 'control'));
		};
		return {
			links: create('links').map((link) => this.withAddress(link)),
			qrs: create('qrs'),
			campaigns: create('campaigns'),
			channels: create('channels'),
			domains: create('domains'),
			splash: create('splash'),
			overlays: create('overlays'),
			bios: create('bios'),
			pixels: create('pixels'),
		};
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

function emptyFigures() {
	return {
		requests: 0,
		refused: 0,
		unauthorized: 0,
		faulted: 0,
		byOperation: {} as Record<string, number>,
		firstRequestAt: null as number | null,
		lastRequestAt: null as number | null,
		firstWindowAt: null as number | null,
		peakInFlight: 0,
		/** Creations count from this entry of the ledger on. */
		ledgerFrom: 0,
	};
}

function withoutUndefined<T extends object>(settings: T): T {
	return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as T;
}

function collectionOfList(list: string): CollectionName {
	return list === 'urls' ? 'links' : list === 'cta' || list === 'overlay' ? 'overlays' : (list as CollectionName);
}

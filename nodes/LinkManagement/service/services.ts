import { createHash, randomBytes } from 'crypto';

import { sleep, type IDataObject } from 'n8n-workflow';

import { RateLimiter, type Clock } from '../rateLimit/rateLimiter';

const clock: Clock = {
	// Never set back, as that of the machine may be.
	now: () => performance.timeOrigin + performance.now(),
	sleep: async (milliseconds) => await sleep(milliseconds),
	random: () => Math.random(),
};

/** How long (ms) a fact holds, unless its place says otherwise: services change. */
const HOUR = 60 * 60_000;
/** So many facts are kept of a service at most; the oldest goes. */
export const MOST_FACTS = 500;

/** What the answers of a service have taught besides its rate limit. */
export class Learned {
	/** The oldest stands first. */
	private readonly facts = new Map<string, { value: unknown; until: number }>();

	/** @param now the local time in ms */
	constructor(private readonly now: () => number) {}

	/** @returns undefined when nothing is known, or no longer */
	recall<T>(fact: string): T | undefined {
		const known = this.facts.get(fact);
		return known !== undefined && this.now() < known.until ? (known.value as T) : undefined;
	}

	remember(fact: string, value: unknown, forMs = HOUR): void {
		this.facts.delete(fact);
		this.facts.set(fact, { value, until: this.now() + forMs });
		const [oldest] = this.facts.keys();
		if (this.facts.size > MOST_FACTS) this.facts.delete(oldest);
	}
}

/** So many services are kept, besides those in use: an expression may take another key for every item. */
export const MOST_SERVICES = 500;

/** What is being created, or was, by what tells it from all else. */
export type Created = Map<string, Promise<IDataObject | undefined>>;

/** What runs that go on at the same time tell each other of what they create. */
export class Creations {
	private readonly runs = new Set<Created>();
	private readonly underWay: Created = new Map();

	get isIdle(): boolean {
		return this.runs.size === 0;
	}

	/** A run begins, and learns of what is created from now on: of what was done before, the account itself tells. */
	join(run: Created): void {
		for (const [key, creation] of this.underWay) run.set(key, creation);
		this.runs.add(run);
	}

	leave(run: Created): void {
		this.runs.delete(run);
	}

	/** @param creation gives the record, or nothing where it fails */
	announce(key: string, creation: Promise<IDataObject | undefined>): void {
		for (const created of [this.underWay, ...this.runs]) created.set(key, creation);
		void creation.then(() => {
			if (this.underWay.get(key) === creation) this.underWay.delete(key);
		});
	}
}

/** A service as one key sees it: whichever node, dropdown or poll of this process asks. */
export interface Service {
	/** All requests to the service with this key share it. */
	readonly limiter: RateLimiter;
	readonly learned: Learned;
	readonly creations: Creations;
}

/** The latest used is last. */
const services = new Map<string, Service>();

/** What is known of this service with this key. Of too many services the one that was not used for longest is forgotten. */
export function serviceOf(address: string, apiKey: string): Service {
	const id = JSON.stringify([address, apiKey]);
	const service = services.get(id) ?? {
		limiter: new RateLimiter(clock),
		learned: new Learned(() => clock.now()),
		creations: new Creations(),
	};
	services.delete(id);
	for (const [oldest, { limiter, creations }] of services) {
		if (services.size >= MOST_SERVICES && !limiter.isBusy && creations.isIdle) services.delete(oldest);
	}
	services.set(id, service);
	return service;
}

/** So many characters of an account's text are its salt. */
const SALT = 16;

/**
 * Tells a service and key from others, in a text that can stand in a workflow: of the key it holds far too little to find it out.
 *
 * @param known the text of another time, which comes back where it is of the same service and key
 */
export function accountFingerprint({ address, apiKey }: { address: string; apiKey: string }, known = ''): string {
	const salted = (salt: string) => {
		const hash = createHash('sha256').update(JSON.stringify([salt, address, apiKey]));
		return salt + hash.digest('hex').slice(0, SALT);
	};
	return salted(known.slice(0, SALT)) === known ? known : salted(randomBytes(SALT / 2).toString('hex'));
}

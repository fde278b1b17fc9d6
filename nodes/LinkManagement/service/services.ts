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

/** A service as one key sees it: whichever node, dropdown or poll of this process asks. */
export interface Service {
	/** All requests to the service with this key share it. */
	readonly limiter: RateLimiter;
	readonly learned: Learned;
	/** What runs that go on at the same time create, by what tells it from others: kept as long as any of them goes on. */
	readonly creations: { runs: number; readonly created: Map<string, Promise<IDataObject | undefined>> };
}

/** The latest used is last. */
const services = new Map<string, Service>();

/** What is known of this service with this key. Of too many services the one that was not used for longest is forgotten. */
export function serviceOf(address: string, apiKey: string): Service {
	const id = JSON.stringify([address, apiKey]);
	const service = services.get(id) ?? {
		limiter: new RateLimiter(clock),
		learned: new Learned(() => clock.now()),
		creations: { runs: 0, created: new Map() },
	};
	services.delete(id);
	for (const [oldest, { limiter, creations }] of services) {
		if (services.size >= MOST_SERVICES && !limiter.isBusy && creations.runs === 0) services.delete(oldest);
	}
	services.set(id, service);
	return service;
}

import { sleep } from 'n8n-workflow';

import { Learned } from './learned';
import { RateLimiter, type Clock } from '../rateLimit/rateLimiter';

const clock: Clock = {
	// Never set back, as that of the machine may be.
	now: () => performance.timeOrigin + performance.now(),
	sleep: async (milliseconds) => await sleep(milliseconds),
	random: () => Math.random(),
};

/** So many services are kept at most, but for those in use: an expression may take another key for every item. */
export const MOST_SERVICES = 500;

/** A service as one key sees it: whichever node, dropdown or poll of this process asks. */
export interface Service {
	/** All requests to the service with this key share it. */
	readonly limiter: RateLimiter;
	/** What the service's answers to this key have taught. */
	readonly learned: Learned;
}

/** The latest used is last. */
const services = new Map<string, Service>();

/**
 * What is known of this service with this key. Of too many services the one that was not used for longest is forgotten.
 *
 * @param address what `serviceAddress` returned
 */
export function serviceOf(address: string, apiKey: string): Service {
	const id = JSON.stringify([address, apiKey]);
	const service = services.get(id) ?? { limiter: new RateLimiter(clock), learned: new Learned(() => clock.now()) };
	services.delete(id);
	for (const [oldest, { limiter }] of services) {
		if (services.size >= MOST_SERVICES && !limiter.isBusy) services.delete(oldest);
	}
	services.set(id, service);
	return service;
}

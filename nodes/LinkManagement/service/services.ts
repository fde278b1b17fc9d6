import { sleep } from 'n8n-workflow';

import { type Clock, RateLimiter } from '../rateLimit/rateLimiter';
import { BeingMade } from './send/beingMade';
import { Learned } from './learned';
import { SharedPages } from './lists/sharedPages';

const clock: Clock = {
	// Monotonic, unlike the clock of the machine.
	now: () => performance.timeOrigin + performance.now(),
	sleep: async (milliseconds) => await sleep(milliseconds),
};

/** Most services that are kept, besides those in use: an expression may give another key for every item. */
export const MOST_SERVICES = 500;

/** A service and key, for all nodes, dropdowns and polls of this process. */
class Service {
	/** All requests with this key share it. */
	readonly limiter = new RateLimiter(clock);
	readonly learned = new Learned();
	/** The pages that polls have read a moment ago. */
	readonly pages = new SharedPages();
	/** The links that only their long URLs tell apart. */
	readonly beingMade = new BeingMade<Record<string, unknown>>();
}

/** The most recently used comes last. */
const services = new Map<string, Service>();

/**
 * What is known of a service and key. The least recently used one is dropped when there are too many.
 *
 * @param header the value of the custom header, without which the service may be out of reach
 */
export function serviceOf(address: string, apiKey: string, header = ''): Service {
	const id = JSON.stringify([address, apiKey, header]);
	const service = services.get(id) ?? new Service();
	services.delete(id);
	for (const [oldest, { limiter }] of services) {
		if (services.size >= MOST_SERVICES && !limiter.isBusy) services.delete(oldest);
	}
	services.set(id, service);
	return service;
}

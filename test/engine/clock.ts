import { type ChannelListener, subscribe, unsubscribe } from 'diagnostics_channel';
import promises from 'timers/promises';

/**
 * Lets time go so many times as fast until the mocks are restored: the clock, timers, and the ends that signals set to waits, of the
 * node and of a sandbox in this process alike. For what is spent waiting, and not for what is spent working.
 */
export function quickClock(times: number): void {
	const now = Date.now.bind(Date);
	const elapsed = performance.now.bind(performance);
	const start = elapsed();
	const end = AbortSignal.timeout.bind(AbortSignal);
	const later = global.setTimeout;
	const delay = promises.setTimeout;
	const begin = now();
	jest.spyOn(Date, 'now').mockImplementation(() => begin + Math.round((now() - begin) * times));
	jest.spyOn(performance, 'now').mockImplementation(() => start + (elapsed() - start) * times);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => end(Math.ceil(milliseconds / times)));
	const quick = (callback: () => void, milliseconds = 0) => later(callback, milliseconds / times);
	jest.spyOn(global, 'setTimeout').mockImplementation(quick as typeof setTimeout);
	jest
		.spyOn(promises, 'setTimeout')
		.mockImplementation(async (milliseconds = 0, value, options) => await delay(milliseconds / times, value, options));
}

/** Lets time go so many times as fast for all tests of a file. */
export function quickTime(times: number): void {
	beforeAll(() => quickClock(times));
	afterAll(() => jest.restoreAllMocks());
}

const REQUESTS = 'http.client.request.start';
const counting: ChannelListener[] = [];

/** Lets this process's clock go on by so much (ms) with each request that is sent, until the test ends. */
export function clockOfRequests(milliseconds: number): void {
	const now = Date.now.bind(Date);
	let requests = 0;
	const count = () => void requests++;
	counting.push(count);
	subscribe(REQUESTS, count);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + requests * milliseconds);
}

afterEach(() => {
	for (const count of counting.splice(0)) unsubscribe(REQUESTS, count);
});

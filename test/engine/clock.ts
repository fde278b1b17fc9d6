import { subscribe } from 'diagnostics_channel';

/** Lets this process's clock, and the ends that signals set to waits, go so many times as fast until the mocks are restored. */
export function quickClock(times: number): void {
	const now = Date.now.bind(Date);
	const end = AbortSignal.timeout.bind(AbortSignal);
	const begin = now();
	jest.spyOn(Date, 'now').mockImplementation(() => begin + (now() - begin) * times);
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => end(milliseconds / times));
}

/**
 * Lets this process's clock go a thousandth as fast until the mocks are restored: a service seems quick then, however busy
 * the machine is.
 */
export function slowClock(): void {
	const now = Date.now.bind(Date);
	const begin = now();
	jest.spyOn(Date, 'now').mockImplementation(() => begin + Math.floor((now() - begin) / 1000));
}

/** Lets this process's clock go on by so much (ms) with each request that is sent, until the mocks are restored. */
export function clockOfRequests(milliseconds: number): void {
	const now = Date.now.bind(Date);
	let requests = 0;
	subscribe('http.client.request.start', () => requests++);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + requests * milliseconds);
}

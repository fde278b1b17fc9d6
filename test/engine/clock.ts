import promises from 'timers/promises';

import { SimulatedTime } from '../unit/simulation/time';

const { setTimeout: later, clearTimeout: clear } = global;

/** Puts a time in the place of this process's own, until the mocks are restored. @returns whether it is still there */
export function replaceClock(time: SimulatedTime): () => boolean {
	const now = jest.spyOn(Date, 'now').mockImplementation(time.now);
	jest.spyOn(performance, 'now').mockImplementation(() => time.now() - performance.timeOrigin);
	jest.spyOn(global, 'setTimeout').mockImplementation(time.later as never);
	jest.spyOn(global, 'clearTimeout').mockImplementation((timer) => {
		time.clear(timer as never);
		// It may be one of before.
		clear(timer);
	});
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
		const ended = new AbortController();
		time.later(() => ended.abort(), milliseconds);
		return ended.signal;
	});
	jest.spyOn(promises, 'setTimeout').mockImplementation(async (milliseconds = 0, value, { signal } = {}) => {
		await new Promise<void>((resolve, reject) => {
			time.later(resolve, milliseconds);
			signal?.addEventListener('abort', reject, { once: true });
		});
		return value as never;
	});
	return () => (Date.now as unknown) === now;
}

/** How long (ms) a look takes at whether something is done, how often in a row it has to see nothing, and what it does (ms) itself at most. */
const LOOK = 1;
const LOOKS = 2;
const OWN_WORK = 0.3;
/** What Node does beside its event loop. */
const BESIDE = /^(?:FSReq|GetAddrInfoReq)/;

/** Whether this process does nothing for a moment but wait for timers: nodes and sandboxes stand in it alike. */
async function isIdle(): Promise<boolean> {
	const before = performance.eventLoopUtilization();
	await new Promise((resolve) => later(resolve, LOOK));
	const { active } = performance.eventLoopUtilization(before);
	return active <= OWN_WORK && !process.getActiveResourcesInfo().some((name) => BESIDE.test(name));
}

/** Time that goes on with that of the machine while this process works, and skips what it would spend waiting. */
class SkippingTime extends SimulatedTime {
	private readonly elapsed = performance.now.bind(performance);
	private readonly begun = this.elapsed();
	private skipped = 0;

	constructor(
		private readonly begin: number,
		private readonly pace: number,
	) {
		super();
	}

	override now = (): number => Math.floor(this.begin + this.skipped + (this.elapsed() - this.begun) * this.pace);

	/** Skips the wait for the next timer. */
	skip(): void {
		if (this.nextAt < Infinity) this.skipped += Math.max(0, this.nextAt - this.now());
	}
}

/**
 * Lets waits take no time, until the mocks are restored: minutes of them take milliseconds, however busy the machine is. Work takes what it
 * takes.
 *
 * @param pace how many milliseconds go by while the process works for one
 */
export function skipWaits(pace = 1): void {
	const time = new SkippingTime(Date.now(), pace);
	const isOn = replaceClock(time);
	const soon = (call: () => void, milliseconds = 0, ...args: []) =>
		// Who waits for no time only gives a turn away.
		milliseconds > 0 ? time.later(() => call(...args), milliseconds) : later(call, 0, ...args);
	jest.spyOn(global, 'setTimeout').mockImplementation(soon as never);
	void (async () => {
		let quiet = 0;
		while (isOn()) {
			quiet = (await isIdle()) ? quiet + 1 : 0;
			if (quiet >= LOOKS) time.skip();
			while (isOn() && time.nextAt <= time.now()) {
				quiet = 0;
				time.next();
			}
		}
		// What still waits goes on by the clock of the machine.
		for (const { at, call } of time.left()) later(call, at - time.now());
	})();
}

/** Skips waits in all tests of a file. */
export function skippingWaits(): void {
	beforeAll(() => skipWaits());
	afterAll(() => jest.restoreAllMocks());
}

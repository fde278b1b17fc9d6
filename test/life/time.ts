/** Time that passes only while somebody waits: hours of polls take milliseconds, and come out the same each time. */
import { replaceClock } from '../engine/clock';
import { SimulatedTime } from '../unit/simulation/time';

const time = new SimulatedTime(Date.now(), 3);

/** Lets the clock, the timers and the ends of signals of a file's tests go by this time. */
export function virtualTime(): void {
	beforeAll(() => void replaceClock(time));
	afterAll(() => jest.restoreAllMocks());
}

/** Waits for something, while time passes. What is at hand is done first. */
export async function passing<T>(work: Promise<T>): Promise<T> {
	return await time.run(work);
}

/** Time passes without anybody who waits. */
export async function pass(milliseconds: number): Promise<void> {
	await time.pass(milliseconds);
}

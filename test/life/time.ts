/** Time that passes only while somebody waits: hours of polls take milliseconds, and come out the same each time. */

interface Timer {
	at: number;
	call(): void;
}

const MOST_TURNS = 100_000;

let now = Date.now();
const timers = new Set<Timer>();

/** Lets the clock, the timers and the ends of signals of a file's tests go by this time. */
export function virtualTime(): void {
	beforeAll(() => {
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		jest.spyOn(performance, 'now').mockImplementation(() => now - performance.timeOrigin);
		const later = (call: () => void, milliseconds = 0) => {
			const timer = { at: now + Math.max(0, milliseconds), call };
			timers.add(timer);
			return timer;
		};
		jest.spyOn(global, 'setTimeout').mockImplementation(later as never);
		jest.spyOn(global, 'clearTimeout').mockImplementation((timer) => void timers.delete(timer as never));
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
			const ended = new AbortController();
			later(() => ended.abort(), milliseconds);
			return ended.signal;
		});
	});
	afterAll(() => jest.restoreAllMocks());
}

const turn = async () => await new Promise((resolve) => setImmediate(resolve));

/** Waits for something, while time passes. What is at hand is done first. */
export async function passing<T>(work: Promise<T>): Promise<T> {
	let isOver = false;
	const end = () => (isOver = true);
	work.then(end, end);
	for (let turns = 0; turns < MOST_TURNS; turns++) {
		for (let n = 0; n < 3 && !isOver; n++) await turn();
		if (isOver) return await work;
		const [next] = [...timers].sort((a, b) => a.at - b.at);
		if (next === undefined) throw new Error('Nothing happens any more');
		timers.delete(next);
		now = Math.max(now, next.at);
		next.call();
	}
	throw new Error('It takes for ever');
}

/** Time passes without anybody who waits. */
export async function pass(milliseconds: number): Promise<void> {
	const end = now + milliseconds;
	for (const timer of [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)) {
		timers.delete(timer);
		now = Math.max(now, timer.at);
		timer.call();
	}
	now = end;
	await turn();
}

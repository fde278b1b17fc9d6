/** Counts the turns that others are given while something is done, on a machine so slow that each step takes a slice's whole time. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
	let now = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => (now += 30));
	const timers = jest.spyOn(global, 'setTimeout');
	await work();
	const turns = turnsOf(timers);
	jest.restoreAllMocks();
	return turns;
}

/** The turns that were given until now. @param timers `setTimeout`, while they are counted */
export function turnsOf(timers: unknown): number {
	return (timers as jest.Mock).mock.calls.filter(([, milliseconds]) => milliseconds === 0).length;
}

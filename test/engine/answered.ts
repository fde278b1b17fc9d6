import { setImmediate as turn } from 'timers/promises';

import type { Sandbox } from '../sandbox';

/** What is sent takes less than this (ms), and fewer turns of the event loop than these, to be read. */
const READING = 20;
const TURNS = 100;

/** Waits until so many requests had their work done, and their answers were read, or it is over by itself. */
export async function answered(sandbox: Sandbox, count: number, isOver = () => false): Promise<void> {
	// One that is refused may be answered before another is done.
	const isRead = ({ doneAt, worked }: { doneAt: number | null; worked: boolean }) =>
		worked && doneAt !== null && doneAt < Date.now() - READING;
	while (!isOver() && (await sandbox.requests()).filter(isRead).length < count)
		await new Promise((resolve) => setTimeout(resolve, READING));
	for (let turns = 0; turns < TURNS; turns++) await turn();
}

import type { Sandbox } from '../sandbox';

/** What is sent takes less than this (ms) to be read. */
const READING = 20;

/** Waits until so many requests were answered and the answers read, or it is over by itself. */
export async function answered(sandbox: Sandbox, count: number, isOver = () => false): Promise<void> {
	const isRead = ({ doneAt }: { doneAt: number | null }) => doneAt !== null && doneAt < Date.now() - READING;
	while (!isOver() && (await sandbox.requests()).filter(isRead).length < count)
		await new Promise((resolve) => setTimeout(resolve, READING));
}

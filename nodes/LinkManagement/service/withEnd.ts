import { sleep } from 'n8n-workflow';

import { StoppedError, whenStopped } from '../n8n/stop';

/**
 * Does something that has an end in total, however inTurns it comes in: n8n's own time-out begins anew with each drop of an answer.
 *
 * @param work is told by its signal to let go of what it holds
 * @param milliseconds it may take
 * @param stop ends it before
 * @throws StoppedError when it is stopped; an error with the code ETIMEDOUT when time is up
 */
export async function withEnd<T>(
	work: (signal: AbortSignal) => Promise<T>,
	milliseconds: number,
	stop?: AbortSignal,
): Promise<T> {
	if (stop?.aborted) throw new StoppedError();
	const ended = new AbortController();
	return await new Promise<T>((resolve, reject) => {
		const end = (error: Error) => {
			reject(error);
			ended.abort();
		};
		const late = () => end(Object.assign(new Error('No answer in time'), { code: 'ETIMEDOUT' }));
		const watches = [
			whenStopped(stop, () => end(new StoppedError())),
			whenStopped(AbortSignal.timeout(Math.max(1, milliseconds)), late),
		];
		work(ended.signal)
			.then(resolve, reject)
			.finally(() => watches.forEach((unwatch) => unwatch()));
	});
}

/**
 * Waits.
 *
 * @throws StoppedError when the signal fires before
 */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
	if (signal?.aborted) throw new StoppedError();
	await new Promise<void>((resolve, reject) => {
		const unwatch = whenStopped(signal, () => reject(new StoppedError()));
		void sleep(milliseconds).then(() => {
			unwatch();
			resolve();
		});
	});
}

/** What n8n gives for an answer that is read as it comes. */
export type Stream = AsyncIterable<Buffer> & { destroy?(): void };

/**
 * Reads an answer as it comes.
 *
 * @param most bytes, decoded, that it may have
 * @returns undefined when it has more
 */
export async function bytesOf(stream: Stream, most: number, signal: AbortSignal): Promise<Buffer | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	signal.addEventListener('abort', () => stream.destroy?.(), { once: true });
	for await (const chunk of stream) {
		size += chunk.length;
		// Leaving the loop ends the connection.
		if (size > most) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

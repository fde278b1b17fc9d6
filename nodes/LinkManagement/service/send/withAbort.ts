import { sleep } from 'n8n-workflow';

import { StoppedError, whenStopped } from '../../n8n/stop';

/**
 * Runs `work` with a signal of its own, which fires when `stop` or `late` does. Then it throws: a StoppedError for `stop`, an error
 * with the code ETIMEDOUT for `late`.
 */
export async function withAbort<T>(
	work: (signal: AbortSignal) => Promise<T>,
	stop?: AbortSignal,
	late?: AbortSignal,
): Promise<T> {
	if (stop?.aborted) throw new StoppedError();
	const ended = new AbortController();
	return await new Promise<T>((resolve, reject) => {
		const endWith = (error: Error) => () => {
			reject(error);
			ended.abort();
		};
		const tooLate = Object.assign(new Error('No answer in time'), { code: 'ETIMEDOUT' });
		const watches = [whenStopped(stop, endWith(new StoppedError())), whenStopped(late, endWith(tooLate))];
		work(ended.signal)
			.then(resolve, reject)
			.finally(() => watches.forEach((unwatch) => unwatch()));
	});
}

/** Waits. @throws StoppedError when the signal fires before */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
	await withAbort(async () => await sleep(milliseconds), signal);
}

import { keptFor } from './lifetimes';

/** A signal ended the wait: the execution was stopped, or has failed elsewhere. */
export class StoppedError extends Error {
	constructor() {
		super('The execution was stopped');
	}
}

/** The callbacks of one signal. */
class StopWatch {
	readonly callbacks = new Set<() => void>();
	readonly listener = () => [...this.callbacks].forEach((call) => call());
}

/**
 * Calls back when the signal fires. A signal gets one listener for all callbacks, because Node reports thousands as a leak; it is
 * removed with the last callback, because n8n keeps a signal as long as the execution.
 *
 * @param signal has not fired yet
 * @param callback a different function for each call
 * @returns a function that removes the callback
 */
export function whenStopped(signal: AbortSignal | undefined, callback: () => void): () => void {
	if (signal === undefined) return () => undefined;
	const { callbacks, listener } = keptFor(signal, 'watch', () => new StopWatch());
	if (callbacks.size === 0) signal.addEventListener('abort', listener, { once: true });
	callbacks.add(callback);
	return () => {
		if (callbacks.delete(callback) && callbacks.size === 0) signal.removeEventListener('abort', listener);
	};
}

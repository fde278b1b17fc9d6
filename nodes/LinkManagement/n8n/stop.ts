import { keptFor } from './lifetimes';

/** The wait was ended by its signal: the execution was stopped, or has failed elsewhere. */
export class StoppedError extends Error {
	constructor() {
		super('The execution was stopped');
	}
}

/** Those who wait for a signal. */
class Watch {
	readonly callbacks = new Set<() => void>();
	readonly listener = () => [...this.callbacks].forEach((call) => call());
}

/**
 * Calls back when the signal fires. However many wait for one signal, it gets one listener, for thousands of them would be
 * reported as a leak; it is taken off again when nobody waits, for n8n keeps a signal as long as the execution.
 *
 * @param signal has not fired yet
 * @param callback another function for each wait
 * @returns ends the watch
 */
export function whenStopped(signal: AbortSignal | undefined, callback: () => void): () => void {
	if (signal === undefined) return () => undefined;
	const { callbacks, listener } = keptFor(signal, 'watch', () => new Watch());
	if (callbacks.size === 0) signal.addEventListener('abort', listener, { once: true });
	callbacks.add(callback);
	return () => {
		if (callbacks.delete(callback) && callbacks.size === 0) signal.removeEventListener('abort', listener);
	};
}

/** The wait was ended by its signal: the execution was stopped, or has failed elsewhere. */
export class StoppedError extends Error {
	constructor() {
		super('The execution was stopped');
	}
}

const watched = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when the signal fires. However many wait for one signal, it gets one listener: thousands of them would be
 * reported as a leak.
 *
 * @returns ends the watch
 */
export function whenStopped(signal: AbortSignal | undefined, callback: () => void): () => void {
	if (signal === undefined) return () => undefined;
	let callbacks = watched.get(signal);
	if (callbacks === undefined) {
		const all = (callbacks = new Set());
		watched.set(signal, all);
		signal.addEventListener('abort', () => all.forEach((call) => call()), { once: true });
	}
	callbacks.add(callback);
	return () => callbacks.delete(callback);
}

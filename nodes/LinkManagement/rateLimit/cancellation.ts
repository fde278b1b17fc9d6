import { sleep } from 'n8n-workflow';

/** The wait was ended by its signal: the execution was stopped, or has failed elsewhere. */
export class StoppedError extends Error {
	constructor() {
		super('The execution was stopped');
	}
}

interface Watch {
	readonly callbacks: Set<() => void>;
	readonly listener: () => void;
}

const watches = new WeakMap<AbortSignal, Watch>();

function watchOf(signal: AbortSignal): Watch {
	const present = watches.get(signal);
	if (present !== undefined) return present;
	const callbacks = new Set<() => void>();
	const watch = { callbacks, listener: () => [...callbacks].forEach((call) => call()) };
	watches.set(signal, watch);
	signal.addEventListener('abort', watch.listener, { once: true });
	return watch;
}

/**
 * Calls back when the signal fires. However many wait for one signal, it gets one listener, for thousands of them would be
 * reported as a leak; it is taken off again when nobody waits, for n8n keeps a signal as long as the execution.
 *
 * @param signal has not fired yet
 * @returns ends the watch
 */
export function whenStopped(signal: AbortSignal | undefined, callback: () => void): () => void {
	if (signal === undefined) return () => undefined;
	const watch = watchOf(signal);
	// A function of its own, so that the same callback may wait twice.
	const entry = () => callback();
	watch.callbacks.add(entry);
	return () => {
		if (!watch.callbacks.delete(entry) || watch.callbacks.size > 0) return;
		watches.delete(signal);
		signal.removeEventListener('abort', watch.listener);
	};
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

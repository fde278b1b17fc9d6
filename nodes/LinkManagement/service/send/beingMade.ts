import { createHash } from 'crypto';

import { ApiError } from '../answer/errors';

/**
 * The records that runs make with a service and key, and that only a long text tells apart: of runs at the same time, one makes each. It
 * is known as long as any run lasts that began before, for such a run has not read it.
 */
export class BeingMade<Made> {
	/** Hash of the text → what is made, or undefined where that fails. */
	private readonly made = new Map<string, Promise<Made | undefined>>();
	private runs = 0;

	/** A run begins. @returns what to call once at its end */
	begin(): () => void {
		this.runs++;
		return () => {
			if (--this.runs === 0) this.made.clear();
		};
	}

	/**
	 * Makes a record, once what another run makes of this text is known.
	 *
	 * @param make gets that, if there is any
	 * @throws ApiError that of the other run, if nobody knows whether it has made the record
	 */
	async inTurn<T>(text: string, make: (other?: Made) => Promise<T>, madeIn: (result: T) => Made): Promise<T> {
		const key = createHash('sha256').update(text).digest('base64');
		const other = this.made.get(key);
		const work = (async () => await make(await other))();
		const made = work.then(madeIn, (error: unknown) => {
			if (error instanceof ApiError && error.kind === 'uncertain') throw error;
			return undefined;
		});
		this.made.set(key, made);
		// There may be no other run.
		made.catch(() => undefined);
		return await work;
	}
}

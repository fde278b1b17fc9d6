import { createHash } from 'crypto';

/** What is known of a record that was made, or may have been: nothing, if its creation has failed. */
type Made = Readonly<Record<string, unknown>>;

/**
 * The records that runs make with a service and key, and that only a long text tells apart: of runs at the same time, one makes each. It
 * is known as long as any run lasts that began before, for such a run has not read it.
 */
export class BeingMade {
	/** Hash of the text → what is made. */
	private readonly made = new Map<string, Promise<Made>>();
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
	 */
	async inTurn<T>(text: string, make: (other?: Made) => Promise<T>, madeIn: (result: T) => Made): Promise<T> {
		const key = createHash('sha256').update(text).digest('base64');
		const other = this.made.get(key);
		const work = (async () => await make(await other))();
		this.made.set(
			key,
			work.then(madeIn, () => ({})),
		);
		return await work;
	}
}

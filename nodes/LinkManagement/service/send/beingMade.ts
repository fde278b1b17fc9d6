import { createHash } from 'crypto';

/** Most of them that are known; the oldest is forgotten. */
const MOST = 50_000;

/**
 * The records that runs make with a service and key, and that only a long text tells apart: of runs at the same time, one makes each. It
 * is known as long as any run lasts that began before, for such a run has not read it.
 */
export class BeingMade<Made> {
	/** Hash of the text → what is made, or undefined where that fails. The oldest comes first. */
	private readonly made = new Map<string, Promise<Made | undefined>>();
	private runs = 0;

	/** A run begins. @returns what to call at its end */
	begin(): () => void {
		this.runs++;
		let hasEnded = false;
		return () => {
			if (hasEnded) return;
			hasEnded = true;
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
		const made = work.then(madeIn, () => undefined);
		this.made.delete(key);
		this.made.set(key, made);
		const [oldest] = this.made.keys();
		if (this.made.size > MOST) this.made.delete(oldest);
		void made.then((one) => one === undefined && this.made.get(key) === made && this.made.delete(key));
		return await work;
	}
}

import { idOf } from '../service/records';
import type { ServiceRecord } from './changes';
import type { Mark } from './watchState';

/** How many of the newest records are stored. */
const MOST_MARKS = 10;

/** The records that tell which account this is: whatever the key, it is the one that shows a record which the state knows. */
export class Marks {
	hasMet = false;
	private readonly seen = new Map<number, unknown>();

	constructor(private readonly known: readonly Mark[]) {}

	note(record: ServiceRecord): void {
		const id = idOf(record);
		if (id === undefined) return;
		const date = record.date ?? null;
		this.hasMet ||= this.known.some((mark) => mark[0] === id && mark[1] === date);
		this.seen.set(id, date);
	}

	/** The newest of the records that were seen; if there are none, those that were known. */
	get newest(): readonly Mark[] {
		if (this.seen.size === 0) return this.known;
		return [...this.seen].sort(([one], [other]) => other - one).slice(0, MOST_MARKS);
	}
}

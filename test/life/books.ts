import type { IDataObject } from 'n8n-workflow';

import type { WatchStory } from './history';

/** Whether something is to be reported: `sure`; `maybe`, as what happens while the first reading is under way; or `no`. */
export type Due = 'sure' | 'maybe' | 'no';

/** So many of one thing are to be reported at least and at most. */
interface Owed {
	least: number;
	most: number;
}

/** What is to be told of one record: clicks, or that it was created, or each threshold that it reached. */
class Account {
	count = 0;
	isGone = false;
	hasFallen = false;
	readonly owed = new Map<string, Owed>();
	readonly told = new Map<string, number>();

	owe(what: string, due: Due, times = 1): void {
		const { least, most } = this.owed.get(what) ?? { least: 0, most: 0 };
		this.owed.set(what, { least: least + (due === 'sure' ? times : 0), most: most + (due === 'no' ? 0 : times) });
	}

	tell(what: string, times = 1): void {
		this.told.set(what, (this.told.get(what) ?? 0) + times);
	}
}

const CREATED = 'created';
const GROWN = 'grown';

/** What is due to be reported in a life, and what was. */
export class Books {
	private readonly accounts = new Map<number, Account>();
	private threshold: number;

	constructor(private readonly story: WatchStory) {
		this.threshold = story.threshold;
	}

	created(id: number, count: number, due: Due): void {
		const account = new Account();
		this.accounts.set(id, account);
		if (this.isOfNew) account.owe(CREATED, due);
		this.clicked(id, count, due);
	}

	clicked(id: number, by: number, due: Due): void {
		const account = this.accounts.get(id)!;
		const before = account.count;
		account.count += by;
		if (this.isOfNew) return;
		if (this.story.event !== 'linkClickThreshold') account.owe(GROWN, due, by);
		else for (const one of this.reached(before, account.count)) account.owe(String(one), due);
	}

	private reached(before: number, count: number): number[] {
		const last = this.story.thresholdMode === 'once' ? this.threshold : count;
		const all = Array.from({ length: Math.floor(last / this.threshold) }, (_, n) => (n + 1) * this.threshold);
		return all.filter((one) => before < one && one <= count);
	}

	fallen(id: number): void {
		Object.assign(this.accounts.get(id)!, { count: 0, hasFallen: true });
	}

	gone(id: number): void {
		this.accounts.get(id)!.isGone = true;
	}

	/** From now on another threshold counts: those of before are told no more. */
	changeThreshold(threshold: number): void {
		this.threshold = threshold;
	}

	/** Whether it may vanish for a while: a new record that nobody has seen might as well never have been there. */
	mayVanish(id: number): boolean {
		const { owed, told } = this.accounts.get(id)!;
		return (owed.get(CREATED)?.most ?? 0) <= (told.get(CREATED) ?? 0);
	}

	/** What has not been reported until now may be so, or never be. @param ids default: of all records */
	writeOff(ids: Iterable<number> = this.accounts.keys()): void {
		for (const { owed, told } of [...ids].map((id) => this.accounts.get(id)!))
			for (const [what, { least, most }] of owed) owed.set(what, { least: Math.min(least, told.get(what) ?? 0), most });
	}

	report({ id, newClicks, newScans, threshold }: IDataObject): void {
		const account = this.accounts.get(id as number)!;
		if (this.isOfNew) account.tell(CREATED);
		else if (threshold !== undefined) account.tell(String(threshold as number));
		else account.tell(GROWN, (newClicks ?? newScans) as number);
	}

	/** What is wrong in the end. */
	complaints(isWatched: (id: number) => boolean): string[] {
		return [...this.accounts].flatMap(([id, account]) => this.complaintsOf(id, account, isWatched(id)));
	}

	private complaintsOf(id: number, account: Account, isWatched: boolean): string[] {
		const { owed, told, isGone, hasFallen } = account;
		// Of thresholds that were reached between two polls, the highest is reported.
		const highest = (amounts: Array<[string, number]>) =>
			Math.max(0, ...amounts.filter(([, times]) => times > 0).map(([what]) => Number(what)));
		const isMissed = highest([...owed].map(([what, { least }]) => [what, least])) > highest([...told]);
		return [...new Set([...owed.keys(), ...told.keys()])].flatMap((what) => {
			const { least, most } = owed.get(what) ?? { least: 0, most: 0 };
			const times = told.get(what) ?? 0;
			if (!isWatched) return times === 0 ? [] : [`${id}: ${what} was reported, and it is not watched`];
			// One that fell may be counted again from the start.
			if (times > most && !(hasFallen && what !== GROWN))
				return [`${id}: ${what} was reported ${times} times, not ${most}`];
			const isEnough = /^\d/.test(what) ? !isMissed : times >= least;
			if (isGone || hasFallen || isEnough) return [];
			return [`${id}: ${what} was reported ${times} times, not ${least}`];
		});
	}

	get isOfNew(): boolean {
		return /Created$/.test(this.story.event);
	}
}

/** Whether a client sees a deviation that only reads what is there. Some show in certain accounts alone: what a hit looks like takes a link. */
export type Sight = 'reading' | 'hidden';

/** One thing in which services differ. */
export interface Deviation<T> {
	says: string;
	seen: Sight;
	/** Values that a service may have, the document's first; all of them where there are few. */
	choices: readonly T[];
	/** What each value means, where there is a choice of words. */
	values?: Record<string, string>;
}

export function yesOrNo(says: string, seen: Sight): Deviation<boolean> {
	return { says, seen, choices: [false, true] };
}

export function oneOf<T extends string>(says: string, seen: Sight, values: Record<T, string>): Deviation<T> {
	return { says, seen, choices: Object.keys(values) as T[], values };
}

export function wholeNumber(says: string, seen: Sight, choices: number[]): Deviation<number> {
	return { says, seen, choices };
}

export function numberOrNone(says: string, seen: Sight, choices: Array<number | null>): Deviation<number | null> {
	return { says, seen, choices };
}

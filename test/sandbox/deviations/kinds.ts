/** One thing in which services differ. */
export interface Deviation<T> {
	says: string;
	/** Values that a service may have, the document's first; all of them where there are few. */
	choices: readonly T[];
	/** What each value means, where there is a choice of words. */
	values?: Record<string, string>;
}

export function yesOrNo(says: string): Deviation<boolean> {
	return { says, choices: [false, true] };
}

export function oneOf<T extends string>(says: string, values: Record<T, string>): Deviation<T> {
	return { says, choices: Object.keys(values) as T[], values };
}

export function wholeNumber(says: string, choices: number[]): Deviation<number> {
	return { says, choices };
}

export function numberOrNone(says: string, choices: Array<number | null>): Deviation<number | null> {
	return { says, choices };
}

import type { IDataObject } from 'n8n-workflow';

/** A whole number of at least `least`, given as a number or as text; anything else is undefined. */
export function wholeNumber(value: unknown, least: number): number | undefined {
	const figure = typeof value === 'string' && /^\d{1,15}$/.test(value.trim()) ? Number(value) : value;
	return typeof figure === 'number' && Number.isSafeInteger(figure) && figure >= least ? figure : undefined;
}

/** A value of a record as text. What is no plain value is written as JSON: an object may have a `toString` of its own. */
export function asText(value: unknown): string {
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Fields that hold an ID or a count (spec, "Resources and their fields"). None of them is free text. */
const NUMBERS = ['id', 'clicks', 'uniqueClicks', 'uniqueclicks', 'scans', 'views', 'planid'] as const;

/**
 * A record as it comes in, with its ID and its counts as numbers: some services send them as text (field notes, "Envelope and
 * types"). What is no whole number (null for a shared domain's ID, say) stays as it was sent.
 */
export function withNumbers(record: IDataObject): IDataObject {
	let numbered = record;
	for (const name of NUMBERS) {
		const value = record[name];
		if (typeof value !== 'string') continue;
		const number = wholeNumber(value, 0);
		if (number === undefined) continue;
		if (numbered === record) numbered = { ...record };
		numbered[name] = number;
	}
	return numbered;
}

/** The ID of a record: a positive whole number. Undefined where it has none, so that it can't be referred to. */
export function idOf({ id }: IDataObject): number | undefined {
	return wholeNumber(id, 1);
}

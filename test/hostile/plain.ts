/** What a user can work with, whatever the service has answered. */
import type { Outcome } from '../engine/host';
import { isFailed } from '../failed';

/** Errors that come of code that was surprised, not of code that says what is wrong. */
const SURPRISED =
	/undefined|\[object Object\]|is not a function|is not iterable|Cannot (read|convert|set)|circular|Maximum call stack/;

/** An error that a user can work with. */
export function expectPlain({ name, message }: Error, names = /^Node(Api|Operation)Error$/): void {
	expect(name).toMatch(names);
	expect(message).not.toMatch(SURPRISED);
	expect(message.length).toBeLessThan(1000);
}

/** What comes out is in plain words, and the key stands nowhere. @param rows that have an outcome each; left out of lists */
export function expectReadable({ items, error, saved }: Outcome, key: string, rows?: number): void {
	expect(saved).not.toContain(key);
	expect({}).not.toHaveProperty('polluted');
	if (error !== undefined) return expectPlain(error);
	const told = new Set(items.map(({ pairedItem }) => (pairedItem as { item: number }).item));
	if (rows !== undefined) expect(told.size).toBe(rows);
	for (const { json } of items.filter((item) => isFailed(item.json)))
		expectPlain({ name: '', message: String(json.error).slice(0, 999) }, /^$/);
}

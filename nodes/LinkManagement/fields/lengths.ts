/** How long values may be. What is longer is refused before anything looks into it. */
import { ValueError } from '../service/answer/errors';
import { LONGEST_TEXT } from '../service/records';

/** Greatest lengths (characters) of values: of addresses what browsers and servers bear, of others what services take. */
export const LONGEST = { address: 8000, alias: 255, text: LONGEST_TEXT };
/** Most entries of a list. */
const MOST_ENTRIES = 1000;

/** @throws ValueError if a text is too long */
export function checkLength({ length }: string, longest: number): void {
	if (length <= longest) return;
	throw new ValueError(`has ${length} characters, and takes at most ${longest}`, 'Shorten it.');
}

/** @throws ValueError if a list has too many entries */
export function checkCount({ length }: readonly unknown[], what = 'entries'): void {
	if (length <= MOST_ENTRIES) return;
	throw new ValueError(`has ${length} ${what}, and takes at most ${MOST_ENTRIES}`, 'Leave some out.');
}

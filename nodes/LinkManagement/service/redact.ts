/** Replaces a secret. */
export const MASK = '*****';
/** Greatest lengths (characters) of the secrets of a credential: keys have some dozens, web servers take header lines of about so many. */
export const LONGEST_SECRETS = { apiKey: 1000, headerValue: 8000 };
/** A shorter key is not removed from data, nor a shorter header at all: words and numbers may contain it. */
const SHORTEST = 8;
/** Takes the place of a text that could not be checked. */
const NOT_CHECKED = 'A text was left out, because it could not be checked for secrets.';
/** Deeper data (levels) is left out: nothing that people use is nested so. */
const MOST_LEVELS = 100;

/** Removes the secrets of a credential from what leaves the node. */
export interface Redaction {
	/** Removes the key and the value of the custom header from a message. */
	text(text: string): string;
	/** Removes the key from data, in texts and in names of fields. Returns the value itself if it holds no key. */
	data<T>(value: T): T;
}

/** Text without its case, of the letters that secrets have: hosts are in lower case. */
const inSmallLetters = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Where a word begins in a text, in a time in proportion to their lengths (Knuth, Morris, Pratt). Places do not overlap. */
function placesOf(word: string, text: string): number[] {
	/** How much of the word is there again where it stops to fit after so many characters. */
	const again = [0];
	for (let at = 1, fitting = 0; at < word.length; at++) {
		while (fitting > 0 && word[at] !== word[fitting]) fitting = again[fitting - 1];
		again.push(word[at] === word[fitting] ? ++fitting : fitting);
	}
	const places: number[] = [];
	for (let at = 0, fitting = 0; at < text.length; at++) {
		while (fitting > 0 && text[at] !== word[fitting]) fitting = again[fitting - 1];
		if (text[at] === word[fitting]) fitting++;
		if (fitting < word.length) continue;
		places.push(at + 1 - word.length);
		fitting = 0;
	}
	return places;
}

/** A way to write text: what shows that a text may be written so, its signs, and the character that a sign stands for. */
interface Notation {
	mark: RegExp;
	signs: RegExp;
	/** @returns nothing for a sign that only escapes the next one */
	read(sign: string): string;
}

const character = (hex: string) => String.fromCharCode(parseInt(hex, 16));

const NOTATIONS: readonly Notation[] = [
	{
		// In JSON, JSON may stand again: each level adds backslashes.
		mark: /\\/,
		signs: /\\u[0-9a-f]{4}|[^]/gi,
		read: (sign) => (sign.length > 1 ? character(sign.slice(2)) : sign).replace('\\', ''),
	},
	{
		mark: /[%+]/,
		signs: /%[0-9a-f]{2}|[^]/gi,
		read: (sign) => (sign.length > 1 ? character(sign.slice(1)) : sign).replace('+', ' '),
	},
];

/** The characters that signs stand for, in small letters, and the part of the text that each takes. */
function decodedFrom(signs: Iterable<string>, { read }: Notation): { units: string[]; written: string } {
	const units: string[] = [];
	let written = '';
	let before = '';
	for (const sign of signs) {
		const one = read(sign);
		before += sign;
		if (one === '') continue;
		units.push(before);
		written += one;
		before = '';
	}
	return { units: [...units, before], written: inSmallLetters(written) };
}

/** Masks words in a text. @param units the parts of the text, one for each character of `read` */
function masked(units: string | string[], read: string, words: readonly string[]): string | undefined {
	const found = words.flatMap((word) => placesOf(word, read).map((place) => [place, place + word.length] as const));
	if (found.length === 0) return undefined;
	const part = (from: number, to?: number) => [units.slice(from, to)].flat().join('');
	let text = '';
	let from = 0;
	for (const [begin, end] of found.sort(([one], [other]) => one - other)) {
		if (begin >= from) text += part(from, begin) + MASK;
		from = Math.max(from, end);
	}
	return text + part(from);
}

/** Masks secrets in a text: as they are, as JSON writes them, and percent-encoded; in any case. */
function withoutSecretsIn(text: string, secrets: readonly string[]): string {
	const words = secrets.filter(({ length }) => length > 0 && length <= text.length).map(inSmallLetters);
	if (words.length === 0) return text;
	let left = masked(text, inSmallLetters(text), words) ?? text;
	for (const notation of NOTATIONS) {
		if (!notation.mark.test(left)) continue;
		const signsOf = (one: string) => one.match(notation.signs) ?? [];
		// A secret may look like this notation itself.
		const sought = words.flatMap((word) => [word, signsOf(word)].map((one) => decodedFrom(one, notation).written));
		const { units, written } = decodedFrom(signsOf(left), notation);
		left =
			masked(
				units,
				written,
				sought.filter((word) => word !== ''),
			) ?? left;
	}
	return left;
}

/** A value with each text and each name of a field changed, down to so many levels; the value itself where nothing changes. */
function changed(value: unknown, inText: (text: string) => string, levels = MOST_LEVELS): unknown {
	if (typeof value === 'string') return inText(value);
	if (typeof value !== 'object' || value === null || value instanceof Date) return value;
	if (levels === 0) return MASK;
	const entries = Object.entries(value);
	const parts = entries.map(([name, part]) => [inText(name), changed(part, inText, levels - 1)] as const);
	if (parts.every(([name, part], at) => name === entries[at][0] && part === entries[at][1])) return value;
	return Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}

/** The secrets in a custom header: its value, and each value of a Cookie. None is in the address, too. */
function secretsOf(header: Readonly<Record<string, string>>, address: string): string[] {
	const values = Object.entries(header).flatMap(([name, value]) =>
		/^cookie$/i.test(name)
			? [value, ...value.split(';').map((part) => part.slice(part.indexOf('=') + 1).trim())]
			: [value],
	);
	const known = inSmallLetters(address);
	return values.filter((value) => value.length >= SHORTEST && !known.includes(inSmallLetters(value)));
}

/** Does the work, or gives something in its place: what must not leave does not leave by a failure either. */
function orElse<T>(work: () => T, other: T): T {
	try {
		return work();
	} catch {
		return other;
	}
}

/** The redaction of a credential. @param header the custom header: its name and value */
export function redactionOf(apiKey: string, header: Readonly<Record<string, string>> = {}, address = ''): Redaction {
	const all = [apiKey, ...secretsOf(header, address)];
	const inData = (text: string) => (apiKey.length < SHORTEST ? text : withoutSecretsIn(text, [apiKey]));
	return {
		text: (text) => orElse(() => withoutSecretsIn(text, all), NOT_CHECKED),
		data: <T>(value: T) => orElse(() => changed(value, inData) as T, NOT_CHECKED as T),
	};
}

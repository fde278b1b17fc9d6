/** Replaces a secret. */
export const MASK = '*****';
/** Greatest lengths (characters) of the secrets of a credential: keys have some dozens, web servers take header lines of about so many. */
export const LONGEST_SECRETS = { apiKey: 1000, headerValue: 8000 };
/** A shorter key is not removed from data, nor a shorter header at all: words and numbers may contain it. */
const SHORTEST = 8;

/** Removes the secrets of a credential from what leaves the node. */
export interface Redaction {
	/** Removes the key and the value of the custom header from a message. */
	text(text: string): string;
	/** Removes the key from data, in texts and in names of fields. Returns the value itself if it holds no key. */
	data<T>(value: T): T;
}

/** Text without its case, of the letters that secrets have: hosts are in lower case. */
const inSmallLetters = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** How texts write a secret: as it is, as JSON does, and percent-encoded by browsers, in an address or in a form. In small letters. */
function writingsOf(secret: string): string[] {
	const json = JSON.stringify(secret).slice(1, -1);
	const inBrowser = encodeURIComponent(secret);
	const inAddress = inBrowser.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
	const inForm = inAddress.replaceAll('%20', '+').replaceAll('~', '%7e');
	const all = [secret, json, json.replaceAll('/', '\\/'), inBrowser, inAddress, inForm];
	return [...new Set(all.map(inSmallLetters))];
}

/** Where a word, which is not empty, begins in a text. Places do not overlap. */
function placesOf(word: string, text: string): number[] {
	const places: number[] = [];
	for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) places.push(at);
	return places;
}

/** Masks words, which are in small letters, in a text. */
function masked(text: string, words: readonly string[]): string {
	const small = inSmallLetters(text);
	const found = words
		.filter(Boolean)
		.flatMap((word) => placesOf(word, small).map((place) => [place, place + word.length] as const));
	let left = '';
	let from = 0;
	for (const [begin, end] of found.sort(([one], [other]) => one - other)) {
		if (begin >= from) left += text.slice(from, begin) + MASK;
		from = Math.max(from, end);
	}
	return left + text.slice(from);
}

/** A value with each text and each name of a field changed; the value itself where nothing changes. */
function changed(value: unknown, inText: (text: string) => string): unknown {
	if (typeof value === 'string') return inText(value);
	if (typeof value !== 'object' || value === null || value instanceof Date) return value;
	const entries = Object.entries(value);
	const parts = entries.map(([name, part]) => [inText(name), changed(part, inText)] as const);
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

/** The redaction of a credential. @param header the custom header: its name and value */
export function redactionOf(apiKey: string, header: Readonly<Record<string, string>> = {}, address = ''): Redaction {
	const inData = apiKey.length < SHORTEST ? [] : writingsOf(apiKey);
	const all = [apiKey, ...secretsOf(header, address)].flatMap(writingsOf);
	return {
		text: (text) => masked(text, all),
		data: <T>(value: T) => changed(value, (text) => masked(text, inData)) as T,
	};
}

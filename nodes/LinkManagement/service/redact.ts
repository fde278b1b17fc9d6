/** What stands in place of a secret. */
export const MASK = '*****';
/** A shorter key is left in data, a shorter header everywhere: it would be found in words and numbers that are none. */
const SHORTEST = 8;

/** Takes the secrets of a credential out of what leaves the node. What the node works with keeps them. */
export interface Redaction {
	/** Out of text about what happened: the key, and the value of the custom header. */
	text(text: string): string;
	/** Out of data: the key alone, in texts and in names of fields. The value itself where it holds no key. */
	data<T>(value: T): T;
}

/** An expression for a character: as it is, in JSON's escapes, or percent-encoded. */
function notationsOf(part: string): string {
	const hex = part.charCodeAt(0).toString(16).padStart(2, '0');
	// The plain notation stands last: the others may begin with it.
	const plain = part === '\\' ? '\\\\{1,2}' : `\\\\?${part.replace(/\W/, '\\$&')}`;
	return `(?:\\\\u00${hex}|%${hex}${part === ' ' ? '|\\+' : ''}|${plain})`;
}

/** Finds these secrets, in any case: hosts are written in small letters. */
function expressionFor(...secrets: string[]): RegExp {
	const patterns = secrets.map((secret) => Array.from(secret, notationsOf).join('')).filter((one) => one !== '');
	return new RegExp(patterns.join('|') || '(?!)', 'gi');
}

/** Takes the key out of texts and names. @returns the value itself where it holds none */
function withoutKey(value: unknown, inText: (text: string) => string): unknown {
	if (typeof value === 'string') return inText(value);
	if (typeof value !== 'object' || value === null || value instanceof Date) return value;
	const before = Object.entries(value as Record<string, unknown>);
	const after = before.map((entry): [string, unknown] => {
		const [name, part] = entry;
		const [newName, newPart] = [inText(name), withoutKey(part, inText)];
		return newName === name && newPart === part ? entry : [newName, newPart];
	});
	if (after.every((entry, at) => entry === before[at])) return value;
	return Array.isArray(value) ? after.map(([, entry]) => entry) : Object.fromEntries(after);
}

/** Makes the redaction of a credential. The value of the custom header is no secret where the address says the same. */
export function redactionOf(apiKey: string, header = '', address = ''): Redaction {
	const isSecret = header.length >= SHORTEST && !address.toLowerCase().includes(header.toLowerCase());
	const inText = expressionFor(apiKey, isSecret ? header : '');
	const ofKey = expressionFor(apiKey);
	// Every notation is as long as the key, or longer.
	const inData = (text: string) => (text.length < apiKey.length ? text : text.replace(ofKey, MASK));
	return {
		text: (text) => text.replace(inText, MASK),
		data: <T>(value: T) => (apiKey.length < SHORTEST ? value : (withoutKey(value, inData) as T)),
	};
}

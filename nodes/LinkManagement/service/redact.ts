/** Replaces a secret. */
export const MASK = '*****';
/** A shorter key is not removed from data, nor a shorter header at all: words and numbers may contain it. */
const SHORTEST = 8;

/** Removes the secrets of a credential from what leaves the node. */
export interface Redaction {
	/** Removes the key and the value of the custom header from a message. */
	text(text: string): string;
	/** Removes the key from data, in texts and in names of fields. Returns the value itself if it holds no key. */
	data<T>(value: T): T;
}

/** A pattern for a character: plain, escaped as in JSON, or percent-encoded. */
function notationsOf(part: string): string {
	const hex = part.charCodeAt(0).toString(16).padStart(2, '0');
	// The plain form comes last: the others may begin with it.
	const plain = part === '\\' ? '\\\\{1,2}' : `\\\\?${part.replace(/\W/, '\\$&')}`;
	return `(?:\\\\u00${hex}|%${hex}${part === ' ' ? '|\\+' : ''}|${plain})`;
}

/** Finds these secrets, in any case: hosts are in lower case. */
function expressionFor(...secrets: string[]): RegExp {
	const patterns = secrets.map((secret) => Array.from(secret, notationsOf).join('')).filter((one) => one !== '');
	return new RegExp(patterns.join('|') || '(?!)', 'gi');
}

/** Removes the key from texts and names. @returns the value itself if it holds none */
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

/** The redaction of a credential. The value of the custom header is no secret if it stands in the address too. */
export function redactionOf(apiKey: string, header = '', address = ''): Redaction {
	const isSecret = header.length >= SHORTEST && !address.toLowerCase().includes(header.toLowerCase());
	const inText = expressionFor(apiKey, isSecret ? header : '');
	const ofKey = expressionFor(apiKey);
	// No form is shorter than the key.
	const inData = (text: string) => (text.length < apiKey.length ? text : text.replace(ofKey, MASK));
	return {
		text: (text) => text.replace(inText, MASK),
		data: <T>(value: T) => (apiKey.length < SHORTEST ? value : (withoutKey(value, inData) as T)),
	};
}

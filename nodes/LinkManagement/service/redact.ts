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

/** A pattern for a character, or for several backslashes: plain, escaped as in JSON (also twice), or percent-encoded. */
function notationsOf(part: string): string {
	if (part.startsWith('\\')) return '(?:\\\\(?:u005c)?|%5c)+';
	const hex = part.charCodeAt(0).toString(16).padStart(2, '0');
	return `(?:\\\\{1,4}u00${hex}|%${hex}${part === ' ' ? '|\\+' : ''}|\\\\{0,4}${part.replace(/\W/, '\\$&')})`;
}

/** Finds these secrets, in any case: hosts are in lower case. */
function expressionFor(...secrets: string[]): RegExp {
	const patterns = secrets
		.map((secret) => (secret.match(/\\+|[^\\]/g) ?? []).map(notationsOf).join(''))
		.filter((one) => one !== '');
	return new RegExp(patterns.join('|') || '(?!)', 'gi');
}

/** Deeper data (levels) is left out: nothing that people use is nested so. */
const MOST_LEVELS = 100;

/** Removes the key from texts and names of fields, down to so many levels. */
function withoutKey(value: unknown, inText: (text: string) => string, levels = MOST_LEVELS): unknown {
	if (typeof value === 'string') return inText(value);
	if (typeof value !== 'object' || value === null || value instanceof Date) return value;
	if (levels === 0) return MASK;
	const parts = Object.entries(value as Record<string, unknown>).map(
		([name, part]) => [inText(name), withoutKey(part, inText, levels - 1)] as const,
	);
	return Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}

/** The JSON of a value; undefined if it is nested too deep. */
function jsonOf(value: unknown): string | undefined {
	try {
		return JSON.stringify(value) ?? '';
	} catch {
		return undefined;
	}
}

/** The redaction of a credential. The value of the custom header is no secret if it stands in the address too. */
export function redactionOf(apiKey: string, header = '', address = ''): Redaction {
	const isSecret = header.length >= SHORTEST && !address.toLowerCase().includes(header.toLowerCase());
	const inText = expressionFor(apiKey, isSecret ? header : '');
	const ofKey = expressionFor(apiKey);
	const inData = (text: string) => (apiKey.length < SHORTEST ? text : text.replace(ofKey, MASK));
	return {
		text: (text) => text.replace(inText, MASK),
		data: <T>(value: T) => {
			const json = jsonOf(value);
			const isClean = json !== undefined && (apiKey.length < SHORTEST || json.search(ofKey) === -1);
			return isClean ? value : (withoutKey(value, inData) as T);
		},
	};
}

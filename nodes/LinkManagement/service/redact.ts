/** What stands in place of a secret. */
const MASK = '*****';
/** A shorter secret is left in data: it would be found in words and numbers that are none. */
const SHORTEST = 8;

/** Takes the secrets of a credential out of what leaves the node. What the node works with keeps them. */
export interface Redaction {
	/** Out of text about what happened: the key, and the value of the custom header. */
	text(text: string): string;
	/** Out of data: the key alone, in texts and in names of fields. The value itself where it holds no key. */
	data<T>(value: T): T;
}

function literally(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** An expression for a character, or for a run of backslashes: as it is, in JSON's escapes, or percent-encoded. */
function notationsOf(part: string): string {
	const hex = part.charCodeAt(0).toString(16).padStart(2, '0');
	const times = `{${part.length}}`;
	// The plain notation stands last: the others may begin with it.
	const plain = part.startsWith('\\') ? `\\\\{${part.length},${2 * part.length}}` : `\\\\?${literally(part)}`;
	return `(?:(?:\\\\u00${hex}|%${hex}${part === ' ' ? '|\\+' : ''})${times}|${plain})`;
}

function patternOf(secret: string): string {
	return (secret.match(/\\+|[^\\]/g) ?? []).map(notationsOf).join('');
}

function withoutKey(value: unknown, key: RegExp): unknown {
	if (typeof value === 'string') return value.replace(key, MASK);
	if (Array.isArray(value)) {
		const entries = value.map((entry) => withoutKey(entry, key));
		return entries.some((entry, index) => entry !== value[index]) ? entries : value;
	}
	if (typeof value !== 'object' || value === null || value instanceof Date) return value;
	const before = Object.entries(value);
	const after = before.map(([name, entry]) => [name.replace(key, MASK), withoutKey(entry, key)] as const);
	const isChanged = after.some(([name, entry], index) => name !== before[index][0] || entry !== before[index][1]);
	return isChanged ? Object.fromEntries(after) : value;
}

/** Headers that every browser sends to everybody. */
const PUBLIC_HEADERS = /^(?:accept(?:-.+)?|cache-control|dnt|from|origin|pragma|referer|sec-.+|user-agent)$/i;

/** Finds the value of the custom header, where that is a secret. A short one is known by the header's name before it. */
function patternsOfHeader(headers: Record<string, string>, address: string): string[] {
	const isPublic = (name: string, value: string) =>
		PUBLIC_HEADERS.test(name) ||
		// A short one may stand in the address by chance: "1" in a port.
		(value.length >= SHORTEST && address.toLowerCase().includes(value.toLowerCase()));
	return Object.entries(headers)
		.filter(([name, value]) => !isPublic(name, value))
		.map(([name, value]) =>
			value.length < SHORTEST
				? `(?<=\\b${literally(name)}["']?\\s*[:=]\\s*["']?)${literally(value)}`
				: patternOf(value),
		);
}

/** An expression for any of these; undefined for none. */
function anyOf(patterns: string[], flags: string): RegExp | undefined {
	return patterns.length === 0 ? undefined : new RegExp(patterns.join('|'), flags);
}

/**
 * Makes the redaction of a credential.
 *
 * @param headers the custom header: no secret where it is a public one, or says no more than the service's address does
 */
export function redactionOf(apiKey: string, headers: Record<string, string> = {}, address = ''): Redaction {
	const isLong = apiKey.length >= SHORTEST;
	const longKey = isLong ? [patternOf(apiKey)] : [];
	// In any case, for hosts are written in small letters. A short key would be found in our own words then.
	const [inText, inData] = [anyOf([...longKey, ...patternsOfHeader(headers, address)], 'gi'), anyOf(longKey, 'gi')];
	const shortKey = anyOf(isLong || apiKey === '' ? [] : [patternOf(apiKey)], 'g');
	const without = (text: string, pattern?: RegExp) => (pattern === undefined ? text : text.replace(pattern, MASK));
	return {
		text: (text) => without(without(text, inText), shortKey),
		data: <T>(value: T) => (inData === undefined ? value : (withoutKey(value, inData) as T)),
	};
}

/** Whether text holds what stands in place of a secret, so that it must not be sent: the service would keep it. */
export function isMasked(text: string): boolean {
	return /(?<!\*)\*{5}(?!\*)/.test(text);
}

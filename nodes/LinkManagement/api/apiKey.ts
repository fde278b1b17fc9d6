import { CredentialError } from './apiError';

/**
 * The API key as a header can carry it (spec, "Authentication", 1): without the spaces and line breaks that came along when it
 * was copied.
 *
 * @param input the credential's `apiKey`, as pasted
 * @throws CredentialError when it holds what no header can
 */
export function serviceKey(input: unknown): string {
	const key = String(input ?? '').trim();
	if (/^[\x20-\x7e]*$/.test(key)) return key;
	throw new CredentialError(
		'The API Key of the credential holds a line break or a letter that no key has. Copy it from your account at the service once more',
	);
}

/** The forms in which the key may stand in text: as it is, as in JSON, in JSON within JSON, and in URLs. */
function notationsOf(key: string): string[] {
	const quoted = JSON.stringify(key).slice(1, -1);
	return [...new Set([key, quoted, JSON.stringify(quoted).slice(1, -1), encodeURIComponent(key)])];
}

function redacted(text: string, notations: string[]): string {
	return notations.reduce((rest, notation) => rest.split(notation).join('*****'), text);
}

/** Text from outside, or about what is outside, without the key, in whichever notation it stands there. */
export function withoutKey(text: string, key: string): string {
	return key === '' ? text : redacted(text, notationsOf(key));
}

/** A key shorter than this is not looked for in data: it would be found in words and numbers that are none. */
const SHORTEST_KEY = 8;

/**
 * JSON from outside without the key, which a service may repeat in an answer: in any text of it, and in names of fields.
 *
 * @returns the value itself where the key does not stand in it
 */
export function dataWithoutKey(data: unknown, key: string): unknown {
	if (key.length < SHORTEST_KEY) return data;
	const notations = notationsOf(key);
	const clean = (value: unknown): unknown => {
		if (typeof value === 'string') {
			return notations.some((notation) => value.includes(notation)) ? redacted(value, notations) : value;
		}
		if (Array.isArray(value)) {
			const entries = value.map(clean);
			return entries.some((entry, index) => entry !== value[index]) ? entries : value;
		}
		if (typeof value !== 'object' || value === null) return value;
		const before = Object.entries(value);
		const after = before.map(([name, entry]) => [clean(name) as string, clean(entry)] as const);
		return after.some(([name, entry], index) => name !== before[index][0] || entry !== before[index][1])
			? Object.fromEntries(after)
			: value;
	};
	return clean(data);
}

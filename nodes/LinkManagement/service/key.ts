import { CredentialError } from './fault';

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
	throw new CredentialError('The API Key of the credential holds a line break or a letter that no key has. Copy it from your account at the service once more');
}

/**
 * Text from outside, or about what is outside, without the key: as it is, and as it stands in JSON, in JSON within JSON, and in
 * URLs.
 */
export function withoutKey(text: string, key: string): string {
	if (key === '') return text;
	const quoted = JSON.stringify(key).slice(1, -1);
	const notations = [key, quoted, JSON.stringify(quoted).slice(1, -1), encodeURIComponent(key)];
	return notations.reduce((rest, notation) => rest.split(notation).join('*****'), text);
}

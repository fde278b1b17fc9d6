/**
 * The secrets of a credential, taken out of what leaves the node. What the node works with keeps them: a link whose long URL holds
 * the key would be destroyed by an update that sends the rest of it along.
 */

/** What stands in place of a secret. */
const MASK = '*****';
/** A secret shorter than this is not looked for in data: it would be found in words and numbers that are none. */
const SHORTEST_IN_DATA = 8;
/** So much of a secret in base64 is told from other text. */
const SHORTEST_BASE64 = 10;

/** Takes secrets out. */
export interface Redaction {
	/** Out of text about what happened. */
	text(text: string): string;
	/** Out of data: any text of it, and names of fields. The value itself where they don't stand in it. */
	data<T>(value: T): T;
}

const ENTITIES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

function literally(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** An expression for a character, or a run of backslashes, in every notation in which a service may write it. */
function notationsOf(part: string): string {
	const code = part.charCodeAt(0);
	const hex = code.toString(16).padStart(2, '0');
	const times = part.length === 1 ? '' : `{${part.length}}`;
	const entity = ENTITIES[part] === undefined ? '' : `|${ENTITIES[part]}`;
	return [
		`(?:\\\\{1,8}u00${hex})${times}`,
		`(?:%(?:25){0,4}${hex})${times}`,
		`(?:&(?:amp;){0,4}(?:#0{0,6}${code}|#x0{0,6}${hex}${entity});)${times}`,
		...(part === ' ' ? ['\\+'] : []),
		// As it is, or with backslashes before it, as in JSON within JSON. Last, for the others may begin like it and go on.
		part.startsWith('\\') ? `\\\\{${part.length},${8 * part.length}}` : `\\\\{0,8}${literally(part)}`,
	].join('|');
}

/** The parts of a secret's base64 that do not depend on what stands beside it, for each of the three places where it may begin. */
function base64Of(secret: string): string[] {
	return [0, 1, 2].flatMap((before) => {
		const whole = Buffer.from(' '.repeat(before) + secret)
			.toString('base64')
			.replaceAll('=', '');
		const own = whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + secret.length) * 8) / 6));
		return own.length < SHORTEST_BASE64 ? [] : [literally(own), literally(own.replace(/\+/g, '-').replace(/\//g, '_'))];
	});
}

/** @param flags `i` for letters in any case: hosts are written in small ones */
function patternOf(secrets: string[], flags: string): RegExp | undefined {
	if (secrets.length === 0) return undefined;
	const written = secrets.map((secret) =>
		(secret.match(/\\+|[^\\]/g) ?? []).map((part) => `(?:${notationsOf(part)})`).join(''),
	);
	return new RegExp([...written, ...secrets.flatMap(base64Of)].join('|'), flags);
}

function redacted(value: unknown, pattern: RegExp): unknown {
	if (typeof value === 'string') return value.replace(pattern, MASK);
	if (Array.isArray(value)) {
		const entries = value.map((entry) => redacted(entry, pattern));
		return entries.some((entry, index) => entry !== value[index]) ? entries : value;
	}
	if (typeof value !== 'object' || value === null || value instanceof Date) return value;
	const before = Object.entries(value);
	const after = before.map(([name, entry]) => [name.replace(pattern, MASK), redacted(entry, pattern)] as const);
	const isChanged = after.some(([name, entry], index) => name !== before[index][0] || entry !== before[index][1]);
	return isChanged ? Object.fromEntries(after) : value;
}

/**
 * Makes the redaction of a credential. It knows a secret as it is, in other case, with backslashes before its characters, as \u00xx,
 * percent-encoded (also several times over, and `+` for a space), with HTML entities, and in base64.
 */
export function redactionOf(secrets: string[]): Redaction {
	const given = secrets.filter((secret) => secret !== '');
	const inData = patternOf(
		given.filter(({ length }) => length >= SHORTEST_IN_DATA),
		'gi',
	);
	// Short ones would be found in our own words.
	const short = patternOf(
		given.filter(({ length }) => length < SHORTEST_IN_DATA),
		'g',
	);
	const without = (text: string, pattern?: RegExp) => (pattern === undefined ? text : text.replace(pattern, MASK));
	return {
		text: (text) => without(without(text, inData), short),
		data: <T>(value: T) => (inData === undefined ? value : (redacted(value, inData) as T)),
	};
}

/** Whether text holds what stands in place of a secret, so that it must not be sent: the service would keep it. */
export function isMasked(text: string): boolean {
	return /(?<!\*)\*{5}(?!\*)/.test(text);
}

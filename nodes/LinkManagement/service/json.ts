/** How deep (levels) an answer may be nested, and how many values it may hold: a page of 1,000 links has some 20,000. */
export const MOST_LEVELS = 300;
export const MOST_VALUES = 100_000;

/** The longest text (characters) in which an answer is looked for: what surrounds one is short. */
const LONGEST = 2_000_000;
/** Most braces in the text before an answer. */
const MOST_STARTS = 10;

/** Why an answer is too much: parsing it would block n8n for a long time. */
export type TooMuch = 'tooDeep' | 'tooMany';

const [QUOTE, BACKSLASH, COMMA, BRACE, BRACE_END, BRACKET, BRACKET_END] = [...'"\\,{}[]'].map((sign) =>
	sign.charCodeAt(0),
);

/**
 * Scans the text of a value once, from its first brace or bracket on.
 *
 * @returns the index after its end, undefined if it does not end; its depth, and the number of its values
 */
function extentOf(text: string, start: number): { end?: number; levels: number; values: number } {
	let [depth, levels, values] = [0, 0, 0];
	let isInString = false;
	for (let at = start; at < text.length; at++) {
		const sign = text.charCodeAt(at);
		if (sign === QUOTE) isInString = !isInString;
		else if (isInString) at += sign === BACKSLASH ? 1 : 0;
		else if (sign === COMMA) values++;
		else if (sign === BRACE || sign === BRACKET) {
			values++;
			levels = Math.max(levels, ++depth);
		} else if ((sign === BRACE_END || sign === BRACKET_END) && --depth === 0) return { end: at + 1, levels, values };
	}
	return { levels, values };
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** Why a value of this extent is too much, if it is. */
function tooMuchOf({ levels, values }: ReturnType<typeof extentOf>): TooMuch | undefined {
	return levels > MOST_LEVELS ? 'tooDeep' : values > MOST_VALUES ? 'tooMany' : undefined;
}

/** The envelope inside a longer text; undefined where there is none. */
function envelopeIn(text: string): unknown {
	let start = text.indexOf('{');
	for (let tries = 0; start !== -1 && tries < MOST_STARTS; tries++) {
		const extent = extentOf(text, start);
		const isWhole = extent.end !== undefined && tooMuchOf(extent) === undefined;
		const answer = isWhole ? parsed(text.slice(start, extent.end)) : undefined;
		if (typeof answer === 'object' && answer !== null && Object.hasOwn(answer, 'error')) return answer;
		start = text.indexOf('{', answer === undefined ? start + 1 : extent.end);
	}
	return undefined;
}

/**
 * The answer in a text: JSON, also with a warning or comment of the server before or after it. Then the flag of the envelope
 * (spec, "Response envelope") tells it from other JSON. A web page is no answer, whatever its scripts hold. Takes linear time.
 *
 * @returns the body, which is the text itself if it holds no answer; or why it is too much
 */
export function answerIn(text: string): { body: unknown } | { tooMuch: TooMuch } {
	const tooMuch = tooMuchOf(extentOf(text, 0));
	if (tooMuch !== undefined) return { tooMuch };
	const whole = parsed(text);
	if (whole !== undefined) return { body: whole };
	const isPage = text.length > LONGEST || /<(?:!doctype|html|head|body|script)\b/i.test(text);
	return { body: (isPage ? undefined : envelopeIn(text)) ?? text };
}

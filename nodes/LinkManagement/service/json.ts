function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/**
 * The answer in a text: JSON, also with a warning or comment of the server before or after it. Then the flag of the envelope
 * (spec, "Response envelope") tells it from other JSON. A web page is no answer, whatever its scripts hold.
 *
 * @returns the text itself if it holds no answer
 */
export function answerIn(text: string): unknown {
	const whole = parsed(text);
	if (whole !== undefined) return whole;
	if (/<(?:!doctype|html|head|body|script)\b/i.test(text)) return text;
	const answer = parsed(text.slice(text.indexOf('{"'), text.lastIndexOf('}') + 1));
	return typeof answer === 'object' && answer !== null && Object.hasOwn(answer, 'error') ? answer : text;
}

/** Where in a text an object ends that begins at a place: behind its last brace; undefined where it does not. */
function endOfObject(text: string, start: number): number | undefined {
	const marks = /"(?:[^"\\]|\\.)*"|[{}]/gs;
	marks.lastIndex = start;
	let depth = 0;
	for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
		const [mark] = found;
		if (mark === '{') depth++;
		else if (mark === '}' && --depth === 0) return marks.lastIndex;
	}
	return undefined;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** Braces in what stands before an answer, at most. */
const MOST_STARTS = 10;
/** Characters of a text that is looked through, at most: more would keep n8n from all else. */
const LONGEST = 5_000_000;

/**
 * The answer in a text: JSON, also where something stands before or after it that the service's language or server has added, such as
 * a warning or a comment. Then it is known by the flag of the envelope (spec, "Response envelope"). A whole web page is no answer,
 * whatever its scripts hold.
 *
 * @returns the text itself where it holds no answer
 */
export function answerIn(text: string): unknown {
	const whole = parsed(text);
	if (whole !== undefined) return whole;
	if (text.length > LONGEST || /<(?:!doctype|html|head|body|script)\b/i.test(text)) return text;
	let start = text.indexOf('{');
	for (let tries = 0; start !== -1 && tries < MOST_STARTS; tries++) {
		const end = endOfObject(text, start);
		const answer = end === undefined ? undefined : parsed(text.slice(start, end));
		if (typeof answer === 'object' && answer !== null && Object.hasOwn(answer, 'error')) return answer;
		start = text.indexOf('{', answer === undefined ? start + 1 : end);
	}
	return text;
}

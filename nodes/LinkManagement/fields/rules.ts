/**
 * Checks for single values: each takes what the user entered (or an expression gave) and returns the form that the service
 * wants, or says what is wrong. An empty cell reaches a rule as undefined and is not sent.
 */
import { DateTime } from 'luxon';

import { parseUrl } from '../api/baseUrl';
import { asText, isBlank, isRecord } from '../api/records';
import { named, valueOf, ValueError, type Rule } from '../run/request';

/** Any value as text: JSON where it is an object, for an expression may give objects that can't be made into text otherwise. */
export function spelled(value: unknown): string {
	return asText(value).trim();
}

/** A value as an error quotes it: short, on one line. Of lists and objects it says what they are: nobody entered their JSON. */
export function quoted(value: unknown): string {
	if (Array.isArray(value)) return `a list of ${value.length}`;
	if (value instanceof Date || (isRecord(value) && 'toISO' in value)) return 'a date that does not exist';
	if (typeof value === 'object' && value !== null) {
		const names = Object.keys(value);
		return names.length === 0 ? 'an empty object' : `an object with ${quoted(names.slice(0, 5).join(', '))}`;
	}
	const text = String(value);
	const start = text.slice(0, 80).replace(/\s+/g, ' ');
	return `"${start}${text.length > 80 ? '…' : ''}"`;
}

/** A rule for values that may be left out. */
function optional(check: (value: unknown, source: Parameters<Rule>[1]) => unknown): Rule {
	return (value, source) => (value === undefined ? undefined : check(value, source));
}

/** A single value as text: spreadsheets make numbers, and true and false, of what looks like one. Undefined for anything else. */
function singleText(value: unknown): string | undefined {
	return ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** Text. */
export const text: Rule = optional((value) => singleText(value) ?? notText(`: ${quoted(value)}`));

/** Text that no error may quote. */
export const secret: Rule = optional((value) => singleText(value) ?? notText(''));

function notText(quotation: string): never {
	throw new ValueError(`is not text${quotation}`, 'Enter text, or use an expression that gives text.');
}

/** A positive whole number, given as a number or in digits; anything else is undefined. */
export function asId(value: unknown): number | undefined {
	const digits = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
	return /^[1-9]\d{0,15}$/.test(digits) && Number.isSafeInteger(Number(digits)) ? Number(digits) : undefined;
}

/** An ID (spec, "Common conventions": path parameters are integers). */
export const id: Rule = optional((value) => {
	const given = asId(value);
	if (given !== undefined) return given;
	throw new ValueError(
		`is not an ID: ${quoted(value)}`,
		'An ID is a positive whole number, such as 12. Choose from the list, or use the "id" of an earlier item.',
	);
});

/** Yes or no, also as text. */
export const flag: Rule = optional((value) => {
	if (typeof value === 'boolean') return value;
	const word = spelled(value).toLowerCase();
	if (word === 'true' || word === '1' || word === 'yes') return true;
	if (word === 'false' || word === '0' || word === 'no') return false;
	throw new ValueError(`is neither true nor false: ${quoted(value)}`, 'Enter true or false.');
});

/** An http or https URL. */
export const webUrl: Rule = optional((value) => {
	const address = typeof value === 'string' ? value.trim() : '';
	// A line break or a space inside would be dropped or encoded silently by the URL parser.
	if (/^https?:\/\/[^\s/]/i.test(address) && !/[\s\p{Cc}]/u.test(address) && parseUrl(address)) return address;
	throw new ValueError(
		`is not a web address: ${quoted(value)}`,
		'Enter a full address such as https://example.com/page, with https:// or http:// at its start.',
	);
});

/** What is plainly a host, with what may follow it: names with dots between them, the last of letters alone. */
const STARTS_WITH_HOST = /^(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,10}\p{L}{2,63}(?::\d{1,5})?(?:[/?#]|$)/u;

/** A long URL. What is plainly a host gets its scheme: https. */
export const longUrl: Rule = optional((value, source) => {
	const address = typeof value === 'string' ? value.trim() : '';
	return webUrl(STARTS_WITH_HOST.test(address) ? `https://${address}` : value, source);
});

/** One of the values that the spec lists. */
export function oneOf(...values: string[]): Rule {
	return optional((value) => {
		const word = spelled(value);
		if (values.includes(word)) return word;
		throw new ValueError(
			`is ${quoted(value)}, which is not one of ${values.join(', ')}`,
			`Choose one of ${values.join(', ')}.`,
		);
	});
}

/** A color in HEX, as the service wants it for channels: #RRGGBB. Short and bare forms are completed. */
export const hexColor: Rule = optional((value) => {
	const channels = colorChannels(value);
	return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
});

/** A color as rgb(r,g,b), as the service wants it for QR codes. */
export const rgbColor: Rule = optional((value) => `rgb(${colorChannels(value).join(',')})`);

function colorChannels(value: unknown): number[] {
	const color = spelled(value).toLowerCase();
	const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6}(?:[0-9a-f]{2})?)$/.exec(color)?.[1];
	if (hex !== undefined) {
		const long = hex.length === 3 ? hex.replace(/./g, '$&$&') : hex.slice(0, 6);
		return [0, 2, 4].map((start) => parseInt(long.slice(start, start + 2), 16));
	}
	const parts = /^rgba?\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*(?:,\s*[\d.]{1,5}\s*)?\)$/.exec(color);
	const channels = parts?.slice(1, 4).map(Number);
	if (channels?.every((channel) => channel <= 255)) return channels;
	throw new ValueError(`is not a color: ${quoted(value)}`, 'Enter a color such as #1A2B3C or rgb(26,43,60).');
}

/** Whole numbers: an array, or text with commas between them. */
export const idList: Rule = optional((value, source) => {
	const entries = Array.isArray(value) ? value : spelled(value).split(',');
	const numbers = entries.filter((entry) => !isBlank(entry)).map((entry) => id(entry, source));
	return numbers.length === 0 ? undefined : numbers;
});

/** The form in which the service takes a date (spec: YYYY-MM-DD HH:MM:SS). */
const SERVICE_DATE = 'yyyy-MM-dd HH:mm:ss';
/** A date, or date and time, that names no time zone. */
const WITHOUT_ZONE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?$/;

/**
 * A point in time: n8n's date-time value, a Luxon DateTime, a Date, or the service's own text. It goes out in the workflow's time
 * zone. What names no zone is in that zone already and keeps its figures, also in the hour that clocks skip in spring.
 */
export const dateTime: Rule = optional((value, { timezone }) => {
	const zone = typeof value === 'string' && WITHOUT_ZONE.test(value.trim()) ? 'utc' : timezone;
	const moment = pointInTime(value, zone)?.setZone(zone);
	if (moment?.isValid) return moment.toFormat(SERVICE_DATE);
	throw new ValueError(`is not a date: ${quoted(value)}`, 'Pick a date, or enter it as 2030-12-31 23:59:00.');
});

/** When something ends. A date without a time means the end of that day. */
export const expiry: Rule = optional((value, source) => {
	const isDay = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value.trim());
	return dateTime(isDay ? `${value.trim()} 23:59:59` : value, source);
});

/**
 * Makes sure that something ends in the future.
 *
 * @param moment as `expiry` gives it
 * @throws ValueError
 */
export function mustBeAhead(moment: string, timezone: string): void {
	// Both are spelled alike and in the same zone, so that their order as text is their order in time.
	if (moment > DateTime.now().setZone(timezone).toFormat(SERVICE_DATE)) return;
	throw new ValueError(`is in the past: ${quoted(moment)}`, 'Enter a date that is still to come.');
}

/** When something ends: a point in time that has not passed. */
export const expiryDate: Rule = optional((value, source) => {
	const moment = expiry(value, source) as string;
	mustBeAhead(moment, source.timezone);
	return moment;
});

function pointInTime(value: unknown, zone: string): DateTime | undefined {
	if (value instanceof Date) return DateTime.fromJSDate(value);
	// A Luxon DateTime of another copy of the library is no instance of ours: read it by what it offers.
	if (isRecord(value) && typeof (value as { toISO?: unknown }).toISO === 'function') {
		return DateTime.fromISO(String((value as unknown as { toISO(): string | null }).toISO()));
	}
	if (typeof value !== 'string') return undefined;
	const entered = value.trim();
	// A time alone, or a year alone, is no date; the parsers would fill in the rest.
	if (!/^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(entered)) return undefined;
	return entered.includes('T') ? DateTime.fromISO(entered, { zone }) : DateTime.fromSQL(entered, { zone });
}

/** JSON, as text or as what an expression gave. */
export const json: Rule = optional((value) => {
	if (typeof value !== 'string') return value;
	let reason: string;
	try {
		return JSON.parse(value) as unknown;
	} catch (error) {
		reason = error instanceof Error ? error.message : '';
	}
	throw new ValueError(`is not valid JSON: ${reason}`, 'Check quotes, commas and brackets.');
});

/**
 * The rows of a fixed collection (`{ values: [...] }`), or an array that an expression gave: each row an object with these
 * fields, all of them filled. A row in which nothing was entered is left out.
 *
 * @param labels field name → the name the editor shows
 * @param leftOutWithout a row without a value in this field is left out as well
 */
export function rows(fields: Record<string, Rule>, labels: Record<string, string>, leftOutWithout?: string): Rule {
	return optional((value, source) => {
		const entries: unknown = isRecord(value) ? value.values : value;
		if (isBlank(entries)) return undefined;
		if (!Array.isArray(entries) || !entries.every(isRecord)) {
			throw new ValueError('is not a list of rows', 'Add rows, or use an expression that gives an array of objects.');
		}
		const result = entries.flatMap((entry, index) => {
			const isMissing = (name: string) => isBlank(valueOf(entry[name]));
			const isEmpty = Object.keys(fields).every(isMissing);
			if (isEmpty || (leftOutWithout !== undefined && isMissing(leftOutWithout))) return [];
			return [
				Object.fromEntries(
					Object.entries(fields).map(([name, rule]) =>
						named(`→ row ${index + 1} → ${labels[name]}`, () => {
							const given = valueOf(entry[name]);
							if (isBlank(given)) throw new ValueError('is empty', 'Enter a value, or remove the row.');
							return [name, rule(given, source)];
						}),
					),
				),
			];
		});
		return result.length === 0 ? undefined : result;
	});
}

/** Rows of a name and a value. Those without a value, such as an empty cell of a spreadsheet, are left out. */
export const nameValueRows = rows({ name: text, value: text }, { name: 'Name', value: 'Value' }, 'value');

/** Rows of a name and a value as one object. */
export const fieldObject: Rule = (value, source) => {
	const pairs = nameValueRows(value, source) as Array<{ name: string; value: string }> | undefined;
	const names = pairs?.map(({ name }) => name.trim()) ?? [];
	const twice = names.find((name, index) => names.indexOf(name) < index);
	if (twice !== undefined)
		throw new ValueError(`has the name ${quoted(twice)} more than once`, 'Give each field a name of its own.');
	return pairs && Object.fromEntries(pairs.map((pair, index) => [names[index], pair.value]));
};

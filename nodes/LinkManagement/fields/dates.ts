/** Parsers of dates, as people and spreadsheets write them. */
import { DateTime, Info } from 'luxon';

import type { Parser, ValueContext } from '../run/request';
import { ValueError } from '../service/answer/errors';
import { asText, trimmed } from '../service/records';
import { quoted, valueParser } from './parsers';

/** The service's form of a date (spec: YYYY-MM-DD HH:MM:SS). */
const SERVICE_DATE = 'yyyy-MM-dd HH:mm:ss';

const MONTHS = Info.months('long', { locale: 'en' }).map((name) => name.toLowerCase());

const FORMS = [
	/^(?<year>\d{4})([-./])(?<month>\d\d?)\2(?<day>\d\d?)$/,
	/^(?<day>\d\d?)([-./])(?<month>\d\d?)\2(?<year>\d{4})$/,
	/^(?<month>\d\d?)([-./])(?<day>\d\d?)\2(?<year>\d{4})$/,
	/^(?<day>\d\d?)(?:st|nd|rd|th)?(?:\sof)?[-.\s]+(?<month>[a-z]{3,9})\.?[-,\s]+(?<year>\d{4})$/i,
	/^(?<month>[a-z]{3,9})\.?\s+(?<day>\d\d?)(?:st|nd|rd|th)?,?\s+(?<year>\d{4})$/i,
];

function monthOf(word: string): number {
	return Number(word) || MONTHS.findIndex((name) => name.startsWith(word.toLowerCase())) + 1;
}

function daysIn(text: string): DateTime[] {
	const days = FORMS.flatMap((form) => {
		const { year, month, day } = form.exec(text)?.groups ?? {};
		return day === undefined ? [] : [DateTime.utc(Number(year), monthOf(month), Number(day))];
	});
	return days.filter(({ isValid }) => isValid);
}

/** A time of day in seconds; undefined if it is invalid. */
function secondsIn(text: string): number | undefined {
	const time = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)?\s*([ap]m)?$/i;
	const [, hours, minutes, seconds = '0', half] = time.exec(text) ?? [];
	if (hours === undefined || (half !== undefined && Number(hours) > 12)) return undefined;
	const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
	return (hour * 60 + Number(minutes)) * 60 + Number(seconds);
}

/** What databases and exports write for an empty date. */
const NO_DATE = /^(?:never|0000-00-00(?:[ T]00:00:00)?)$/i;

/** The day from which spreadsheets count, and the numbers that are taken for days: from 1954 to 2173. */
const DAY_0 = DateTime.utc(1899, 12, 30);
const SERIAL = /^[2-9]\d{4}(?:\.\d{1,15})?$/;

/** Midnight in n8n's date picker is a day without a time: it ends at its last second. */
function endOfItsDay(moment: DateTime): DateTime {
	return +moment === +moment.startOf('day') ? moment.endOf('day') : moment;
}

/**
 * A date without a time zone: text with day, month and year, or the number of a spreadsheet. A day without a time ends at its last
 * second.
 *
 * @throws ValueError if it can be read in two ways
 */
function withoutZone(text: string): DateTime | undefined {
	// Dates are shorter.
	if (text.length > 40) return undefined;
	if (SERIAL.test(text)) {
		const moment = DAY_0.plus({ seconds: Math.round(Number(text) * 86_400) });
		return Number.isInteger(Number(text)) ? moment.endOf('day') : moment;
	}
	const [, date = text, between, time] = /^([^:]*\d)(,? |T)(\d\d?:.*)$/i.exec(text.replace(/\s+/g, ' ')) ?? [];
	const readings = daysIn(date);
	const [day, other] = readings;
	const seconds = time === undefined ? 0 : secondsIn(time);
	if (day === undefined || seconds === undefined) return undefined;
	if (other !== undefined && !other.equals(day)) {
		const inWords = readings.map((one) => one.toFormat('d LLLL yyyy', { locale: 'en' })).join(' or ');
		throw new ValueError(
			`may be ${inWords}: ${quoted(text)}`,
			`Write it as ${readings.map((one) => one.toFormat('yyyy-MM-dd')).join(' or ')}.`,
		);
	}
	if (time === undefined) return day.endOf('day');
	const moment = day.plus({ seconds });
	return between === 'T' ? endOfItsDay(moment) : moment;
}

/** Midnight UTC, which databases write for a day without a time. */
const DAY_IN_UTC = /^(\d{4}-\d\d-\d\d)[T ]00:00(?::00(?:\.0{1,9})?)? ?(?:Z|UTC|\+00(?::?00)?)$/i;

/** A date with a time zone, converted to the workflow's. As JSON, all kinds of dates are ISO text: a Date, a DateTime of any Luxon. */
function withZone(value: unknown, zone: string): DateTime | undefined {
	const text = asText(value).replaceAll('"', '');
	// A time or a year alone is not a date; the parsers would fill in the rest.
	if (!/^\d{4}-\d\d-\d\d[T ]/.test(text)) return undefined;
	const [, day] = DAY_IN_UTC.exec(text) ?? [];
	if (day !== undefined) return DateTime.fromISO(day, { zone }).endOf('day');
	return text[10] === 'T' ? endOfItsDay(DateTime.fromISO(text, { zone })) : DateTime.fromSQL(text, { zone });
}

/**
 * An expiry, in the workflow's time zone. A date without a zone is in that zone already and stays as it is, also in the hour that clocks
 * skip in spring.
 */
export const expiry: Parser<string> = valueParser(
	(value, { timezone }) => {
		const moment = withoutZone(asText(value)) ?? withZone(value, timezone);
		if (moment?.isValid) return moment.toFormat(SERVICE_DATE);
		// An invalid date is null as JSON.
		const given = asText(value) === 'null' ? 'an invalid date' : quoted(value);
		throw new ValueError(`is not a date: ${given}`, 'Pick a date, or enter it as 2030-12-31 23:59:00.');
	},
	{ within: ['start'], isNothing: (value) => typeof value === 'string' && NO_DATE.test(trimmed(value)) },
);

/** An expiry that has not passed. */
export const expiryDate: Parser<string> = Object.assign(
	(value: unknown, origin: ValueContext) => {
		const moment = expiry(value, origin);
		// Both have the same form and zone, so they can be compared as text.
		if (moment === undefined || moment > DateTime.now().setZone(origin.timezone).toFormat(SERVICE_DATE)) return moment;
		throw new ValueError(`is in the past: ${quoted(moment)}`, 'Enter a date in the future.');
	},
	{ isNothing: expiry.isNothing },
);

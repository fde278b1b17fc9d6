/** Points in time, as people and spreadsheets write them. */
import { DateTime, Info } from 'luxon';

import type { Parser, ValueContext } from '../run/request';
import { ValueError } from '../service/errors';
import { asText, trimmed } from '../service/records';
import { quoted, single } from './parsers';

/** The form in which the service takes a date (spec: YYYY-MM-DD HH:MM:SS). */
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

/** A time of the day in seconds; undefined for what is none. */
function secondsIn(text: string): number | undefined {
	const time = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)?\s*([ap]m)?$/i;
	const [, hours, minutes, seconds = '0', half] = time.exec(text) ?? [];
	if (hours === undefined || (half !== undefined && Number(hours) > 12)) return undefined;
	const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
	return (hour * 60 + Number(minutes)) * 60 + Number(seconds);
}

/** What databases and exports write for a date that is not there. */
const NO_DATE = /^(?:never|0000-00-00(?:[ T]00:00:00)?)$/i;

/** The first day that spreadsheets count from, and the days that may be meant by a number: from 1954 to 2173. */
const DAY_0 = DateTime.utc(1899, 12, 30);
const SERIAL = /^[2-9]\d{4}(?:\.\d{1,15})?$/;

/** In n8n's date-time, midnight is a day that was picked without a time: it ends at its last second. */
function endOfItsDay(moment: DateTime): DateTime {
	return +moment === +moment.startOf('day') ? moment.endOf('day') : moment;
}

/**
 * A date that names no zone: text with day, month and year, or the number that a spreadsheet keeps for it. A day without a time
 * ends at its last second.
 *
 * @throws ValueError where it can be read in two ways
 */
function withoutZone(text: string): DateTime | undefined {
	// No date has more characters.
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

/** Midnight in Greenwich: so databases write a day without a time. */
const DAY_IN_UTC = /^(\d{4}-\d\d-\d\d)[T ]00:00(?::00(?:\.0{1,9})?)? ?(?:Z|\+00(?::?00)?)$/i;

/** A point in time that names its zone, in the workflow's. In JSON, dates of any kind are ISO text: a Date, a DateTime of any Luxon. */
function withZone(value: unknown, zone: string): DateTime | undefined {
	const text = asText(value).replaceAll('"', '');
	// A time alone, or a year alone, is no date; the parsers would fill in the rest.
	if (!/^\d{4}-\d\d-\d\d[T ]/.test(text)) return undefined;
	const [, day] = DAY_IN_UTC.exec(text) ?? [];
	if (day !== undefined) return DateTime.fromISO(day, { zone }).endOf('day');
	return text.includes('T') ? endOfItsDay(DateTime.fromISO(text, { zone })) : DateTime.fromSQL(text, { zone });
}

/**
 * When something ends, in the workflow's time zone. What names no zone is in that zone already and keeps its figures, also in the hour
 * that clocks skip in spring.
 */
export const expiry: Parser<string> = single(
	(value, { timezone }) => {
		const moment = withoutZone(asText(value)) ?? withZone(value, timezone);
		if (moment?.isValid) return moment.toFormat(SERVICE_DATE);
		// An invalid date is null in JSON.
		const given = asText(value) === 'null' ? 'an invalid date' : quoted(value);
		throw new ValueError(`is not a date: ${given}`, 'Pick a date, or enter it as 2030-12-31 23:59:00.');
	},
	{ within: ['start'], isNothing: (value) => typeof value === 'string' && NO_DATE.test(trimmed(value)) },
);

/** When something ends: a point in time that has not passed. */
export const expiryDate: Parser<string> = Object.assign(
	(value: unknown, source: ValueContext) => {
		const moment = expiry(value, source);
		// Both are spelled alike and in the same zone, so that their order as text is their order in time.
		if (moment === undefined || moment > DateTime.now().setZone(source.timezone).toFormat(SERVICE_DATE)) return moment;
		throw new ValueError(`is in the past: ${quoted(moment)}`, 'Enter a date that is still to come.');
	},
	{ isNothing: expiry.isNothing },
);

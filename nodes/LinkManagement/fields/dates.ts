/** Parsers of dates, as people and spreadsheets write them. */
import { DateTime } from 'luxon';

import type { Parser } from '../run/request';
import { ValueError } from '../service/answer/errors';
import { asText, trimmed } from '../service/records';
import { quoted, valueParser } from './parsers';

/** The service's form of a date (spec: YYYY-MM-DD HH:MM:SS), and a text in it, which goes as it stands. */
const SERVICE_DATE = 'yyyy-MM-dd HH:mm:ss';
const IN_SERVICE_FORM = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** A date as programs write it (ISO 8601, SQL), and one with a time zone. */
const BY_PROGRAM = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:.*)?$/;
const WITH_ZONE = /:[\d.]+ ?(?:[+-]|[a-z])/i;

/** The day from which spreadsheets count, and the numbers that are taken for days: from 1954 to 2173. */
const DAY_0 = DateTime.utc(1899, 12, 30);
const SERIAL = /^[2-9]\d{4}(?:\.\d{1,15})?$/;

/** Days and times as people write them, in Luxon's words; between the parts of a day stands one hyphen, whatever they wrote. */
const DAYS = ['yyyy-M-d', 'd-M-yyyy', 'M-d-yyyy', 'd-LLL-yyyy', 'd-LLLL-yyyy', 'LLL-d-yyyy', 'LLLL-d-yyyy'];
const TIMES = ['H:m', 'H:m:s', 'h:m a', 'h:m:s a'];

/** What databases and exports write for an empty date. */
const NO_DATE = /^(?:never|0000-00-00(?:[ T]00:00:00)?)$/i;

/** The longest text of a date (characters). */
const LONGEST_DATE = 40;

/** What a text means in one of several forms. @returns a moment for each that fits */
function readIn(forms: readonly string[], text: string): DateTime[] {
	const read = forms.map((form) => DateTime.fromFormat(text, form, { zone: 'utc', locale: 'en' }));
	return read.filter(({ isValid }) => isValid);
}

/** A date as people write it, with day, month and year. @throws ValueError if it can be read in two ways */
function byPerson(text: string): DateTime | undefined {
	const [, date = text, time] = /^([^:]*\d)(?:,? |T)(\d\d?:.*)$/.exec(text.replace(/\s+/g, ' ')) ?? [];
	const parts = date.replace(/(\d)(?:st|nd|rd|th)\b/i, '$1').replace(/ of /i, ' ');
	const readings = readIn(DAYS, parts.replace(/[-./, ]+/g, '-'));
	const [day, other] = readings;
	if (other !== undefined && !other.equals(day)) {
		throw new ValueError(
			`may be ${readings.map((one) => one.toFormat('d LLLL yyyy', { locale: 'en' })).join(' or ')}: ${quoted(text)}`,
			`Write it as ${readings.map((one) => one.toFormat('yyyy-MM-dd')).join(' or ')}.`,
		);
	}
	if (time === undefined) return day;
	const [clock] = readIn(TIMES, time.replace(/ ?([ap]m)$/i, ' $1'));
	return clock && day?.set({ hour: clock.hour, minute: clock.minute, second: clock.second });
}

const isMidnight = (moment: DateTime) => +moment === +moment.startOf('day');

/** A date in ISO 8601 or SQL. With a time zone, it is converted to the workflow's, but for a day that is written as its midnight. */
function byProgram(text: string, zone: string): DateTime {
	const written = DateTime.fromSQL(text.replace(/^(.{10})T/, '$1 '), { zone: 'utc', setZone: true });
	return WITH_ZONE.test(text) && !isMidnight(written) ? written.setZone(zone) : written;
}

function momentIn(text: string, zone: string): DateTime | undefined {
	if (text.length > LONGEST_DATE) return undefined;
	if (SERIAL.test(text)) return DAY_0.plus({ seconds: Math.round(Number(text) * 86_400) });
	const moment = BY_PROGRAM.test(text) ? byProgram(text, zone) : undefined;
	return moment?.isValid ? moment : byPerson(text);
}

/**
 * An expiry, in the workflow's time zone. A date without a zone is in that zone already and stays as it is, also in the hour that clocks
 * skip in spring. A day, or its midnight, is the end of that day.
 */
export const expiry: Parser<string> = valueParser((value, { timezone }) => {
	// As JSON, all kinds of dates are ISO text: a Date, a DateTime of any Luxon.
	const text = trimmed(asText(value).replaceAll('"', ''));
	if (NO_DATE.test(text)) return undefined;
	const moment = momentIn(text, timezone);
	if (moment?.isValid !== true) {
		// An invalid date is null as JSON.
		const given = text === 'null' ? 'an invalid date' : quoted(value);
		throw new ValueError(`is not a date: ${given}`, 'Pick a date, or enter it as 2030-12-31 23:59:00.');
	}
	if (IN_SERVICE_FORM.test(text)) return text;
	return (isMidnight(moment) ? moment.endOf('day') : moment).toFormat(SERVICE_DATE);
});

/** An expiry that has not passed. */
export const expiryDate: Parser<string> = (value, origin) => {
	const moment = expiry(value, origin);
	// Both have the same form and zone, so they can be compared as text.
	if (moment === undefined || moment > DateTime.now().setZone(origin.timezone).toFormat(SERVICE_DATE)) return moment;
	throw new ValueError(`is in the past: ${quoted(moment)}`, 'Enter a date in the future.');
};

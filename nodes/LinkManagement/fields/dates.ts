/** Points in time, as people and spreadsheets write them. */
import { DateTime, Info } from 'luxon';

import { type Rule } from '../run/request';
import { ValueError } from '../service/errors';
import { isRecord } from '../service/records';
import { quoted, single, spelled } from './rules';

/** The form in which the service takes a date (spec: YYYY-MM-DD HH:MM:SS). */
const SERVICE_DATE = 'yyyy-MM-dd HH:mm:ss';

const MONTHS = Info.months('long', { locale: 'en' }).map((name) => name.toLowerCase());

/** A point in time without a zone: the figures of a day, and those of a time where there is one. */
interface Figures {
	day: DateTime;
	hasTime: boolean;
}

function monthOf(word: string): number {
	return /^\d/.test(word) ? Number(word) : MONTHS.findIndex((name) => name.startsWith(word.toLowerCase())) + 1;
}

/** Day, month and year in the orders in which people write them. */
function daysIn(text: string): DateTime[] {
	const asDay = (year: string, month: string, day: string) => DateTime.utc(Number(year), monthOf(month), Number(day));
	const yearFirst = /^(\d{4})([-./])(\d\d?)\2(\d\d?)$/.exec(text);
	if (yearFirst !== null) return [asDay(yearFirst[1], yearFirst[3], yearFirst[4])];
	const yearLast = /^(\d\d?)([-./])(\d\d?)\2(\d{4})$/.exec(text);
	if (yearLast !== null) {
		const [, one, , other, year] = yearLast;
		return [asDay(year, other, one), asDay(year, one, other)];
	}
	const inWords =
		/^(?<day>\d\d?)[-.\s]+(?<month>[a-z]{3,9})\.?[-,\s]+(?<year>\d{4})$/i.exec(text) ??
		/^(?<month>[a-z]{3,9})\.?\s+(?<day>\d\d?),?\s+(?<year>\d{4})$/i.exec(text);
	return inWords?.groups === undefined ? [] : [asDay(inWords.groups.year, inWords.groups.month, inWords.groups.day)];
}

/** A time of the day in seconds; undefined for what is none. */
function secondsIn(text: string): number | undefined {
	const [, hours, minutes, seconds = '0', half] =
		/^(\d\d?):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?\s*([ap]m)?$/i.exec(text) ?? [];
	if (hours === undefined || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
	const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
	return hour > 23 || (half !== undefined && Number(hours) > 12)
		? undefined
		: (hour * 60 + Number(minutes)) * 60 + Number(seconds);
}

/** No date has more characters. */
const LONGEST = 40;

/** The first day that spreadsheets count from, and the days that may be meant by a number: from 1954 to 2173. */
const DAY_0 = DateTime.utc(1899, 12, 30);
const SERIAL = /^[2-9]\d{4}(?:\.\d{1,15})?$/;

/**
 * A date that names no zone: text with day, month and year, or the number that a spreadsheet keeps for it.
 *
 * @throws ValueError where it can be read in two ways
 */
function figuresIn(text: string): Figures | undefined {
	if (text.length > LONGEST) return undefined;
	if (SERIAL.test(text)) {
		const hasTime = !Number.isInteger(Number(text));
		return { day: DAY_0.plus({ seconds: Math.round(Number(text) * 86_400) }), hasTime };
	}
	const [, date = text, time] = /^(.*?\d)(?:,?\s+|T)(\d\d?:.*)$/i.exec(text) ?? [];
	const readings = daysIn(date).filter(({ isValid }) => isValid);
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
	return { day: day.plus({ seconds }), hasTime: time !== undefined };
}

/** A point in time that names its zone, or that an expression gave as one. */
function momentIn(value: unknown, zone: string): DateTime | undefined {
	if (value instanceof Date) return DateTime.fromJSDate(value);
	// A Luxon DateTime of another copy of the library is no instance of ours: read it by what it offers.
	if (isRecord(value) && typeof (value as { toISO?: unknown }).toISO === 'function') {
		return DateTime.fromISO(String((value as unknown as { toISO(): string | null }).toISO()));
	}
	// A time alone, or a year alone, is no date; the parsers would fill in the rest.
	const text = typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]/.test(value) ? value : undefined;
	if (text === undefined) return undefined;
	return text.includes('T') ? DateTime.fromISO(text, { zone }) : DateTime.fromSQL(text, { zone });
}

/**
 * When something ends, in the workflow's time zone. What names no zone is in that zone already and keeps its figures, also in the hour
 * that clocks skip in spring. A day without a time ends at its last second.
 */
export const expiry: Rule = single((value, { timezone }) => {
	const entered = typeof value === 'string' || typeof value === 'number' ? spelled(value) : value;
	const figures = typeof entered === 'string' ? figuresIn(entered) : undefined;
	const moment =
		figures === undefined
			? momentIn(entered, timezone)?.setZone(timezone)
			: figures.hasTime
				? figures.day
				: figures.day.endOf('day');
	if (moment?.isValid) return moment.toFormat(SERVICE_DATE);
	throw new ValueError(`is not a date: ${quoted(value)}`, 'Pick a date, or enter it as 2030-12-31 23:59:00.');
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
export const expiryDate: Rule = (value, source) => {
	const moment = expiry(value, source) as string | undefined;
	if (moment !== undefined) mustBeAhead(moment, source.timezone);
	return moment;
};

/** A link as a row would have it, held against what the service shows of it. */

import { asText, idOf, isRecord } from '../service/records';
import type { LinkRecord } from './reference';
import { aliasOf, isLikeAddress, isSameAddress } from './url';

/** What a row says of its link: fields under the names under which they go out (spec, "Body of POST /api/url/add"). */
export type LinkFields = Readonly<Record<string, unknown>>;

/** What an update changes: the record's name of the field → from what, where the service shows it, to what. */
type Changes = Record<string, { from?: unknown; to?: unknown }>;

/** What a target applies to, under the name under which it goes out; details show the targets under that name, too. */
const TARGETS: Readonly<Record<string, string>> = {
	geotarget: 'location',
	devicetarget: 'device',
	languagetarget: 'language',
};

/** The names that a link's record gives the fields of a creation. */
const SHOWN_AS: Readonly<Record<string, string>> = { url: 'longurl', custom: 'alias', metatitle: 'title', ...TARGETS };

/** The fields that a link's details show and lists leave out (spec, "Short link details"). */
const IN_DETAILS = new Set(['expiry', ...Object.keys(TARGETS)]);

/** Fields that hold several values: an empty list clears them. */
const LISTS = new Set([...Object.keys(TARGETS), 'pixels', 'parameters']);

export function pick(fields: LinkFields, names: readonly string[]): LinkFields {
	return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

export function emptyOf(name: string): '' | [] {
	return LISTS.has(name) ? [] : '';
}

export function isEmpty(value: unknown): boolean {
	return value === '' || (Array.isArray(value) && value.length === 0);
}

/** The entry of a country's states that stands for all of them. */
const ALL_STATES = 'all';

function isFilled(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '';
}

/** What a record shows of a field; undefined where it shows nothing of it. */
function shownOf(name: string, record: LinkRecord): unknown {
	if (name === 'custom') return aliasOf(record);
	if (name === 'languagetarget') return record.language ?? record.languages;
	return record[SHOWN_AS[name] ?? name];
}

/** Targets as a row says them, by name in lower case as details show them. */
function wantedTargets(name: string, wanted: unknown): Record<string, string> {
	const rows = Array.isArray(wanted) ? (wanted as Array<Record<string, unknown>>) : [];
	return Object.fromEntries(rows.map((row) => [asText(row[TARGETS[name]]).trim().toLowerCase(), asText(row.link)]));
}

/** The addresses of targets that are shown, by name in lower case, and the names whose addresses differ by state. */
function shownTargets(shown: unknown): { addresses: Record<string, string>; byState: string[] } {
	const addresses: Record<string, string> = {};
	const byState: string[] = [];
	for (const [name, address] of Object.entries(isRecord(shown) ? shown : {})) {
		const link = isRecord(address) ? address[ALL_STATES] : address;
		if (typeof link === 'string' && link !== '') addresses[name.trim().toLowerCase()] = link;
		if (isRecord(address) && Object.keys(address).some((state) => state !== ALL_STATES)) byState.push(name);
	}
	return { addresses, byState };
}

/** Whether two addresses lead to the same page, or are the same to the letter. */
type SameAddress = (wanted: unknown, shown: unknown) => boolean;

const toTheLetter: SameAddress = (wanted, shown) => wanted === shown;

function areSameTargets(wanted: Record<string, string>, shown: unknown, isSame: SameAddress): boolean {
	const { addresses, byState } = shownTargets(shown);
	const names = Object.keys(wanted);
	return (
		byState.length === 0 &&
		names.length === Object.keys(addresses).length &&
		names.every((one) => addresses[one] === wanted[one] || isSame(addresses[one], wanted[one]))
	);
}

/** A date as the service may show it: with a T between day and time, or the day alone. */
function isSameDate(wanted: unknown, shown: unknown): boolean {
	if (typeof shown !== 'string') return false;
	const date = shown.trim().replace('T', ' ').slice(0, 19);
	return date !== '' && asText(wanted).slice(0, date.length <= 10 ? 10 : 19) === date;
}

/** Whether nothing stands in a field, in one of the ways in which services show that. */
function isShownEmpty(shown: unknown): boolean {
	if (typeof shown === 'object' && shown !== null) return Object.keys(shown).length === 0;
	return !isFilled(shown) || shown === 0 || shown === false;
}

/** Whether a field is as a row says it, by what the service shows. What it does not show is no reason to clear it. */
function isAsShown(name: string, wanted: unknown, shown: unknown, isSame: SameAddress): boolean {
	if (isEmpty(wanted)) return isShownEmpty(shown);
	if (shown === undefined) return false;
	if (name in TARGETS) return areSameTargets(wantedTargets(name, wanted), shown, isSame);
	if (shown === null) return false;
	if (name === 'expiry') return isSameDate(wanted, shown);
	if (name === 'url') return isSame(wanted, shown) || asText(wanted) === shown;
	return asText(wanted) === asText(shown);
}

export function saysSame(name: string, one: unknown, other: unknown): boolean {
	return isAsShown(name, one, name in TARGETS ? wantedTargets(name, other) : other, isSameAddress);
}

/** Whether only a link's details tell if the link is as these fields say. */
export function needsDetails(fields: LinkFields): boolean {
	return Object.keys(fields).some((name) => IN_DETAILS.has(name) && fields[name] !== undefined);
}

/**
 * The fields in which a row differs from what the service shows of its link. A field that is not shown counts as different. The
 * domain never does: an update can't change it, and it has served to find the link.
 *
 * @param record what is shown: of a list, or with details what they show besides
 */
export function differences(fields: LinkFields, record: LinkRecord, isSame: SameAddress = isSameAddress): string[] {
	const isOpen = (name: string) => fields[name] !== undefined && name !== 'domain';
	const differs = (name: string) => !isAsShown(name, fields[name], shownOf(name, record), isSame);
	return Object.keys(fields).filter((name) => isOpen(name) && differs(name));
}

/** The letters and figures of a text, without what services escape or take out. */
function bare(text: string): string {
	return text
		.replace(/&(?:[a-z]{2,8}|#x?[0-9a-f]{1,6});/gi, '')
		.replace(/[^\p{L}\p{N}]+/gu, '')
		.toLowerCase();
}

/** A text that begins like another, and is no shorter than this, may be the other cut off. */
const SHORTEST_CUT = 8;

function isLikeText(wanted: string, shown: string): boolean {
	const withoutTags = (text: string) => text.replace(/<[^<>]{0,200}>/g, '');
	return [wanted, withoutTags(wanted)].map(bare).some((text) => {
		const there = bare(shown);
		return there === text || (there.length >= SHORTEST_CUT && text.startsWith(there));
	});
}

/**
 * The fields of these in which the service seems to show what the row says, otherwise written: cut to a length, escaped, without some
 * characters, or an address in another spelling.
 */
export function writtenOtherwise(names: readonly string[], fields: LinkFields, record: LinkRecord): string[] {
	return names.filter((name) => {
		const shown = shownOf(name, record);
		if (name in TARGETS) {
			const wanted = wantedTargets(name, fields[name]);
			const { addresses } = shownTargets(shown);
			const places = Object.keys(wanted);
			const isLike = (place: string) => isLikeAddress(wanted[place], addresses[place]);
			return places.length > 0 && places.length === Object.keys(addresses).length && places.every(isLike);
		}
		if (typeof shown !== 'string' || isEmpty(fields[name])) return false;
		return name === 'url' ? isLikeAddress(fields.url, shown) : isLikeText(asText(fields[name]), shown);
	});
}

/** The fields that a row clears, and of which the service shows that something stands in them. */
export function clearedIn(fields: LinkFields, record: LinkRecord): string[] {
	return differences(fields, record).filter((name) => isEmpty(fields[name]));
}

/** The fields of these that the service does not show, so that nobody can compare them. */
export function notShown(names: readonly string[], record: LinkRecord): string[] {
	return names.filter((name) => shownOf(name, record) === undefined);
}

/**
 * What an update changes of a link, as its item shows it: also an address that is spelled otherwise; without a password.
 *
 * @param inWords a value as people read it
 */
export function changesOf(
	fields: LinkFields,
	record: LinkRecord,
	inWords: (name: string, value: unknown) => unknown = (_name, value) => value,
): Changes {
	const changes: Changes = {};
	for (const name of differences(fields, record, toTheLetter)) {
		const shown = inWords(name, shownOf(name, record));
		// A service shows in one of several ways that there are no targets.
		const from = name in TARGETS && shown !== undefined && !isRecord(shown) ? {} : shown;
		const to = name in TARGETS ? wantedTargets(name, fields[name]) : inWords(name, fields[name]);
		changes[SHOWN_AS[name] ?? name] = name === 'password' ? {} : from === undefined ? { to } : { from, to };
	}
	return changes;
}

/** Targets as an update takes them, from what the details show. */
function targetRows(name: string, shown: unknown): Array<Record<string, string>> | undefined {
	const rows = Object.entries(shownTargets(shown).addresses).map(([one, link]) => ({ [TARGETS[name]]: one, link }));
	return rows.length === 0 ? undefined : rows;
}

/** The targets by state that an update of these fields would lose: there is no form in which they could be sent. */
export function lostTargets(shown: LinkRecord, fields: LinkFields): string[] {
	return Object.keys(TARGETS)
		.filter((name) => fields[name] === undefined)
		.flatMap((name) => shownTargets(shownOf(name, shown)).byState);
}

/**
 * The body of an update that changes some fields of a link and keeps the others: some services reset what an update leaves out,
 * so that everything the link shows is sent along. The alias and the domain stay where they are left out, always; an alias that the
 * link has already is left out.
 *
 * @param shown details of the link (spec, "Short link details"), with what a list shows of it besides
 * @param fields what is to be changed
 */
export function updateBody(shown: LinkRecord, fields: LinkFields): Record<string, unknown> {
	const present: Record<string, unknown> = {
		url: shown.longurl,
		metatitle: shown.title,
		description: shown.description,
		expiry: shown.expiry,
		campaign: idOf({ id: shown.campaign }),
		channel: idOf({ id: shown.channel }),
	};
	for (const name of Object.keys(TARGETS)) present[name] = targetRows(name, shownOf(name, shown));
	const filled = Object.fromEntries(Object.entries(present).filter(([, value]) => isFilled(value)));
	const isGiven = ([name, value]: [string, unknown]) =>
		value !== undefined &&
		value !== null &&
		name !== 'domain' &&
		(name !== 'custom' || asText(value) !== aliasOf(shown));
	return { ...filled, ...Object.fromEntries(Object.entries(fields).filter(isGiven)) };
}

/** What lists show of a link, and what they show at some services alone. */
const LISTED = new Set(['alias', 'longurl', 'title', 'description']);
const LISTED_BY_SOME = new Set(['campaign', 'channel']);

/** The link's record, as lists show it, after a change. @param shortUrl where the service has named it */
export function changedRecord(record: LinkRecord, fields: LinkFields, shortUrl?: unknown): LinkRecord {
	const changed: Record<string, unknown> = { ...record };
	for (const [field, value] of Object.entries(fields)) {
		const name = SHOWN_AS[field] ?? field;
		const isSet = isFilled(value) && (LISTED.has(name) || (LISTED_BY_SOME.has(name) && name in record));
		if (isSet || (isEmpty(value) && name in record)) changed[name] = value;
	}
	const { shorturl, alias } = changed;
	const isRenamed = isFilled(fields.custom) && typeof shorturl === 'string' && shorturl.includes('/');
	if (isRenamed) changed.shorturl = `${shorturl.slice(0, shorturl.lastIndexOf('/'))}/${asText(alias)}`;
	if (shortUrl !== undefined) changed.shorturl = shortUrl;
	if (isFilled(fields.custom) && shortUrl !== undefined) changed.alias = aliasOf({ shorturl: shortUrl });
	return changed;
}

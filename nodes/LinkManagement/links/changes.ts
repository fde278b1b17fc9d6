/** A link as a row would have it, held against what the service shows of it. */

import { asText, isRecord } from '../service/records';
import type { LinkRecord } from './linkIndex';
import { aliasOf, isSameAddress } from './url';

/** What a row says of its link: fields under the names under which they go out (spec, "Body of POST /api/url/add"). */
export type LinkFields = Readonly<Record<string, unknown>>;

/** What an update changes: the record's name of the field → from what, where the service shows it, to what. */
type Changes = Record<string, { from?: unknown; to?: unknown }>;

/** The names that a link's record gives the fields of a creation. */
const SHOWN_AS: Readonly<Record<string, string>> = {
	url: 'longurl',
	custom: 'alias',
	metatitle: 'title',
	geotarget: 'location',
	devicetarget: 'device',
	languagetarget: 'language',
};

/** What a target applies to, under the name under which it goes out. */
const TARGETS: Readonly<Record<string, string>> = {
	geotarget: 'location',
	devicetarget: 'device',
	languagetarget: 'language',
};

/** The fields that a link's details show and lists leave out (spec, "Short link details"). */
const IN_DETAILS = new Set(['expiry', ...Object.keys(TARGETS)]);

/** Fields that hold several values: an empty list clears them. */
const LISTS = new Set([...Object.keys(TARGETS), 'pixels', 'parameters']);

/** What a row says to clear a field. */
export function emptyOf(name: string): '' | [] {
	return LISTS.has(name) ? [] : '';
}

/** Whether a row clears a field. */
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
function targetsSaid(name: string, said: unknown): Record<string, string> {
	const rows = Array.isArray(said) ? (said as Array<Record<string, unknown>>) : [];
	return Object.fromEntries(rows.map((row) => [asText(row[TARGETS[name]]).trim().toLowerCase(), asText(row.link)]));
}

/** The addresses of targets that are shown, by name in lower case, and the names whose addresses differ by state. */
function targetsShown(shown: unknown): { addresses: Record<string, string>; byState: string[] } {
	const addresses: Record<string, string> = {};
	const byState: string[] = [];
	for (const [name, address] of Object.entries(isRecord(shown) ? shown : {})) {
		const link = isRecord(address) ? address[ALL_STATES] : address;
		if (typeof link === 'string' && link !== '') addresses[name.trim().toLowerCase()] = link;
		if (isRecord(address) && Object.keys(address).some((state) => state !== ALL_STATES)) byState.push(name);
	}
	return { addresses, byState };
}

function areSameTargets(name: string, said: unknown, shown: unknown): boolean {
	const wanted = targetsSaid(name, said);
	const { addresses, byState } = targetsShown(shown);
	const names = Object.keys(wanted);
	return (
		byState.length === 0 &&
		names.length === Object.keys(addresses).length &&
		names.every((one) => addresses[one] === wanted[one] || isSameAddress(addresses[one], wanted[one]))
	);
}

/** A date as the service may show it: with a T between day and time, or the day alone. */
function isSameDate(said: unknown, shown: unknown): boolean {
	if (typeof shown !== 'string') return false;
	const date = shown.trim().replace('T', ' ').slice(0, 19);
	return date !== '' && asText(said).slice(0, date.length <= 10 ? 10 : 19) === date;
}

/** Whether nothing stands in a field, in one of the ways in which services show that. */
function isShownEmpty(shown: unknown): boolean {
	if (typeof shown === 'object' && shown !== null) return Object.keys(shown).length === 0;
	return !isFilled(shown) || shown === 0 || shown === false;
}

/** Whether a field is as a row says it, by what the service shows. What it does not show is no reason to clear it. */
function isAsShown(name: string, said: unknown, shown: unknown): boolean {
	if (isEmpty(said)) return isShownEmpty(shown);
	if (shown === undefined) return false;
	if (name in TARGETS) return areSameTargets(name, said, shown);
	if (shown === null) return false;
	if (name === 'expiry') return isSameDate(said, shown);
	if (name === 'url') return isSameAddress(said, shown) || asText(said) === shown;
	return asText(said) === asText(shown);
}

/** Whether two rows say the same of a field. */
export function saysSame(name: string, one: unknown, other: unknown): boolean {
	if (!(name in TARGETS)) return isAsShown(name, one, other);
	return JSON.stringify(targetsSaid(name, one)) === JSON.stringify(targetsSaid(name, other));
}

/** Whether only a link's details tell if the link is as these fields say. */
export function needsDetails(fields: LinkFields): boolean {
	return Object.keys(fields).some((name) => IN_DETAILS.has(name) && fields[name] !== undefined);
}

/**
 * The fields in which a row differs from what the service shows of its link. A field that is not shown counts as different. The
 * domain never does: an update can't change it, and it has told which link is meant.
 *
 * @param record what is shown: of a list, or with details what they show besides
 */
export function differences(fields: LinkFields, record: LinkRecord): string[] {
	return Object.keys(fields).filter(
		(name) => fields[name] !== undefined && name !== 'domain' && !isAsShown(name, fields[name], shownOf(name, record)),
	);
}

/** The fields of these that the service does not show, so that nobody can compare them. */
export function notShown(names: readonly string[], record: LinkRecord): string[] {
	return names.filter((name) => shownOf(name, record) === undefined);
}

/** What an update changes of a link, as its item shows it; without a password. */
export function changesOf(names: readonly string[], fields: LinkFields, record: LinkRecord): Changes {
	const changes: Changes = {};
	for (const name of names) {
		const from = name in TARGETS ? shownTargets(shownOf(name, record)) : shownOf(name, record);
		const to = name in TARGETS ? targetsSaid(name, fields[name]) : fields[name];
		changes[SHOWN_AS[name] ?? name] = name === 'password' ? {} : from === undefined ? { to } : { from, to };
	}
	return changes;
}

/** Targets as they are shown; a service shows that there are none in one of several ways. */
function shownTargets(shown: unknown): unknown {
	return shown === undefined || isRecord(shown) ? shown : {};
}

/** Targets as an update takes them, from what the details show. */
function targetRows(name: string, shown: unknown): Array<Record<string, string>> | undefined {
	const rows = Object.entries(targetsShown(shown).addresses).map(([one, link]) => ({ [TARGETS[name]]: one, link }));
	return rows.length === 0 ? undefined : rows;
}

/** The targets by state that an update of these fields would lose: there is no form in which they could be sent. */
export function lostTargets(shown: LinkRecord, fields: LinkFields): string[] {
	return Object.keys(TARGETS)
		.filter((name) => fields[name] === undefined)
		.flatMap((name) => targetsShown(shownOf(name, shown)).byState);
}

/** An ID, as lists of some services show the campaign and the channel of a link. */
function idIn(value: unknown): number | undefined {
	const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
	return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/**
 * The body of an update that changes some fields of a link and keeps the others: some services reset what an update leaves out,
 * so that everything the link shows is sent along. The alias and the domain stay where they are left out, always.
 *
 * @param shown details of the link (spec, "Short link details"), with what a list shows of it besides
 * @param fields what is to be changed
 */
export function updateBody(shown: LinkRecord, fields: LinkFields): Record<string, unknown> {
	const kept: Record<string, unknown> = {
		url: shown.longurl,
		metatitle: shown.title,
		description: shown.description,
		expiry: shown.expiry,
		campaign: idIn(shown.campaign),
		channel: idIn(shown.channel),
	};
	for (const name of Object.keys(TARGETS)) kept[name] = targetRows(name, shownOf(name, shown));
	const filled = Object.fromEntries(Object.entries(kept).filter(([, value]) => isFilled(value)));
	const isGiven = ([name, value]: [string, unknown]) => name !== 'domain' && value !== undefined && value !== null;
	return { ...filled, ...Object.fromEntries(Object.entries(fields).filter(isGiven)) };
}

/** The link's record, as lists show it, after a change. */
export function changedRecord(record: LinkRecord, fields: LinkFields, shortUrl?: unknown): LinkRecord {
	const { url, custom, metatitle, description, campaign, channel } = fields;
	const changed: Record<string, unknown> = {
		alias: isFilled(custom) && shortUrl !== undefined ? aliasOf({ shorturl: shortUrl }) : custom,
		shorturl: shortUrl ?? (isFilled(custom) ? renamed(record, asText(custom)) : undefined),
		longurl: url,
		title: metatitle,
		description,
		...('campaign' in record ? { campaign } : {}),
		...('channel' in record ? { channel } : {}),
	};
	const given = Object.entries(changed).filter(([, value]) => isFilled(value));
	const cleared = Object.entries(fields).filter(
		([name, value]) => isEmpty(value) && (SHOWN_AS[name] ?? name) in record,
	);
	const emptied = cleared.map(([name, value]): [string, unknown] => [SHOWN_AS[name] ?? name, value]);
	return { ...record, ...(Object.fromEntries([...given, ...emptied]) as Record<string, unknown>) };
}

/** The short URL of a link with another alias. */
function renamed({ shorturl }: LinkRecord, alias: string): string | undefined {
	return typeof shorturl === 'string' && shorturl.includes('/')
		? `${shorturl.slice(0, shorturl.lastIndexOf('/'))}/${alias}`
		: undefined;
}

/** A link as a row would have it, held against what the service shows of it. */

import { parseUrl } from '../service/baseUrl';
import { asText, isRecord } from '../service/records';
import { MASK } from '../service/redact';
import {
	fieldNamed,
	fieldsThat,
	isEmpty,
	isFilled,
	isShownEmpty,
	LINK_FIELD_NAMES,
	shownName,
	shownOf,
	targetsByState,
	type LinkFieldName,
	type LinkFields,
	type SameAddress,
} from './linkFields';
import type { LinkRecord } from './reference';
import { aliasOf, isSameAddress } from './url';

/** What an update changes: the record's name of the field → from what, where the service shows it, to what. */
type Changes = Record<string, { from?: unknown; to?: unknown }>;

export function namesIn(fields: LinkFields): LinkFieldName[] {
	return LINK_FIELD_NAMES.filter((name) => fields[name] !== undefined);
}

/** Whether a field is as a row says it, by what the service shows. What it does not show is no reason to clear it. */
function isAsShown(name: LinkFieldName, wanted: unknown, record: LinkRecord, isSame: SameAddress): boolean {
	const shown = shownOf(name, record);
	if (isEmpty(wanted)) return isShownEmpty(shown);
	return isFilled(shown) && fieldNamed(name).isSame(wanted, shown, isSame);
}

const ofDetails = fieldsThat(({ shownIn }) => shownIn === 'details');

/** Whether only a link's details tell if the link is as these fields say. */
export function needsDetails(fields: LinkFields): boolean {
	return ofDetails.some((name) => fields[name] !== undefined);
}

/**
 * The fields in which a row differs from what the service shows of its link. A field that is not shown counts as different. The
 * domain never does: an update can't change it, and it has served to find the link.
 *
 * @param record what is shown: of a list, or with details what they show besides
 */
export function differences(
	fields: LinkFields,
	record: LinkRecord,
	isSame: SameAddress = isSameAddress,
): LinkFieldName[] {
	const isOther = (name: LinkFieldName) => !isAsShown(name, fields[name], record, isSame);
	return namesIn(fields).filter((name) => fieldNamed(name).isFixed !== true && isOther(name));
}

/** The fields that a row clears, and of which the service shows that something stands in them. */
export function clearedIn(fields: LinkFields, record: LinkRecord): LinkFieldName[] {
	return differences(fields, record).filter((name) => isEmpty(fields[name]));
}

/** The fields of these that the service does not show, so that nobody can compare them. */
export function notShown(names: readonly LinkFieldName[], record: LinkRecord): LinkFieldName[] {
	return names.filter((name) => shownOf(name, record) === undefined);
}

const toTheLetter: SameAddress = (wanted, shown) => wanted === shown;

/**
 * What an update changes of a link, as its item shows it: also an address that is spelled otherwise; a password is masked.
 *
 * @param inWords a value as people read it
 */
export function changesOf(
	fields: LinkFields,
	record: LinkRecord,
	inWords: (name: LinkFieldName, value: unknown) => unknown = (_name, value) => value,
): Changes {
	const changes: Changes = {};
	for (const name of differences(fields, record, toTheLetter)) {
		const { toShow } = fieldNamed(name);
		const shown = inWords(name, shownOf(name, record));
		// A service shows in one of several ways that there are no targets.
		const from = toShow !== undefined && shown !== undefined && !isRecord(shown) ? {} : shown;
		const isSecret = name === 'password' && !isEmpty(fields[name]);
		const to = isSecret ? MASK : (toShow?.(fields[name]) ?? inWords(name, fields[name]));
		changes[shownName(name)] = from === undefined || name === 'password' ? { to } : { from, to };
	}
	return changes;
}

/** The targets by state that an update of these fields would lose: there is no form in which they could be sent. */
export function lostTargets(shown: LinkRecord, fields: LinkFields): string[] {
	const left = fieldsThat(({ toShow }) => toShow !== undefined).filter((name) => fields[name] === undefined);
	return left.flatMap((name) => targetsByState(shownOf(name, shown)));
}

/** The fields that an update can change. */
const changeable = fieldsThat(({ isFixed }) => isFixed !== true);

/** What an update sends along of a field, to keep it: as it is shown, or as this execution has given it. */
function keptOf(name: LinkFieldName, shown: LinkRecord, given: LinkFields): unknown {
	const there = shownOf(name, shown);
	if (there !== undefined && isShownEmpty(there)) return undefined;
	return (there === undefined ? undefined : fieldNamed(name).toSend(there)) ?? given[name];
}

/** Parameters that the long URL has already are added to it a second time. */
function withoutRepeated(parameters: unknown, url: unknown): unknown {
	const names = typeof url === 'string' ? parseUrl(url)?.searchParams : undefined;
	return (parameters as Array<{ name: string }>).filter(({ name }) => names?.has(name) !== true);
}

/**
 * The body of an update that changes some fields of a link and keeps the others: some services reset what an update leaves out,
 * so that all that the link shows, and all that this execution has given it, is sent along.
 *
 * @param shown details of the link (spec, "Short link details"), with what a list shows of it besides
 * @param fields what is to be changed
 * @param given what this execution has sent of the link before
 */
export function updateBody(shown: LinkRecord, fields: LinkFields, given: LinkFields = {}): Record<string, unknown> {
	const body: Record<string, unknown> = {};
	for (const name of changeable) {
		const kept = fields[name] === undefined ? keptOf(name, shown, given) : undefined;
		const value = fields[name] ?? (isFilled(kept) ? kept : undefined);
		if (value !== undefined) body[name] = value;
	}
	// An alias that is left out stays.
	if (fields.custom === undefined || asText(fields.custom) === aliasOf(shown)) delete body.custom;
	if (fields.parameters === undefined && isFilled(body.parameters))
		body.parameters = withoutRepeated(body.parameters, body.url);
	for (const name of changeable) {
		const { needs } = fieldNamed(name);
		// A service that has dropped the one refuses the other.
		if (needs !== undefined && fields[name] === undefined && !isFilled(body[needs])) delete body[name];
	}
	return body;
}

/** The link's record, as lists show it, after a change. @param shortUrl where the service has named it */
export function changedRecord(record: LinkRecord, fields: LinkFields, shortUrl?: unknown): LinkRecord {
	const changed: Record<string, unknown> = { ...record };
	for (const field of changeable) {
		const [name, value] = [shownName(field), fields[field]];
		if (value === undefined) continue;
		if (name in record || (isFilled(value) && fieldNamed(field).shownIn === 'lists')) changed[name] = value;
	}
	const { shorturl, alias } = changed;
	const isRenamed = isFilled(fields.custom) && typeof shorturl === 'string' && shorturl.includes('/');
	if (isRenamed) {
		const isWhole = shorturl.endsWith(`/${asText(record.alias)}`);
		const end = isWhole ? shorturl.length - asText(record.alias).length - 1 : shorturl.lastIndexOf('/');
		changed.shorturl = `${shorturl.slice(0, end)}/${asText(alias)}`;
	}
	if (shortUrl !== undefined) changed.shorturl = shortUrl;
	if (isFilled(fields.custom) && shortUrl !== undefined) changed.alias = aliasOf({ shorturl: shortUrl });
	return changed;
}

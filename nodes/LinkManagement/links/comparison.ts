/** Compares the fields of a row with what the service shows of its link. */

import { asText, isRecord } from '../service/records';
import { MASK } from '../service/redact';
import {
	fieldNamed,
	fieldsThat,
	isEmpty,
	isFilled,
	isShownEmpty,
	LINK_FIELD_NAMES,
	type LinkFieldName,
	type LinkFields,
	shownName,
	shownOf,
	targetsByState,
} from './linkFields';
import type { LinkRecord } from './reference';
import { aliasBelow, aliasOf } from './url';

/** What an update changes: the record's name of the field → the new value, and the old one if the service shows it. */
type Changes = Record<string, { from?: unknown; to?: unknown }>;

export function namesIn(fields: LinkFields): LinkFieldName[] {
	return LINK_FIELD_NAMES.filter((name) => fields[name] !== undefined);
}

/** Whether a field has the wanted value, by what the service shows. A field that it does not show needs no clearing. */
function isAsShown(name: LinkFieldName, wanted: unknown, record: LinkRecord): boolean {
	const shown = shownOf(name, record);
	if (isEmpty(wanted)) return isShownEmpty(shown);
	return isFilled(shown) && fieldNamed(name).isSame(wanted, shown);
}

const ofDetails = fieldsThat(({ shownIn }) => shownIn === 'details');

export function needsDetails(fields: LinkFields): boolean {
	return ofDetails.some((name) => fields[name] !== undefined);
}

/**
 * The fields in which a row differs from its link. A field that the service does not show counts as different. The domain never
 * does: an update can't change it. @param record what a list, or a list and the details, show of the link
 */
export function differences(fields: LinkFields, record: LinkRecord): LinkFieldName[] {
	const isOther = (name: LinkFieldName) => !isAsShown(name, fields[name], record);
	return namesIn(fields).filter((name) => fieldNamed(name).isFixed !== true && isOther(name));
}

export function notShown(names: readonly LinkFieldName[], record: LinkRecord): LinkFieldName[] {
	return names.filter((name) => shownOf(name, record) === undefined);
}

/** What an update changes of a link, as its item shows it: a password is masked. */
export function changesOf(fields: LinkFields, record: LinkRecord): Changes {
	const changes: Changes = {};
	for (const name of differences(fields, record)) {
		const { toShow } = fieldNamed(name);
		const shown = shownOf(name, record);
		// Services show in several ways that there are no targets.
		const from = toShow !== undefined && shown !== undefined && !isRecord(shown) ? {} : shown;
		const isSecret = name === 'password' && !isEmpty(fields[name]);
		const to = isSecret ? MASK : (toShow?.(fields[name]) ?? fields[name]);
		changes[shownName(name)] = from === undefined || name === 'password' ? { to } : { from, to };
	}
	return changes;
}

/** The targets by state that an update of these fields would lose: the API can't send them. */
export function lostTargets(shown: LinkRecord, fields: LinkFields): string[] {
	const left = fieldsThat(({ toShow }) => toShow !== undefined).filter((name) => fields[name] === undefined);
	return left.flatMap((name) => targetsByState(shownOf(name, shown)));
}

const changeable = fieldsThat(({ isFixed }) => isFixed !== true);

/** The value that keeps a field in an update: as the service shows it. */
function keptOf(name: LinkFieldName, shown: LinkRecord): unknown {
	const there = shownOf(name, shown);
	return there === undefined || isShownEmpty(there) ? undefined : fieldNamed(name).toSend(there);
}

/**
 * The body of an update that changes some fields of a link and keeps the others. Some services reset fields that an update leaves
 * out, so it includes all that the link shows. @param shown what details and lists show of the link @param fields the changes
 */
export function updateBody(shown: LinkRecord, fields: LinkFields): Record<string, unknown> {
	const body: Record<string, unknown> = {};
	for (const name of changeable) {
		const kept = fields[name] === undefined ? keptOf(name, shown) : undefined;
		const value = fields[name] ?? (isFilled(kept) ? kept : undefined);
		if (value !== undefined) body[name] = value;
	}
	// Services keep an alias that is left out.
	if (fields.custom === undefined || asText(fields.custom) === aliasOf(shown)) delete body.custom;
	return body;
}

/** The link's record, as lists show it, after a change. @param shortUrl the new one, if the service gave it */
export function predict(record: LinkRecord, fields: LinkFields, shortUrl?: unknown): LinkRecord {
	const changed: Record<string, unknown> = { ...record };
	for (const field of changeable) {
		const [name, value] = [shownName(field), fields[field]];
		if (value === undefined) continue;
		if (name in record || (isFilled(value) && fieldNamed(field).shownIn === 'lists')) changed[name] = value;
	}
	const { shorturl } = record;
	if (!isFilled(fields.custom) || typeof shorturl !== 'string') return changed;
	const path = `/${asText(record.alias)}`;
	const base = shorturl.slice(0, shorturl.endsWith(path) ? -path.length : shorturl.lastIndexOf('/'));
	changed.shorturl = shortUrl ?? `${base}/${asText(fields.custom)}`;
	changed.alias = aliasBelow(base, changed.shorturl) ?? aliasOf({ shorturl: changed.shorturl });
	return changed;
}

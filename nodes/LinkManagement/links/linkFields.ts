/** The table of a link's fields. Whatever depends on a field is derived from its row. */

import { ValueError } from '../service/answer/errors';
import { asText, idOf, isRecord } from '../service/records';
import type { LinkRecord } from './reference';
import { aliasOf, hostOf, isSameAddress, withPlainAmpersands } from './url';

/** A kind of field: how its values are compared, cleared and sent. */
interface FieldType {
	/** The value that clears the field, if it is not an empty text. */
	empty?: [];
	/** Whether a record shows the wanted value. Neither is empty. */
	isSame(wanted: unknown, shown: unknown): boolean;
	/** A shown value in the form in which it is sent; undefined if there is none. */
	toSend(shown: unknown): unknown;
	/** A value to be sent, in the form in which records show it. */
	toShow?(wanted: unknown): unknown;
}

interface LinkField extends FieldType {
	label: string;
	/** Its names in records; by default the one under which it is sent. */
	shownAs?: readonly string[];
	/** Which answers show it: lists and details, only details, or lists at some services (field notes, "Resources"). By default, none. */
	shownIn?: 'lists' | 'details' | 'someLists';
	/** Reads it from a record that does not have it under its name. */
	read?(record: LinkRecord): unknown;
	isClearable?: true;
	isColumn?: true;
	/** An update can't change it (field notes, "Endpoints that the document leaves out"). */
	isFixed?: true;
}

const isPlain = (value: unknown) => typeof value === 'string' || typeof value === 'number';

const text: FieldType = {
	isSame: (wanted, shown) => asText(wanted) === asText(shown),
	toSend: (shown) => (isPlain(shown) ? String(shown) : undefined),
};

const address: FieldType = {
	...text,
	isSame: (wanted, shown) => isSameAddress(wanted, shown) || wanted === shown,
	toSend: (shown) => (typeof shown === 'string' ? withPlainAmpersands(shown) : undefined),
};

const host: FieldType = { ...text, isSame: (wanted, shown) => hostOf(wanted) === hostOf(shown) };

/** A date. Services may show it with a T between day and time, or only the day. */
const date: FieldType = {
	...text,
	isSame: (wanted, shown) => {
		const day = asText(shown).trim().replace('T', ' ').slice(0, 19);
		return day !== '' && asText(wanted).slice(0, day.length <= 10 ? 10 : 19) === day;
	},
};

/** The ID of a campaign or channel. */
const reference: FieldType = {
	...text,
	isSame: (wanted, shown) => asText(wanted) === asText(isRecord(shown) ? shown.id : shown),
	toSend: (shown) => idOf({ id: isRecord(shown) ? shown.id : shown }),
};

/** No service is known to show it: it counts as different, and is not sent as it is shown. */
const unseen: FieldType = {
	isSame: (wanted, other) => JSON.stringify(wanted) === JSON.stringify(other),
	toSend: () => undefined,
};

/** The entry for all states of a country. */
const ALL_STATES = 'all';

/** The shown addresses of targets, by name in lower case. */
function addressesIn(shown: unknown): Record<string, string> {
	const entries = Object.entries(isRecord(shown) ? shown : {}).flatMap(([name, shownAddress]) => {
		const link = isRecord(shownAddress) ? shownAddress[ALL_STATES] : shownAddress;
		return typeof link === 'string' && link !== '' ? [[name.trim().toLowerCase(), withPlainAmpersands(link)]] : [];
	});
	return Object.fromEntries(entries) as Record<string, string>;
}

/** The names of targets whose addresses differ by state: the API can't send them. */
export function targetsByState(shown: unknown): string[] {
	const isByState = ([, one]: [string, unknown]) => isRecord(one) && Object.keys(one).some((at) => at !== ALL_STATES);
	return Object.entries(isRecord(shown) ? shown : {})
		.filter(isByState)
		.map(([name]) => name);
}

/** Addresses for some visitors. @param part the field of a target that says which visitors */
function targets(part: string): FieldType {
	const toShow = (wanted: unknown) => {
		const rows = Array.isArray(wanted) ? wanted.filter(isRecord) : [];
		return Object.fromEntries(rows.map((row) => [asText(row[part]).trim().toLowerCase(), asText(row.link)]));
	};
	return {
		empty: [],
		toShow,
		isSame: (wanted, shown) => {
			const [asked, there] = [toShow(wanted), addressesIn(shown)];
			const names = Object.keys(asked);
			const isThere = (name: string) => address.isSame(asked[name], there[name]);
			return targetsByState(shown).length === 0 && names.length === Object.keys(there).length && names.every(isThere);
		},
		toSend: (shown) => Object.entries(addressesIn(shown)).map(([name, link]) => ({ [part]: name, link })),
	};
}

/** Every field, by the name under which it is sent (spec, "Body of POST /api/url/add"). Columns are offered in this order. */
export const LINK_FIELDS = {
	url: { label: 'Long URL', ...address, shownAs: ['longurl'], shownIn: 'lists', isColumn: true },
	custom: { label: 'Alias', ...text, shownAs: ['alias'], read: aliasOf, shownIn: 'lists', isColumn: true },
	domain: { label: 'Domain', ...host, shownIn: 'someLists', isColumn: true, isFixed: true },
	metatitle: { label: 'Meta Title', ...text, shownAs: ['title'], shownIn: 'lists', isColumn: true },
	description: { label: 'Description', ...text, shownIn: 'lists', isColumn: true, isClearable: true },
	campaign: { label: 'Campaign', ...reference, shownIn: 'someLists', isColumn: true },
	channel: { label: 'Channel', ...reference, shownIn: 'someLists', isColumn: true },
	expiry: { label: 'Expiry', ...date, shownIn: 'details', isColumn: true, isClearable: true },
	metadescription: { label: 'Meta Description', ...text, isColumn: true, isClearable: true },
	metaimage: { label: 'Meta Image URL', ...address, isColumn: true, isClearable: true },
	password: { label: 'Password', ...unseen, isColumn: true, isClearable: true },
	pixels: { label: 'Pixel Names or IDs', ...unseen, empty: [], isColumn: true, isClearable: true },
	status: { label: 'Status', ...unseen, isColumn: true },
	type: { label: 'Redirection Type', ...unseen, isColumn: true },
	deeplink: { label: 'Deep Link', ...unseen, isClearable: true },
	devicetarget: {
		label: 'Device Targeting',
		...targets('device'),
		shownAs: ['device'],
		shownIn: 'details',
		isClearable: true,
	},
	geotarget: {
		label: 'Geo Targeting',
		...targets('location'),
		shownAs: ['location'],
		shownIn: 'details',
		isClearable: true,
	},
	languagetarget: { label: 'Language Targeting', ...unseen, empty: [], isClearable: true },
	parameters: { label: 'URL Parameters', ...unseen, empty: [], isClearable: true },
} satisfies Record<string, LinkField>;

export type LinkFieldName = keyof typeof LINK_FIELDS;

/** The fields that a row gives its link, or that are sent. An empty value clears its field. */
export type LinkFields = Readonly<Partial<Record<LinkFieldName, unknown>>>;

export const LINK_FIELD_NAMES = Object.keys(LINK_FIELDS) as LinkFieldName[];

const table: Readonly<Record<LinkFieldName, LinkField>> = LINK_FIELDS;

export function fieldNamed(name: LinkFieldName): LinkField {
	return table[name];
}

export function fieldsThat(isMeant: (field: LinkField) => boolean): LinkFieldName[] {
	return LINK_FIELD_NAMES.filter((name) => isMeant(table[name]));
}

export function labelOf(name: LinkFieldName): string {
	return table[name].label;
}

/** Deep links need device targets (spec, "Body of POST /api/url/add"). @throws ValueError */
export function checkNeeds({ deeplink, devicetarget }: LinkFields): void {
	if (!isFilled(deeplink) || isFilled(devicetarget)) return;
	const [label, needed] = [labelOf('deeplink'), labelOf('devicetarget')];
	throw new ValueError(`${label} needs ${needed}`, `Add the field ${needed} too: the service needs both.`);
}

export function shownName(name: LinkFieldName): string {
	return table[name].shownAs?.[0] ?? name;
}

/** The value that a record shows of a field, if any. */
export function shownOf(name: LinkFieldName, record: LinkRecord): unknown {
	const { read, shownAs = [name] } = table[name];
	return read === undefined ? shownAs.map((one) => record[one]).find((value) => value !== undefined) : read(record);
}

export function emptyOf(name: LinkFieldName): '' | [] {
	return table[name].empty ?? '';
}

export function isEmpty(value: unknown): boolean {
	return value === '' || (Array.isArray(value) && value.length === 0);
}

export function isFilled(value: unknown): boolean {
	return value !== undefined && value !== null && !isEmpty(value);
}

/** Whether a shown value is one of those with which services show an empty field. */
export function isShownEmpty(shown: unknown): boolean {
	if (typeof shown === 'object' && shown !== null) return Object.keys(shown).length === 0;
	return !isFilled(shown) || shown === 0 || shown === false;
}

/** Whether two rows give a field the same value. */
export function areSame(name: LinkFieldName, one: unknown, other: unknown): boolean {
	if (isEmpty(one) || isEmpty(other)) return isEmpty(one) && isEmpty(other);
	const { toShow = (value: unknown) => value, isSame } = table[name];
	return isSame(one, toShow(other));
}

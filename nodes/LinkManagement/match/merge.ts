import type { LinkRecord } from './linkIndex';
import type { LinkFields } from './plan';

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFilled(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '';
}

/**
 * Targets as a creation takes them, from what the details show: addresses by name in lower case. A country may have an object
 * with addresses by state; the one for `all` states is the country's. Others have no form in which they could be sent.
 */
function targetsOf(shown: unknown, nameField: string): Array<Record<string, string>> | undefined {
	if (!isObject(shown)) return undefined;
	const rows = Object.entries(shown).flatMap(([name, address]) => {
		const link = isObject(address) ? address.all : address;
		return typeof link === 'string' && link !== '' ? [{ [nameField]: name, link }] : [];
	});
	return rows.length === 0 ? undefined : rows;
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
 * @param changes what is to be changed
 */
export function updateBody(shown: LinkRecord, changes: LinkFields): Record<string, unknown> {
	const kept = {
		url: shown.longurl,
		metatitle: shown.title,
		description: shown.description,
		expiry: shown.expiry,
		geotarget: targetsOf(shown.location, 'location'),
		devicetarget: targetsOf(shown.device, 'device'),
		languagetarget: targetsOf(shown.language ?? shown.languages, 'language'),
		campaign: idIn(shown.campaign),
		channel: idIn(shown.channel),
	};
	const changed = { ...changes };
	delete changed.domain;
	return Object.fromEntries(Object.entries({ ...kept, ...changed }).filter(([, value]) => isFilled(value)));
}

/** The link's record after a change. */
export function changedRecord(record: LinkRecord, changes: LinkFields, shortUrl?: unknown): LinkRecord {
	const { url, custom, metatitle, description } = changes;
	return {
		...record,
		...(isFilled(custom) ? { alias: custom } : {}),
		...(isFilled(shortUrl) ? { shorturl: shortUrl } : {}),
		...(isFilled(url) ? { longurl: url } : {}),
		...(isFilled(metatitle) ? { title: metatitle } : {}),
		...(isFilled(description) ? { description } : {}),
	};
}

/** How a row of a sheet names its link. */
import { asText } from '../service/records';
import type { LinkFieldName, LinkFields } from './linkFields';
import { aliasNameOf, longUrlNameOf, type LinkName } from './reference';
import { aliasOf, hostOf } from './url';

export interface SheetRow {
	label: string;
	/** The fields of its link. A missing campaign or channel is in them by its name, until it is created. */
	fields: LinkFields;
	/** Field → why a link can't be given this value, although an existing link may have it. */
	errorsIfGiven: Partial<Record<LinkFieldName, Error>>;
	/** Its short URL, if that is on a host of the account. */
	shortUrl?: string;
	matchOn: 'alias' | 'url';
	/** When an existing link is updated. */
	updateWhen: 'changed' | 'always' | 'never';
}

/** The name of the link of a row without a short URL: its alias, with its domain if there is one, or else its long URL. */
export function nameOfRow({ fields, matchOn }: SheetRow) {
	return matchOn === 'alias' && fields.custom !== undefined ? aliasNameOf(fields) : longUrlNameOf(fields);
}

/** All names of a row whose links have to be found before it can be planned. */
export function namesToFind(row: SheetRow): LinkName[] {
	const { fields, shortUrl } = row;
	if (shortUrl === undefined) return fields.custom === undefined && fields.url === undefined ? [] : [nameOfRow(row)];
	const alias = fields.custom === undefined ? undefined : asText(fields.custom);
	const own: LinkName = { by: 'shortUrl', shortUrl };
	if (alias === undefined || alias === aliasOf({ shorturl: shortUrl })) return [own];
	return [own, { by: 'alias', alias, domain: hostOf(shortUrl) }];
}

/** Checks that a link can be given these values of a row. @throws ValueError */
export function checkCanBeGiven({ errorsIfGiven }: SheetRow, names: readonly LinkFieldName[]): void {
	for (const name of names) if (errorsIfGiven[name] !== undefined) throw errorsIfGiven[name];
}

/** Whether a row names its link by more than a long URL: such rows are planned first. */
export function isNamed({ fields, shortUrl }: SheetRow): boolean {
	return shortUrl !== undefined || fields.custom !== undefined;
}

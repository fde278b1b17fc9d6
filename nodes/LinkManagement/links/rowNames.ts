/** By what a row of a sheet names its link. */
import { asText } from '../service/records';
import type { LinkFieldName, LinkFields } from './linkFields';
import { aliasNameOf, longUrlNameOf, type LinkName } from './reference';
import { aliasOf, hostOf } from './url';

export interface SheetRow {
	label: string;
	/** What it says of its link. A campaign or channel that is missing stands in it by its name, until it is created. */
	fields: LinkFields;
	/** Why values of it can't be given to a link, though they may be those of one that is there. */
	unfit: Partial<Record<LinkFieldName, Error>>;
	/** The short URL that it holds, where that is on a host of the account. */
	shortUrl?: string;
	matchOn: 'alias' | 'url';
	/** When a link that is there is updated. */
	updateWhen: 'changed' | 'always' | 'never';
}

/** What names the link of a row that holds no short URL: its alias, on its domain if it names one, or else its long URL. */
export function nameOfRow({ fields, matchOn }: SheetRow) {
	return matchOn === 'alias' && fields.custom !== undefined ? aliasNameOf(fields) : longUrlNameOf(fields);
}

/** All names by which the links of a row have to be known before it can be planned. */
export function namesToFind(row: SheetRow): LinkName[] {
	const { fields, shortUrl } = row;
	if (shortUrl === undefined) return fields.custom === undefined && fields.url === undefined ? [] : [nameOfRow(row)];
	const alias = fields.custom === undefined ? undefined : asText(fields.custom);
	const own: LinkName = { by: 'shortUrl', shortUrl };
	if (alias === undefined || alias === aliasOf({ shorturl: shortUrl })) return [own];
	return [own, { by: 'alias', alias, domain: hostOf(shortUrl) }];
}

/** Sees to it that a link can be given these values of a row. @throws ValueError */
export function checkFit({ unfit }: SheetRow, names: readonly LinkFieldName[]): void {
	for (const name of names) if (unfit[name] !== undefined) throw unfit[name];
}

/** Rows that say which link they mean are planned before those that name it by its long URL alone. */
export function isNamed({ fields, shortUrl }: SheetRow): boolean {
	return shortUrl !== undefined || fields.custom !== undefined;
}

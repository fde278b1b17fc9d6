/** The rows of one link, while a sheet is planned. */
import { inEditor } from '../../service/answer/advice';
import { ValueError } from '../../service/answer/errors';
import { inQuotes } from '../../service/answer/failures';
import { asText } from '../../service/records';
import type { LinkFields } from '../linkFields';
import { aboutLink, describeLink, type LinkRecord } from '../reference';
import { labelsOf, type SheetRow } from './sheetRow';
import { aliasOf, isSameAddress, isSimilarAddress } from '../url';

/** The rows of one link, as far as they are known. */
export class Group<R extends SheetRow> {
	readonly rows: R[] = [];
	/** Rows that name the link by its alias: for them, the alias is no change. */
	readonly byAlias = new Set<R>();

	constructor(
		readonly link: LinkRecord | undefined,
		/** Where the link is, or will be, as far as that is known. */
		readonly host: string | undefined,
	) {}

	/** What a row says of the link: an alias by which it names the link is no change. */
	fieldsOf(row: R): LinkFields {
		return this.byAlias.has(row) ? { ...row.fields, custom: undefined } : row.fields;
	}

	/** The alias that a row gives the link, if it is another one than the link has. */
	aliasFrom(row: R): string | undefined {
		const { custom } = this.fieldsOf(row);
		const alias = custom === undefined ? undefined : asText(custom);
		return alias === aliasOf(this.link ?? {}) ? undefined : alias;
	}

	/** Whether the link will have a long URL, as far as its rows say: any of them, for rows may contradict each other. */
	leadsTo(url: unknown): boolean {
		const given = this.rows.flatMap(({ fields }) => fields.url ?? []);
		return (given.length > 0 ? given : [this.link?.longurl]).some((one) => isSameAddress(one, url));
	}
}

/** The error of a row that needs an alias which rows of another link are about to give up. */
export function givenUp(alias: string, link: LinkRecord, renaming: readonly SheetRow[]): ValueError {
	return new ValueError(
		`The alias "${alias}" belongs to ${describeLink(link)}, which gets another one from ${labelsOf(renaming)}`,
		{ editor: 'Run the node again. The alias is free then.', model: 'Call again. The alias is free then.' },
	);
}

export function ring(alias: string, link: LinkRecord, renaming: readonly SheetRow[]): ValueError {
	return new ValueError(
		`The alias "${alias}" belongs to ${describeLink(link)}, and ${labelsOf(renaming)} would give that link one which is not free before`,
		'None of these rows is done. To swap aliases, give one of the links a third alias in between, and run again.',
	);
}

export function twoLinks(link: LinkRecord, other: LinkRecord): ValueError {
	return new ValueError(
		`The row holds the short URL of one link, ${describeLink(link)}, and the alias of another, ${describeLink(other)}`,
		'Correct the wrong one, or clear its cell.',
	);
}

/** Whether a link leads elsewhere than a row says, another spelling aside. */
export function isElsewhere({ longurl }: LinkRecord, url: unknown): boolean {
	return url !== undefined && !isSameAddress(longurl, url) && !isSimilarAddress(longurl, url);
}

export function leadsElsewhere(link: LinkRecord): ValueError {
	const error = new ValueError(
		`The link ${describeLink(link)} leads to another long URL: ${inQuotes(link.longurl)}`,
		inEditor('Nothing was changed, as Options → Update When says. Correct the row, or set Update When to "Changed".'),
	);
	return aboutLink(error, link);
}

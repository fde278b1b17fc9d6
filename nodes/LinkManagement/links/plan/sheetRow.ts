/** The rows of a sheet: how they name their links, and what several of them say together. */
import { ValueError, withAdvice } from '../../service/answer/errors';
import { asText } from '../../service/records';
import { namesIn } from '../comparison';
import { areSame, labelOf, type LinkFieldName, type LinkFields } from '../linkFields';
import { aliasNameOf, type LinkName, longUrlNameOf } from '../reference';
import { hostOf } from '../url';

export interface SheetRow {
	readonly label: string;
	readonly index: number;
	readonly fields: LinkFields;
	/** Its short URL, if that is on a host of the account. */
	readonly shortUrl?: string;
}

export interface SheetRules {
	updateWhen: 'changed' | 'never';
	dryRun: boolean;
}

export function nameOfRow({ fields, shortUrl }: SheetRow): LinkName | undefined {
	if (shortUrl !== undefined) return { by: 'shortUrl', shortUrl };
	if (fields.custom !== undefined) return aliasNameOf(fields);
	return fields.url === undefined ? undefined : longUrlNameOf(fields);
}

/** All names of a row whose links have to be found before it can be planned. */
export function namesToFind(row: SheetRow): LinkName[] {
	const { fields, shortUrl } = row;
	const own = nameOfRow(row);
	if (own === undefined) return [];
	const isBoth = own.by === 'shortUrl' && fields.custom !== undefined;
	return isBoth ? [own, { by: 'alias', alias: asText(fields.custom), domain: hostOf(shortUrl) }] : [own];
}

export function rankOf(name: LinkName | undefined): number {
	if (name === undefined || name.by === 'shortUrl') return 0;
	return (name.by === 'alias' ? 1 : 3) + (name.domain === undefined ? 1 : 0);
}

/** Most rows that an error names. */
export const MOST_NAMED = 5;

/** Rows in a sentence. @param but one that is not named */
export function labelsOf<R extends Pick<SheetRow, 'label'>>(rows: readonly R[], but?: R): string {
	const named = rows.slice(0, MOST_NAMED + 1).filter((row) => row !== but);
	const labels = named.slice(0, MOST_NAMED).map(({ label }) => label);
	const more = rows.length - labels.length - (but === undefined ? 0 : 1);
	return labels.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** What rows of one link say together. @param fieldsOf gives the fields of a row that count */
export function merged<R>(rows: readonly R[], fieldsOf: (row: R) => LinkFields) {
	const fields: Partial<Record<LinkFieldName, unknown>> = {};
	const contradictions = new Set<LinkFieldName>();
	for (const row of rows) {
		const said = fieldsOf(row);
		for (const name of namesIn(said)) {
			if (!(name in fields)) fields[name] = said[name];
			else if (!areSame(name, fields[name], said[name])) contradictions.add(name);
		}
	}
	return { fields: fields as LinkFields, contradictions };
}

/** An error of rows that are done together: it names them all. */
export function aboutRows(error: unknown, rows: readonly Pick<SheetRow, 'label'>[]): unknown {
	return rows.length < 2 ? error : withAdvice(error, `It is about ${labelsOf(rows)}: they are done together.`);
}

/** The error of each of several rows that say different things of one link. */
export function contradictionOf<R extends Pick<SheetRow, 'label'>>(
	row: R,
	rows: readonly R[],
	fields: Iterable<LinkFieldName>,
): ValueError {
	return new ValueError(
		`The row targets the same link as ${labelsOf(rows, row)} with different values: ${Array.from(fields, labelOf).join(', ')}`,
		'None of these rows is done. Keep one of them, or make them say the same.',
	);
}

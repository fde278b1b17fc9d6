/** What is said about the columns of a sheet, before and after a run. */
import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { asHtml } from '../n8n/messages';
import type { Field } from '../run/request';
import { adviceOf, listed } from '../service/answer/errors';
import { isRecord } from '../service/records';
import { SheetColumns } from './sheetColumns';
import { columnKey, isOwnName, type Titles } from './titles';

/** What a column does that people may not expect of its title. */
function effectOfColumn(title: string, name: string, isBefore: boolean): string {
	if (name === 'expiry') return `${title} ends the links.`;
	if (name !== 'metatitle' || /meta|seo|og|preview/i.test(title)) return '';
	const cure = ' If your titles are private, rename the column: Description is a note that only you see.';
	return `${title} becomes the public title of the preview.${isBefore ? cure : ''}`;
}

/** Says which columns are read as which fields, what that does, and which are left alone. @param isBefore a run */
export function readingInWords(sheet: SheetColumns, isBefore = false): string[] {
	const { read, from, doubtful, besideUser, ignored } = sheet;
	const names = Array.from(read, ([title, { label }]) =>
		columnKey(title) === columnKey(label) ? title : `${title} as ${label}`,
	);
	const isPlain = !isBefore && from.length === 0 && [...read].every(([title, column]) => isOwnName(title, column));
	const said = (start: string, titles: readonly string[], end = '') =>
		titles.length === 0 ? '' : `${start}: ${listed(titles, 12)}.${end}`;
	return [
		said(`Columns read${from.length === 0 ? '' : ` from ${from.join(' and ')}`}`, isPlain ? [] : names),
		...Array.from(read, ([title, { name }]) => effectOfColumn(title, name, isBefore)),
		said(
			'Left alone, since they may mean something else here',
			doubtful,
			' To have them read, name the column of addresses Long URL, or map the columns by hand.',
		),
		said('Left alone beside the name of a user', besideUser, ' To have it read, map the columns by hand.'),
		// An error names them where nothing is read.
		said('Columns ignored', read.size === 0 ? [] : ignored),
	].filter((sentence) => sentence !== '');
}

/**
 * The first items of the input, by an expression that the editor evaluates for its own calls: it has no other way to give a node its
 * input (read in n8n 2.41.1). A run does not read it.
 */
export const inputSample: Field = {
	displayName: 'Input Sample',
	name: 'inputSample',
	type: 'hidden',
	default: '={{ $input.all().slice(0, 20).map(({ json }) => json) }}',
};

/** What the columns that are read lack. */
function lackOf({ read, unread }: SheetColumns): string[] {
	if (unread !== undefined) return [`${unread.message}. ${adviceOf(unread)}`];
	const names = Array.from(read.values(), ({ name }) => name);
	if (names.includes('url')) return [];
	const lacks = ['custom', 'shorturl'].some((name) => names.includes(name))
		? 'a Long URL, so links can be changed but not created'
		: 'a Long URL, an Alias or a Short URL, so no row can be done';
	return [`No column is ${lacks}. Rename the columns, or set Mapping Column Mode to Map Each Column Manually.`];
}

/** The notice under the mapping mode: how the columns of the input will be read. Undefined without input. */
export function noticeOf(context: ILoadOptionsFunctions, titles: Titles): string | undefined {
	const sample = context.getCurrentNodeParameter(inputSample.name);
	const items = Array.isArray(sample) ? (sample as unknown[]).filter(isRecord) : [];
	if (items.length === 0) return undefined;
	const sheet = new SheetColumns(items, titles);
	return [...readingInWords(sheet, true), ...lackOf(sheet)].map(asHtml).join('<br>');
}

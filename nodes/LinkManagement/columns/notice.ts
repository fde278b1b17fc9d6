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
	const place = from.length === 0 ? '' : ` from ${from.join(' and ')}`;
	return [
		isPlain || read.size === 0 ? '' : `Columns read${place}: ${listed(names, 20)}.`,
		...Array.from(read, ([title, { name }]) => effectOfColumn(title, name, isBefore)),
		doubtful.length === 0
			? ''
			: `Left alone, since they may mean something else here: ${listed(doubtful, 12)}. To have them read, name the column of addresses Long URL, or map the columns by hand.`,
		besideUser.length === 0
			? ''
			: `Left alone beside the name of a user: ${listed(besideUser, 12)}. To have it read, map the columns by hand.`,
		// An error names them where nothing is read.
		ignored.length === 0 || read.size === 0 ? '' : `Columns ignored: ${listed(ignored, 12)}.`,
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
function lackOf({ read }: SheetColumns): string[] {
	const names = new Set(Array.from(read.values(), ({ name }) => name));
	const isForeign = names.has('shorturl') && !names.has('custom');
	const lacks =
		names.has('custom') || names.has('shorturl')
			? 'a Long URL, so links can be changed but not created'
			: 'a Long URL, an Alias or a Short URL, so no row can be done';
	return [
		...(names.has('url')
			? []
			: [`No column is ${lacks}. Rename the columns, or set Mapping Column Mode to Map Each Column Manually.`]),
		...(isForeign ? ['Short URLs of another service are left alone.'] : []),
	];
}

/** The notice under the mapping mode: how the columns of the input will be read. Undefined without input. */
export function noticeOf(context: ILoadOptionsFunctions, titles: Titles): string | undefined {
	const sample = context.getCurrentNodeParameter(inputSample.name);
	const items = Array.isArray(sample) ? (sample as unknown[]).filter(isRecord) : [];
	if (items.length === 0) return undefined;
	const sheet = new SheetColumns(items, titles);
	const unread = sheet.read.size === 0 ? sheet.unread() : undefined;
	const said = unread === undefined ? lackOf(sheet) : [`${unread.message}. ${adviceOf(unread)}`];
	return [...readingInWords(sheet, true), ...said].map(asHtml).join('<br>');
}

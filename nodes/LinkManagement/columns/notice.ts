/** What is said about the columns of a sheet, before and after a run. */
import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { asHtml } from '../n8n/messages';
import type { Field } from '../run/request';
import { adviceOf, listed } from '../service/answer/errors';
import { isRecord } from '../service/records';
import { SheetColumns } from './sheetColumns';
import { columnKey, isOwnName, type Titles } from './titles';

/** What a column does that people may not expect of its title. */
function effectsOf(read: SheetColumns['read'], isBefore: boolean): string[] {
	const cure = isBefore
		? ' If your titles are private, rename the column: Description is a note that only you see.'
		: '';
	return [...read].flatMap(([title, { name }]) => {
		if (name === 'metatitle' && !/meta|seo|og|preview/i.test(title))
			return `${title} becomes the public title of the preview.${cure}`;
		return name === 'expiry' ? `${title} ends the links.` : [];
	});
}

/** Says which columns are read as which fields, what that does, and which are ignored. @param isBefore a run */
export function readingInWords(sheet: SheetColumns, isBefore = false): string[] {
	const { read, from, cures } = sheet;
	const all = Array.from(read, ([title, { label }]) =>
		columnKey(title) === columnKey(label) ? title : `${title} as ${label}`,
	);
	const isPlain = !isBefore && from.length === 0 && [...read].every(([title, column]) => isOwnName(title, column));
	const place = from.length === 0 ? '' : ` from ${from.join(' and ')}`;
	const reading = isPlain || all.length === 0 ? [] : [`Columns read${place}: ${listed(all, 20)}.`];
	return [...reading, ...effectsOf(read, isBefore), ...cures, ...[sheet.ignored() ?? []].flat()];
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

/** Advice on the columns of a sheet before it is run. */
function* adviceOn({ read }: SheetColumns): Generator<string> {
	const names = new Set(Array.from(read.values(), ({ name }) => name));
	const isNamed = names.has('custom') || names.has('shorturl');
	const lacks = isNamed
		? 'a Long URL, so links can be changed but not created'
		: 'a Long URL, an Alias or a Short URL, so no row can be done';
	if (!names.has('url'))
		yield `No column is ${lacks}. Rename the columns, or set Mapping Column Mode to Map Each Column Manually.`;
	if (names.has('shorturl') && !names.has('custom')) yield 'Short URLs of another service are left alone.';
}

/** The notice under the mapping mode: how the columns of the input will be read. Undefined without input. */
export function noticeOf(context: ILoadOptionsFunctions, titles: Titles): string | undefined {
	const sample = context.getCurrentNodeParameter(inputSample.name);
	const items = Array.isArray(sample) ? (sample as unknown[]).filter(isRecord) : [];
	if (items.length === 0) return undefined;
	const sheet = new SheetColumns(items, titles);
	const problem = sheet.problem ?? (sheet.read.size === 0 ? sheet.unknown() : undefined);
	const advice = adviceOn(sheet);
	const said = problem === undefined ? [...advice] : [`${problem.message}. ${adviceOf(problem)}`];
	return [...readingInWords(sheet, true), ...said].map(asHtml).join('<br>');
}

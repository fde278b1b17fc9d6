/** What the editor says about the columns of a sheet, before and after a run. */
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { columnKey, isOwnName, type Titles } from '../../fields/columnNames';
import { SheetColumns } from '../../fields/sheetColumns';
import { asHtml } from '../../n8n/messages';
import type { Field } from '../../run/request';
import { isRecord } from '../../service/records';

/** Most columns that are named. */
const MOST_NAMED = 20;

/**
 * Says which columns are read as which fields, and which are ignored.
 *
 * @param isWhole also names columns with the name of their field
 */
export function readingInWords(sheet: SheetColumns, isWhole = false): string[] {
	const told = [...sheet.fields].filter(([title, field]) => isWhole || !isOwnName(title, field));
	const read = told
		.slice(0, MOST_NAMED)
		.map(([title, { label }]) => (columnKey(title) === columnKey(label) ? title : `${title} as ${label}`));
	const from = sheet.from.length === 0 ? '' : ` from ${sheet.from.join(' and ')}`;
	const what = read.length === 0 ? '' : `: ${read.join(', ')}${told.length > MOST_NAMED ? ', …' : ''}`;
	const reading = `${from}${what}` === '' ? [] : [`Columns read${from}${what}.`];
	return [...reading, ...[sheet.ignored() ?? []].flat()];
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

/** Advice on the columns of a sheet before it is run. @param isKept whether short URLs of other services give aliases */
function* adviceOn(sheet: SheetColumns, isKept: boolean): Generator<string> {
	const named = new Set([...sheet.fields.values()].map(({ name }) => name));
	const title = [...sheet.fields].find(([one, { name }]) => name === 'metatitle' && !/meta/i.test(one))?.[0];
	if (!named.has('url'))
		yield 'No column is a Long URL, so links can be changed but not created. Rename the column that holds the long URLs, or set Mapping Column Mode to Map Each Column Manually.';
	if (title !== undefined)
		yield `${title} becomes the Meta Title, the public title of link previews. If your titles are private, rename the column: Description is a note that only you see.`;
	if (named.has('shorturl') && !named.has('custom') && !isKept)
		yield 'Short URLs of another service are ignored. To keep their last parts as aliases, add Options → Short URLs of Other Services.';
}

/** The notice under the mapping mode: how the columns of the input will be read. Undefined without input. */
export function noticeOf(context: ILoadOptionsFunctions, titles: Titles): string | undefined {
	const sample = context.getCurrentNodeParameter(inputSample.name);
	const items = Array.isArray(sample) ? (sample as unknown[]).filter(isRecord) : [];
	if (items.length === 0) return undefined;
	const options = context.getCurrentNodeParameter('options');
	const isKept = isRecord(options) && (options as IDataObject).foreignShortUrls === 'alias';
	const sheet = new SheetColumns(items, titles);
	const problem = sheet.problem ?? (sheet.areUnknown ? sheet.unknown() : undefined);
	const said = problem === undefined ? adviceOn(sheet, isKept) : [`${problem.message}. ${problem.advice}`];
	return [...readingInWords(sheet, true), ...said].map(asHtml).join('<br>');
}

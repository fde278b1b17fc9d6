/** Finds out why the columns of a sheet can't be read. */
import type { IDataObject } from 'n8n-workflow';

import { labelled } from '../run/request';
import { ValueError } from '../service/errors';
import { isNothing } from '../service/records';
import { columnKey, ROW_NUMBER, type Titles } from './columnNames';
import { checkEncoding, quoted } from './parsers';

/** The delimiter between titles that were read as one column, if the file was read with the wrong one. */
export function delimiterIn(title: string, titles: Titles): string | undefined {
	return [';', ',', '\t', '|'].find((delimiter) => {
		const parts = title.split(delimiter);
		return parts.length > 1 && parts.some((part) => titles.has(columnKey(part)));
	});
}

/** Most headings that are quoted. */
const MOST_HEADINGS = 3;
/** Names that readers of files give columns without a heading. */
const MADE_UP = /^(?:row|col(?:umn)?[_ ]?\d{1,4}|__EMPTY(?:_\d{1,4})?|\d{1,4}|[A-Z])$/i;
/** How many items are searched for headings. */
const MOST_ABOVE = 20;

const RENAME =
	'Name the columns "Long URL", "Alias" or "Short URL", or set Mapping Column Mode to Map Each Column Manually.';

/** Advice if the headings are among the values. */
function headingsIn(items: readonly IDataObject[], titles: Titles): string | undefined {
	for (const [at, { [ROW_NUMBER]: number, ...item }] of items.slice(0, MOST_ABOVE).entries()) {
		const filled = Object.values(item)
			.flat()
			.filter((value) => !isNothing(value));
		const headings = filled.filter((value) => typeof value === 'string' && titles.has(columnKey(value)));
		if (headings.length === 0 || headings.length * 2 < filled.length) continue;
		const row = number === undefined ? `item ${at + 1} of the input` : `row ${String(number)}`;
		return `The headings seem to be in ${row}: ${headings.slice(0, MOST_HEADINGS).join(', ')}. Set this row as the header row in the node that reads the file.`;
	}
	return undefined;
}

/** Why a title can't be read, if it can't. */
export function encodingOf(title: string): ValueError | undefined {
	try {
		return labelled(`The title ${quoted(title)}`, () => void checkEncoding(title));
	} catch (error) {
		return error as ValueError;
	}
}

/**
 * The error of a sheet in which no column is recognized.
 *
 * @param all the titles of the columns
 * @param titles those that mean a field
 */
export function whyUnknown(all: readonly string[], items: readonly IDataObject[], titles: Titles): ValueError {
	if (all.length === 0) return new ValueError('The input has no columns', RENAME);
	const isUnnamed = all.some((title) => MADE_UP.test(title));
	const problem = isUnnamed ? 'The input has no headings' : 'The input has no column that is recognized';
	const headings = headingsIn(items, titles);
	if (headings !== undefined) return new ValueError(problem, headings);
	const delimiter = all.map((title) => delimiterIn(title, titles)).find((one) => one !== undefined);
	const sign = delimiter === '\t' ? 'to a tab' : `"${delimiter}"`;
	if (delimiter !== undefined)
		return new ValueError(problem, `Set the delimiter ${sign} in the node that reads the file.`);
	const turnOn = 'Turn on the header row in the node that reads the file. ';
	return new ValueError(problem, `${isUnnamed ? turnOn : ''}${RENAME}`);
}

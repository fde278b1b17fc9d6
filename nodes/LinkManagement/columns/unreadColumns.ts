/** Why no column of a sheet means a field. */
import type { IDataObject } from 'n8n-workflow';

import { ROW_NUMBER, type Titles } from './titles';
import { listed, ValueError } from '../service/answer/errors';
import { isNothing } from '../service/records';

/** Names that readers of files give columns without a heading, and values that stand in the place of one. */
const NO_HEADING = /^(?:row|col(?:umn)?[_ ]?\d{1,4}|__EMPTY(?:_\d{1,4})?|\d{1,4}|[A-Z]|https?:.*)$/i;
/** How many items are searched for headings. */
const MOST_ABOVE = 20;

const RENAME =
	'Name the columns "Long URL", "Alias" or "Short URL", or set Mapping Column Mode to Map Each Column Manually. If one column holds them all, set the delimiter in the node that reads the file.';
const ADD_HEADINGS =
	'If the first row of the file has headings, turn on the header row in the node that reads it. Otherwise, add a first row with the headings Long URL and Alias to the file.';

/** Advice if the headings are among the values. */
function headingsIn(items: readonly IDataObject[], titles: Titles): string | undefined {
	for (const [at, { [ROW_NUMBER]: number, ...item }] of items.slice(0, MOST_ABOVE).entries()) {
		const filled = Object.values(item).flat();
		const headings = filled.filter((value) => typeof value === 'string' && titles.isKnown(value));
		if (headings.length === 0 || headings.length * 2 < filled.filter((value) => !isNothing(value)).length) continue;
		const row = number === undefined ? `item ${at + 1} of the input` : `row ${String(number)}`;
		return `The headings seem to be in ${row}: ${listed(headings, 3)}. Set this row as the header row in the node that reads the file.`;
	}
	return undefined;
}

/** The error of a sheet in which no column is recognized. @param all the titles of the columns */
export function whyUnknown(all: readonly string[], items: readonly IDataObject[], titles: Titles): ValueError {
	const isUnnamed = all.some((title) => NO_HEADING.test(title));
	const what = all.length === 0 ? 'columns' : isUnnamed ? 'headings' : 'column that is recognized';
	return new ValueError(`The input has no ${what}`, headingsIn(items, titles) ?? (isUnnamed ? ADD_HEADINGS : RENAME));
}

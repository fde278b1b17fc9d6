import type { INodeExecutionData } from 'n8n-workflow';

import { wholeNumber } from '../service/records';

/** The number of a row, which Google Sheets, Excel and other nodes put out. */
function rowNumber({ json }: INodeExecutionData): number | undefined {
	return wholeNumber(json.row_number, 1);
}

/** A row as people find it: by its number, or by its place among the items, counted from 0 as n8n counts them. */
export function rowLabel(item: INodeExecutionData, index: number): string {
	const number = rowNumber(item);
	return number === undefined ? `item ${index}` : `row ${number}`;
}

/** Ranges of rows that a sentence names, at most. */
const MOST_RANGES = 10;

/** Several rows in short: "rows 2 to 10, 12". Where one has no number, all are named by their places. */
export function rowRanges(rows: ReadonlyArray<{ input: INodeExecutionData; index: number }>): string {
	const numbers = rows.map(({ input }) => rowNumber(input));
	const noun = numbers.includes(undefined) ? 'item' : 'row';
	const ranges: Array<[first: number, last: number]> = [];
	for (const [at, { index }] of rows.entries()) {
		const number = (noun === 'item' ? index : numbers[at]) as number;
		const latest = ranges.at(-1);
		if (latest?.[1] === number - 1) latest[1] = number;
		else ranges.push([number, number]);
	}
	const shown = ranges
		.slice(0, MOST_RANGES)
		.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
	return `${rows.length === 1 ? noun : `${noun}s`} ${shown.join(', ')}${ranges.length > MOST_RANGES ? ', …' : ''}`;
}

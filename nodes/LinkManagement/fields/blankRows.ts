/** Blank rows, for which no record is created. */
import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { allInputItems } from '../n8n/entries';
import { isTool, keptFor, runOf } from '../n8n/lifetimes';
import { holdsExpression, readParameter, savedParameter } from '../n8n/parameter';
import { isNothing, isRecord } from '../service/records';

/** The field that holds the row number, which spreadsheet nodes add. */
export const ROW_NUMBER = 'row_number';

/** Whether an item is empty. An item without fields is a blank row if others have fields: readers of files leave out empty cells. */
function isEmptyItem(context: IExecuteSingleFunctions): boolean {
	const { json } = context.getInputData();
	const titles = Object.keys(json);
	const isEmpty = titles.every((title) => title === ROW_NUMBER || isNothing(json[title]));
	if (!isEmpty || isTool(context)) return false;
	const haveOthersCells = () =>
		allInputItems(context).some((item) => Object.keys(item).some((title) => title !== ROW_NUMBER));
	return titles.length > 0 || keptFor(runOf(context), 'items have cells', haveOthersCells);
}

/**
 * Whether a row is blank: its item is empty, and so are the parameters that it should fill. Values that are typed, or come from another
 * node, count whatever the item holds.
 *
 * @param names the parameters without which no record is created
 */
export function isBlankRowOf(names: readonly string[]) {
	return (context: IExecuteSingleFunctions): boolean => {
		const filled = names.filter((name) => holdsExpression(savedParameter(context, name)));
		const isEmpty = (value: unknown): boolean =>
			isNothing(value) || (isRecord(value) && Object.values(value).every(isEmpty));
		return filled.length > 0 && isEmptyItem(context) && filled.every((name) => isEmpty(readParameter(context, name)));
	};
}

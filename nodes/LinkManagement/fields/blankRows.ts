/** Rows with nothing in them, of which no record is made. */
import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { itemsBeside } from '../n8n/items';
import { isTool, keptFor, runOf } from '../n8n/lifetimes';
import { holdsExpression, readParameter, savedParameter } from '../n8n/parameter';
import { isNothing, isRecord } from '../service/records';
import { ROW_NUMBER } from './columnNames';

/** Whether an item has nothing in it. One without cells is a blank row where others have some: readers of files leave cells out. */
function isEmptyItem(context: IExecuteSingleFunctions): boolean {
	const { json } = context.getInputData();
	const titles = Object.keys(json);
	const isEmpty = titles.every((title) => title === ROW_NUMBER || isNothing(json[title]));
	if (!isEmpty || isTool(context)) return false;
	const haveOthersCells = () =>
		itemsBeside(context).some((item) => Object.keys(item).some((title) => title !== ROW_NUMBER));
	return titles.length > 0 || keptFor(runOf(context), 'items have cells', haveOthersCells);
}

/**
 * Whether a row has nothing in it of which a record could be made: its item is empty, and so are the parameters that it should fill.
 * What is typed, or comes from another node, is made whatever the item holds.
 *
 * @param names the parameters without which no record is made
 */
export function isBlankRowOf(names: readonly string[]) {
	return (context: IExecuteSingleFunctions): boolean => {
		const filled = names.filter((name) => holdsExpression(savedParameter(context, name)));
		const isEmpty = (value: unknown): boolean =>
			isNothing(value) || (isRecord(value) && Object.values(value).every(isEmpty));
		return filled.length > 0 && isEmptyItem(context) && filled.every((name) => isEmpty(readParameter(context, name)));
	};
}

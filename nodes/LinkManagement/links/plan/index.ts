/** What is to be done with each link, from the rows of a sheet: pure, and the same in any order of the rows. */
export { type LinkTask, planSheet } from './planSheet';
export {
	aboutRows,
	contradictionOf,
	labelsOf,
	merged,
	MOST_NAMED,
	namesToFind,
	type SheetRow,
	type SheetRules,
} from './sheetRow';

import type { IDataObject, IExecuteSingleFunctions, ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { isRecord } from '../../api/envelope';
import { readParameter } from '../../execution/parameter';
import { entered, ValueError, type Rules } from '../../execution/request';
import { webUrl } from '../../fields/rules';
import { fieldsOf, type ColumnField } from '../../match/columns';
import { linkFields, linkRules, longUrl } from './fields';

/** The fields that fit into a column of a sheet, in the order in which they are offered. */
const NAMES = [
	'url',
	'custom',
	'domain',
	'metatitle',
	'description',
	'campaign',
	'channel',
	'expiry',
	'metadescription',
	'metaimage',
	'password',
	'pixels',
	'status',
	'type',
];

/** The names that lists give these fields (spec, "Short link list item"). */
const LISTED_AS: Record<string, readonly string[]> = { url: ['longurl'], custom: ['alias'], metatitle: ['title'] };

/** For those who see no list of columns, such as agents. */
export const columnNames = NAMES.join(', ');

/** The fields that take several values, and so fit into no column. */
export const fieldsBesideColumns = linkFields.filter(({ name }) => !NAMES.includes(name));
export const rulesBesideColumns: Rules = Object.fromEntries(
	fieldsBesideColumns.map(({ name }) => [name, linkRules[name]]),
);

const offered = new Map([longUrl, ...linkFields].map((field) => [field.name, field]));

const columns: ColumnField[] = NAMES.map((name) => ({
	name,
	label: offered.get(name)?.displayName ?? name,
	listedAs: LISTED_AS[name],
}));

/** The titles of columns that are found by themselves, as people would write them. */
export const columnTitles = columns.map(({ label }) => label.replace(' Names or IDs', 's')).join(', ');

const rules: Rules = { url: webUrl, ...linkRules };

/** The name that the editor shows of a field. */
export function labelOf(name: string): string {
	return offered.get(name)?.displayName ?? name;
}

/** The columns that the editor offers; no request is needed for that. */
export async function getLinkColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	return {
		fields: columns.map(({ name, label }) => ({
			id: name,
			displayName: label,
			required: false,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
			// Text alone: the package's own checks take more forms than n8n's, and say better what is wrong.
			type: 'string',
		})),
	};
}

/**
 * The link fields that an item's columns hold, checked: mapped by hand, or automatically by the columns' names.
 *
 * The parameter is read as a whole, for n8n checks the types of its values where it is read in parts; with automatic mapping its
 * value is null.
 *
 * @throws ValueError that names the field
 */
export function readColumns(context: IExecuteSingleFunctions): IDataObject {
	const parameter = readParameter(context, 'columns');
	const { mappingMode, value } = isRecord(parameter) ? parameter : {};
	const isAutomatic = mappingMode === 'autoMapInputData' || parameter === undefined;
	const mapped = isAutomatic ? fieldsOf(context.getInputData().json, columns) : isRecord(value) ? value : {};
	const result: IDataObject = {};
	for (const { name, label } of columns) {
		const given = entered(context, mapped[name]);
		if (given === undefined) continue;
		try {
			const checked = rules[name](given, { label, timezone: context.getTimezone() });
			if (checked !== undefined) result[name] = checked as IDataObject[string];
		} catch (error) {
			throw error instanceof ValueError ? new ValueError(`${label} ${error.message}`, error.advice) : error;
		}
	}
	return result;
}

import type {
	IDataObject,
	IExecuteSingleFunctions,
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { isRecord } from '../../api/records';
import { showHint } from '../../engine/hint';
import { readParameter } from '../../engine/parameter';
import { checked, isRuled, type Rule } from '../../run/request';
import type { Row } from '../../run/row';
import { expiry } from '../../fields/rules';
import { columnKey, columnsInWords, fieldsOf, type ColumnField } from '../../sheet/columns';
import { redirections } from './fieldRules';
import { linkFields, longUrl } from './fields';

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

const offered = new Map([longUrl, ...linkFields].filter(isRuled).map((field) => [field.name, field]));

/** Those that the mapping by hand begins with; the others are added. */
const SHOWN_FIRST = ['url', 'custom', 'metatitle', 'description'];

/** Fields with a form of their own, which take more than one line of text; an expression may give other values. */
const FORMS: Record<string, Pick<ResourceMapperField, 'type' | 'options'>> = {
	expiry: { type: 'dateTime' },
	status: { type: 'options', options: offered.get('status')?.options as INodePropertyOptions[] },
	type: { type: 'options', options: redirections },
};

/** The names that lists give these fields (spec, "Short link list item"). */
const LISTED_AS: Record<string, readonly string[]> = { url: ['longurl'], custom: ['alias'], metatitle: ['title'] };

/** For those who see no list of columns, such as agents. */
export const columnNames = NAMES.join(', ');

/** The fields that take several values, and so fit into no column. */
export const fieldsBesideColumns = linkFields.filter(({ name }) => !NAMES.includes(name));

/** Whether an expiry is still to come is asked of those rows alone that give it to their link. */
const columns: Array<ColumnField & { rule: Rule }> = NAMES.map((name) => ({
	name,
	label: labelOf(name),
	listedAs: LISTED_AS[name],
	rule: name === 'expiry' ? expiry : offered.get(name)!.rule,
}));

/** The titles of columns that are found by themselves, as people would write them, with others that mean the same. */
export const columnTitles = columns
	.map(({ name, label, listedAs = [] }) => {
		const title = label.replace(' Names or IDs', 's');
		const others = [...listedAs, name].filter((other) => columnKey(other) !== columnKey(title));
		return others.length === 0 ? title : `${title} (or ${others.join(', ')})`;
	})
	.join(', ');

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
			removed: !SHOWN_FIRST.includes(name),
			// Text, as far as it goes: the package's own checks take more forms than n8n's, and say better what is wrong.
			type: 'string',
			...FORMS[name],
		})),
	};
}

/** Tells above the items of a run which columns were taken for which field. */
export async function tellColumns([row]: Row[]): Promise<void> {
	if (mappingOf(row.context).value !== undefined) return;
	const told = columnsInWords(Object.keys(row.context.getInputData().json), columns);
	if (told !== undefined) showHint(row.context, row.connection.redact.text(told));
}

/** The mapping by hand; with an automatic one there is no value. */
function mappingOf(context: IExecuteSingleFunctions): { value?: IDataObject } {
	const parameter = readParameter(context, 'columns');
	const { mappingMode, value } = isRecord(parameter) ? parameter : {};
	if (mappingMode === 'autoMapInputData' || parameter === undefined) return {};
	return { value: isRecord(value) ? value : {} };
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
	const mapped = mappingOf(context).value ?? fieldsOf(context.getInputData().json, columns);
	const result: IDataObject = {};
	for (const { name, label, rule } of columns) {
		const value = checked(context, label, mapped[name], rule, 'column');
		if (value !== undefined) result[name] = value as IDataObject[string];
	}
	return result;
}

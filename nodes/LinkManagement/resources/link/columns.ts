import type {
	IDataObject,
	IExecuteSingleFunctions,
	ILoadOptionsFunctions,
	INodeParameters,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { ValueError } from '../../service/errors';
import { isBlank, isRecord } from '../../service/records';
import { showHint } from '../../n8n/output';
import { holdsExpression, readParameter, savedParameter } from '../../n8n/parameter';
import { isTool } from '../../n8n/lifetimes';
import { checked, isRuled, type ItemRequest, type Rule } from '../../run/request';
import type { Row } from '../../run/row';
import { alias } from '../../fields/addresses';
import { cellsOf, columnKey, columnsInWords, type Cell, type ColumnField } from '../../fields/columns';
import { expiry } from '../../fields/dates';
import { textField } from '../../fields/inputs';
import { shortUrl } from '../../fields/references';
import { redirections } from '../../fields/locators';
import { CLEARABLE } from './fieldRules';
import { linkFields, longUrl } from './fields';

/** The fields that fit into a column of a sheet, in the order in which they are offered. */
const NAMES = [
	'url',
	'custom',
	'shorturl',
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

/** A short URL tells which link a row means, and is given to none. */
const shortUrlField = textField('Short URL', 'shorturl', { rule: shortUrl });

const offered = new Map([longUrl, shortUrlField, ...linkFields].filter(isRuled).map((field) => [field.name, field]));

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

/** What only a creation or a change has to be, is asked of those rows alone that make it: a date to come, an alias that fits. */
const RULES: Record<string, Rule> = { custom: alias, expiry };

type RuledColumn = ColumnField & { rule: Rule };

const columns: RuledColumn[] = NAMES.map((name) => ({
	name,
	label: labelOf(name),
	listedAs: LISTED_AS[name],
	rule: RULES[name] ?? offered.get(name)!.rule,
}));

/** The titles of columns that are found by themselves, as people would write them, each with others that mean the same. */
export const columnTitles = columns.map(({ name, label, listedAs = [] }) => {
	const title = label.replace(' Names or IDs', 's');
	return { title, others: [...listedAs, name].filter((other) => columnKey(other) !== columnKey(title)) };
});

/** A tool's mapping: the model gives each field, as "Let the model define this parameter" in the editor writes it. */
export const columnsByModel: INodeParameters = Object.fromEntries(
	SHOWN_FIRST.map((name) => [
		name,
		`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${labelOf(name).replace(' ', '_')}', \`${offered.get(name)?.description ?? ''}\`, 'string') }}`,
	]),
);

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

/** The mapping by hand, and its expressions; with an automatic one there is no value. */
function mappingOf(context: IExecuteSingleFunctions): { value?: IDataObject; expressions: IDataObject } {
	const parameter = readParameter(context, 'columns');
	const { mappingMode, value } = isRecord(parameter) ? parameter : {};
	if (mappingMode === 'autoMapInputData' || parameter === undefined) return { expressions: {} };
	const saved = savedParameter(context, 'columns');
	const expressions = isRecord(saved) && isRecord(saved.value) ? saved.value : {};
	return { value: isRecord(value) ? value : {}, expressions };
}

/** The cells of a row, by the field that they mean: mapped by hand, or by the names of their columns. */
function cellsIn(context: IExecuteSingleFunctions): { cells: Map<string, Cell[]>; entered: IDataObject } {
	const { value, expressions } = mappingOf(context);
	if (value === undefined) return { cells: cellsOf(context.getInputData().json, columns), entered: {} };
	const cells = new Map<string, Cell[]>();
	const entered: IDataObject = {};
	for (const { name, label } of columns) {
		if (holdsExpression(expressions[name])) cells.set(name, [{ title: label, value: value[name] }]);
		else entered[name] = value[name];
	}
	return { cells, entered };
}

/** What a row says of a field. @throws ValueError where two of its columns say different things */
function meantBy(context: IExecuteSingleFunctions, cells: readonly Cell[], { label, rule }: RuledColumn): unknown {
	const filled = cells.filter(({ value }) => !isBlank(value));
	const [first, ...others] = filled.map(({ title, value }) => ({
		title,
		value: checked(context, filled.length > 1 ? title : label, value, rule, 'column'),
	}));
	const other = others.find(({ value }) => JSON.stringify(value) !== JSON.stringify(first.value));
	if (other === undefined) return first?.value;
	throw new ValueError(
		`The columns "${first.title}" and "${other.title}" both mean ${label}, and differ`,
		'Make them the same, or remove one of the two columns.',
	);
}

/**
 * Reads the columns of a row into its request, checked: mapped by hand, or automatically by the columns' names.
 *
 * The parameter is read as a whole, for n8n checks the types of its values where it is read in parts; with automatic mapping its
 * value is null.
 *
 * @throws ValueError that names the field
 */
export function readColumns(request: ItemRequest, context: IExecuteSingleFunctions): void {
	const { cells, entered } = cellsIn(context);
	const isEmpty = (name: string) => (cells.get(name) ?? []).every(({ value }) => isBlank(value));
	if (cells.size > 0 && [...cells.keys()].every(isEmpty) && !isTool(context)) {
		request.isBlank = true;
		return;
	}
	for (const column of columns) {
		const { name, label } = column;
		const value = meantBy(context, cells.get(name) ?? [{ title: label, value: entered[name] }], column);
		if (name === 'shorturl') request.shortUrl = value as string | undefined;
		else if (value !== undefined) request.body[name] = value as IDataObject[string];
	}
	request.cleared = [...cells.keys()].filter((name) => CLEARABLE.has(name) && isEmpty(name));
}

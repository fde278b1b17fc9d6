/** The columns of Create or Update. */
import type {
	ILoadOptionsFunctions,
	INodeParameters,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { noticeOf } from '../../columns/notice';
import { SheetReader } from '../../columns/sheetReader';
import type { Column } from '../../columns/titles';
import { alias } from '../../fields/addresses';
import { expiry } from '../../fields/dates';
import { textField } from '../../fields/inputs';
import { redirections, shortUrl } from '../../fields/locators';
import { fieldNamed, fieldsThat, type LinkFieldName } from '../../links/linkFields';
import { isParsed, type Parser } from '../../run/request';
import { linkFields, longUrl, utmFields } from './fields';

const [url, custom, ...others] = fieldsThat(({ isColumn }) => isColumn === true);

/** The fields that a column can hold, in the order in which they are offered. */
const NAMES: string[] = [url, custom, 'shorturl', ...others];

/** The first fields of a mapping by hand; the user adds the others. */
const SHOWN_FIRST = ['url', 'custom', 'metatitle', 'description'];

/** A short URL says which link a row means; no link is given it. */
const shortUrlField = textField('Short URL', 'shorturl', { parser: shortUrl });

const offered = new Map([longUrl, shortUrlField, ...linkFields].filter(isParsed).map((field) => [field.name, field]));

/** Fields with their own type; an expression may give other values. */
const COLUMN_TYPES: Record<string, Pick<ResourceMapperField, 'type' | 'options'>> = {
	expiry: { type: 'dateTime' },
	status: { type: 'options', options: offered.get('status')?.options as INodePropertyOptions[] },
	type: { type: 'options', options: redirections },
};

/** For agents, which see no list of columns. */
export const columnNames = NAMES.join(', ');

/** The fields that a column can't hold, since they take several values. */
export const fieldsBesideColumns = linkFields.filter(({ name }) => !NAMES.includes(name));

/** Parsers of values that may be a link's own: a date that has passed, an alias of an older kind. */
const AS_THERE: Partial<Record<string, Parser>> = { custom: alias, expiry };

export const columns: Column[] = NAMES.map((name) => {
	const { displayName: label, parser, description = '' } = offered.get(name)!;
	const { shownAs } = name === shortUrlField.name ? {} : fieldNamed(name as LinkFieldName);
	return { name, label, shownAs, description, parser: AS_THERE[name] ?? parser };
});

/** Columns that add parameters to the long URL of their row. */
export const utmColumns: Column[] = utmFields.map(({ displayName, name, parser }) => ({
	name: `utm_${name}`,
	label: displayName,
	description: '',
	parser,
	isUtm: true,
}));

export const sheet = new SheetReader([...columns, ...utmColumns]);

const byModel = ({ label, description }: Column) =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${label.replace(' ', '_')}', \`${description}\`, 'string', '') }}`;

/**
 * The mapping of a tool: the model gives the first fields, in the form of "Let the model define this parameter". The others are null,
 * because the editor opens all fields that a mapping leaves out.
 */
export const columnsByModel: INodeParameters = Object.fromEntries(
	columns.map((column) => [column.name, SHOWN_FIRST.includes(column.name) ? byModel(column) : null]),
);

const COLUMNS_PAGE = 'https://github.com/n8n-nodes-link-management/n8n-nodes-link-management/blob/main/docs/columns.md';
/** What the editor says while the node has no input. */
const NAMES_IN_SHORT = `Columns that are read: Long URL, Alias, Short URL and more. <a href="${COLUMNS_PAGE}" target="_blank">All columns</a>`;

/** The columns that the editor offers; this needs no request. */
export async function getLinkColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	return {
		// Shown if columns are mapped automatically.
		emptyFieldsNotice: noticeOf(this, sheet.titles) ?? NAMES_IN_SHORT,
		fields: columns.map(({ name, label }) => ({
			id: name,
			displayName: label,
			required: false,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
			removed: !SHOWN_FIRST.includes(name),
			// Mostly text: the package's parsers accept more forms than n8n's checks, and explain better what is wrong.
			type: 'string',
			...COLUMN_TYPES[name],
		})),
	};
}

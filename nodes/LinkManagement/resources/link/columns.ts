/** The columns of Create or Update: which there are, and how each is read. */
import type {
	ILoadOptionsFunctions,
	INodeParameters,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { fieldNamed, fieldsThat, type LinkFieldName } from '../../links/linkFields';
import { isParsed, type Parser } from '../../run/request';
import { alias } from '../../fields/addresses';
import { titlesOf, type ColumnField } from '../../fields/columnNames';
import { expiry } from '../../fields/dates';
import { textField } from '../../fields/inputs';
import { shortUrls, redirections } from '../../fields/locators';
import { noticeOf } from './columnsNotice';
import { linkFields, longUrl, utmFields } from './fields';

const [url, custom, ...others] = fieldsThat(({ isColumn }) => isColumn === true);

/** The fields that fit into a column of a sheet, in the order in which they are offered. */
const NAMES: string[] = [url, custom, 'shorturl', ...others];

/** Those that the mapping by hand begins with; the others are added. */
const SHOWN_FIRST = ['url', 'custom', 'metatitle', 'description'];

/** A short URL tells which link a row means, and is given to none. A cell may hold several. */
export const shortUrlField = textField('Short URL', 'shorturl', { parser: shortUrls });

const offered = new Map([longUrl, shortUrlField, ...linkFields].filter(isParsed).map((field) => [field.name, field]));

/** Fields with a form of their own, which take more than one line of text; an expression may give other values. */
const FORMS: Record<string, Pick<ResourceMapperField, 'type' | 'options'>> = {
	expiry: { type: 'dateTime' },
	status: { type: 'options', options: offered.get('status')?.options as INodePropertyOptions[] },
	type: { type: 'options', options: redirections },
};

/** For those who see no list of columns, such as agents. */
export const columnNames = NAMES.join(', ');

/** The fields that take several values, and so fit into no column. */
export const fieldsBesideColumns = linkFields.filter(({ name }) => !NAMES.includes(name));

/** What a link may have that it can't be given: a date that has passed, an alias of an older kind. */
const AS_THERE: Partial<Record<string, Parser>> = { custom: alias, expiry };

/** What a column holds, and how it is read. */
export interface Column extends ColumnField {
	description: string;
	parser: Parser;
	/** What it is checked by besides, where a link is to be given it. */
	toGive?: Parser;
}

export const columns: Column[] = NAMES.map((name) => {
	const { displayName: label, parser, description = '' } = offered.get(name)!;
	const asThere = AS_THERE[name];
	const { shownAs } = name === shortUrlField.name ? {} : fieldNamed(name as LinkFieldName);
	return { name, label, shownAs, description, parser: asThere ?? parser, toGive: asThere && parser };
});

/** Parameters that a column adds to the long URL of its row. */
export const utmColumns: Column[] = utmFields.map(({ displayName, name, parser }) => ({
	name: `utm_${name}`,
	label: `UTM ${displayName}`,
	description: '',
	parser,
}));

export const titles = titlesOf([...columns, ...utmColumns]);

const byModel = ({ label, description }: Column) =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${label.replace(' ', '_')}', \`${description}\`, 'string', '') }}`;

/**
 * A tool's mapping: the model gives the fields that it begins with, as "Let the model define this parameter" in the editor writes it.
 * The others stand there empty, for the editor opens all fields that a mapping leaves out.
 */
export const columnsByModel: INodeParameters = Object.fromEntries(
	columns.map((column) => [column.name, SHOWN_FIRST.includes(column.name) ? byModel(column) : null]),
);

/** The columns that the editor offers; no request is needed for that. */
export async function getLinkColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	return {
		// Shown where columns are found by their names.
		emptyFieldsNotice: noticeOf(this, titles),
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

import { additionalFields } from '../../fields/collections';
import type { OperationDefinition } from '../../fields/operation';
import { ifNameMissing } from '../../fields/options';
import { named, ValueError } from '../../run/request';
import { asText } from '../../api/records';
import { mustBeAhead } from '../../fields/rules';
import { findNames, makeNames } from '../../run/links/names';
import { planRows } from '../../run/links/upsert';
import type { Upserting } from '../../run/links/upsertRow';
import {
	columnNames,
	columnTitles,
	fieldsBesideColumns,
	getLinkColumns,
	labelOf,
	readColumns,
	tellColumns,
} from './columns';
import { deepLinkHasTargets, joinParameters } from './fieldRules';
import { choiceField, switchField } from '../../fields/inputs';

/** The methods that fill the resource mapper. */
export const resourceMappings = { getLinkColumns };

const upserting: Upserting = {
	labels: labelOf,
	check: deepLinkHasTargets,
	checkNew(row, { expiry: moment }) {
		if (moment === undefined) return;
		named(labelOf('expiry'), () => mustBeAhead(asText(moment), row.context.getTimezone()));
	},
};

export const upsert: OperationDefinition = {
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update a short link',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	request: { method: 'POST', url: '/api/url/add' },
	fields: [
		{
			displayName: 'Columns',
			name: 'columns',
			type: 'resourceMapper',
			noDataExpression: true,
			required: true,
			default: { mappingMode: 'autoMapInputData', value: null },
			description: `Which column holds what. Fields: ${columnNames}. Rows are matched with links by custom (the alias), or without one by long URL.`,
			typeOptions: {
				resourceMapper: {
					resourceMapperMethod: 'getLinkColumns',
					mode: 'map',
					fieldWords: { singular: 'field', plural: 'fields' },
					addAllFields: true,
					multiKeyMatch: false,
					supportAutoMap: true,
				},
			},
		},
		{
			displayName: `Columns that are taken, whatever their case and spaces: ${columnTitles}. Other columns are left alone, and an empty cell leaves its field as it is. A row is matched with its link by Alias, or without one by Long URL. What no service shows (Password, Pixels and the like) can’t be compared: a row that has it updates its link at every run, and one that leaves it out may lose it: some services reset what an update leaves out.`,
			name: 'columnsNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { '/columns.mappingMode': ['autoMapInputData'] } },
		},
		additionalFields('link', fieldsBesideColumns),
	],
	prepare: [tellColumns, findNames, planRows(upserting), makeNames],
	extraOptions: [
		switchField('Dry Run', 'dryRun', {
			default: true,
			description:
				'Whether to tell what would happen to each row, without changing anything. In a loop, each round by itself.',
		}),
		ifNameMissing,
		choiceField('Match On', 'matchOn', {
			options: [
				{ name: 'Alias', value: 'alias', description: 'And by long URL where a row has no alias' },
				{ name: 'Long URL', value: 'url', description: 'An alias that differs is changed' },
			],
			default: 'alias',
			description: 'What tells which link a row means',
		}),
		choiceField('Update When', 'updateWhen', {
			options: [
				{ name: 'Always', value: 'always', description: 'Update every link that is there' },
				{
					name: 'Changed',
					value: 'changed',
					description:
						'Update links that differ from their row. What no service shows (password, pixels, …) counts as different; what the row leaves empty of it is lost at services that reset what an update leaves out.',
				},
				{ name: 'Never', value: 'never', description: 'Create what is missing, and leave the rest as it is' },
			],
			default: 'changed',
			description: 'When a link that is there is updated',
		}),
	],
	complete: (request, context) => {
		joinParameters(request.body);
		Object.assign(request.body, readColumns(context));
		if (request.body.url !== undefined || request.body.custom !== undefined) return;
		throw new ValueError(
			'The row has neither a Long URL nor an Alias',
			'Map at least one of the two, or name the columns of the sheet "Long URL" and "Alias".',
		);
	},
	runAgain: 'It can be run again as it is: what those rows ask for is there, and is left alone.',
};

import type { INodeExecutionData } from 'n8n-workflow';

import { additionalFields } from '../../fields/collections';
import type { OperationDefinition } from '../../fields/operation';
import { ifNameMissing } from '../../fields/options';
import type { Item } from '../../execution/item';
import { ValueError } from '../../execution/request';
import { upsertLink } from '../../execution/upsertLink';
import type { Matching } from '../../match/plan';
import {
	columnNames,
	columnTitles,
	fieldsBesideColumns,
	getLinkColumns,
	labelOf,
	readColumns,
	rulesBesideColumns,
} from './columns';
import { deepLinkHasTargets } from './fields';

/** The methods that fill the resource mapper. */
export const resourceMappings = { getLinkColumns };

async function perform(item: Item): Promise<INodeExecutionData[]> {
	const { body, options } = item.request;
	const matching: Matching = {
		matchOn: options.matchOn === 'url' ? 'url' : 'alias',
		updateWhen: options.updateWhen === 'always' || options.updateWhen === 'never' ? options.updateWhen : 'changed',
	};
	const row = { fields: body, matching, dryRun: options.dryRun === true };
	const json = await upsertLink(item, row, labelOf, deepLinkHasTargets);
	return json === undefined ? [] : [{ json }];
}

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
			displayName: `The fields are: ${columnTitles}. Case and spaces don’t matter, other columns are left alone. A row is matched with its link by Alias, or without one by Long URL.`,
			name: 'columnsNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { '/columns.mappingMode': ['autoMapInputData'] } },
		},
		additionalFields('link', fieldsBesideColumns),
	],
	finds: ['names'],
	extraOptions: [
		{
			displayName: 'Dry Run',
			name: 'dryRun',
			type: 'boolean',
			default: false,
			description: 'Whether to tell what would happen to each row, without changing anything',
		},
		ifNameMissing,
		{
			displayName: 'Match On',
			name: 'matchOn',
			type: 'options',
			options: [
				{ name: 'Alias', value: 'alias', description: 'And by long URL where a row has no alias' },
				{ name: 'Long URL', value: 'url', description: 'An alias that differs is changed' },
			],
			default: 'alias',
			description: 'What tells which link a row means',
		},
		{
			displayName: 'Update When',
			name: 'updateWhen',
			type: 'options',
			options: [
				{ name: 'Always', value: 'always', description: 'Update every link that is there' },
				{
					name: 'Changed',
					value: 'changed',
					description:
						'Update links that differ from their row in long URL, title, description or alias, or whose row has a field that lists don’t show',
				},
				{ name: 'Never', value: 'never', description: 'Create what is missing, and leave the rest as it is' },
			],
			default: 'changed',
			description: 'When a link that is there is updated',
		},
	],
	sends: {
		bodyFrom: { linkFields: rulesBesideColumns },
		complete: (request, context) => {
			Object.assign(request.body, readColumns(context));
			if (request.body.url !== undefined || request.body.custom !== undefined) return;
			throw new ValueError(
				'The row has neither a Long URL nor an Alias',
				'Map at least one of the two, or name the columns of the sheet "Long URL" and "Alias".',
			);
		},
	},
	runAgain: 'It can be run again as it is: what those rows ask for is there, and is left alone.',
	perform,
};

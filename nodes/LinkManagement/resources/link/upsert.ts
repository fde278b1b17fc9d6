import type { INodeParameters } from 'n8n-workflow';

import { inputSample } from '../../columns/notice';
import { additionalFields } from '../../fields/collections';
import { choiceField, switchField } from '../../fields/inputs';
import type { OperationDefinition } from '../../fields/operation';
import { findDomains, findNames } from '../../links/account';
import { planUpserts } from '../../links/perform';
import type { Field } from '../../run/request';
import type { Row } from '../../run/row';
import { ValueError } from '../../service/answer/errors';
import { asText } from '../../service/records';
import { columnNames, columnsByModel, fieldsBesideColumns, getLinkColumns, sheet } from './columns';
import { addUtmFields, clearEmpty } from './fieldRules';

export const resourceMappings = { getLinkColumns };

/** The mapping of columns. An agent's tool has no columns: its model gives each value. */
function columnsField(first: INodeParameters, isTool: boolean): Field {
	return {
		displayName: 'Columns',
		name: 'columns',
		type: 'resourceMapper',
		noDataExpression: true,
		required: true,
		default: first,
		description: `Fields: ${columnNames}. A row means the link at its short URL; else the one with its alias; else the one with its long URL.`,
		displayOptions: { show: { '@tool': [isTool] } },
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
	};
}

/** Options that are of the whole sheet, as people call them. */
const OF_SHEET: Record<string, string> = {
	dryRun: 'Dry Run',
	emptyCells: 'Empty Cells',
	updateWhen: 'Update When',
};

/** Refuses rows that differ in an option of the whole sheet: no order of them may decide. */
async function refuseMixed(rows: Row[]): Promise<void> {
	for (const [name, label] of Object.entries(OF_SHEET)) {
		const values = new Set(rows.map(({ request }) => asText(request.options[name] ?? 'not set')));
		if (values.size < 2) continue;
		const problem = `${label} differs between rows: ${[...values].slice(0, 3).join(', ')}`;
		for (const row of rows) row.refuse(new ValueError(problem, `Give ${label} one value for the whole sheet.`));
	}
}

export const upsert: OperationDefinition = {
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update a short link: an alias that exists is changed',
	description: 'Create a new short link, or update the current one if it already exists (upsert)',
	request: { method: 'POST', url: '/api/url/add' },
	fields: [
		{ ...inputSample, displayOptions: { show: { '@tool': [false] } } },
		columnsField({ mappingMode: 'autoMapInputData', value: null }, false),
		columnsField({ mappingMode: 'defineBelow', value: columnsByModel }, true),
		additionalFields('link', fieldsBesideColumns),
	],
	prepare: [refuseMixed, findNames, findDomains],
	plan: planUpserts,
	inputRemark: sheet.remark,
	hasAction: true,
	extraOptions: [
		switchField('Dry Run', 'dryRun', {
			default: true,
			description: 'Whether to only show what would happen to each row, without changing anything',
		}),
		choiceField('Empty Cells', 'emptyCells', {
			options: [
				{ name: 'Clear', value: 'clear', description: 'An empty cell clears the field' },
				{ name: 'Keep', value: 'keep', description: 'An empty cell leaves the field as it is' },
			],
			default: 'keep',
			description: 'Never clears long URL, alias, domain, campaign, channel, meta title, status or type',
		}),
		choiceField('Update When', 'updateWhen', {
			options: [
				{
					name: 'Changed',
					value: 'changed',
					description:
						"Update links that differ from their row. Fields that services don't show (password, pixels, …) always count as different. Some services reset them if a row leaves them empty.",
				},
				{
					name: 'Never',
					value: 'never',
					description: 'Return links that exist as they are, and create the others',
				},
			],
			default: 'changed',
			description: 'When to update a link that exists',
		}),
	],
	errorIfAllBlank: new ValueError(
		'No row has a value in a column that is read, or in a field that is mapped',
		'Check that the node before this one gives the cells, or check the expressions under Columns.',
	),
	readMore: sheet.read,
	complete: (request, context) => {
		addUtmFields(request);
		clearEmpty(request, context);
	},
	runAgain: 'You can run it again as it is: links that are up to date are left alone.',
};

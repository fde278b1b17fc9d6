import { isBlankRowOf } from '../../fields/blankRows';
import { choiceField, ifNameMissing } from '../../fields/inputs';
import { creation } from '../../fields/standardOperations';
import { planCreations } from '../../links/creations';
import { findDomains } from '../../links/domains';
import { checkNeeds } from '../../links/linkFields';
import { findNames } from '../../links/names';
import { addUtmFields, hintRepeatedParameters } from './fieldRules';
import { longUrl, newLinkFields } from './fields';

export const create = creation('a short link', '/api/url/add', [{ ...longUrl, required: true }, newLinkFields], {
	description: 'Shorten a long URL',
	prepare: [hintRepeatedParameters, findNames, findDomains],
	plan: planCreations,
	extraOptions: [
		choiceField('If Alias Exists', 'ifAliasExists', {
			options: [
				{ name: 'Fail', value: 'fail', description: "Fail with the service's message" },
				{
					name: 'Let the Service Choose Another',
					value: 'another',
					description: 'Create the link without the alias: the service chooses one',
				},
				{
					name: 'Return Existing Link',
					value: 'returnExisting',
					description:
						'Return the link that already has the alias, if it has the same long URL. You can then run a spreadsheet again safely.',
				},
			],
			default: 'fail',
		}),
		ifNameMissing,
	],
	isBlank: isBlankRowOf([longUrl.name]),
	complete(request) {
		addUtmFields(request);
		checkNeeds(request.body);
	},
	runAgain:
		'To run again without creating them twice, give each row an alias and set Options → If Alias Exists to "Return Existing Link", use the operation Create or Update, or leave those rows out.',
});

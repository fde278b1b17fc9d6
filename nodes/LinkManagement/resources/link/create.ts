import { choiceField } from '../../fields/inputs';
import { creation } from '../../fields/standardOperations';
import { planCreations } from '../../links/perform';
import { findDomains, findNames } from '../../links/account';
import { checkNeeds } from '../../links/linkFields';
import { addUtmFields } from './fieldRules';
import { longUrl, newLinkFields } from './fields';

export const create = creation('a short link', '/api/url/add', [{ ...longUrl, required: true }, newLinkFields], {
	description:
		'Shorten a long URL. To return the link that is there, use Create or Update with Update When set to Never.',
	prepare: [findNames, findDomains],
	plan: async (rows) => await planCreations(rows),
	asTool: { plan: async (rows) => await planCreations(rows, true) },
	extraOptions: [
		choiceField('If Alias Exists', 'ifAliasExists', {
			options: [
				{ name: 'Fail', value: 'fail', description: "Fail with the service's message" },
				{
					name: 'Let the Service Choose Another',
					value: 'another',
					description: 'Create the link without the alias: the service chooses one',
				},
			],
			default: 'fail',
		}),
	],
	complete(request) {
		addUtmFields(request);
		checkNeeds(request.body);
	},
	runAgain: 'To run again without creating them twice, leave those rows out, or use the operation Create or Update.',
});

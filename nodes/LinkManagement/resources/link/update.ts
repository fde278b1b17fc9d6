import { ifNameMissing } from '../../fields/inputs';
import { linkId } from '../../fields/locators';
import { byNames, change } from '../../fields/standardOperations';
import { planUpdates } from '../../links/linkOperations';
import { clearEmpty, hintRepeatedParameters, replaceUtm } from './fieldRules';
import { changedLinkFields, emptyOption } from './fields';

const KEPT =
	'Update a short link. Fields that you leave out keep their values. Some services still reset password, pixels and deep link: enter these again.';

const EMPTY_FIELDS = emptyOption(
	'Empty Fields',
	'emptyFields',
	'An empty expression',
	'long URL, alias, campaign, channel, title, status or type',
);

export const update = change('a short link', '/api/url/:linkId/update', [linkId, changedLinkFields], {
	...byNames(hintRepeatedParameters),
	plan: planUpdates,
	description: KEPT,
	needsChange: true,
	complete: (request, context) => {
		replaceUtm(request);
		clearEmpty(request, context);
	},
	extraOptions: [ifNameMissing, EMPTY_FIELDS],
});

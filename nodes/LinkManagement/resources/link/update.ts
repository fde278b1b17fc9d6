import { byNames, change } from '../../fields/alike';
import { ifNameMissing } from '../../fields/inputs';
import { linkId } from '../../fields/locators';
import { findLinksByList, findLinksInOrder } from '../../links/choose';
import { updateChosen } from '../../links/operations';
import { hintRepeatedParameters, joinParameters, noteCleared } from './fieldRules';
import { changedLinkFields, emptyOption } from './fields';
import { linkRules } from './columns';
import { hintEmptyTargets } from './targets';

const KEPT =
	'Update a short link. Fields that you leave out keep their values. Some services still reset password, pixels and deep link: enter these again.';

export const update = change('a short link', '/api/url/:linkId/update', [linkId, changedLinkFields], {
	...byNames(async (rows) => await findLinksInOrder(rows, findLinksByList), hintRepeatedParameters, hintEmptyTargets),
	perform: async (row) => await updateChosen(row, linkRules),
	description: KEPT,
	needsChange: true,
	complete: (request, context) => {
		joinParameters(request.body);
		noteCleared(request, context);
	},
	extraOptions: [ifNameMissing, emptyOption('Empty Fields', 'emptyFields', 'An empty expression')],
});

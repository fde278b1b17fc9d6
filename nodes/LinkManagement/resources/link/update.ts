import { byNames, change } from '../../fields/alike';
import { ifNameMissing } from '../../fields/options';
import { linkId } from '../../fields/locators';
import { planUpdates } from '../../links/updateAndDelete';
import { labelOf } from './columns';
import { deepLinkHasTargets, joinParameters, noteCleared } from './fieldRules';
import { changedLinkFields, emptyOption } from './fields';
import { hintEmptyTargets } from './targets';

const KEPT =
	'Update a short link. Fields that you leave out keep their values, but some services reset those that no service shows, such as password, pixels and deep link: enter them again.';

export const update = change('a short link', '/api/url/:linkId/update', [linkId, changedLinkFields], {
	...byNames(planUpdates(deepLinkHasTargets, labelOf), hintEmptyTargets),
	description: KEPT,
	needsChange: true,
	complete: (request, context) => {
		joinParameters(request.body);
		noteCleared(request, context);
	},
	extraOptions: [ifNameMissing, emptyOption('Empty Fields', 'emptyFields', 'An empty expression')],
});

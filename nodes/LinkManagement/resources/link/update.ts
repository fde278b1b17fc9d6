import { linkId } from '../../fields/locators';
import { change } from '../../fields/standardOperations';
import { planUpdates } from '../../links/perform';
import { findNames } from '../../links/account';
import { addUtmFields } from './fieldRules';
import { changedLinkFields } from './fields';

const KEPT =
	'Update a short link. Fields that you leave out keep their values. Some services still reset password, pixels and deep link: enter these again.';

export const update = change('a short link', '/api/url/:linkId/update', [linkId, changedLinkFields], {
	prepare: [findNames],
	plan: planUpdates,
	description: KEPT,
	needsChange: true,
	complete: addUtmFields,
});

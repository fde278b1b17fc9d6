import { deletion } from '../../fields/alike';
import { linkId } from '../../fields/locators';
import { planDeletions } from '../../links/updateAndDelete';

export const remove = deletion('a short link', '/api/url/:linkId/delete', linkId, {
	description: 'Delete a short link permanently. Its address stops working.',
	prepare: [planDeletions],
});

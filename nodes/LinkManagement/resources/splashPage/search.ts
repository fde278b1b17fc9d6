import { asText, idOf } from '../../api/records';
import type { Choices } from '../../account/dropdown';

/** Splash pages for a dropdown, as a link's redirection type names them: by their ID. */
export const splashPages: Choices = {
	path: '/api/splash',
	collection: 'splash',
	entry(page) {
		const value = idOf(page);
		return value === undefined ? undefined : { name: `Splash Page: ${asText(page.name || value)}`, value };
	},
};

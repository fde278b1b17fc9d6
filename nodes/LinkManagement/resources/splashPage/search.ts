import { asText, idOf } from '../../api/records';
import type { ListSource } from '../../execution/listSearch';

/** Splash pages for a dropdown, as a link's redirection type names them: by their ID. */
export const splashPages: ListSource = {
	path: '/api/splash',
	collection: 'splash',
	entry(page) {
		const value = idOf(page);
		return value === undefined ? undefined : { name: `Splash Page: ${asText(page.name || value)}`, value };
	},
};

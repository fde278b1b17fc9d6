import { asText } from '../../api/records';
import { byId, type Choices } from '../../account/dropdown';

/** Splash pages for a dropdown, as a link's redirection type names them: by their ID. */
export const splashPages: Choices = {
	path: '/api/splash',
	collection: 'splash',
	entry: byId(({ name }, id) => ({ name: `Splash Page: ${asText(name || id)}` })),
};

import { asText } from '../../api/records';
import { byId, type Choices } from '../../account/dropdown';

/** Call-to-action overlays for a dropdown, as a link's redirection type names them (field notes: `overlay-<id>`). */
export const overlays: Choices = {
	path: '/api/overlay',
	collection: ['cta', 'overlay'],
	entry: byId(({ name, type }, id) => ({
		name: `Overlay: ${asText(name || id)}${type ? ` (${asText(type)})` : ''}`,
		value: `overlay-${id}`,
	})),
};

import { asText, idOf } from '../../api/records';
import type { Choices } from '../../account/dropdown';

/** Call-to-action overlays for a dropdown, as a link's redirection type names them (field notes: `overlay-<id>`). */
export const overlays: Choices = {
	path: '/api/overlay',
	collection: ['cta', 'overlay'],
	entry(overlay) {
		const id = idOf(overlay);
		const type = overlay.type ? ` (${asText(overlay.type)})` : '';
		return id === undefined
			? undefined
			: { name: `Overlay: ${asText(overlay.name || id)}${type}`, value: `overlay-${id}` };
	},
};

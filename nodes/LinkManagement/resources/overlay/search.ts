import type { ListSource } from '../../service/listSearch';

/** Call-to-action overlays for a dropdown. */
export const overlays: ListSource = {
	path: '/api/overlay',
	collection: 'cta',
	entry: ({ id, name, type }) => ({ name: `Overlay: ${String(name || id)}${type ? ` (${String(type)})` : ''}`, value: Number(id) }),
};

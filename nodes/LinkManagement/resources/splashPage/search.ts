import type { ListSource } from '../../service/listSearch';

/** Splash pages for a dropdown. */
export const splashPages: ListSource = {
	path: '/api/splash',
	collection: 'splash',
	entry: ({ id, name }) => ({ name: `Splash Page: ${String(name || id)}`, value: Number(id) }),
};

import { byId, listOptions, listSearch, type Choices } from '../../account/dropdown';

const pixels: Choices = {
	path: '/api/pixels',
	collection: 'pixels',
	entry: byId(({ name, type }, id) => {
		const parts = [name || id, type].filter((part) => part !== undefined && part !== '');
		return { name: parts.join(' · ') };
	}),
};

/** Tracking pixels for a dropdown. */
export const searchPixels = listSearch(pixels);

/** Tracking pixels, for a field that takes several. */
export const loadPixels = listOptions(pixels);

import { idOf } from '../../api/records';
import { listOptions, listSearch, type Choices } from '../../account/dropdown';

const pixels: Choices = {
	path: '/api/pixels',
	collection: 'pixels',
	entry(pixel) {
		const value = idOf(pixel);
		const parts = [pixel.name || value, pixel.type].filter((part) => part !== undefined && part !== '');
		return value === undefined ? undefined : { name: parts.join(' · '), value };
	},
};

/** Tracking pixels for a dropdown. */
export const searchPixels = listSearch(pixels);

/** Tracking pixels, for a field that takes several. */
export const loadPixels = listOptions(pixels);

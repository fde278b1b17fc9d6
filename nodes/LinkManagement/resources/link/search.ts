import { listSearch } from '../../service/listSearch';
import { overlays } from '../overlay/search';
import { splashPages } from '../splashPage/search';

/** Short links for a dropdown, searched by the service's own keyword search. */
export const searchLinks = listSearch({
	path: '/api/urls',
	collection: 'urls',
	searchParameter: 'q',
	entry: ({ id, title, shorturl, longurl }) => ({
		name: [shorturl, title || longurl].filter((part) => typeof part === 'string' && part !== '').join(' · ') || String(id),
		value: Number(id),
		url: shorturl,
	}),
});

/** Redirection types of a short link for a dropdown: the words of the spec, then splash pages and overlays, which go by their ID. */
export const searchRedirectionTypes = listSearch(
	[
		{ name: 'Direct', value: 'direct' },
		{ name: 'Frame', value: 'frame' },
		{ name: 'Splash', value: 'splash' },
	],
	splashPages,
	overlays,
);

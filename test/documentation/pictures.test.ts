/** The pictures of the pages show the node as it is. */
import { readdirSync } from 'fs';

import { page, PAGES } from './markdown';
import { isOld, pictureNames, PICTURES } from './pictures';

test('the pictures show what the node has now; if not, npm run pictures takes those anew that are old', () => {
	expect(pictureNames.filter(isOld)).toEqual([]);
});

test('each picture stands in a page, and each that a page shows is taken', () => {
	const taken = readdirSync(PICTURES).filter((file) => file.endsWith('.png'));
	expect(taken).toEqual(pictureNames.map((name) => `${name}.png`).sort());
	const shown = PAGES.flatMap((path) => [...page(path).matchAll(/images\/([\w-]+\.png)/g)].map(([, file]) => file));
	expect([...new Set(shown)].sort()).toEqual(taken);
});

/** The pictures of the pages show the node as it is. `npm run pictures` takes them anew. */
import { readdirSync } from 'fs';

import { page, PAGES } from './markdown';
import { pictureNames, PICTURES, printOf, printsWhenTaken } from './pictures';

test.each(pictureNames)('%s shows what the node has now', (picture) => {
	expect(printsWhenTaken()[picture]).toBe(printOf(picture));
});

test('each picture stands in a page, and each that a page shows is taken', () => {
	const taken = readdirSync(PICTURES).filter((file) => file.endsWith('.png'));
	expect(taken).toEqual(pictureNames.map((name) => `${name}.png`).sort());
	const shown = PAGES.flatMap((path) => [...page(path).matchAll(/images\/([\w-]+\.png)/g)].map(([, file]) => file));
	expect([...new Set(shown)].sort()).toEqual(taken);
});

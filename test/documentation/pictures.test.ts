/** The pictures of the pages show the node as it is. */
import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';

import { page, PAGES, PROJECT } from './markdown';
import { isOld, pictureNames, PICTURES } from './pictures';

test('the pictures show what the node has now; if not, run npm run pictures, which retakes them', () => {
	expect(pictureNames.filter(isOld)).toEqual([]);
});

test('each picture stands in a page, and each that a page shows is taken', () => {
	const taken = readdirSync(PICTURES).filter((file) => file.endsWith('.png'));
	expect(taken).toEqual(pictureNames.map((name) => `${name}.png`).sort());
	const shown = PAGES.flatMap((path) => [...page(path).matchAll(/images\/([\w-]+\.png)/g)].map(([, file]) => file));
	expect([...new Set(shown)].sort()).toEqual(taken);
});

test('npm run pictures runs each file that takes pictures, and no other', () => {
	const { scripts } = JSON.parse(page('package.json')) as { scripts: Record<string, string> };
	const folder = join('test', 'editor');
	const taking = readdirSync(join(PROJECT, folder)).filter(
		(file) =>
			file.endsWith('.test.ts') && readFileSync(join(PROJECT, folder, file), 'utf8').includes('editor.picture('),
	);
	const named = [...scripts.pictures.matchAll(/test\/editor\/(\w+)/g)].map(([, name]) => `${name}.test.ts`);
	expect(named).toEqual(taking.sort());
});

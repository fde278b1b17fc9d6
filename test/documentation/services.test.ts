/** What the project knows of the API and of services stands in two pages: what the code cites is there, and each difference of the sandbox. */
import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';

import { DEVIATIONS } from '../sandbox/dialect';
import { page, PROJECT, rowsIn } from './markdown';

const notes = rowsIn(page('docs/field-notes.md'));

test('each difference of the sandbox was seen, or is marked as not seen: it stands in the field notes, once', () => {
	const named = notes.flatMap(([, , names]) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name));
	expect(named.sort()).toEqual(Object.keys(DEVIATIONS).sort());
});

test('each line of the field notes has its grade, and few say what nobody has seen', () => {
	expect(notes.filter(([, grade]) => !/^(?:[ABC](?:, [ABC])*|–)$/.test(grade))).toEqual([]);
	const unseen = notes.filter(([, grade, names]) => grade === '–' && names !== '');
	expect(unseen.map(([, , names]) => names).sort()).toEqual(['`aliasKept`', '`figures`', '`longUrlKept`', '`ties`']);
});

/** The sections of a page. */
const sectionsOf = (path: string) => [...page(path).matchAll(/^#{2,3} (.*)$/gm)].map(([, title]) => title);

test('what the code cites of the API and of the field notes is there', () => {
	const PAGES = { spec: sectionsOf('docs/api.md'), 'field notes': sectionsOf('docs/field-notes.md') };
	const api = page('docs/api.md');
	const wrong: string[] = [];
	let cited = 0;
	for (const folder of ['nodes', 'credentials', 'test'])
		for (const file of readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })) {
			if (!file.endsWith('.ts')) continue;
			const source = readFileSync(join(PROJECT, folder, file), 'utf8').replace(/\s*\n\s*\*?\s*/g, ' ');
			for (const [whole, of, titles] of source.matchAll(/\b(spec|field notes), ((?:"[^"]+"(?:, )?)+)/g))
				for (const [, title] of titles.matchAll(/"([^"]+)"/g)) {
					cited++;
					if (!PAGES[of as keyof typeof PAGES].includes(title)) wrong.push(`${file}: ${whole}`);
				}
			for (const [whole, endpoint] of source.matchAll(/\bspec, ((?:GET|POST|PUT|DELETE) \/api(?:\/:?\w+)*)/g)) {
				cited++;
				if (!api.includes(endpoint)) wrong.push(`${file}: ${whole}`);
			}
		}
	expect(wrong).toEqual([]);
	expect(cited).toBeGreaterThan(40);
});

/** docs/proof/adversarial.md: each attack has its test, and `npm test` runs them. */
import { readFileSync } from 'fs';
import { join } from 'path';

import { attacks } from './attacks';
import { SCRIPTS } from './commands';
import { PROJECT } from './markdown';

const all = attacks(PROJECT);

test('the page names what was tried', () => {
	expect(all.length).toBeGreaterThan(25);
});

test.each(all)('$tried: $test', ({ file, test: name }) => {
	const text = readFileSync(join(PROJECT, file), 'utf8').replace(/\\(['"])/g, '$1');
	expect(text).toContain(name);
});

test('npm test runs them all', () => {
	expect(SCRIPTS.test.split(' && ')).toEqual(['npm run test:unit', 'npm run test:n8n']);
});

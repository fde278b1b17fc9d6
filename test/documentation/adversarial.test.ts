/** docs/proof/adversarial.md: each attack has its test, and `npm test` runs them. */
import { readFileSync } from 'fs';
import { join } from 'path';

import { SCRIPTS } from './commands';
import { page, PROJECT } from './markdown';

/** What was tried, the test's file, and what the test's name holds. @throws for a row that names no test */
function attacks(): Array<[tried: string, file: string, test: string]> {
	const rows = page('docs/proof/adversarial.md').matchAll(/^\| (?!what was tried|---)(.+?) \| .+ \| (.+) \|$/gm);
	return [...rows].map(([, tried, proof]) => {
		const [, file, test] = /^\[[\w.]+\]\(\.\.\/\.\.\/([\w./]+)\): (.+)$/.exec(proof) ?? [];
		if (file === undefined) throw new Error(`docs/proof/adversarial.md names no test for: ${tried}`);
		return [tried, file, test];
	});
}

test('the page names what was tried', () => {
	expect(attacks().length).toBeGreaterThan(25);
});

test.each(attacks())('%s: %s: %s', (_tried, file, name) => {
	const text = readFileSync(join(PROJECT, file), 'utf8').replace(/\\(['"])/g, '$1');
	expect(text).toContain(name);
});

test('npm test runs them all', () => {
	expect(SCRIPTS.test.split(' && ')).toEqual(['npm run test:unit', 'npm run test:n8n']);
});

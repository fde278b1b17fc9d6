/** What the pages say of the project's files is so. */
import { existsSync, readdirSync, readFileSync } from 'fs';
import { join } from 'path';

import { LinkManagementApi } from '../../credentials/LinkManagementApi.credentials';
import { OTHER_N8N } from '../../tools/test/versions';
import { expectPart, fileOf, page, PAGES, PROJECT, proseOf, tableOf } from './markdown';

interface Manifest {
	scripts: Record<string, string>;
	homepage: string;
	devDependencies: Record<string, string>;
}

const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as Manifest;
const readme = page('README.md');

/** What a page links to, or shows: paths and addresses. */
function targetsOn(path: string): string[] {
	return [...proseOf(page(path)).matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)].map(
		([, target, named]) => target ?? named,
	);
}

/** The name that a heading has in addresses, as GitHub makes it. */
function anchor(title: string): string {
	return title
		.trim()
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.replaceAll(' ', '-');
}

const links = PAGES.flatMap((path) => targetsOn(path).map((target): [string, string] => [path, target]));
const inside = links.filter(([path, target]) => fileOf(path, target.split('#')[0]) !== undefined);

test.each(inside)('%s: %s is there', (path, target) => {
	const [to, fragment] = target.split('#');
	const aimed = fileOf(path, to)!;
	expect(existsSync(join(PROJECT, aimed))).toBe(true);
	if (fragment === undefined) return;
	const titles = [...page(aimed).matchAll(/^#+ (.+)$/gm)].map(([, title]) => anchor(title));
	expect(titles).toContain(fragment);
});

test('CONTRIBUTING.md shows the first test as it is', () => {
	const test = readFileSync(join(PROJECT, 'test', 'engine', 'first.test.ts'), 'utf8');
	expectPart('firstTest', `\`\`\`ts\n${test}\`\`\`\n`);
});

test('the README is short enough to be read whole', () => {
	expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

/** Words of a page as it is read. */
const wordsOn = (path: string) =>
	page(path)
		.replace(/<!--.*?-->/gs, '')
		.trim()
		.split(/\s+/).length;

test('the pages about the package are short enough together', () => {
	const about = /^(README|CONTRIBUTING|SECURITY|docs\/(?!api|field-notes)[\w-]+)\.md$/;
	const words = PAGES.filter((path) => about.test(path)).map(wordsOn);
	expect(words.length).toBeGreaterThan(10);
	expect(words.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(14_000);
});

test('the n8n versions of the proofs are those that the tests install', () => {
	const proofs = page('docs/proof/README.md');
	const [, table] = proofs.split('## Compatibility');
	const named = tableOf(table).flatMap(([n8n]) => n8n.match(/\d+\.\d+\.\d+/g) ?? []);
	const install = readFileSync(join(PROJECT, 'test', 'n8n', 'host', 'install.mjs'), 'utf8');
	const [, newest] = /NEWEST_N8N = '([\d.]+)'/.exec(install)!;
	expect(named.sort()).toEqual([manifest.devDependencies['n8n-core'], ...OTHER_N8N, newest].sort());
});

test.each(PAGES)('%s: its commands are scripts of package.json', (path) => {
	const named = [...page(path).matchAll(/\bnpm (?:run ([\w-]+(?::[\w-]+)*)|(test)\b)/g)].map(
		([, script, test]) => script ?? test,
	);
	expect(named.filter((script) => !(script in manifest.scripts))).toEqual([]);
});

test('each page that the editor leads to is there', () => {
	const folder = join(PROJECT, 'nodes', 'LinkManagement');
	const codex = readdirSync(folder).filter((name) => name.endsWith('.node.json'));
	const addresses = [
		new LinkManagementApi().documentationUrl,
		...codex.flatMap((name) => readFileSync(join(folder, name), 'utf8').match(/https:[^"]+/g) ?? []),
	];
	expect(addresses.length).toBeGreaterThan(4);
	const titles = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, title]) => anchor(title));
	for (const address of addresses) {
		const [site, fragment] = address.split('#');
		expect(['readme', ...titles]).toContain(fragment);
		expect(manifest.homepage).toBe(`${site}#readme`);
	}
});

test('the table of workflows to import names each example', () => {
	const rows = tableOf(page('examples/README.md')).flatMap(([files]) =>
		[...files.matchAll(/\[([\w.-]+)\]/g)].map(([, file]) => file),
	);
	expect(rows.sort()).toEqual(
		readdirSync(join(PROJECT, 'examples'))
			.filter((name) => name.endsWith('.json'))
			.sort(),
	);
});

/** What the pages say of the project's files and versions is so. */
import { existsSync, readdirSync, readFileSync } from 'fs';
import { join } from 'path';

import type { INodePropertyOptions } from 'n8n-workflow';

import { LinkManagementApi } from '../../credentials/LinkManagementApi.credentials';
import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { OTHER_N8N } from '../../tools/test/versions';
import { blocksOf, fileOf, page, PAGES, PROJECT, proseOf, sectionOf, tableOf } from './markdown';

interface Manifest {
	version: string;
	scripts: Record<string, string>;
	homepage: string;
	engines: { node: string };
	devDependencies: Record<string, string>;
}

const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as Manifest;
const readme = page('README.md');
const proofs = page('docs/proof/README.md');

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

test('the README is short, and reads the same on npm and in n8n: whole addresses, and Markdown alone', () => {
	expect(readme.split('\n').length).toBeLessThanOrEqual(130);
	expect(targetsOn('README.md').filter((target) => !target.startsWith('https://'))).toEqual([]);
	expect(proseOf(readme).replace(/<!--.*?-->/g, '')).not.toMatch(/<\/?\w+[^>]*>/);
});

test('the README, or the page of proofs that it leads to, leads to each page', () => {
	const linked = ['README.md', 'docs/proof/README.md'].flatMap((path) =>
		targetsOn(path).map((target) => fileOf(path, target.split('#')[0])),
	);
	expect(PAGES.filter((path) => path !== 'README.md' && !linked.includes(path))).toEqual([]);
});

test('each promise has what proves it', () => {
	const rows = tableOf(sectionOf(proofs, 'What it promises'));
	expect(rows.length).toBeGreaterThan(5);
	for (const [promise, proof] of rows) {
		const files = [...proof.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => fileOf('docs/proof/README.md', target));
		expect([promise, files.some((file) => file !== undefined && /\.test\.ts$|\.md$/.test(file))]).toEqual([
			promise,
			true,
		]);
	}
});

test('each picture is shown on a page', () => {
	const shown = links.map(([path, target]) => fileOf(path, target));
	const pictures = readdirSync(join(PROJECT, 'docs', 'images')).map((name) => join('docs', 'images', name));
	expect(pictures).not.toEqual([]);
	expect(pictures.filter((picture) => !shown.includes(picture))).toEqual([]);
});

test.each(
	PAGES.flatMap((path) =>
		blocksOf(page(path)).map(({ language, text }): [string, string, string] => [path, language, text]),
	),
)('%s: a block of %s is whole', (_path, language, text) => {
	expect(['sh', 'json', 'ts', 'yaml', 'text']).toContain(language);
	if (language === 'json') JSON.parse(text);
});

test.each(PAGES)('%s: JSON stands in the parts that a test makes, where its content is checked', (path) => {
	const rest = page(path).replace(/<!-- made by npm run docs: (\w+) -->.*?<!-- end of \1 -->/gs, '');
	expect(blocksOf(rest).filter(({ language }) => language === 'json')).toEqual([]);
});

test('the table of events names each event', () => {
	const events = new LinkManagementTrigger().description.properties.find(({ name }) => name === 'event')
		?.options as INodePropertyOptions[];
	const rows = tableOf(page('docs/trigger.md')).map(([event]) => event);
	expect(rows.sort()).toEqual(events.map(({ name }) => name).sort());
});

test('the table of workflows to import names each example', () => {
	const rows = tableOf(page('examples/README.md')).flatMap(([files]) => files.split(', '));
	expect(rows.sort()).toEqual(
		readdirSync(join(PROJECT, 'examples'))
			.filter((name) => name.endsWith('.json'))
			.sort(),
	);
});

test('the table of versions says which n8n the tests take', () => {
	const newest = /NEWEST_N8N = '([^']+)'/.exec(
		readFileSync(join(PROJECT, 'test', 'n8n', 'host', 'install.mjs'), 'utf8'),
	)?.[1];
	const rows = tableOf(sectionOf(proofs, 'Compatibility')).map(([version]) => version);
	expect(rows).toEqual([
		`engine ${manifest.devDependencies['n8n-core']}`,
		OTHER_N8N.join(', '),
		`${newest}, the newest`,
	]);
});

test('the README asks for the Node that package.json asks for', () => {
	expect(readme).toContain(`Node.js ${manifest.engines.node.replace('>=', '')} or newer`);
});

test('the changelog has an entry for this version', () => {
	const titles = [...page('CHANGELOG.md').matchAll(/^## \[([^\]]+)\](?: - (?:\d{4}-\d\d-\d\d|unreleased))?$/gm)].map(
		([, title]) => title,
	);
	expect(titles[0]).toBe('Unreleased');
	expect(titles).toContain(manifest.version);
});

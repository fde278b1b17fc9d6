/** Folders import as docs/house.md says, downwards only, and what lasts in the process is what it names. */
import { readdirSync, readFileSync } from 'fs';
import { basename, dirname, join, relative, sep } from 'path';

import { page, PROJECT } from './markdown';

const HOUSE = join(PROJECT, 'nodes', 'LinkManagement');

const folders = readdirSync(HOUSE, { withFileTypes: true })
	.filter((entry) => entry.isDirectory() && /^[a-z]/i.test(entry.name))
	.map(({ name }) => name);

/** The folders that each folder may import from: those that come after it in the page's chains. */
function foldersBelow(): Map<string, Set<string>> {
	const [, sentence] = /Imports run downwards only:([^.(]+)/.exec(page('docs/house.md')) ?? [];
	const chains = [...sentence.matchAll(/\w+(?:\s+→\s+\w+)+/g)].map(([chain]) => chain.split(/\s+→\s+/));
	const below = (folder: string): string[] =>
		chains.flatMap((chain) => {
			const next = chain.includes(folder) ? chain[chain.indexOf(folder) + 1] : undefined;
			return next === undefined ? [] : [next, ...below(next)];
		});
	return new Map(chains.flat().map((folder) => [folder, new Set(below(folder))]));
}

/** The folders that the files of a folder import from, each with one such file. */
function importsOf(folder: string): Map<string, string> {
	const found = new Map<string, string>();
	for (const name of readdirSync(join(HOUSE, folder), { recursive: true, encoding: 'utf8' })) {
		if (!name.endsWith('.ts')) continue;
		const file = join(HOUSE, folder, name);
		for (const [, path] of readFileSync(file, 'utf8').matchAll(/ from '(\.[^']*)'/g)) {
			const [other] = relative(HOUSE, join(dirname(file), path)).split(sep);
			if (other !== folder) found.set(other, relative(HOUSE, file));
		}
	}
	return found;
}

test('docs/house.md orders all folders', () => {
	expect([...foldersBelow().keys()].sort()).toEqual([...folders].sort());
});

test.each(folders)('%s imports only from the folders below it', (folder) => {
	const allowed = foldersBelow().get(folder) ?? new Set();
	expect([...importsOf(folder)].filter(([other]) => !allowed.has(other))).toEqual([]);
});

test('AGENTS.md names all that is imported from elsewhere', () => {
	const all = readdirSync(HOUSE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
	const imported = all.flatMap((name) =>
		[...readFileSync(join(HOUSE, name), 'utf8').matchAll(/ from '([^.'][^']*)'/g)].map(([, from]) => from),
	);
	const [, named] = /([\w, -]+) are the only imports/.exec(page('AGENTS.md')) ?? [];
	expect(
		named
			.trim()
			.split(/, | and /)
			.sort(),
	).toEqual([...new Set(imported)].sort());
});

test('no two files have the same name, except index.ts', () => {
	const all = readdirSync(HOUSE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
	const names = all.map((name) => basename(name)).filter((name) => name !== 'index.ts');
	expect(names.length).toBeGreaterThan(100);
	expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('no two files have a function of the same name', () => {
	const all = readdirSync(HOUSE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
	const named = all.flatMap((name) =>
		[
			...readFileSync(join(HOUSE, name), 'utf8').matchAll(
				/^(?:export )?(?:(?:async )?function\*? (\w+)|const (\w+)[^=\n]*= (?:async )?(?:<.*>)?\([^()]*\)(?:: [^=]+)? =>)/gm,
			),
		].map(([, declared, arrow]) => declared ?? arrow),
	);
	expect(named.length).toBeGreaterThan(400);
	expect(named.filter((name, at) => named.indexOf(name) !== at)).toEqual([]);
});

test('no two files have a type, a class or a constant of the same name: a word means one thing', () => {
	const all = readdirSync(HOUSE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
	const named = all.flatMap((name) =>
		[
			...readFileSync(join(HOUSE, name), 'utf8').matchAll(
				/^(?:export )?(?:(?:abstract )?class|interface|type|const(?= [A-Z])) (\w+)/gm,
			),
		].map(([, word]) => word),
	);
	expect(named.length).toBeGreaterThan(300);
	expect(named.filter((word, at) => named.indexOf(word) !== at)).toEqual([]);
});

/** The files that a file imports, type imports included. */
function filesImportedBy(file: string, files: ReadonlySet<string>): string[] {
	const paths = [...readFileSync(join(HOUSE, file), 'utf8').matchAll(/ from '(\.[^']*)'/g)];
	const targets = paths.map(([, path]) => join(dirname(file), path));
	return targets.flatMap((target) => [`${target}.ts`, join(target, 'index.ts')].filter((one) => files.has(one)));
}

test('no files import each other in a circle', () => {
	const all = readdirSync(HOUSE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
	const files = new Set(all);
	const finished = new Set<string>();
	const circles: string[] = [];
	const visit = (file: string, path: string[]) => {
		if (finished.has(file)) return;
		if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
		else for (const next of filesImportedBy(file, files)) visit(next, [...path, file]);
		finished.add(file);
	};
	for (const file of all) visit(file, []);
	expect(circles).toEqual([]);
});

test('a plan is pure: of what reads and sends, links/plan imports types alone', () => {
	const folder = join(HOUSE, 'links', 'plan');
	const imports = readdirSync(folder).flatMap((name) => [
		...readFileSync(join(folder, name), 'utf8').matchAll(/^import (type )?[^;]* from '([^']*)';/gm),
	]);
	const runs = imports.filter(([, isType, from]) => isType === undefined && /\/(?:account|perform|n8n)\b/.test(from));
	expect(imports.length).toBeGreaterThan(10);
	expect(runs.map(([, , from]) => from)).toEqual(['../../n8n/slices']);
});

/** What is mutable at module level: a variable, or an object made there that is no table. */
function lasting(): string[] {
	return readdirSync(HOUSE, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.flatMap((name) => [
			...readFileSync(join(HOUSE, name), 'utf8').matchAll(
				/^(?:export )?(?:let (\w+)|const (\w+)[^=\n]*= new \w+(?:<.*>)?\((?!['[]))/gm,
			),
		])
		.map(([, variable, object]) => variable ?? object);
}

test('docs/house.md names what lasts in the process, with its bound', () => {
	const [, chapter] = page('docs/house.md').split('## What lasts in the process');
	const named = [
		...chapter.split('\n## ')[0].matchAll(/^\| `(\w+)`.*\| [^|]*\d+[^|]* \|$|^\| `(\w+)`.*\| as long as .* \|$/gm),
	];
	expect(lasting().sort()).toEqual(named.map(([, first, second]) => first ?? second).sort());
	expect(named.length).toBeLessThanOrEqual(3);
});

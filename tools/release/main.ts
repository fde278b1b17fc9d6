/**
 * `npm run release:check -- v1.2.3 [tarball [notes]]`: whether what is checked out, and what was packed of it, can be published. What
 * changed in the version goes to the file of the notes.
 */
import { execFileSync, spawnSync } from 'child_process';
import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';

import { imageProblems, notesOf, releaseProblems, tarballProblems, type Manifest } from './check';

const [tag, tarball, notes] = process.argv.slice(2);
const read = (name: string): string => readFileSync(join(__dirname, '..', '..', name), 'utf8');
const tar = (...args: string[]): string => execFileSync('tar', args, { encoding: 'utf8' });

/** The newest n8n that the tests install. */
function newestN8n(): string {
	const [, version] = /NEWEST_N8N = '([\d.]+)'/.exec(read('test/n8n/host/install.mjs'))!;
	return version;
}

/** A release is made of what was reviewed: its commit is one of the main branch. */
function branchProblems(): string[] {
	const { status } = spawnSync('git', ['merge-base', '--is-ancestor', 'HEAD', 'origin/main'], { stdio: 'ignore' });
	return status === 0 ? [] : ['The commit is not on origin/main.'];
}

function problems(manifest: Manifest): string[] {
	const found = [
		...releaseProblems(tag, manifest, read('CHANGELOG.md')),
		...imageProblems(read('examples/deploy/compose.yaml'), newestN8n()),
		...branchProblems(),
	];
	if (tarball === undefined) return found;
	const files = tar('-tzf', tarball).trimEnd().split('\n');
	const packed = JSON.parse(tar('-xzOf', tarball, 'package/package.json')) as Manifest;
	return [...found, ...tarballProblems(files, packed, manifest)];
}

if (tag === undefined || tag === '--help') {
	console.log('npm run release:check -- v1.2.3 [tarball [notes]]');
	process.exitCode = tag === undefined ? 1 : 0;
} else {
	const manifest = JSON.parse(read('package.json')) as Manifest;
	const found = problems(manifest);
	if (notes !== undefined) writeFileSync(notes, notesOf(manifest.version, read('CHANGELOG.md')));
	for (const problem of found) console.error(problem);
	if (found.length > 0) process.exitCode = 1;
	else console.log(`${tag} can be published.`);
}

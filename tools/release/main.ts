/** `npm run release:check -- v1.2.3 [tarball]`: whether what is checked out, and what was packed of it, can be published. */
import { execFileSync } from 'child_process';
import { readFileSync } from 'fs';
import { join } from 'path';

import { releaseProblems, tarballProblems, type Manifest } from './check';

const [tag, tarball] = process.argv.slice(2);
const read = (name: string): string => readFileSync(join(__dirname, '..', '..', name), 'utf8');
const tar = (...args: string[]): string => execFileSync('tar', args, { encoding: 'utf8' });

function problems(): string[] {
	const manifest = JSON.parse(read('package.json')) as Manifest;
	const found = releaseProblems(tag, manifest, read('CHANGELOG.md'));
	if (tarball === undefined) return found;
	const files = tar('-tzf', tarball).trimEnd().split('\n');
	const packed = JSON.parse(tar('-xzOf', tarball, 'package/package.json')) as Manifest;
	return [...found, ...tarballProblems(files, packed, manifest)];
}

if (tag === undefined || tag === '--help') {
	console.log('npm run release:check -- v1.2.3 [tarball]');
	process.exitCode = tag === undefined ? 1 : 0;
} else {
	const found = problems();
	for (const problem of found) console.error(problem);
	if (found.length > 0) process.exitCode = 1;
	else console.log(`${tag} can be published.`);
}

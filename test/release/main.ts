/** `npm run release:check -- v1.2.3`: whether what is checked out can be published under this tag. */
import { readFileSync } from 'fs';
import { join } from 'path';

import { releaseProblems, type Manifest } from './check';

const [tag] = process.argv.slice(2);
const read = (name: string): string => readFileSync(join(__dirname, '..', '..', name), 'utf8');

if (tag === undefined || tag === '--help') {
	console.log('npm run release:check -- v1.2.3');
	process.exitCode = tag === undefined ? 1 : 0;
} else {
	const problems = releaseProblems(tag, JSON.parse(read('package.json')) as Manifest, read('CHANGELOG.md'));
	for (const problem of problems) console.error(problem);
	if (problems.length > 0) process.exitCode = 1;
	else console.log(`${tag} can be published.`);
}

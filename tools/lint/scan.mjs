/**
 * The checks of `npx @n8n/scan-community-package`, which n8n's reviewers run on a published package.
 *
 * `node scan.mjs <folder of the sources> <folder of the unpacked package>`
 */
import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';

const [sources, unpacked] = process.argv.slice(2);
const scans = [
	{ what: 'sources', folder: sources, files: SOURCE_FILE_PATTERNS },
	// What the scan itself looks at in a tarball.
	{ what: 'compiled package', folder: unpacked, files: ['**/*.js', 'package.json'] },
];
for (const { what, folder, files } of scans) {
	const { passed, message, details = '' } = await analyzePackage(folder, files);
	console.log(passed ? `${what}: passed` : `${what}: ${message}\n${details}`);
	if (!passed) process.exitCode = 1;
}

// What `npm run build` does besides compiling. The published package does not hold this file.
const { dest, src } = require('gulp');
const { rm } = require('node:fs/promises');

/** Empties dist, so that a file that was renamed or deleted does not stay in the package. */
exports.clean = () => rm('dist', { recursive: true, force: true });

/** Puts icons, codex files and output schemas beside the compiled classes: n8n looks for them there. */
exports['build:assets'] = () =>
	src(['nodes/**/*.{svg,node.json}', 'nodes/**/__schema__/**/*.json'], { base: '.', encoding: false }).pipe(
		dest('dist'),
	);

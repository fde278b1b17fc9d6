// What `npm run build` does besides compiling. The published package does not hold this file.
const { dest, parallel, series, src } = require('gulp');
const { rm } = require('node:fs/promises');

/** Empties dist, so that a file that was renamed or deleted does not stay in the package. */
function clean() {
	return rm('dist', { recursive: true, force: true });
}

/** Puts icons, codex files and output schemas beside the compiled classes: n8n looks for them there. */
function assets(folder) {
	const copy = () =>
		src([`${folder}/**/*.svg`, `${folder}/**/*.node.json`, `${folder}/**/__schema__/**/*.json`], {
			encoding: false,
			allowEmpty: true,
		}).pipe(dest(`dist/${folder}`));
	copy.displayName = `assets:${folder}`;
	return copy;
}

exports.clean = series(clean);
exports['build:assets'] = parallel(assets('nodes'), assets('credentials'));

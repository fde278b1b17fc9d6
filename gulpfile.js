const { dest, parallel, series, src } = require('gulp');
const { rm } = require('node:fs/promises');

/** Empties dist, so that a file that was renamed or deleted does not stay in the package. */
function clean() {
	return rm('dist', { recursive: true, force: true });
}

/** Puts icons and codex files beside the compiled classes: n8n looks for them there. */
function assets(folder) {
	const copy = () =>
		src([`${folder}/**/*.svg`, `${folder}/**/*.node.json`], { encoding: false, allowEmpty: true }).pipe(
			dest(`dist/${folder}`),
		);
	copy.displayName = `assets:${folder}`;
	return copy;
}

exports.clean = series(clean);
exports['build:assets'] = parallel(assets('nodes'), assets('credentials'));

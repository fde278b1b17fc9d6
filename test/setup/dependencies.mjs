/**
 * Makes the development dependencies match package-lock.json, so that every command works on a fresh clone.
 * Costs a few milliseconds when they already do. Node's own modules only.
 *
 * `node dependencies.mjs [folder]`: a folder below the project's that has a package-lock.json of its own, such as test/lint
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNpm } from './npm.mjs';

const OLDEST_NODE = [20, 19];

/**
 * Tells whether node_modules holds what the lock file names. npm writes node_modules/.package-lock.json last,
 * so an interrupted installation has none.
 *
 * @param {string} root the project's folder
 */
function upToDate(root) {
	const installedPath = join(root, 'node_modules', '.package-lock.json');
	if (!existsSync(installedPath)) return false;
	const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
	const installed = JSON.parse(readFileSync(installedPath, 'utf8')).packages;
	return Object.entries(wanted).every(
		([path, entry]) =>
			path === '' || entry.optional || entry.devOptional || entry.peer || installed[path]?.version === entry.version,
	);
}

async function main() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
		throw new Error(`Node ${OLDEST_NODE.join('.')} or newer is needed; this is Node ${process.versions.node}.`);
	}
	const [folder = ''] = process.argv.slice(2);
	const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', folder);
	if (upToDate(root)) return;
	await runNpm(['ci', '--no-audit', '--no-fund'], {
		cwd: root,
		title: `Installing the development dependencies${folder && ` of ${folder}`}`,
	});
}

main().catch((error) => {
	console.error(error.message);
	process.exitCode = 1;
});

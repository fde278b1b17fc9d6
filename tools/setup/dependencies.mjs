/**
 * Makes development dependencies match a package-lock.json. Costs a few milliseconds when they already do. Node's own
 * modules only.
 *
 * `node tools/setup/dependencies.mjs [folder]`: the project's, or those of a folder that has a package-lock.json of its own,
 * such as tools/lint
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNpm } from './npm.mjs';

const OLDEST_NODE = [20, 19];
const PROJECT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * Tells whether node_modules holds what the lock file names. npm writes node_modules/.package-lock.json last,
 * so an interrupted installation has none.
 *
 * @param {string} folder that holds package-lock.json
 */
function upToDate(folder) {
	const installedPath = join(folder, 'node_modules', '.package-lock.json');
	if (!existsSync(installedPath)) return false;
	const wanted = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;
	const installed = JSON.parse(readFileSync(installedPath, 'utf8')).packages;
	return Object.entries(wanted).every(
		([path, entry]) =>
			path === '' || entry.optional || entry.devOptional || entry.peer || installed[path]?.version === entry.version,
	);
}

/**
 * Installs what a folder's package-lock.json names, unless it is there.
 *
 * @param {string} folder that holds package-lock.json
 * @throws {Error} when this Node is too old, or npm can't install
 */
export async function makeMatch(folder) {
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
		throw new Error(`Node ${OLDEST_NODE.join('.')} or newer is needed; this is Node ${process.versions.node}.`);
	}
	if (upToDate(folder)) return;
	const below = folder.slice(PROJECT.length + 1);
	await runNpm(['ci', '--no-audit', '--no-fund'], {
		cwd: folder,
		title: `Installing the development dependencies${below && ` of ${below}`}`,
	});
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	makeMatch(join(PROJECT, process.argv[2] ?? '')).catch((error) => {
		console.error(error.message);
		process.exitCode = 1;
	});
}

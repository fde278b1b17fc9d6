import { execFile } from 'child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'fs';
import { tmpdir } from 'os';
import { dirname, join } from 'path';
import { promisify } from 'util';

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Runs a program that ends with this process at the latest; with `shownAs`, its name for people, its progress is shown as it comes. */
async function run(
	command: string,
	args: string[],
	{ cwd, shownAs }: { cwd?: string; shownAs?: string } = {},
): Promise<string> {
	const running = promisify(execFile)(command, args, { cwd, maxBuffer: MAX_OUTPUT_BYTES });
	const end = (): void => {
		running.child.kill();
	};
	process.once('exit', end);
	if (shownAs !== undefined) running.child.stderr?.pipe(process.stderr);
	try {
		return (await running).stdout;
	} catch (error) {
		const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
		throw new Error(
			shownAs !== undefined
				? `${shownAs} failed, see above.`
				: `${command} ${args.join(' ')} failed:\n${stdout}${stderr}`,
		);
	} finally {
		process.removeListener('exit', end);
	}
}

/** The project's folder. */
export const PROJECT = join(__dirname, '..', '..', '..');

export const PACKAGE_NAME = 'n8n-nodes-link-management';

/** What the published files are made from: when one of them is newer than dist, dist is stale. */
const SOURCES = ['nodes', 'credentials', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'gulpfile.js'];

/** An n8n on this machine. */
export interface Installation {
	version: string;
	folder: string;
	/** n8n's start script, to be run by `node`. */
	bin: string;
	node: string;
}

/**
 * Installs n8n and a Node to run it with, unless they are there.
 *
 * @param version an exact n8n version; by default the newest that the project is tested with
 */
export async function installation(version?: string): Promise<Installation> {
	const script = join(__dirname, 'install.mjs');
	return JSON.parse(
		await run(process.execPath, version === undefined ? [script] : [script, version], {
			shownAs: 'The installation of n8n',
		}),
	) as Installation;
}

function newestChange(path: string): number {
	if (!existsSync(path)) return 0;
	const stat = statSync(path);
	if (!stat.isDirectory()) return stat.mtimeMs;
	return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}

/** Builds the package when its sources are newer than what was built last. */
export async function buildIfStale(): Promise<void> {
	const built = newestChange(join(PROJECT, 'dist'));
	const changed = Math.max(...SOURCES.map((source) => newestChange(join(PROJECT, source))));
	if (changed < built) return;
	await run('npm', ['run', 'build'], { cwd: PROJECT });
}

/**
 * Packs the built package as npm would publish it.
 *
 * @param folder where the tarball is put
 * @returns the tarball's path
 */
export async function packPackage(folder: string): Promise<string> {
	await buildIfStale();
	const stdout = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
		cwd: PROJECT,
	});
	const [{ filename }] = JSON.parse(stdout) as Array<{ filename: string }>;
	return join(folder, filename);
}

/**
 * Unpacks a tarball to where n8n looks for community packages.
 *
 * @param tarball an npm package
 * @param userFolder n8n's N8N_USER_FOLDER
 */
export async function unpackPackage(tarball: string, userFolder: string): Promise<void> {
	const target = join(userFolder, '.n8n', 'nodes', 'node_modules', PACKAGE_NAME);
	mkdirSync(dirname(target), { recursive: true });
	const unpacked = mkdtempSync(join(dirname(target), '.unpack-'));
	await run('tar', ['-xzf', tarball, '-C', unpacked]);
	rmSync(target, { recursive: true, force: true });
	renameSync(join(unpacked, 'package'), target);
	rmSync(unpacked, { recursive: true });
}

/**
 * Puts this project's package, as npm would publish it, into an n8n's folder.
 *
 * @param userFolder n8n's N8N_USER_FOLDER
 */
export async function installPackage(userFolder: string): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'link-management-pack-'));
	try {
		await unpackPackage(await packPackage(folder), userFolder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/**
 * Installs an n8n of a given version, and a Node 24 to run it with, into a cache folder outside the project:
 * `${XDG_CACHE_HOME:-~/.cache}/n8n-nodes-link-management/{node-24,n8n-<version>}`. What is there already is used.
 *
 * `node install.mjs [version]` prints `{ version, folder, bin, node }` as JSON; progress goes to standard error.
 * Node's own modules only.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { runNpm } from '../../../tools/setup/npm.mjs';

export const NEWEST_N8N = '2.41.1';
/** n8n 2.40 and later need it; earlier 2.x run with it too. */
const NODE_MAJOR = 24;
const LOCK_POLL_MS = 500;
const STAMP = '.installed';
/** What `npm rebuild sqlite3` needs where no ready-made binary can be downloaded. */
const COMPILER_TOOLS = ['python3', 'make', 'g++'];
/**
 * --legacy-peer-deps leaves out what packages want from their user: n8n's Extract from File node can't do without
 * date-fns, and n8n's own start not without the right @opentelemetry/core where another one lies at the top.
 */
const PEERS = { 'date-fns': '2' };
const PEERS_BEFORE_2_40 = { ...PEERS, '@opentelemetry/core': '2' };
/**
 * Dependencies of n8n that public registries and mirrors may lack in the exact version n8n asks for, and one that has
 * grown out of the @langchain/core of earlier releases.
 */
const OVERRIDES = { linkedom: '0.18.12', xlsx: '0.18.5', '@langchain/langgraph': '1.2.9' };
const OVERRIDES_BEFORE_2_40 = { ...OVERRIDES, '@langchain/langgraph-checkpoint': '1.0.1' };

const log = (line) => console.error(line);

function cacheRoot() {
	return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-link-management');
}

function recipeFor(version) {
	const [major, minor] = version.split('.').map(Number);
	const early = major < 2 || (major === 2 && minor < 40);
	return {
		private: true,
		dependencies: { n8n: version, ...(early ? PEERS_BEFORE_2_40 : PEERS) },
		overrides: early ? OVERRIDES_BEFORE_2_40 : OVERRIDES,
	};
}

function recipeHash(recipe) {
	const machine = `${process.platform}-${process.arch}-node${NODE_MAJOR}`;
	return createHash('sha256')
		.update(`${JSON.stringify(recipe)} ${machine}`)
		.digest('hex');
}

function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}

/** Runs `work` while no other process installs into the same folder; a lock whose owner has died is taken over. */
async function withLock(folder, work) {
	const lock = `${folder}.lock`;
	mkdirSync(dirname(lock), { recursive: true });
	let told = false;
	for (;;) {
		try {
			writeFileSync(lock, String(process.pid), { flag: 'wx' });
			break;
		} catch (error) {
			if (error.code !== 'EEXIST') throw error;
		}
		let owner = '';
		try {
			owner = readFileSync(lock, 'utf8');
		} catch (error) {
			if (error.code !== 'ENOENT') throw error;
			continue;
		}
		if (owner !== '' && !isAlive(Number(owner))) {
			rmSync(lock, { force: true });
			continue;
		}
		if (!told) log(`Waiting for another process (${owner}) that installs into ${folder} …`);
		told = true;
		await delay(LOCK_POLL_MS);
	}
	try {
		return await work();
	} finally {
		rmSync(lock, { force: true });
	}
}

/**
 * Brings a folder to the state that its recipe describes. A stamp with the recipe's hash, written last, marks it as
 * complete; without it, what is there is adopted if `problem` finds none, brought up to the recipe if npm had finished
 * there once, and installed again if not.
 */
async function ensure(folder, recipe, problem, install) {
	const hash = recipeHash(recipe);
	const stamp = join(folder, STAMP);
	const complete = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
	if (complete()) return;
	await withLock(folder, async () => {
		if (complete()) return;
		if (problem() !== undefined) {
			// npm writes this file last.
			if (!existsSync(join(folder, 'node_modules', '.package-lock.json')))
				rmSync(folder, { recursive: true, force: true });
			mkdirSync(folder, { recursive: true });
			writeFileSync(join(folder, 'package.json'), `${JSON.stringify(recipe, null, '\t')}\n`);
			await install();
			const left = problem();
			if (left !== undefined)
				throw new Error(`The installation in ${folder} does not run. Remove that folder and try again.\n${left}`);
		}
		writeFileSync(stamp, hash);
	});
}

function outputOf(command, args, options = {}) {
	const { status, signal, error, stdout, stderr } = spawnSync(command, args, {
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'pipe'],
		...options,
	});
	const said = error?.message ?? `exit code ${status ?? signal}\n${stdout}${stderr}`;
	return { output: status === 0 ? stdout.trim() : undefined, said: `${command} ${args.join(' ')}: ${said}` };
}

/** Runs commands until one does not print what it should; tells what it did instead. */
function firstProblem(checks, options) {
	for (const [command, args, accepts] of checks) {
		const { output, said } = outputOf(command, args, options);
		if (output === undefined || !accepts(output)) return said;
	}
	return undefined;
}

/** @returns {Promise<string>} the path of a Node of the major version n8n needs */
async function installNode() {
	if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return process.execPath;
	const folder = join(cacheRoot(), `node-${NODE_MAJOR}`);
	const node = join(folder, 'node_modules', 'node', 'bin', 'node');
	await ensure(
		folder,
		{ private: true, dependencies: { node: String(NODE_MAJOR) } },
		() => firstProblem([[node, ['--version'], (output) => output.startsWith(`v${NODE_MAJOR}.`)]]),
		() =>
			// Its install step puts the binary in place: scripts must run here, and only here.
			runNpm(['install', '--no-audit', '--no-fund', '--foreground-scripts'], {
				cwd: folder,
				title: `Installing Node ${NODE_MAJOR} for n8n`,
			}),
	);
	return node;
}

/** The folder with the header files of a Node, for building native modules; undefined lets the build download them. */
function headersOf(node) {
	const prefix = dirname(dirname(node));
	const packaged = join(prefix, 'node_modules', `node-${process.platform}-${process.arch}`);
	return [packaged, prefix].find((folder) => existsSync(join(folder, 'include', 'node', 'node.h')));
}

/** Takes the SQLite driver that was built for another n8n here, if its version is the same: building takes a minute. */
function adoptSqlite(folder) {
	const driver = (of) => join(of, 'node_modules', 'sqlite3', 'build');
	const version = (of) => JSON.parse(readFileSync(join(of, 'node_modules', 'sqlite3', 'package.json'), 'utf8')).version;
	const built = readdirSync(cacheRoot())
		.map((name) => join(cacheRoot(), name))
		.find((of) => of !== folder && existsSync(driver(of)) && version(of) === version(folder));
	if (built !== undefined) cpSync(driver(built), driver(folder), { recursive: true });
}

async function buildSqlite(folder, env, node) {
	const headers = headersOf(node);
	try {
		await runNpm(['rebuild', 'sqlite3'], {
			cwd: folder,
			env: headers ? { ...env, npm_config_nodedir: headers } : env,
			title: "Building n8n's SQLite driver (about a minute)",
		});
	} catch (error) {
		const missing = COMPILER_TOOLS.filter((tool) => outputOf(tool, ['--version']).output === undefined);
		if (missing.length === 0) throw error;
		throw new Error(
			`n8n's SQLite driver has to be built from source here, which needs ${missing.join(', ')}: install that, then try again.`,
		);
	}
}

/**
 * Installs n8n unless it is there.
 *
 * @param {string} [version] an exact n8n version, 2.0.0 or later
 * @returns {Promise<{ version: string, folder: string, bin: string, node: string }>} `bin` is n8n's start script, to be run by `node`
 */
export async function installN8n(version = NEWEST_N8N) {
	const node = await installNode();
	const folder = join(cacheRoot(), `n8n-${version}`);
	const bin = join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
	// With the NODE_ENV that a test runner sets, n8n prints nothing.
	const { NODE_ENV: _testRunners, ...inherited } = process.env;
	const env = { ...inherited, PATH: [dirname(node), process.env.PATH].join(delimiter) };
	const options = { env: { ...env, N8N_USER_FOLDER: folder }, cwd: folder };
	const loading = (name) => [node, ['-e', `require('${name}')`], () => true];
	await ensure(
		folder,
		recipeFor(version),
		() =>
			firstProblem(
				[
					[node, [bin, '--version'], (output) => output.split('\n').includes(version)],
					// Loads everything that a start loads; a dependency that doesn't fit shows here.
					[node, [bin, 'start', '--help'], (output) => output.includes('$ n8n start')],
					...['sqlite3', ...Object.keys(PEERS)].map(loading),
				],
				options,
			),
		async () => {
			await runNpm(['install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'], {
				cwd: folder,
				env,
				title: `Installing n8n ${version} into ${folder} (2.2 GB, a few minutes)`,
			});
			adoptSqlite(folder);
			if (firstProblem([loading('sqlite3')], options) !== undefined) await buildSqlite(folder, env, node);
		},
	);
	return { version, folder, bin, node };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
	installN8n(process.argv[2]).then(
		(installation) => console.log(JSON.stringify(installation)),
		(error) => {
			console.error(error.message);
			process.exitCode = 1;
		},
	);
}

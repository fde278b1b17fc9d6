/**
 * `npm run lint`: n8n's own checks of the package, and the project's of all its code. Neither errors nor warnings pass.
 *
 * n8n's tools run on a copy of what the package is made from, the files that `@n8n/scan-community-package` looks at too:
 * in strict mode their configuration can't be told that tests may import more than a published node.
 */
import { execFileSync, spawn } from 'child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'fs';
import { tmpdir } from 'os';
import { delimiter, join } from 'path';
import { packPackage, PROJECT } from '../../test/n8n/host/installation';

const TOOLS = join(PROJECT, 'tools', 'lint', 'node_modules');
const PACKAGE_SOURCES = ['package.json', 'tsconfig.json', 'nodes', 'credentials'];

const failures: string[] = [];

/** Runs a check; returns whether it passed. Its output is shown when it has ended, since others run beside it. */
async function check(title: string, command: string, args: string[], folder: string): Promise<boolean> {
	const PATH = [join(TOOLS, '.bin'), process.env.PATH].join(delimiter);
	const child = spawn(command, args, { cwd: folder, env: { ...process.env, PATH }, stdio: ['ignore', 'pipe', 'pipe'] });
	const output: Buffer[] = [];
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => output.push(part));
	const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
	console.log(`\n${title}\n${Buffer.concat(output).toString()}`);
	if (code !== 0) failures.push(title);
	return code === 0;
}

/** n8n's own checks. */
async function ofN8n(folder: string): Promise<void> {
	const sources = join(folder, 'sources');
	for (const path of PACKAGE_SOURCES) cpSync(join(PROJECT, path), join(sources, path), { recursive: true });
	// It imports what is installed there alone.
	cpSync(join(PROJECT, 'tools', 'lint', 'n8n.eslint.config.mjs'), join(sources, 'eslint.config.mjs'));
	symlinkSync(TOOLS, join(sources, 'node_modules'));
	if (await check("n8n's linter in strict mode", 'n8n-node', ['lint'], sources)) {
		// It lets warnings pass.
		await check("n8n's linter, without warnings", 'eslint', ['.', '--max-warnings', '0'], sources);
	}
	execFileSync('tar', ['-xzf', await packPackage(folder), '-C', folder]);
	const scan = [join('tools', 'lint', 'scan.mjs'), sources, join(folder, 'package')];
	await check("n8n's scan of community packages", process.execPath, scan, PROJECT);
}

/** The project's own rules. */
async function ofProject(): Promise<void> {
	const config = ['--config', join('tools', 'lint', 'eslint.config.mjs')];
	await check("The project's rules", 'eslint', [...config, '--max-warnings', '0', '.'], PROJECT);
}

async function format(): Promise<void> {
	const prettier = join(PROJECT, 'node_modules', 'prettier', 'bin', 'prettier.cjs');
	await check('The formatter', process.execPath, [prettier, '--check', '--log-level', 'warn', '.'], PROJECT);
}

async function main(): Promise<void> {
	execFileSync(process.execPath, [join(PROJECT, 'tools', 'run.mjs'), 'tools/lint'], { stdio: 'inherit' });
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'link-management-lint-')));
	try {
		// Two at once: that is what a small machine has cores for.
		await Promise.all([ofProject(), format().then(async () => await ofN8n(folder))]);
	} finally {
		rmSync(folder, { recursive: true });
	}
	if (failures.length > 0) throw new Error(`Failed: ${failures.join(', ')}`);
}

main().catch((error: unknown) => {
	console.error(`\n${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
});

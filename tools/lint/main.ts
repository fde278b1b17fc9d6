/**
 * `npm run lint`: n8n's own checks of the package, and the project's of all its code. Neither errors nor warnings pass.
 *
 * n8n's tools run on a copy of what the package is made from, the files that `@n8n/scan-community-package` looks at too:
 * in strict mode their configuration can't be told that tests may import more than a published node.
 */
import { execFileSync, spawnSync } from 'child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'fs';
import { tmpdir } from 'os';
import { delimiter, join } from 'path';
import { packPackage, PROJECT } from '../../test/n8n/host/installation';

const TOOLS = join(PROJECT, 'tools', 'lint', 'node_modules');
const PACKAGE_SOURCES = ['package.json', 'tsconfig.json', 'nodes', 'credentials'];

const failures: string[] = [];

/** Runs a check; returns whether it passed. */
function check(title: string, command: string, args: string[], folder: string): boolean {
	console.log(`\n${title}`);
	const { status, error } = spawnSync(command, args, {
		cwd: folder,
		stdio: 'inherit',
		env: { ...process.env, PATH: [join(TOOLS, '.bin'), process.env.PATH].join(delimiter) },
	});
	if (error !== undefined) throw error;
	if (status !== 0) failures.push(title);
	return status === 0;
}

async function main(): Promise<void> {
	execFileSync(process.execPath, [join(PROJECT, 'tools', 'run.mjs'), 'tools/lint'], { stdio: 'inherit' });
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'link-management-lint-')));
	const sources = join(folder, 'sources');
	const unpacked = join(folder, 'package');
	try {
		for (const path of PACKAGE_SOURCES) cpSync(join(PROJECT, path), join(sources, path), { recursive: true });
		// It imports what is installed there alone.
		cpSync(join(PROJECT, 'tools', 'lint', 'n8n.eslint.config.mjs'), join(sources, 'eslint.config.mjs'));
		symlinkSync(TOOLS, join(sources, 'node_modules'));
		if (check("n8n's linter in strict mode", 'n8n-node', ['lint'], sources)) {
			// It lets warnings pass.
			check("n8n's linter, without warnings", 'eslint', ['.', '--max-warnings', '0'], sources);
		}
		check(
			"The project's rules",
			'eslint',
			['--config', join('tools', 'lint', 'eslint.config.mjs'), '--max-warnings', '0', '.'],
			PROJECT,
		);
		check(
			'The formatter',
			process.execPath,
			[join(PROJECT, 'node_modules', 'prettier', 'bin', 'prettier.cjs'), '--check', '--log-level', 'warn', '.'],
			PROJECT,
		);
		execFileSync('tar', ['-xzf', await packPackage(folder), '-C', folder]);
		check(
			"n8n's scan of community packages",
			process.execPath,
			[join('tools', 'lint', 'scan.mjs'), sources, unpacked],
			PROJECT,
		);
	} finally {
		rmSync(folder, { recursive: true });
	}
	if (failures.length > 0) throw new Error(`Failed: ${failures.join(', ')}`);
}

main().catch((error: unknown) => {
	console.error(`\n${error instanceof Error ? error.message : String(error)}`);
	process.exitCode = 1;
});

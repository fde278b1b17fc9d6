/**
 * `npm run audit`: known vulnerabilities in what comes along with the published package. It has no dependencies of its own, which
 * is checked first; its peer, n8n-workflow, is part of the user's n8n, and is audited in its newest version.
 *
 * Needs a registry that offers advisories, as npm's public one does; fails where there are none to be had.
 */
import { spawnSync } from 'child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { packPackage } from '../../test/n8n/host/installation';
import { foreignCode, type Manifest } from '../release/check';

/** Below that, n8n's own releases are quick enough. */
const LEVEL = 'high';

interface Audit {
	error?: { summary?: string };
	message?: string;
	metadata?: { vulnerabilities: Record<string, number>; dependencies: { total: number } };
}

function run(command: string, args: string[], cwd: string): string {
	const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
	if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
	return stdout;
}

function checkManifest(folder: string): void {
	const found = foreignCode(JSON.parse(readFileSync(join(folder, 'package', 'package.json'), 'utf8')) as Manifest);
	if (found.length > 0) throw new Error(`The package brings or runs more than its own code: ${found.join(', ')}`);
	console.log('The package has no dependencies, and runs nothing at its installation.');
}

function auditPeers(folder: string, tarball: string): void {
	writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
	run('npm', ['install', tarball, '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], folder);
	const { stdout } = spawnSync('npm', ['audit', '--json', `--audit-level=${LEVEL}`], { cwd: folder, encoding: 'utf8' });
	const audit = JSON.parse(stdout || '{}') as Audit;
	if (audit.metadata === undefined) {
		throw new Error(
			`The npm registry gives no advisories (${audit.error?.summary || audit.message || 'no reason given'}). This needs one that does, such as npm's public one.`,
		);
	}
	const { vulnerabilities, dependencies } = audit.metadata;
	console.log(
		`${dependencies.total} packages of n8n-workflow: ${Object.entries(vulnerabilities)
			.map(([level, count]) => `${count} ${level}`)
			.join(', ')}`,
	);
	if (vulnerabilities.high + vulnerabilities.critical > 0)
		throw new Error(`n8n-workflow brings packages with known vulnerabilities:\n${stdout}`);
}

async function main(): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'link-management-audit-'));
	try {
		const tarball = await packPackage(folder);
		run('tar', ['-xzf', tarball, '-C', folder], folder);
		checkManifest(folder);
		auditPeers(folder, tarball);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});

/**
 * `npm run audit`: known vulnerabilities in what comes along with the published package: its peer, n8n-workflow, which is part of
 * the user's n8n, in its newest version. It has no dependencies of its own, and runs nothing at its installation: `npm run
 * release:check` sees to that.
 *
 * Needs a registry that offers advisories, as npm's public one does; fails where there are none to be had.
 */
import { execFileSync } from 'child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { packPackage } from '../../test/n8n/host/installation';

/** Below that, n8n's own releases are quick enough. */
const LEVEL = 'high';

async function main(): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'link-management-audit-'));
	const npm = (...args: string[]) => execFileSync('npm', args, { cwd: folder, stdio: 'inherit' });
	try {
		writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
		npm('install', await packPackage(folder), '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund');
		npm('audit', `--audit-level=${LEVEL}`);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});

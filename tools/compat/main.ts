/**
 * `npm run test:versions`: the tests again on the other n8n versions that the package promises to work with. `npm test`
 * itself takes the oldest engine for the fast tests and the newest n8n for the real ones.
 */
import { spawnSync } from 'child_process';
import { join } from 'path';
import { installation, PROJECT } from '../../test/n8n/host/installation';
import { OTHER_N8N } from './versions';

function jest(title: string, config: string, node: string, env: NodeJS.ProcessEnv, args: string[] = []): void {
	console.log(`\n${title}`);
	const { status } = spawnSync(node, [join('node_modules', 'jest', 'bin', 'jest.js'), '--config', config, ...args], {
		cwd: PROJECT,
		stdio: 'inherit',
		env: { ...process.env, ...env },
	});
	if (status !== 0) process.exitCode = 1;
}

async function main(): Promise<void> {
	const newest = await installation();
	jest(
		`The engine tests on the engine of n8n ${newest.version}`,
		join('tools', 'compat', 'jest.config.js'),
		newest.node,
		// Its engine would write the error of each item to the console.
		{ N8N_FOLDER: newest.folder, N8N_LOG_LEVEL: 'silent' },
		['--runInBand'],
	);
	for (const version of OTHER_N8N) {
		const other = await installation(version);
		jest(
			`The canaries on the engine of n8n ${version}`,
			join('tools', 'compat', 'jest.config.js'),
			other.node,
			{ N8N_FOLDER: other.folder, N8N_LOG_LEVEL: 'silent' },
			['--runInBand', 'test/canary'],
		);
		jest(
			`The tests in a real n8n ${version}`,
			join('test', 'n8n', 'jest.config.js'),
			process.execPath,
			{ N8N_VERSION: version },
			[
				// What the package promises of every version; the rest of the tests are about the newest n8n.
				'n8n/(credential|dropdowns|operations|package|toolCalls|trigger).test',
			],
		);
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});

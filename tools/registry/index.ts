import { type ChildProcess, execFile, spawn } from 'child_process';
import { once } from 'events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { createInterface } from 'readline';
import { promisify } from 'util';
import { installation, PACKAGE_NAME, packPackage, PROJECT } from '../../test/n8n/host/installation';

const run = promisify(execFile);

/** npm's public registry as the programs that are given `env` see it: a registry on loopback that holds what was published here. */
export class Registry {
	private constructor(
		private readonly child: ChildProcess,
		private readonly folder: string,
		/** Environment variables for whoever is to reach this registry. */
		readonly env: Record<string, string>,
	) {}

	/** Installs what it takes, unless it is there, and starts the registry. */
	static async start(): Promise<Registry> {
		await run(process.execPath, [join(PROJECT, 'tools', 'run.mjs'), 'tools/registry']);
		const { node } = await installation();
		const folder = mkdtempSync(join(tmpdir(), 'link-management-registry-'));
		const child = spawn(node, [join(PROJECT, 'tools', 'registry', 'main.mjs'), folder], {
			stdio: ['pipe', 'pipe', 'inherit'],
		});
		const [line] = (await Promise.race([
			once(createInterface({ input: child.stdout }), 'line'),
			once(child, 'exit').then(([code]) => {
				throw new Error(`The registry did not start (exit code ${String(code)}).`);
			}),
		])) as [string];
		const { proxyUrl, certificate } = JSON.parse(line) as { proxyUrl: string; certificate: string };
		// npm's settings of the machine must not lead elsewhere. A registry wants a token for publishing; this one takes any.
		const npmrc = join(folder, 'npmrc');
		writeFileSync(npmrc, 'registry=https://registry.npmjs.org/\n//registry.npmjs.org/:_authToken=any\n');
		return new Registry(child, folder, {
			HTTPS_PROXY: proxyUrl,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: certificate,
			npm_config_userconfig: npmrc,
			npm_config_globalconfig: join(folder, 'no-npmrc'),
			npm_config_cache: join(folder, 'npm-cache'),
			npm_config_update_notifier: 'false',
		});
	}

	/**
	 * Publishes this project's package, as it is packed, or the same under another version.
	 *
	 * @returns the checksum that the registry gives for it (`dist.integrity`)
	 */
	async publish(version?: string): Promise<string> {
		const folder = mkdtempSync(join(this.folder, 'publish-'));
		let published = await packPackage(folder);
		if (version !== undefined) {
			await run('tar', ['-xzf', published, '-C', folder]);
			published = join(folder, 'package');
			const manifest = join(published, 'package.json');
			writeFileSync(
				manifest,
				JSON.stringify({ ...(JSON.parse(readFileSync(manifest, 'utf8')) as object), version }, null, '\t'),
			);
		}
		const env = { PATH: process.env.PATH, HOME: this.folder, ...this.env };
		await run('npm', ['publish', published, '--ignore-scripts', '--provenance=false'], { env });
		const { stdout } = await run('npm', ['view', `${PACKAGE_NAME}@${version ?? 'latest'}`, 'dist.integrity'], { env });
		return stdout.trim();
	}

	async stop(): Promise<void> {
		this.child.stdin?.end();
		if (this.child.exitCode === null) await once(this.child, 'exit');
		rmSync(this.folder, { recursive: true, force: true });
	}
}

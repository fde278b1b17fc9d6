import { execFileSync } from 'child_process';
import { createHash } from 'crypto';
import { once } from 'events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { createServer as createProxy, type IncomingMessage, type Server, type ServerResponse } from 'http';
import { createServer as createTlsServer } from 'https';
import type { AddressInfo, Socket } from 'net';
import { tmpdir } from 'os';
import { join } from 'path';
import { generate } from 'selfsigned';
import { PACKAGE_NAME, packPackage } from '../test/n8n/host/installation';

const HOST = 'registry.npmjs.org';

interface Published {
	name: string;
	version: string;
	dist: { tarball: string; integrity: string };
}

const tar = (...args: string[]): string => execFileSync('tar', args, { encoding: 'utf8' });

/**
 * Plays npm's public registry on loopback, since n8n installs community packages from nowhere else without a license: a proxy that
 * leads registry.npmjs.org to what was published here, and every other host nowhere.
 */
export class Registry {
	private readonly versions = new Map<string, Published>();

	private readonly tarballs = new Map<string, Buffer>();

	private readonly servers: Server[] = [];

	private readonly folder = mkdtempSync(join(tmpdir(), 'link-management-registry-'));

	/** Environment variables for whoever is to reach this registry. */
	env: Record<string, string> = {};

	static async start(): Promise<Registry> {
		const registry = new Registry();
		await registry.listen();
		return registry;
	}

	private async listen(): Promise<void> {
		const { private: key, cert } = await generate([{ name: 'commonName', value: HOST }], {
			extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: HOST }] }],
		});
		const certificate = join(this.folder, 'certificate.pem');
		writeFileSync(certificate, cert);
		const registry = createTlsServer({ key, cert }, (request, response) => this.answer(request, response));
		const proxy = createProxy((_request, response) => response.writeHead(403).end());
		proxy.on('connect', ({ url }: IncomingMessage, client: Socket, head: Buffer) => {
			client.on('error', () => client.destroy());
			if (url !== `${HOST}:443`) return client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
			client.write('HTTP/1.1 200 Connection established\r\n\r\n');
			client.unshift(head);
			return registry.emit('connection', client);
		});
		this.servers.push(registry, proxy);
		await once(proxy.listen(0, '127.0.0.1'), 'listening');
		this.env = {
			HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: certificate,
			// npm's settings of the machine must not lead elsewhere.
			npm_config_registry: `https://${HOST}/`,
			npm_config_userconfig: join(this.folder, 'no-npmrc'),
			npm_config_globalconfig: join(this.folder, 'no-npmrc-either'),
			npm_config_cache: join(this.folder, 'npm-cache'),
			npm_config_update_notifier: 'false',
		};
	}

	/** Answers for the package, one of its versions, or a tarball. */
	private answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
		const [, name, version, file = ''] = new URL(url, `https://${HOST}`).pathname.split('/');
		const latest = [...this.versions.keys()].at(-1);
		const whole = { name, 'dist-tags': { latest }, versions: Object.fromEntries(this.versions) };
		const found = version === undefined ? whole : this.versions.get(version);
		const body = this.tarballs.get(file) ?? (name === PACKAGE_NAME && found ? JSON.stringify(found) : undefined);
		response.writeHead(body === undefined ? 404 : 200).end(body ?? '{"error":"not_found"}');
	}

	/**
	 * Publishes this project's package, as it is packed, or the same under another version.
	 *
	 * @returns the checksum that the registry gives for it (`dist.integrity`)
	 */
	async publish(version?: string): Promise<string> {
		const folder = mkdtempSync(join(this.folder, 'publish-'));
		const packed = await packPackage(folder);
		tar('-xzf', packed, '-C', folder);
		const path = join(folder, 'package', 'package.json');
		const manifest = JSON.parse(readFileSync(path, 'utf8')) as Published;
		if (version !== undefined) {
			manifest.version = version;
			writeFileSync(path, JSON.stringify(manifest, null, '\t'));
			tar('-czf', packed, '-C', folder, 'package');
		}
		const tarball = readFileSync(packed);
		const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
		const file = `${PACKAGE_NAME}-${manifest.version}.tgz`;
		this.tarballs.set(file, tarball);
		manifest.dist = { tarball: `https://${HOST}/${PACKAGE_NAME}/-/${file}`, integrity };
		this.versions.set(manifest.version, manifest);
		return integrity;
	}

	async stop(): Promise<void> {
		for (const server of this.servers) server.close().closeAllConnections();
		rmSync(this.folder, { recursive: true, force: true });
	}
}

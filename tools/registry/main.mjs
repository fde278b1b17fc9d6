/**
 * Plays npm's public registry on loopback, for n8n installs community packages from nowhere else without a licence:
 * verdaccio behind TLS, and a proxy that leads registry.npmjs.org to it and every other host nowhere.
 *
 * `node main.mjs <folder>` (Node 22 or newer) keeps packages and the certificate in the folder, prints
 * `{ proxyUrl, certificate }` as one line of JSON when it is ready, and ends when its standard input does.
 */
import { writeFileSync } from 'node:fs';
import { createServer as createProxy } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { runServer } from 'verdaccio';

const REGISTRY = 'registry.npmjs.org';
const [folder] = process.argv.slice(2);

async function listen(server) {
	await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
	return server.address().port;
}

const verdaccio = await runServer({
	self_path: join(folder, 'config.yaml'),
	storage: join(folder, 'storage'),
	packages: { '**': { access: '$all', publish: '$all' } },
	web: { enable: false },
	log: { type: 'stdout', format: 'json', level: 'fatal' },
});

const { private: key, cert } = await generate([{ name: 'commonName', value: REGISTRY }], {
	extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: REGISTRY }] }],
});
const certificate = join(folder, 'certificate.pem');
writeFileSync(certificate, cert);
const registry = createTlsServer({ key, cert }, (request, response) => verdaccio.emit('request', request, response));
const registryPort = await listen(registry);

const proxy = createProxy((_request, response) => response.writeHead(403).end());
proxy.on('connect', ({ url }, client, head) => {
	if (url !== `${REGISTRY}:443`) {
		client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
		return;
	}
	const server = connect(registryPort, '127.0.0.1', () => {
		client.write('HTTP/1.1 200 Connection established\r\n\r\n');
		server.write(head);
		server.pipe(client).pipe(server);
	});
	client.on('error', () => server.destroy());
	server.on('error', () => client.destroy());
});

process.stdin.on('close', () => process.exit()).resume();
process.stdout.write(`${JSON.stringify({ proxyUrl: `http://127.0.0.1:${await listen(proxy)}`, certificate })}\n`);

/** Servers of a test's own making, in the place of a service or in front of one. */
import { createServer, type RequestListener, type Server } from 'http';
import { createServer as createTlsServer, type ServerOptions } from 'https';
import type { AddressInfo } from 'net';

const servers: Server[] = [];

afterAll(async () => {
	for (const server of servers) {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
});

/** Starts a server that answers so, with TLS where that is given, until the last test of the file is over. @returns its address */
export async function serve(answer: RequestListener, tls?: ServerOptions): Promise<string> {
	const server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http${tls === undefined ? '' : 's'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

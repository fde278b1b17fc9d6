/** Servers of a test's own making, in the place of a service or in front of one. */
import { createServer, type RequestListener, type Server } from 'http';
import type { AddressInfo } from 'net';

const servers: Server[] = [];

afterAll(async () => {
	for (const server of servers) {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
});

/** Starts a server that answers so, until the last test of the file is over. @returns its address */
export async function serve(answer: RequestListener): Promise<string> {
	const server = createServer(answer);
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An n8n that logs all it can, and a service that repeats the key in everything it says: where does the key stand after that? */
import { createServer, type Server } from 'http';
import type { AddressInfo } from 'net';
import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';

import { startN8n, type N8n, workflowOf } from './host';
import { pollingWorkflow } from './polling';

const KEY = 'key-that-must-stand-nowhere-4711';

let n8n: N8n;
let service: Server;
let url: string;

beforeAll(async () => {
	service = createServer((request, response) => {
		request.resume();
		const { authorization = '' } = request.headers;
		const message = `you sent ${authorization}`;
		response.setHeader('Content-Type', 'application/json');
		response.setHeader('X-Sent', authorization);
		if (request.url!.startsWith('/moved'))
			response
				.writeHead(302, { Location: `http://elsewhere.invalid/?sent=${authorization.split(' ')[1]}` })
				.end(message);
		else if (request.url!.startsWith('/good'))
			response.end(JSON.stringify({ error: 0, id: 1, data: { id: 1, urls: [], result: 0 } }));
		else response.writeHead(400).end(JSON.stringify({ error: 1, message }));
	});
	await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
	n8n = await startN8n({ version: process.env.N8N_VERSION, env: { N8N_LOG_LEVEL: 'debug' } });
});

afterAll(async () => {
	await n8n.stop();
	service.closeAllConnections();
	await new Promise((resolve) => service.close(resolve));
});

/** The files below a folder that hold this text, as bytes. */
function filesWith(text: string, folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
		.map(({ parentPath, name }) => join(parentPath, name))
		.filter((file) => readFileSync(file).includes(text));
}

test('the key stands in no log, no execution and no file of n8n', async () => {
	const create = { resource: 'link', operation: 'create', url: 'https://example.com' };
	const seen: unknown[] = [];
	for (const path of ['', '/good', '/moved']) {
		const data = { baseUrl: url + path, apiKey: KEY };
		await n8n.createCredential(data);
		seen.push(await n8n.testCredential(data));
		for (const onError of ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)
			seen.push((await n8n.runWorkflow(workflowOf(create, [{}], { onError }))).data);
		const list = {
			method: 'searchLinks',
			path: 'parameters.linkId',
			parameters: { resource: 'link', operation: 'get' },
		};
		seen.push(await n8n.resourceLocatorResults(list).catch(String));
		const polled = await n8n.createWorkflow(pollingWorkflow({ event: 'linkCreated' }));
		seen.push(await n8n.activate(polled).then(async () => await n8n.deactivate(polled), String));
	}
	await n8n.restart();
	expect(JSON.stringify(seen)).not.toContain(KEY);
	expect(n8n.process.logs).toContain('debug');
	// What is looked for would be found: the address stands in the executions. The log is among the files.
	expect(filesWith('https://example.com', n8n.process.userFolder)).not.toEqual([]);
	expect(filesWith(KEY, n8n.process.userFolder)).toEqual([]);
});

/** An n8n that logs all it can, and a service that repeats the key in everything it says: where does the key stand after that? */
import { createServer, type Server } from 'http';
import type { AddressInfo } from 'net';
import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';

import type { INodeParameters } from 'n8n-workflow';

import { NODE_TYPE, startN8n, type N8n, workflowOf } from './host';
import { pollingWorkflow } from './polling';

const KEY = 'key-that-must-stand-nowhere-4711';

let n8n: N8n;
let service: Server;
let url: string;

beforeAll(async () => {
	service = createServer((request, response) => {
		request.resume();
		const said = `you sent ${request.headers.authorization}`;
		const isError = !request.url!.startsWith('/good');
		response.setHeader('Content-Type', 'application/json');
		response.setHeader('X-Sent', String(request.headers.authorization));
		if (request.url!.startsWith('/moved')) {
			response
				.writeHead(302, { Location: `http://elsewhere.invalid/?sent=${request.headers.authorization?.split(' ')[1]}` })
				.end(said);
			return;
		}
		response
			.writeHead(isError ? 400 : 200)
			.end(
				JSON.stringify(
					isError ? { error: 1, message: said } : { error: 0, id: 1, data: { id: 1, urls: [], result: 0 } },
				),
			);
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

test.each(['', '/good', '/moved'])(
	'the key stands in no log, no execution and no file of n8n (service at "%s")',
	async (path) => {
		const data = { baseUrl: url + path, apiKey: KEY };
		await n8n.createCredential(data);
		const seen: unknown[] = [await n8n.testCredential(data)];
		const create = { resource: 'link', operation: 'create', url: 'https://example.com' };
		for (const onError of ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const) {
			const workflow = workflowOf(create);
			workflow.nodes = workflow.nodes.map((node) => (node.type === NODE_TYPE ? { ...node, onError } : node));
			seen.push((await n8n.runWorkflow(workflow)).data);
		}
		seen.push(
			await n8n
				.resourceLocatorResults({
					method: 'searchLinks',
					path: 'parameters.linkId',
					parameters: { resource: 'link', operation: 'get' } as INodeParameters,
				})
				.catch((error: unknown) => String(error)),
		);
		const polled = await n8n.createWorkflow(pollingWorkflow({ event: 'linkCreated' }));
		seen.push(
			await n8n.activate(polled).then(
				async () => await n8n.deactivate(polled),
				(error: unknown) => String(error),
			),
		);
		await n8n.restart();
		expect(JSON.stringify(seen)).not.toContain(KEY);
		expect(n8n.logs).toContain('debug');
		expect(n8n.logs.split('\n').filter((line) => line.includes(KEY))).toEqual([]);
		// What is looked for would be found: the address stands in the executions.
		expect(filesWith('https://example.com', n8n.userFolder)).not.toEqual([]);
		expect(filesWith(KEY, n8n.userFolder)).toEqual([]);
	},
);

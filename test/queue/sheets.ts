/** Sheets in n8n's queue mode, and the cluster and the service that the tests of a file share. */
import { randomUUID } from 'crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { type Execution, inARow, LINK_MANAGEMENT, type N8nWorker, NODE_TYPE } from '../n8n/host';
import { type Sandbox, startSandbox } from '../sandbox';
import { type Cluster, startCluster } from './cluster';

/** The service's limit, a minute scaled down to three seconds. */
const LIMIT = { requests: 30, windowMs: 3000 };

export let cluster: Cluster;
export let sandbox: Sandbox;
let keys = 0;

/** Starts a cluster and a service before the tests of a file, and ends them after it. */
export function openCluster(): void {
	beforeAll(async () => {
		sandbox = await startSandbox();
		cluster = await startCluster();
	}, 900_000);

	afterAll(async () => {
		await cluster?.stop();
		await sandbox?.stop();
	}, 600_000);

	afterEach(async () => {
		expect(await sandbox.violations()).toEqual([]);
	});
}

/** Empties the service and gives n8n a key that is new to it. Workflows created from then on use it. */
export async function useNewKey(): Promise<void> {
	const key = `key-${++keys}`;
	await sandbox.reset({ apiKeys: [key], limit: LIMIT, records: { links: 0, qrs: 0 } });
	await cluster.main.createCredential({ baseUrl: sandbox.url, apiKey: key });
}

export function rowsFor(count: number, sheet: string): IDataObject[] {
	return Array.from({ length: count }, (_value, index) => ({
		url: `https://www.example.com/${sheet}/${index + 1}`,
		alias: `${sheet}-${index + 1}`,
	}));
}

/** An active workflow that creates a link for each row that its webhook is called with. */
export class SheetWorkflow {
	private constructor(
		readonly id: string,
		private readonly path: string,
	) {}

	static async publish(more: IDataObject): Promise<SheetWorkflow> {
		const path = randomUUID();
		const { nodes, connections } = inARow(
			{ name: 'Rows', type: 'n8n-nodes-base.splitOut', parameters: { fieldToSplitOut: 'body.rows', options: {} } },
			{
				name: LINK_MANAGEMENT,
				type: NODE_TYPE,
				parameters: { resource: 'link', operation: 'create', url: '={{ $json.url }}', ...more } as INodeParameters,
			},
		);
		nodes[0] = {
			name: nodes[0].name,
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: path,
			parameters: { httpMethod: 'POST', path, responseMode: 'onReceived' },
		};
		const id = await cluster.main.createWorkflow({ nodes, connections });
		await cluster.main.activate(id);
		return new SheetWorkflow(id, path);
	}

	/** Starts an execution; n8n answers as soon as it is in the queue. */
	async start(rows: IDataObject[]): Promise<void> {
		const response = await fetch(`${cluster.main.url}/webhook/${this.path}`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify({ rows }),
		});
		expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
	}

	/** Waits until so many executions have ended, good or bad. */
	async ended(count: number, timeoutMs?: number): Promise<Execution[]> {
		return await cluster.main.waitForExecutions(this.id, count, timeoutMs);
	}
}

export async function longUrls(): Promise<string[]> {
	return (await sandbox.links()).map(({ longurl }) => longurl).sort();
}

export function workerOf(executionId: string): N8nWorker | undefined {
	return cluster.workers.find(({ taken }) => taken.includes(executionId));
}

/** What n8n says that it created: the node's items, whatever became of the execution. */
export function reportedLinks(execution: Execution): IDataObject[] {
	return LINK_MANAGEMENT in execution.runData ? execution.json(LINK_MANAGEMENT) : [];
}

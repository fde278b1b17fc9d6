/** An account at the sandbox, and the node at work on it: all rows at once, or in a loop. */
import type { IDataObject, INode, INodeExecutionData, IWorkflowBase } from 'n8n-workflow';

import { isFailed } from '../failed';
import { startSandbox, type Behavior, type Dialect, type Sandbox, type StoredLink } from '../sandbox';
import {
	hintsOf,
	outcomeOf,
	probe,
	run,
	start,
	workflowOf,
	type Credential,
	type NodeSettings,
	type Outcome,
} from './host';

/** How the rows of a sheet come to the node. */
export type Way = 'at once' | 'in a loop' | 'in three tries';

export const CONTINUE: NodeSettings = { onError: 'continueRegularOutput' };
export const TRIES: NodeSettings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** Rows of a turn of a loop. */
const BATCH = 2;

/** Restarts of n8n, at most, while an account is there. */
const PROCESSES = 60;

interface Holding {
	links?: Array<Partial<StoredLink>>;
	/** Made-up links besides, that are older. */
	others?: number;
	campaigns?: Array<{ id?: number; name: string }>;
	channels?: Array<{ id?: number; name: string }>;
	domains?: string[];
	deviations?: Partial<Behavior>;
}

/** What came of the rows. */
export interface Work {
	items: INodeExecutionData[];
	error?: Outcome['error'];
	/** Of a loop: what the output panel says of each round. */
	hints?: string[][];
}

/** What others do, and how often it has come to that before, from 1 on. */
type Meanwhile = (time: number) => Promise<void>;

/** What nodes do that stand for others, by their ID. */
const meanwhiles = new Map<string, () => Promise<void>>();

function meanwhileNode(like: INode, name: string, does: Meanwhile): INode {
	const id = `meanwhile-${meanwhiles.size}`;
	let times = 0;
	meanwhiles.set(id, async () => await does(++times));
	probe.run = async function () {
		await meanwhiles.get(this.getNode().id)?.();
		return [this.getInputData()];
	};
	return { ...like, id, name, type: 'test.probe', parameters: { resource: 'probe', operation: 'run' } };
}

/** Create or Update, with its options, and Match On among them. */
export const upsertOf = ({ matchOn, ...options }: IDataObject = {}, linkFields: IDataObject = {}): IDataObject => ({
	resource: 'link',
	operation: 'upsert',
	...(matchOn === undefined ? {} : { matchOn }),
	columns: { mappingMode: 'autoMapInputData', value: null },
	linkFields,
	options,
});

class Account {
	sandbox!: Sandbox;

	private keys = 0;

	private apiKey = '';

	/** Further keys of the account, for processes that know nothing of what was done with the others. */
	private spareKeys: string[] = [];

	async open(): Promise<void> {
		this.sandbox = await startSandbox();
	}

	async close(): Promise<void> {
		await this.sandbox.stop();
	}

	get credential(): Credential {
		return { baseUrl: this.sandbox.url, apiKey: this.apiKey };
	}

	/** The short URL of an alias on the service's own domain, or on another. */
	short(alias: string, domain = this.sandbox.url): string {
		return `${domain}/${alias}`;
	}

	/** Begins anew, with a key that nothing was learned of. */
	async has(dialect: Dialect, holding: Holding = {}): Promise<void> {
		const { links = [], others = 0, campaigns = [], channels = [], domains = [], deviations } = holding;
		const [key, ...spare] = Array.from({ length: 1 + PROCESSES }, () => `account-key-${++this.keys}`);
		this.apiKey = key;
		this.spareKeys = spare;
		await this.sandbox.reset({
			dialect,
			deviations,
			records: { links: 0, campaigns: 0, channels: 0, domains: 0, qrs: 0 },
			limit: { requests: null },
			apiKeys: [key, ...spare],
		});
		await this.sandbox.createRecords({
			links: links.map((link) => ({ date: '2020-01-01 00:00:00', ...link })),
			campaigns,
			channels,
			domains: domains.map((domain) => ({ domain })),
		});
		if (others > 0) await this.sandbox.seedRecords({ links: others });
		await this.sandbox.clearRequests();
	}

	/** From now on runs know nothing of what the runs before have seen, as after a restart of n8n, or in another of its workers. */
	restart(): void {
		const next = this.spareKeys.shift();
		if (next === undefined) throw new Error(`There are ${PROCESSES} restarts at most`);
		this.apiKey = next;
	}

	/** Runs the node over rows, in one of the ways. */
	async work(
		parameters: IDataObject,
		rows: IDataObject[],
		way: Way = 'at once',
		node: NodeSettings = {},
	): Promise<Work> {
		const { credential } = this;
		if (way === 'in a loop') return await this.loop(parameters, rows, node);
		return await run(parameters, {
			credential,
			rows,
			node: way === 'in three tries' ? { ...TRIES, ...node } : node,
		});
	}

	/** Create or Update. */
	async upsert(rows: IDataObject[], options: IDataObject = {}, node: NodeSettings = {}, way?: Way): Promise<Work> {
		return await this.work(upsertOf(options), rows, way, node);
	}

	/** Runs the node over so many rows at a time, in one execution. @param meanwhile what others do after each round */
	async loop(
		parameters: IDataObject,
		rows: IDataObject[],
		node: NodeSettings,
		meanwhile: Meanwhile = async () => undefined,
		size = BATCH,
	): Promise<Work> {
		const workflow = workflowOf(parameters, { credential: this.credential, rows, node });
		const links = workflow.nodes.find(({ name }) => name === 'Links')!;
		workflow.nodes.push({ ...links, id: 'Loop', name: 'Loop', type: 'test.loop', parameters: { size } });
		workflow.nodes.push(meanwhileNode(links, 'Meanwhile', meanwhile));
		workflow.connections = connected(['Start', 'Loop'], ['Links', 'Meanwhile'], ['Meanwhile', 'Loop']);
		workflow.connections.Loop = { main: [[], [{ node: 'Links', type: 'main', index: 0 }]] };
		const { error, run: execution } = await outcomeOf(start(workflow, this.credential));
		const turns = execution.data.resultData.runData.Links ?? [];
		const hints = turns.map((_turn, round) => hintsOf({ run: execution }, round));
		return { items: turns.flatMap((turn) => turn.data?.main[0] ?? []), error, hints };
	}

	/** What the service was asked for besides reading. */
	async changes(): Promise<string[]> {
		const requests = await this.sandbox.requests();
		return requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
	}

	/** The links by their short URLs; those on the service's own domain by their alias alone. */
	async links(): Promise<Record<string, StoredLink>> {
		const all = await this.sandbox.links();
		return Object.fromEntries(all.map((link) => [link.domain === '' ? link.alias : link.shorturl, link]));
	}

	async idOf(alias: string): Promise<number> {
		const link = (await this.sandbox.links()).find((one) => one.alias === alias);
		if (link === undefined) throw new Error(`There is no link ${alias}`);
		return link.id;
	}
}

function connected(...pairs: Array<[from: string, to: string]>): IWorkflowBase['connections'] {
	return Object.fromEntries(pairs.map(([from, to]) => [from, { main: [[{ node: to, type: 'main', index: 0 }]] }]));
}

/** One after another, what became of each row: its action, or its error. */
export function actions({ items }: Work): unknown[] {
	return items.map(({ json }) => (!isFailed(json) ? json.action : `error: ${String(json.error)}`));
}

/** An account that is there for the tests of a file. */
export function openAccount(): Account {
	const account = new Account();
	beforeAll(async () => await account.open());
	afterAll(async () => await account.close());
	return account;
}

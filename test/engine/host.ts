/**
 * A small n8n: the engine of the oldest version that the package supports, with the package's own node and credential, and
 * nothing else. A workflow goes in as JSON, what its nodes put out comes back.
 */
import {
	CredentialTestContext,
	DirectoryLoader,
	ExecutionLifecycleHooks,
	LoadOptionsContext,
	RoutingNode,
	WorkflowExecute,
} from 'n8n-core';
import {
	ICredentialsHelper,
	Workflow,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialTestResult,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeProperties,
	type INodePropertyOptions,
	type INodePropertyRouting,
	type INodeType,
	type INodeTypes,
	type IRun,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type IWorkflowSettings,
	type NodeParameterValueType,
} from 'n8n-workflow';

import { LinkManagementApi } from '../../credentials/LinkManagementApi.credentials';
import { toolRouting, type RunRows } from '../../nodes/LinkManagement/n8n/entries';
import { LinkManagement } from '../../nodes/LinkManagement/LinkManagement.node';

export const NODE_TYPE = 'n8n-nodes-link-management.linkManagement';
const CREDENTIAL = 'linkManagementApi';

/** What the user entered in the credential. */
export interface Credential {
	baseUrl: string;
	apiKey: string;
	header?: boolean;
	headerName?: string;
	headerValue?: string;
	/** A switch; an expression may give anything. */
	allowUnauthorizedCerts?: string | number | boolean;
}

/** Makes of a declarative node what n8n makes of it: with the settings that each gets, and run by the routing node. */
function routed(node: INodeType): INodeType {
	DirectoryLoader.applyDeclarativeNodeOptionParameters(node);
	node.execute = async function (this: IExecuteFunctions) {
		return (await new RoutingNode(this as ConstructorParameters<typeof RoutingNode>[0], node).runNode()) ?? [];
	};
	return node;
}

type Description = INodeType['description'];

/** What the editor shows of a node of this name. */
function description(name: string, more: Partial<Description> = {}): Description {
	return {
		displayName: name,
		name,
		group: [],
		version: 1,
		description: '',
		defaults: {},
		properties: [],
		inputs: ['main'],
		outputs: ['main'],
		...more,
	};
}

/** A node that hands on what it gets. */
function passing(name: string, inputs: Array<'main'>): INodeType {
	return {
		description: description(name, { inputs }),
		async execute(this: IExecuteFunctions) {
			return [this.getInputData()];
		},
	};
}

/** The node's twin for AI agents, as n8n makes it of every node that is usable as a tool. */
function toolOf(node: INodeType): INodeType {
	const { name, displayName } = node.description;
	const asTool = { name: `${name}Tool`, displayName: `${displayName} Tool`, inputs: [], outputs: ['ai_tool' as const] };
	return { ...node, description: { ...node.description, ...asTool } };
}

/** An agent that calls its tools, all at once: each item's `calls` are lists of a tool's name and its arguments. */
const agent: INodeType = {
	description: description('agent', { inputs: ['main', { type: 'ai_tool' }] }),
	async execute(this: IExecuteFunctions) {
		const tools = (await this.getInputConnectionData('ai_tool', 0)) as Array<{
			name: string;
			invoke(input: unknown): Promise<unknown>;
		}>;
		const calls = this.getInputData()[0].json.calls as Array<[name: string, input: IDataObject]>;
		const results = await Promise.allSettled(
			calls.map(async ([name, input]) => await tools.find((tool) => tool.name === name)?.invoke(input)),
		);
		return [
			results.map((result) => ({
				json: result.status === 'fulfilled' ? { answer: String(result.value) } : { failure: String(result.reason) },
			})),
		];
	},
};

/** A parameter that has one value. */
function choice(name: string, value: string, routing?: INodePropertyRouting): INodeProperties {
	return { displayName: name, name, type: 'options', options: [{ name: value, value, routing }], default: value };
}

/** A node that does what a test gives it to do, called as the package's own operations are. */
export const probe: { run(this: IExecuteFunctions): Promise<INodeExecutionData[][]> } = {
	async run() {
		return await Promise.resolve([this.getInputData()]);
	},
};

export const probing: INodeType = {
	description: description('probe', {
		requestDefaults: {},
		properties: [choice('resource', 'probe'), choice('operation', 'run')],
	}),
	async execute() {
		return await Promise.reject(new Error('The engine has not called the custom operation'));
	},
	customOperations: {
		probe: {
			async run(this: IExecuteFunctions) {
				return await probe.run.call(this);
			},
		},
	},
};

/** A node that is called as an agent's tool, and does what a test gives it to do with the row of that call. */
export const called: { run: RunRows } = {
	async run() {
		return await Promise.resolve([]);
	},
};

const calling: INodeType = routed({
	description: description('call', {
		requestDefaults: { baseURL: 'http://127.0.0.1:9' },
		properties: [
			choice('resource', 'probe'),
			choice(
				'operation',
				'call',
				toolRouting({ method: 'GET', url: '/' }, async (contexts) => await called.run(contexts)),
			),
		],
	}),
});

/** Loop Over Items: its first output gives what came back, when all is done; its second one batch after another. */
const loop: INodeType = {
	description: description('loop', {
		outputs: ['main', 'main'],
		properties: [{ displayName: 'size', name: 'size', type: 'number', default: 1 }],
	}),
	async execute(this: IExecuteFunctions) {
		const { size } = this.getNode().parameters as { size: number };
		const state = this.getContext('node') as { left?: INodeExecutionData[]; done: INodeExecutionData[] };
		if (state.left === undefined) Object.assign(state, { left: [...this.getInputData()], done: [] });
		else state.done.push(...this.getInputData());
		const batch = state.left!.splice(0, size);
		return batch.length === 0 ? [state.done, []] : [[], batch];
	},
};

const linkManagementNode = routed(new LinkManagement());

const types: Record<string, INodeType> = {
	[NODE_TYPE]: linkManagementNode,
	[`${NODE_TYPE}Tool`]: toolOf(linkManagementNode),
	'@n8n/n8n-nodes-langchain.agent': agent,
	'n8n-nodes-base.manualTrigger': passing('manualTrigger', []),
	'n8n-nodes-base.noOp': passing('noOp', ['main']),
	'test.probe': probing,
	'test.callTool': toolOf(calling),
	'test.loop': loop,
};

const nodeTypes: INodeTypes = {
	getByName: (type) => types[type],
	getByNameAndVersion: (type) => types[type],
	getKnownTypes: () => ({}),
};

/** The package's node as the host has loaded it. */
export const linkManagement = types[NODE_TYPE];

class Credentials extends ICredentialsHelper {
	private readonly type = new LinkManagementApi();

	constructor(private readonly data: Credential) {
		super();
	}

	getParentTypes(): string[] {
		return [];
	}

	async authenticate(credentials: ICredentialDataDecryptedObject, _type: string, request: IHttpRequestOptions) {
		return await this.type.authenticate(credentials, request);
	}

	async preAuthentication() {
		return undefined;
	}

	/** Resolves expressions in the credential for the item at hand, as n8n does. */
	async getDecrypted(
		...[, , , mode, executeData, , values]: Parameters<ICredentialsHelper['getDecrypted']>
	): Promise<ICredentialDataDecryptedObject> {
		if (values === undefined) return { ...this.data };
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = values;
		return workflow.expression.getParameterValue(
			{ ...this.data },
			runExecutionData,
			runIndex,
			itemIndex,
			node.name,
			connectionInputData,
			mode,
			{},
			executeData,
		) as ICredentialDataDecryptedObject;
	}

	/** Later engines ask. */
	isCredentialUsableByNode(): boolean {
		return true;
	}

	getCredentials(): never {
		throw new Error('The engine reads credentials decrypted');
	}

	async updateCredentials() {}

	async updateCredentialsOauthTokenData() {}

	getCredentialsProperties() {
		return this.type.properties;
	}
}

/** What the engine hands to every node of a workflow, with a credential that all of them use. */
export function additionalData(credential: Credential, workflow: IWorkflowBase): IWorkflowExecuteAdditionalData {
	const at = 'http://n8n.example';
	const data: Partial<IWorkflowExecuteAdditionalData> & { hooks: ExecutionLifecycleHooks } = {
		credentialsHelper: new Credentials(credential),
		hooks: new ExecutionLifecycleHooks('manual', '1', workflow),
		currentNodeExecutionIndex: 0,
		executionId: '1',
		variables: {},
		webhookBaseUrl: at,
		webhookWaitingBaseUrl: at,
		webhookTestBaseUrl: at,
		formWaitingBaseUrl: at,
		instanceBaseUrl: at,
		restApiUrl: '',
	};
	return data as IWorkflowExecuteAdditionalData;
}

/** A workflow as the engine takes it. */
export function load({ nodes, connections, settings }: IWorkflowBase): Workflow {
	return new Workflow({ id: 'w1', name: 'Test', nodes, connections, settings, active: false, nodeTypes });
}

/** How later engines are told what to run. */
type RunByName = (options: {
	workflow: Workflow;
	startNode?: INode;
	pinData?: IWorkflowBase['pinData'];
}) => ReturnType<WorkflowExecute['run']>;

/** An execution under way. */
export interface Execution {
	finished: Promise<IRun>;
	/** Stops it, as the user's click on Stop does. */
	stop(): void;
}

/**
 * Runs a workflow from its manual trigger.
 *
 * @param workflow as the editor exports it; `pinData` gives the trigger's items
 * @param credential what every node of the package uses
 */
export function start(workflow: IWorkflowBase, credential: Credential): Execution {
	const loaded = load(workflow);
	const engine = new WorkflowExecute(additionalData(credential, workflow), 'manual');
	const startNode = loaded.getNode('Start') ?? undefined;
	const { pinData } = workflow;
	const execution =
		engine.run.length === 1
			? (engine.run as unknown as RunByName).call(engine, { workflow: loaded, startNode, pinData })
			: engine.run(loaded, startNode, undefined, pinData);
	return { finished: execution, stop: () => execution.cancel() };
}

/** Settings of a node besides its parameters, as the editor saves them. */
export type NodeSettings = Partial<
	Pick<INode, 'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries' | 'executeOnce' | 'alwaysOutputData'>
>;

/** What is to be run, besides the parameters. */
export interface Setting {
	credential: Credential;
	/** JSON of the items that come in; a single empty item when left out. */
	rows?: IDataObject[];
	node?: NodeSettings;
	workflow?: IWorkflowSettings;
}

/** The workflow JSON that the tests run: a trigger with rows, the node, and a node behind each of its outputs. */
export function workflowOf(parameters: IDataObject, { rows = [{}], node, workflow }: Setting): IWorkflowBase {
	const at = (name: string, type: string, more: Partial<INode> = {}): INode => ({
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		...more,
	});
	const link = (target: string) => [{ node: target, type: 'main' as const, index: 0 }];
	const outputs = node?.onError === 'continueErrorOutput' ? [link('Done'), link('Failed')] : [link('Done')];
	return {
		id: 'w1',
		name: 'Test',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: new Date(0),
		updatedAt: new Date(0),
		nodes: [
			at('Start', 'n8n-nodes-base.manualTrigger'),
			at('Links', NODE_TYPE, {
				parameters: parameters as INode['parameters'],
				credentials: { [CREDENTIAL]: { id: '1', name: 'Link Management' } },
				...node,
			}),
			at('Done', 'n8n-nodes-base.noOp'),
			at('Failed', 'n8n-nodes-base.noOp'),
		],
		connections: { Start: { main: [link('Links')] }, Links: { main: outputs } },
		pinData: { Start: rows.map((json) => ({ json })) },
		settings: { executionOrder: 'v1', ...workflow },
	};
}

/** What came of the node. */
export interface Outcome {
	items: INodeExecutionData[];
	/** Items at the separate error output. */
	failed: INodeExecutionData[];
	error?: Error & { description?: string; context?: IDataObject; httpCode?: string | null };
	/** Everything that n8n keeps of the execution, as it would be saved and shown. */
	saved: string;
	run: IRun;
}

/** What the output panel says above the items: n8n renders HTML. @param round of a loop, from 0 */
export function hintsOf({ run }: Pick<Outcome, 'run'>, round = 0): string[] {
	const task = run.data.resultData.runData.Links[round] as { hints?: Array<{ message: string }> };
	const shown = (html: string) => html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
	return (task.hints ?? []).map(({ message }) => shown(message));
}

/** Reads the outcome of the node under test. */
export async function outcomeOf(execution: Execution): Promise<Outcome> {
	const run = await execution.finished;
	const result = run.data.resultData;
	const task = result.runData.Links?.at(-1);
	const [items, failed] = task?.data?.main ?? [];
	return {
		items: items ?? [],
		failed: failed ?? [],
		error: (task?.error ?? result.error) as Outcome['error'],
		saved: JSON.stringify(run),
		run,
	};
}

/** Runs the node with these parameters over rows. */
export async function run(parameters: IDataObject, setting: Setting): Promise<Outcome> {
	return await outcomeOf(start(workflowOf(parameters, setting), setting.credential));
}

/** Runs the node and gives the JSON of its items. @throws what the node threw */
export async function itemsOf(parameters: IDataObject, setting: Setting): Promise<IDataObject[]> {
	const { items, error } = await run(parameters, setting);
	if (error !== undefined) throw error;
	return items.map(({ json }) => json);
}

/** What the engine hands to a method that fills a field of the editor. */
function editing(credential: Credential): LoadOptionsContext {
	const workflow = workflowOf({}, { credential });
	const node = workflow.nodes.find(({ name }) => name === 'Links')!;
	return new LoadOptionsContext(load(workflow), node, additionalData(credential, workflow), '');
}

/** The list searches that ask the service: what countries, devices and languages there are is known without it. */
export const searches = Object.keys(linkManagement.methods?.listSearch ?? {});

/** @throws Error where the node has no such method */
function there<T>(method: T | undefined, name: string): T {
	if (method === undefined) throw new Error(`The node has no method ${name}`);
	return method;
}

/** Fills a searchable dropdown of the node, as the editor does when it is opened, searched, or scrolled to its end. */
export async function search(
	method: string,
	credential: Credential,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await there(linkManagement.methods?.listSearch?.[method], method).call(
		editing(credential),
		filter,
		paginationToken,
	);
}

/** Calls a load-options method of a node. */
export async function loadOptions(
	method: string,
	credential: Credential,
	{ methods }: INodeType = linkManagement,
): Promise<INodePropertyOptions[]> {
	return await there(methods?.loadOptions?.[method], method).call(editing(credential));
}

/** Tests a credential, as the editor does when it is saved. */
export async function testCredential(credential: Credential): Promise<INodeCredentialTestResult> {
	const test = there(linkManagement.methods?.credentialTest?.testConnection, 'testConnection');
	return await test.call(new CredentialTestContext(), {
		id: '1',
		name: 'Link Management',
		type: CREDENTIAL,
		data: { ...credential },
	});
}

/** A resource locator as the editor saves it. */
export function by(mode: string, value: NodeParameterValueType): IDataObject {
	return { __rl: true, mode, value: value as IDataObject[string] };
}

import axios, { type AxiosInstance, type Method } from 'axios';
import { randomUUID } from 'crypto';
import { Agent } from 'http';
import type {
	IConnections,
	ICredentialDataDecryptedObject,
	INode,
	INodeListSearchResult,
	INodeParameters,
	INodeTypeDescription,
	IPinData,
	IWorkflowSettings,
} from 'n8n-workflow';
import { Execution, type ExecutionSummary, isFinished } from './execution';
import { until } from './until';

export const NODE_TYPE = 'n8n-nodes-link-management.linkManagement';
export const TRIGGER_TYPE = 'n8n-nodes-link-management.linkManagementTrigger';
export const CREDENTIAL_TYPE = 'linkManagementApi';

const RUN_TIMEOUT_MS = 600_000;
const EXECUTIONS_PAGE = 100;
/** n8n binds its session to the browser that signed in. */
const BROWSER_ID = 'test-host';

/** The sign-in of an n8n's owner. */
export interface Owner {
	email: string;
	password: string;
}

/** What a workflow needs to be created; as in an exported file, whose other fields are ignored. */
export interface WorkflowJson {
	name?: string;
	/** Ids, positions and versions may be missing (version 1 then). */
	nodes: Array<Partial<INode> & Pick<INode, 'name' | 'type' | 'parameters'>>;
	connections: IConnections;
	settings?: IWorkflowSettings;
	pinData?: IPinData;
}

/** A dropdown's question to n8n. */
export interface DropdownRequest {
	/** The search method of the Link Management node. */
	method: string;
	/** The parameter's path, such as `parameters.campaignId`. */
	path: string;
	/** The node's parameters at that moment. */
	parameters: INodeParameters;
	/** What the user typed into the search field. */
	filter?: string;
	paginationToken?: string;
}

interface SavedWorkflow {
	versionId: string;
	nodes: INode[];
}

interface PublicationStatus {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	triggers: Array<{ errorMessage: string | null }>;
}

interface ExecutionsPage {
	results: ExecutionSummary[];
	/** Earlier versions page by the last ID instead. */
	nextCursor?: string | null;
}

interface RestAnswer<T> {
	data: T;
	/** What is wrong. */
	message?: string;
	hint?: string;
}

/** An error answer of n8n's REST interface. */
export class N8nRestError extends Error {
	constructor(
		readonly status: number,
		request: string,
		message: string,
	) {
		super(`n8n answered ${status} to ${request}: ${message}`);
		this.name = 'N8nRestError';
	}
}

/** A real n8n, driven as its signed-in owner over the REST interface that its own editor uses. */
export class N8nSession {
	protected readonly http: AxiosInstance;

	private readonly credentialIds = new Map<string, { id: string; name: string }>();

	/** The workflow of each execution started here. */
	private readonly workflowOfRun = new Map<string, string>();

	/**
	 * @param url n8n's address without a trailing slash
	 * @param owner made the owner by `signIn` if the n8n is new
	 */
	constructor(
		readonly url: string,
		readonly owner: Owner,
	) {
		this.http = axios.create({
			baseURL: url,
			validateStatus: () => true,
			maxBodyLength: Infinity,
			proxy: false,
			headers: { 'browser-id': BROWSER_ID },
			// n8n closes idle connections after five seconds, and a request may reach it at just that moment.
			httpAgent: new Agent({ keepAlive: false }),
		});
	}

	/** Signs in as the owner, and sets the owner up first if the n8n is new. */
	async signIn(): Promise<void> {
		const settings = await this.rest<{ userManagement: { showSetupOnFirstLoad: boolean } }>('GET', '/rest/settings');
		const isNew = settings.userManagement.showSetupOnFirstLoad;
		const { email, password } = this.owner;
		const response = isNew
			? await this.http.post('/rest/owner/setup', { email, password, firstName: 'Link', lastName: 'Manager' })
			: // `email` is the name of the field in earlier versions.
				await this.http.post('/rest/login', { emailOrLdapLoginId: email, email, password });
		const cookie = response.headers['set-cookie']?.find((header) => header.startsWith('n8n-auth='));
		if (response.status !== 200 || cookie === undefined)
			throw new Error(`n8n did not let the owner in: ${response.status} ${JSON.stringify(response.data)}`);
		[this.http.defaults.headers.common.cookie] = cookie.split(';');
	}

	/**
	 * A call of n8n's REST interface as the signed-in owner.
	 *
	 * @param path the path with its leading slash, such as `/rest/workflows`
	 * @returns the answer's `data`
	 * @throws {N8nRestError} for any status from 400 on
	 */
	async rest<T>(method: Method, path: string, body?: unknown, query?: Record<string, string | number>): Promise<T> {
		const { status, data } = await this.http.request<RestAnswer<T>>({ method, url: path, data: body, params: query });
		if (status < 400) return data.data;
		const { message = JSON.stringify(data), hint } = data ?? {};
		throw new N8nRestError(status, `${method} ${path}`, [message, hint].filter(Boolean).join(' '));
	}

	/** A file that n8n serves, such as an icon. */
	async fetchText(path: string): Promise<string> {
		const { status, data } = await this.http.get<string>(path.startsWith('/') ? path : `/${path}`, {
			responseType: 'text',
		});
		if (status !== 200) throw new N8nRestError(status, `GET ${path}`, data.slice(0, 200));
		return data;
	}

	/** The descriptions of all nodes that n8n has loaded, by their full type. */
	async nodeTypes(): Promise<Map<string, INodeTypeDescription>> {
		const types = JSON.parse(await this.fetchText('/types/nodes.json')) as INodeTypeDescription[];
		return new Map(types.map((description) => [description.name, description]));
	}

	/**
	 * Saves a credential. Workflows created from then on use it wherever a node asks for this type.
	 *
	 * @returns its id
	 */
	async createCredential(
		data: ICredentialDataDecryptedObject,
		{ type = CREDENTIAL_TYPE, name = `Credential ${this.credentialIds.size + 1}` } = {},
	): Promise<string> {
		const { id } = await this.rest<{ id: string }>('POST', '/rest/credentials', { name, type, data });
		this.credentialIds.set(type, { id, name });
		return id;
	}

	/** Enters other data in the credential of the package, as its only one. */
	async changeCredential(data: ICredentialDataDecryptedObject): Promise<void> {
		const all = await this.rest<Array<{ id: string; name: string; type: string }>>('GET', '/rest/credentials');
		const { id, name, type } = all.find((one) => one.type === CREDENTIAL_TYPE)!;
		await this.rest('PATCH', `/rest/credentials/${id}`, { name, type, data });
	}

	/** Deletes all credentials of a type: with one at hand, n8n's editor chooses it by itself. */
	async deleteCredentials(type = CREDENTIAL_TYPE): Promise<void> {
		this.credentialIds.delete(type);
		const saved = await this.rest<Array<{ id: string; type: string }>>('GET', '/rest/credentials');
		for (const credential of saved)
			if (credential.type === type) await this.rest('DELETE', `/rest/credentials/${credential.id}`);
	}

	/** Tests credential data as the editor's credential form does. */
	async testCredential(data: ICredentialDataDecryptedObject): Promise<{ status: 'OK' | 'Error'; message: string }> {
		// n8n tests saved credentials only; the data to test goes with the request.
		const credential = { name: 'Test', type: CREDENTIAL_TYPE, data };
		const { id } = await this.rest<{ id: string }>('POST', '/rest/credentials', credential);
		try {
			return await this.rest('POST', '/rest/credentials/test', { credentials: { id, ...credential } });
		} finally {
			await this.rest('DELETE', `/rest/credentials/${id}`);
		}
	}

	/** Saves a workflow; its nodes get the credentials created last for the types that they use. */
	async createWorkflow(json: WorkflowJson): Promise<string> {
		const nodes = json.nodes.map((node, index) => ({
			id: randomUUID(),
			typeVersion: 1,
			position: [200 * index, 0],
			...node,
			...this.credentialsFor(node),
		}));
		const { id } = await this.rest<{ id: string }>('POST', '/rest/workflows', {
			name: json.name ?? `Workflow ${randomUUID()}`,
			nodes,
			// Earlier versions don't fill it in.
			active: false,
			connections: json.connections,
			settings: json.settings ?? {},
			pinData: json.pinData ?? {},
		});
		return id;
	}

	async deleteWorkflow(id: string): Promise<void> {
		await this.rest('POST', `/rest/workflows/${id}/archive`);
		await this.rest('DELETE', `/rest/workflows/${id}`);
	}

	/**
	 * Starts a workflow by hand, as the editor's button does, from its only or first trigger: with what is pinned there, where it would
	 * otherwise wait for a call.
	 *
	 * @returns the execution's id, at once
	 */
	async startRun(workflowId: string): Promise<string> {
		const workflow = await this.rest<SavedWorkflow>('GET', `/rest/workflows/${workflowId}`);
		const trigger = workflow.nodes.find(({ type }) => /(trigger|webhook)$/i.test(type));
		if (trigger === undefined) throw new Error('The workflow has no trigger node to start from.');
		const { executionId } = await this.rest<{ executionId?: string }>('POST', `/rest/workflows/${workflowId}/run`, {
			workflowData: workflow,
			triggerToStartFrom: { name: trigger.name },
		});
		if (executionId === undefined)
			throw new Error(`n8n did not start the workflow from "${trigger.name}": it waits for a webhook call.`);
		this.workflowOfRun.set(executionId, workflowId);
		return executionId;
	}

	/** Runs a saved workflow by hand and waits for its end, good or bad. */
	async run(workflowId: string, timeoutMs?: number): Promise<Execution> {
		return await this.waitForExecution(await this.startRun(workflowId), timeoutMs);
	}

	async runWorkflow(json: WorkflowJson): Promise<Execution> {
		return await this.run(await this.createWorkflow(json));
	}

	/**
	 * Publishes a workflow and waits until its triggers run.
	 *
	 * @throws {Error} with what n8n shows when a trigger does not start
	 */
	async activate(workflowId: string): Promise<void> {
		await this.setActive(workflowId, true);
		await until('the triggers of the workflow start', async () => {
			const { status, triggers } = await this.inAnyVersion<PublicationStatus>(
				this.rest('GET', `/rest/workflows/${workflowId}/publication-status`),
				// They only answer when it is through.
				async () => ({ status: 'published', triggers: [] }),
			);
			const errors = triggers.map(({ errorMessage }) => errorMessage).filter(Boolean);
			if (!['published', 'in_progress'].includes(status) && errors.length > 0) throw new Error(errors.join('; '));
			return status === 'published';
		});
	}

	/** Ends what `activate` began. */
	async deactivate(workflowId: string): Promise<void> {
		await this.setActive(workflowId, false);
	}

	/** The executions of a workflow with their data, oldest first; only those that have come to their end. */
	async executions(workflowId: string): Promise<Execution[]> {
		const summaries = await this.executionSummaries(workflowId);
		const finished = summaries.filter(({ status }) => isFinished(status)).sort((a, b) => Number(a.id) - Number(b.id));
		const executions: Execution[] = [];
		for (const { id } of finished) executions.push(await this.execution(id));
		return executions;
	}

	/** The executions of a workflow without their data, running ones included, newest first. */
	async executionSummaries(workflowId: string): Promise<ExecutionSummary[]> {
		const all: ExecutionSummary[] = [];
		let position: { cursor: string } | { lastId: string } | undefined;
		do {
			const { results, nextCursor } = await this.rest<ExecutionsPage>('GET', '/rest/executions', undefined, {
				filter: JSON.stringify({ workflowId }),
				limit: EXECUTIONS_PAGE,
				...position,
			});
			all.push(...results);
			if (nextCursor !== undefined) position = nextCursor === null ? undefined : { cursor: nextCursor };
			else position = results.length < EXECUTIONS_PAGE ? undefined : { lastId: results[results.length - 1].id };
		} while (position !== undefined);
		return all;
	}

	/** One execution with its data as saved so far. */
	async execution(id: string): Promise<Execution> {
		return new Execution(await this.rest<ExecutionSummary & { data: string }>('GET', `/rest/executions/${id}`));
	}

	/**
	 * Waits for the end of an execution that `startRun` started, good or bad.
	 *
	 * @param timeoutMs after this many milliseconds the execution is stopped, and the wait fails
	 */
	async waitForExecution(id: string, timeoutMs = RUN_TIMEOUT_MS): Promise<Execution> {
		// The list is cheap for n8n; a single record comes with all its data.
		const hasEnded = async () =>
			(await this.executionSummaries(this.workflowOfRun.get(id)!)).some(
				(one) => one.id === id && isFinished(one.status),
			);
		try {
			await until(`execution ${id} ends`, hasEnded, { timeoutMs });
		} catch (error) {
			await this.rest('POST', `/rest/executions/${id}/stop`);
			throw error;
		}
		return await this.execution(id);
	}

	/**
	 * Waits until a workflow has at least so many finished executions.
	 *
	 * @returns all of them, oldest first
	 */
	async waitForExecutions(workflowId: string, count: number, timeoutMs = RUN_TIMEOUT_MS): Promise<Execution[]> {
		const haveEnded = async () =>
			(await this.executionSummaries(workflowId)).filter(({ status }) => isFinished(status)).length >= count;
		await until(`${count} executions`, haveEnded, { timeoutMs, pauseMs: 250 });
		return await this.executions(workflowId);
	}

	/** What a resource locator's list shows, as the editor asks for it. */
	async resourceLocatorResults({ method, parameters, ...more }: DropdownRequest): Promise<INodeListSearchResult> {
		return await this.rest('POST', '/rest/dynamic-node-parameters/resource-locator-results', {
			methodName: method,
			nodeTypeAndVersion: { name: NODE_TYPE, version: 1 },
			currentNodeParameters: parameters,
			...more,
			...this.credentialsFor({ type: NODE_TYPE }),
		});
	}

	private credentialsFor(node: Pick<INode, 'type'> & Partial<INode>): Pick<INode, 'credentials'> {
		const types = [NODE_TYPE, `${NODE_TYPE}Tool`, TRIGGER_TYPE].includes(node.type)
			? [CREDENTIAL_TYPE]
			: Object.keys(node.credentials ?? {});
		const entries = types.flatMap((type) => {
			const saved = this.credentialIds.get(type);
			return saved === undefined ? [] : [[type, saved] as const];
		});
		return entries.length === 0 ? {} : { credentials: { ...node.credentials, ...Object.fromEntries(entries) } };
	}

	/** @param earlier what is done in earlier versions, which do not know the request */
	private async inAnyVersion<T>(request: Promise<T>, earlier: () => Promise<T>): Promise<T> {
		try {
			return await request;
		} catch (error) {
			if (!(error instanceof N8nRestError) || error.status !== 404) throw error;
			return await earlier();
		}
	}

	private async setActive(workflowId: string, active: boolean): Promise<void> {
		const path = `/rest/workflows/${workflowId}`;
		const { versionId } = await this.rest<SavedWorkflow>('GET', path);
		await this.inAnyVersion(
			this.rest('POST', `${path}/${active ? 'activate' : 'deactivate'}`, active ? { versionId } : {}),
			// Before publishing came to n8n, the flag was part of the workflow.
			async () => await this.rest('PATCH', path, { active, versionId }),
		);
	}
}

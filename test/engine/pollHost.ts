/**
 * A small n8n for the trigger: the oldest supported engine activates it and polls it; what n8n does around that (saving the
 * node's data, starting executions) is kept here in plain sight.
 */
import { ActiveWorkflows, PollContext, type ErrorReporter } from 'n8n-core';
import { commonPollingParameters } from 'n8n-core/dist/nodes-loader/constants';
import { TriggersAndPollers } from 'n8n-core/dist/execution-engine/triggers-and-pollers';
import {
	Workflow,
	type IDataObject,
	type INode,
	type INodeTypes,
	type IWorkflowBase,
	type LoggerProxy,
	type WorkflowActivateMode,
} from 'n8n-workflow';

import { LinkManagementTrigger } from '../../nodes/LinkManagement/LinkManagementTrigger.node';
import { additionalData, type Credential } from './host';

export const TRIGGER_TYPE = 'n8n-nodes-link-management.linkManagementTrigger';

export const type = new LinkManagementTrigger();
// As n8n's loader does with every polling node.
type.description.properties.unshift(...commonPollingParameters);

export const nodeTypes: INodeTypes = {
	getByName: () => type,
	getByNameAndVersion: () => type,
	getKnownTypes: () => ({}),
};

type Logger = Parameters<typeof LoggerProxy.init>[0];

/** What a poll is handed. */
export interface Polled {
	workflow: Workflow;
	context: PollContext;
}

/** The trigger as a workflow's node. */
export function triggerNode(node: Partial<INode>): INode {
	const parameters = { pollTimes: { item: [{ mode: 'everyMinute' }] }, ...node.parameters } as INode['parameters'];
	return {
		id: 'trigger-id',
		name: 'Trigger',
		type: TRIGGER_TYPE,
		typeVersion: 1,
		position: [0, 0],
		credentials: { linkManagementApi: { id: '1', name: 'Link Management' } },
		...node,
		parameters,
	};
}

/** A workflow with the trigger alone, as it stands in the database. */
export function triggerWorkflow(id: string, node: INode, staticData: string): Workflow {
	const data = JSON.parse(staticData) as IDataObject;
	return new Workflow({ id, name: 'Test', nodes: [node], connections: {}, active: true, nodeTypes, staticData: data });
}

/** The static data of a workflow, if it has changed since it was saved last: n8n saves nothing else. */
export function toBeSaved({ staticData }: Workflow): string | undefined {
	const watched = staticData as { __dataChanged?: boolean };
	if (watched.__dataChanged !== true) return undefined;
	watched.__dataChanged = false;
	return JSON.stringify(staticData);
}

/** Lets a context keep a cursor, as n8n's durable scheduler does. @param commit saves it */
export function withCursor({ context, workflow }: Polled, cursor: string, commit: () => void): void {
	const snapshot = JSON.parse(cursor) as IDataObject;
	context.getWorkflowStaticData = (kind) => (kind === 'node' ? snapshot : workflow.getStaticData(kind));
	Object.assign(context, { __commitCursor: async () => await Promise.resolve(commit()) });
}

/** Lets a context log its warnings here. */
export function withWarnings(context: PollContext, warnings: string[]): void {
	Object.defineProperty(context, 'logger', { value: silent(warnings) });
}

export interface TriggerSetting {
	credential: Credential;
	parameters: IDataObject;
	/** The workflow's saved data, as a restarted n8n reads it. */
	saved?: string;
	cursor?: string;
	workflowId?: string;
	node?: Partial<INode>;
	/** Time that n8n's scheduler grants a poll, in milliseconds. */
	budgetMs?: number;
	/** n8n keeps the state of the trigger in a cursor of its own, together with the executions. */
	durableCursor?: boolean;
}

/** Time that n8n's scheduler grants a poll by default, in milliseconds. */
const USUAL_BUDGET = 36_000;
let workflows = 0;

/** A workflow with the trigger alone, in one n8n process. */
export class TriggerHost {
	/** The items of each execution that was started. */
	readonly executions: IDataObject[][] = [];
	/** Errors of polls, each of which would be a failed execution. */
	readonly errors: Array<Error & { description?: string | null }> = [];
	readonly warnings: string[] = [];
	/** The workflow's static data as it stands in the database. */
	saved: string;
	/** The durable cursor as it stands in the database. */
	cursor: string;
	readonly workflowId: string;
	readonly workflow: Workflow;
	readonly node: INode;
	/** Time that n8n's scheduler grants a poll, in milliseconds. */
	budgetMs: number;
	private tickPoll: (() => Promise<void>) | undefined;

	constructor(readonly setting: TriggerSetting) {
		this.workflowId = setting.workflowId ?? `w${++workflows}`;
		this.budgetMs = setting.budgetMs ?? USUAL_BUDGET;
		this.saved = setting.saved ?? '{}';
		this.cursor = setting.cursor ?? '{}';
		this.node = triggerNode({ parameters: setting.parameters as INode['parameters'], ...setting.node });
		this.workflow = this.load();
	}

	/** Activates the workflow, which polls once. @throws what n8n shows when activation is refused */
	async activate(activation: WorkflowActivateMode = 'activate'): Promise<void> {
		const scheduled = { registerCron: (_context: unknown, poll: () => Promise<void>) => (this.tickPoll = poll) };
		const active = new ActiveWorkflows(
			silent(this.warnings) as unknown as ConstructorParameters<typeof ActiveWorkflows>[0],
			scheduled as unknown as ConstructorParameters<typeof ActiveWorkflows>[1],
			new TriggersAndPollers(),
			{ error: () => undefined } as unknown as ErrorReporter,
		);
		await active.add(
			this.workflowId,
			this.workflow,
			this.data(),
			'trigger',
			activation,
			() => {
				throw new Error('There is no other trigger');
			},
			() => this.context(this.workflow, activation),
		);
		this.save(this.workflow);
	}

	/** The interval is over. */
	async tick(): Promise<void> {
		if (this.tickPoll === undefined) throw new Error('The workflow is not active');
		await this.tickPoll();
	}

	/** Polls and gives the items of the execution that came of it. @throws the error of the poll */
	async poll(): Promise<IDataObject[]> {
		const before = { executions: this.executions.length, errors: this.errors.length };
		await this.tick();
		if (this.errors.length > before.errors) throw this.errors[this.errors.length - 1];
		return this.executions.slice(before.executions).flat();
	}

	/**
	 * A poll by n8n's durable scheduler: in a context and on data of its own. With a durable cursor, the state is kept
	 * together with the execution, or alone when there is none; without, only with an execution.
	 *
	 * @param commits whether n8n still holds the poll's lease at its end; otherwise it drops all that came of it
	 */
	async scheduledPoll({ commits = true } = {}): Promise<IDataObject[]> {
		const before = this.executions.length;
		// n8n grants a time to these polls alone.
		const context = Object.assign(this.context(this.load(), 'update'), { getPollBudgetMs: () => this.budgetMs });
		const reported = await type.poll.call(context);
		if (!commits) return [];
		if (reported !== null) context.__emit(reported);
		else if (this.setting.durableCursor) this.commit(context);
		return this.executions.slice(before).flat();
	}

	/** What "Fetch Test Event" in the editor gives. @throws what it shows otherwise */
	async fetchTestEvent(): Promise<IDataObject[]> {
		const context = new PollContext(this.workflow, this.node, this.data(), 'manual', 'manual');
		const [items] = (await type.poll.call(context)) ?? [[]];
		return items.map(({ json }) => json);
	}

	/** The same n8n takes the workflow from the database and activates it: restarted, after an edit, or turned on again. */
	async again(activation: WorkflowActivateMode, change: Partial<TriggerSetting> = {}): Promise<TriggerHost> {
		const host = new TriggerHost(this.inDatabase(change));
		await host.activate(activation);
		return host;
	}

	/** Another n8n process takes the workflow from the database: nothing is left of what this one knew. */
	killed(change: Partial<TriggerSetting> = {}): TriggerHost {
		let host: TriggerHost | undefined;
		jest.isolateModules(() => {
			const { TriggerHost: Host } = jest.requireActual<{ TriggerHost: typeof TriggerHost }>('./pollHost');
			host = new Host(this.inDatabase(change));
		});
		return host!;
	}

	private inDatabase(change: Partial<TriggerSetting> = {}): TriggerSetting {
		const { setting, workflowId, saved, cursor } = this;
		return { ...setting, workflowId, saved, cursor, ...change };
	}

	/** The state that the trigger keeps, as saved. */
	get state(): string {
		return JSON.stringify((JSON.parse(this.saved) as Record<string, unknown>)[`node:${this.node.name}`]) ?? '';
	}

	private load(): Workflow {
		return triggerWorkflow(this.workflowId, this.node, this.saved);
	}

	private context(workflow: Workflow, activation: WorkflowActivateMode): PollContext {
		const context = new PollContext(
			workflow,
			this.node,
			this.data(),
			'trigger',
			activation,
			([items]) => {
				if (this.setting.durableCursor) this.commit(context);
				this.save(workflow);
				this.executions.push(items.map(({ json }) => json));
			},
			(error) => this.errors.push(error),
		);
		// As it is in contexts of n8n 2.41 that are not of its scheduler.
		Object.assign(context, { getPollBudgetMs: () => 300_000 });
		if (this.setting.durableCursor) withCursor({ context, workflow }, this.cursor, () => this.commit(context));
		withWarnings(context, this.warnings);
		return context;
	}

	private data() {
		return additionalData(this.setting.credential, { id: this.workflowId } as IWorkflowBase);
	}

	private commit(context: PollContext): void {
		this.cursor = JSON.stringify(context.getWorkflowStaticData('node'));
	}

	private save(workflow: Workflow): void {
		this.saved = toBeSaved(workflow) ?? this.saved;
	}
}

function silent(warnings: string[]): Logger {
	const none = () => undefined;
	const warn = (message: string) => warnings.push(message);
	return { debug: none, info: none, error: none, warn } as unknown as Logger;
}

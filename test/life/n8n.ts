/**
 * n8n around a polling trigger, played as it is: what a poll is handed, and what is kept of it. Read in n8n-core 2.0.2 and n8n 2.41.1.
 *
 * | | `old`: n8n 2.0 | `plain`: 2.41 | `scheduled`: 2.41, its scheduler polls | `durable`: and keeps cursors |
 * | --- | --- | --- | --- | --- |
 * | a poll is handed | the static data as it stood at activation, and as polls left it since | the same | the static data as it stands | the node's cursor |
 * | the context | one for all polls of an activation | the same | one for each poll | one for each poll |
 * | a report | starts an execution, and saves the static data | the same | the same | is kept together with the cursor, or both are refused |
 * | a poll without one | saves nothing | the same | the same | saves the cursor |
 * | the activation | polls, and saves the static data | the same | the same, when jobs are new | the same, and saves no cursor but with a report |
 * | saved while a poll is under way | both polls count | the old poll is dropped | - | - |
 * | a start of n8n | activates | activates | polls when it is time | the same |
 *
 * Static data is kept by the node's name, a cursor by its ID. A process that ends, in whatever way, forgets the rest.
 */
import { PollContext } from 'n8n-core';
import type { IDataObject, INode, INodeExecutionData, Workflow, WorkflowActivateMode } from 'n8n-workflow';

import { memory, TriggerMemory } from '../../nodes/LinkManagement/trigger/memory';
import { additionalData } from '../engine/host';
import {
	toBeSaved,
	triggerNode,
	triggerWorkflow,
	type,
	withCursor,
	withWarnings,
	type Polled,
} from '../engine/pollHost';
import type { LifeService } from './service';

export const MODES = ['old', 'plain', 'scheduled', 'durable'] as const;
export type Mode = (typeof MODES)[number];

interface Activation extends Polled {
	/** The cursor, as it was handed over. */
	readonly seed?: string;
}

/** What becomes of a poll by n8n's scheduler, and where it is done. */
export interface Fate {
	/** n8n has lost the poll's lease, and drops what comes of it. */
	isRefused?: boolean;
	/** It was due together with the one before, and is handed the cursor from before what that one reported. */
	isHandedBefore?: boolean;
	/** One of two main processes, each with a memory of its own. */
	main?: number;
}

export interface TriggerNode {
	name: string;
	parameters: IDataObject;
}

const BASE_URL = 'https://links.example';
let workflows = 0;

export class PlayedN8n {
	/** The items of all executions that were started. */
	readonly reported: IDataObject[] = [];
	/** Executions that were started without an item. */
	empty = 0;
	/** What it has logged. */
	readonly warnings: string[] = [];
	private readonly workflowId = `workflow ${++workflows}`;
	/** The database. */
	private staticData = '{}';
	private cursor?: string;
	private cursorBefore?: string;
	private keptAt = 0;
	private mains = [new TriggerMemory(), new TriggerMemory()];
	private active?: Activation;
	private isOn = false;

	/**
	 * @param node as it was published last
	 * @param budget time that the scheduler grants a poll (ms)
	 */
	constructor(
		readonly mode: Mode,
		private readonly service: LifeService,
		private node: TriggerNode,
		private readonly budget: number,
		/** The key in the credential. */
		public apiKey: string,
	) {}

	/** Publishes the workflow, or an edit of it. @throws when the activation is refused */
	async publish(node: TriggerNode = this.node): Promise<void> {
		const mode = this.isOn ? 'update' : 'activate';
		this.node = node;
		await this.activate(mode);
		this.isOn = true;
	}

	unpublish(): void {
		this.isOn = false;
		this.active = undefined;
	}

	/** One poll, when it is time. */
	async poll({ isRefused = false, isHandedBefore = false, main = 0 }: Fate = {}): Promise<void> {
		this.enter(this.mode === 'durable' ? main : 0);
		if (this.mode === 'old' || this.mode === 'plain') {
			const { active } = this;
			if (active === undefined) return;
			const response = await type.poll.call(active.context);
			if (this.mode === 'plain' && this.active !== active) return;
			if (response !== null) this.report(response, active);
			return;
		}
		if (!this.isOn) return;
		const isJustKept = Date.now() - this.keptAt < 1_000;
		const cursor = isHandedBefore && isJustKept ? this.cursorBefore : this.cursor;
		const polling = this.load('update', this.budget, cursor);
		const response = await type.poll.call(polling.context);
		if (isRefused && this.mode === 'durable') return;
		if (response !== null) this.report(response, polling);
		else this.keepCursor(polling);
	}

	/** n8n stops and starts, or is killed: whatever was not in the database is gone. */
	async restart(): Promise<void> {
		this.mains = [new TriggerMemory(), new TriggerMemory()];
		this.active = undefined;
		if (this.isOn && (this.mode === 'old' || this.mode === 'plain')) await this.activate('init');
	}

	/** From now on, this process polls. */
	private enter(main = 0): void {
		Object.assign(memory, this.mains[main]);
	}

	private async activate(mode: WorkflowActivateMode): Promise<void> {
		this.enter();
		const activation = this.load(mode);
		this.active = activation;
		const response = await type.poll.call(activation.context);
		if (response !== null) this.report(response, activation);
		this.save(activation.workflow);
	}

	private report([items]: INodeExecutionData[][], polled: Activation): void {
		if (items.length === 0) this.empty++;
		this.reported.push(...items.map(({ json }) => json));
		this.keepCursor(polled);
		this.save(polled.workflow);
	}

	/** As n8n does it: only when something has changed. */
	private keepCursor({ context, seed }: Activation): void {
		const cursor = JSON.stringify(context.getWorkflowStaticData('node'));
		if (this.mode !== 'durable' || cursor === seed) return;
		this.cursorBefore = this.cursor;
		this.keptAt = Date.now();
		this.cursor = cursor;
	}

	private save(workflow: Workflow): void {
		this.staticData = toBeSaved(workflow) ?? this.staticData;
	}

	/** @param budget of a poll of the scheduler: what n8n says of others is five minutes */
	private load(activation: WorkflowActivateMode, budget = 5 * 60_000, cursor = this.cursor): Activation {
		const node = triggerNode(this.node as Partial<INode>);
		const workflow = triggerWorkflow(this.workflowId, node, this.staticData);
		const credential = { baseUrl: BASE_URL, apiKey: this.apiKey };
		const data = additionalData(credential, { id: this.workflowId } as never);
		const context = new PollContext(workflow, node, data, 'trigger', activation);
		const send = async (_type: string, options: never) => await this.service.answer(options);
		Object.assign(context.helpers, { httpRequestWithAuthentication: send });
		withWarnings(context, this.warnings);
		if (this.mode !== 'old') Object.assign(context, { getPollBudgetMs: () => budget });
		if (this.mode !== 'durable') return { workflow, context };
		const seed = cursor ?? JSON.stringify(workflow.getStaticData('node', node));
		const polled = { workflow, context, seed };
		withCursor(polled, seed, () => this.keepCursor(polled));
		return polled;
	}
}

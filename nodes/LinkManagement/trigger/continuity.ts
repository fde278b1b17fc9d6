import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { StoredState, WatchMemory } from '../watch';

/** A state after polls that reported nothing, and the checksum of the stored state that it takes the place of. */
interface Quiet {
	instead: string | null;
	state: StoredState;
}

/** What the polls of one node leave for the next in this process, beside what n8n stores. */
interface Left {
	state: StoredState;
	/** n8n stores what the polls of this node leave. */
	wasStored: boolean;
	/**
	 * n8n may have kept nothing of a quiet poll: not of the one at activation, and in some modes of none. Reading goes on
	 * from here rather than from the beginning; a crash costs that progress and nothing else.
	 */
	quiet?: Quiet;
	/** When the latest reports were given to n8n (ms), each with the checksum of the state that was stored until then. */
	reports: Array<{ instead: string | null; at: number }>;
	memory?: WatchMemory;
	refusesLargePages: boolean;
}

/** Nodes of which something is left in this process, at most. */
const MOST_LEFT = 200;
/** n8n commits a report within this time (ms), or never; and a poll does not begin later with what n8n had read for it. */
const COMMIT_TIME = 30_000;
/** Where the workflow's own data keeps the baselines that activations set, by the ID of the node. */
const BASELINES = 'linkManagementTriggerBaselines';

const leftBy = new Map<string, Left>();
/** Contexts and stored data that a poll has seen: n8n makes new ones for each activation. */
const polled = new WeakSet<object>();

/**
 * The thread from one poll of a node to the next.
 *
 * n8n stores the state that a poll leaves together with its report, by default beside it. Three things are missing there:
 * - Durable cursors don't keep the state of the poll at activation. It stands in the workflow's data until they do.
 * - Stored data belongs to the name of the node (durable cursors aside). After another name, the process still knows it.
 * - With several polls due at once, as after a restart, n8n may hand a poll the state from before the last report,
 *   which is still on its way into the database. Such a poll would report everything again.
 */
export class Continuity {
	/** The first poll after an activation, or a poll by the durable scheduler, which gives each a context of its own. */
	readonly isFirst: boolean;

	private readonly data: IDataObject;

	private readonly stored: StoredState | undefined;

	private readonly sum: string | null;

	private readonly left: Left | undefined;

	private readonly carried: Left | undefined;

	private readonly quiet: Quiet | undefined;

	constructor(
		private readonly context: IPollFunctions,
		private readonly key: string,
	) {
		this.data = context.getWorkflowStaticData('node');
		this.stored = this.data.state as unknown as StoredState | undefined;
		this.sum = this.stored?.sum ?? null;
		this.isFirst = !polled.has(this.data) && !polled.has(context);
		this.left = leftBy.get(key);
		// The first poll of an activation starts from what n8n stored, unless n8n only took up an edited workflow.
		const mode = context.getActivationMode();
		this.carried = !this.isFirst || mode === 'update' ? this.left : undefined;
		const quiet = this.carried?.quiet ?? (mode === 'activate' ? undefined : this.keptBaseline());
		this.quiet = quiet?.instead === this.sum ? quiet : undefined;
	}

	/** The state to go on from. */
	get last(): StoredState | undefined {
		return this.quiet?.state ?? this.stored ?? (this.carried?.wasStored ? this.carried.state : undefined);
	}

	/**
	 * This poll begins with a state from before a recent report, which is still on its way into the database, was refused
	 * there, or arrived after n8n had read the state for this poll; nobody can tell which.
	 */
	get isOutdated(): boolean {
		// A context that has polled before holds its state itself.
		return this.isFirst && this.recentReports.some(({ instead }) => instead === this.sum);
	}

	get refusesLargePages(): boolean {
		return this.left?.refusesLargePages ?? false;
	}

	/** What the last poll left for this one; used up, for a poll that fails half-way must leave none of it. */
	takeMemory(): WatchMemory | undefined {
		const memory = this.left?.memory;
		if (this.left) this.left.memory = undefined;
		return memory;
	}

	/**
	 * Leaves the state for the next poll.
	 *
	 * @param isQuiet the poll reports nothing
	 * @param atActivation it is the one at activation
	 */
	leave(
		state: StoredState,
		isQuiet: boolean,
		atActivation: boolean,
		rest: Pick<Left, 'memory' | 'refusesLargePages'>,
	): void {
		const { data, context, sum } = this;
		if (state.sum !== sum) data.state = state as unknown as IDataObject;
		polled.add(data).add(context);
		const quiet: Quiet | undefined = isQuiet ? { instead: sum, state } : this.quiet;
		this.keepBaseline(isQuiet && atActivation ? { instead: sum, state } : undefined);
		leftBy.delete(this.key);
		leftBy.set(this.key, {
			state,
			wasStored: this.stored !== undefined || this.isWatched,
			quiet,
			reports: [...this.recentReports, ...(isQuiet ? [] : [{ instead: sum, at: Date.now() }])],
			...rest,
		});
		for (const oldest of leftBy.keys()) {
			if (leftBy.size <= MOST_LEFT) return;
			leftBy.delete(oldest);
		}
	}

	private get recentReports(): Left['reports'] {
		return (this.carried?.reports ?? []).filter(({ at }) => Date.now() - at < COMMIT_TIME);
	}

	/** n8n watches this data for changes, and saves it: there are no durable cursors. */
	private get isWatched(): boolean {
		return '__dataChanged' in this.data;
	}

	private keptBaseline(): Quiet | undefined {
		const kept = this.context.getWorkflowStaticData('global')[BASELINES] as Record<string, unknown> | undefined;
		return kept?.[this.context.getNode().id] as Quiet | undefined;
	}

	/** Keeps the baseline that an activation set where n8n saves it at the end of the activation, or lets go of it. */
	private keepBaseline(baseline: Quiet | undefined): void {
		const global = this.context.getWorkflowStaticData('global');
		const { [this.context.getNode().id]: own, ...others } = (global[BASELINES] ?? {}) as IDataObject;
		if (baseline !== undefined && !this.isWatched) {
			global[BASELINES] = { ...others, [this.context.getNode().id]: baseline as unknown as IDataObject };
		} else if (own !== undefined && (own as unknown as Quiet).instead !== this.sum) {
			if (Object.keys(others).length > 0) global[BASELINES] = others;
			else delete global[BASELINES];
		}
	}
}

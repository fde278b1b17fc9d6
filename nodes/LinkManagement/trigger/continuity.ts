import type { IDataObject, IPollFunctions, WorkflowActivateMode } from 'n8n-workflow';

import { isSavedByEngine } from '../engine/staticData';
import { openState, type Owner, type StoredState } from '../watch';
import { TriggerMemory } from './memory';

/** A state that n8n has not stored (yet), and the checksum of the stored state that it takes the place of. */
interface Provisional {
	instead: string | null;
	state: StoredState;
}

/** What the polls of one node leave for the next in this process, besides what n8n stores. */
export interface Left {
	state: StoredState;
	/** n8n stores what the polls of this node leave. */
	wasStored: boolean;
	/**
	 * n8n may have kept nothing of a quiet poll: not of the one at activation, and in some modes of none. Reading goes on
	 * from here rather than from the beginning; a crash costs that progress and nothing else.
	 */
	quiet?: Provisional;
	/** When the latest reports were given to n8n (ms), each with the checksum of the state that was stored until then. */
	reports: ReadonlyArray<{ instead: string | null; at: number }>;
}

/** All that n8n and this process hold of a node when it polls. */
export interface Situation {
	/** Why n8n last activated the workflow: turned on by the user, n8n started, the workflow edited, … */
	activation: WorkflowActivateMode;
	/** The first poll after an activation, or a poll by the durable scheduler, which gives each a context of its own. */
	isFirst: boolean;
	/** The state that n8n hands over; belongs to the name of the node, durable cursors aside. */
	stored?: unknown;
	/** The baseline that an activation left in the workflow's data. */
	baseline?: Provisional;
	/** What the last poll of the node left in this process. */
	left?: Left;
	/** The settings of the trigger, see `Owner`. */
	settings: string;
	/** The user wants existing records reported. */
	includesExisting: boolean;
	/** The time (ms). */
	now: number;
}

/**
 * What a poll has to go on from.
 * - `state`: this state
 * - `nothing`: it sets a baseline; `why` says why
 * - `older`: a state from before a recent report, which is still on its way into the database, was refused there, or arrived
 *   after n8n had read the state for this poll; nobody can tell which. Such a poll would report everything again, so it waits.
 */
export type Survival =
	| { survives: 'state'; state: StoredState }
	| {
			survives: 'nothing';
			why: 'first' | 'turnedOn' | 'otherSettings' | 'otherVersion' | 'damaged';
			/** Whose the state was that is of no use: its account need not be read again. */
			owner?: Owner;
	  }
	| { survives: 'older' };

/** n8n commits a report within this time (ms), or never; and a poll does not begin later with what n8n had read for it. */
const COMMIT_TIME = 30_000;

/**
 * What of a node's past survives until this poll.
 *
 * n8n stores the state that a poll leaves together with its report, by default beside it. Three things are missing there:
 * - Durable cursors don't keep the state of the poll at activation. It stands in the workflow's data until they do.
 * - Stored data belongs to the name of the node (durable cursors aside). After another name, the process still knows it.
 * - With several polls due at once, as after a restart, n8n may hand a poll the state from before the last report,
 *   which is still on its way into the database.
 */
export function whatSurvives(situation: Situation): Survival {
	const { activation, isFirst, stored, settings, includesExisting } = situation;
	// The first poll of an activation starts from what n8n stored, unless n8n only took up an edited workflow.
	const left = carried(situation);
	// A context that has polled before holds its state itself.
	if (isFirst && recentReports(situation).some(({ instead }) => instead === sumOf(stored)))
		return { survives: 'older' };
	const last = provisionalOf(situation)?.state ?? stored ?? (left?.wasStored ? left.state : undefined);

	const state = openState(last);
	if (state === 'none') return { survives: 'nothing', why: 'first' };
	if (typeof state === 'string') return { survives: 'nothing', why: state };
	if (state.settings !== settings) return { survives: 'nothing', why: 'otherSettings', owner: state };
	// Turned on by the user, the trigger starts afresh; with existing records wanted, those not yet reported are.
	if (isFirst && activation === 'activate' && !includesExisting) {
		return { survives: 'nothing', why: 'turnedOn', owner: state };
	}
	return { survives: 'state', state };
}

/** What a poll did, as far as the next one is concerned. */
interface PollEnd {
	state: StoredState;
	/** It reports nothing. */
	isQuiet: boolean;
	/** It is the one at activation. */
	atActivation: boolean;
	/** n8n watches the node's data for changes, and saves it: there are no durable cursors. */
	isSaved: boolean;
}

/** What a poll leaves: in this process, and as a baseline in the workflow's data (undefined: none is to stand there). */
export function whatIsLeft(situation: Situation, end: PollEnd): { left: Left; baseline?: Provisional } {
	const { stored, baseline, now } = situation;
	const { state, isQuiet, atActivation, isSaved } = end;
	const instead = sumOf(stored);
	const provisional: Provisional = { instead, state };
	const setsBaseline = isQuiet && atActivation && !isSaved;
	return {
		left: {
			state,
			wasStored: stored !== undefined || isSaved,
			quiet: isQuiet ? provisional : provisionalOf(situation),
			reports: [...recentReports(situation), ...(isQuiet ? [] : [{ instead, at: now }])],
		},
		// Once n8n has stored another state, the baseline has done its work.
		baseline: setsBaseline ? provisional : baseline?.instead === instead ? baseline : undefined,
	};
}

function sumOf(stored: unknown): string | null {
	return (stored as Partial<StoredState> | undefined)?.sum ?? null;
}

function carried({ isFirst, activation, left }: Situation): Left | undefined {
	return !isFirst || activation === 'update' ? left : undefined;
}

/** The state that n8n has not stored, where it still takes the place of the one that n8n has. */
function provisionalOf(situation: Situation): Provisional | undefined {
	const { activation, stored, baseline } = situation;
	const provisional = carried(situation)?.quiet ?? (activation === 'activate' ? undefined : baseline);
	return provisional?.instead === sumOf(stored) ? provisional : undefined;
}

function recentReports(situation: Situation): Left['reports'] {
	return (carried(situation)?.reports ?? []).filter(({ at }) => situation.now - at < COMMIT_TIME);
}

/** What the polls of all nodes leave in this process. */
export const memory = new TriggerMemory<Left>();

function bytesOf({ fields }: StoredState): number {
	return Object.values(fields).reduce<number>((sum, value) => sum + String(value).length, 0);
}

/** One node's thread from poll to poll: gathers the situation of a poll, and leaves things for the next one. */
export class Continuity {
	readonly survival: Survival;

	readonly situation: Situation;

	private readonly data: IDataObject;

	/** The workflow's data, and the name by which it keeps the baseline that an activation of this node set. */
	private readonly shared: IDataObject;

	private readonly baselineName: string;

	/**
	 * @param key tells the node from all others of this n8n
	 * @param settings see `Owner`
	 */
	constructor(
		private readonly context: IPollFunctions,
		private readonly key: string,
		settings: string,
		includesExisting: boolean,
	) {
		this.data = context.getWorkflowStaticData('node');
		this.shared = context.getWorkflowStaticData('global');
		this.baselineName = `linkManagementTriggerBaseline ${context.getNode().id}`;
		this.situation = {
			activation: context.getActivationMode(),
			isFirst: !memory.isMarked(this.data, context),
			stored: this.data.state,
			baseline: this.shared[this.baselineName] as Provisional | undefined,
			left: memory.get(key),
			settings,
			includesExisting,
			now: Date.now(),
		};
		this.survival = whatSurvives(this.situation);
	}

	/** Leaves the state for the next poll. */
	leave(end: Omit<PollEnd, 'isSaved'>): void {
		const { data, context, key } = this;
		const now = Date.now();
		const isSaved = isSavedByEngine(data);
		const { left, baseline } = whatIsLeft({ ...this.situation, now }, { ...end, isSaved });
		const { state } = end;
		if (state.sum !== sumOf(this.situation.stored)) data.state = state as unknown as IDataObject;
		memory.mark(data, context);
		this.keepBaseline(baseline);
		memory.keep(key, left, bytesOf(state), now);
	}

	private keepBaseline(baseline: Provisional | undefined): void {
		if (baseline === this.situation.baseline) return;
		if (baseline === undefined) delete this.shared[this.baselineName];
		else this.shared[this.baselineName] = baseline as unknown as IDataObject;
	}
}

import type { IDataObject, IPollFunctions, WorkflowActivateMode } from 'n8n-workflow';

import { isSavedByEngine } from '../n8n/lifetimes';
import { openState, type Owner, type StoredState } from '../watch';
import { TriggerMemory } from './memory';

/** A state, and the checksum of the stored state that it takes the place of. */
interface Provisional {
	instead: string | null;
	state: StoredState;
}

/** What the polls of one node leave for the next in this process, besides what n8n stores. */
export interface Left extends Provisional {
	/**
	 * The last poll reported nothing, so n8n may not have kept its state: not that of the poll at activation, and in some modes of
	 * none. Reading goes on from here rather than from the beginning; a crash costs that progress and nothing else.
	 */
	isQuiet: boolean;
	/** When the latest reports were given to n8n (ms), each with the checksum of the state that was stored until then. */
	reports: ReadonlyArray<{ instead: string | null; at: number }>;
}

/** All that n8n and this process hold of a node when it polls. */
export interface Situation {
	/** Why n8n last activated the workflow: turned on by the user, n8n started, the workflow edited, … */
	activation: WorkflowActivateMode;
	/** The first poll after an activation, or a poll by the durable scheduler, which gives each a context of its own. */
	isFirst: boolean;
	/** n8n watches the node's data for changes, and saves it: there are no durable cursors. */
	isSaved: boolean;
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
			why: 'first' | 'turnedOn' | 'otherSettings' | 'damaged';
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
	const { activation, isFirst, isSaved, stored, settings, includesExisting } = situation;
	// A context that has polled before holds its state itself.
	if (isFirst && recentReports(situation).some(({ instead }) => instead === sumOf(stored))) {
		return { survives: 'older' };
	}
	const renamed = isSaved ? carried(situation)?.state : undefined;
	const state = openState(provisional(situation)?.state ?? stored ?? renamed);
	if (typeof state === 'string') return { survives: 'nothing', why: state === 'none' ? 'first' : state };
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
}

/** What a poll leaves: in this process, and as a baseline in the workflow's data (undefined: none is to stand there). */
export function whatIsLeft(situation: Situation, end: PollEnd): { left: Left; baseline?: Provisional } {
	const { stored, baseline, isSaved, now } = situation;
	const { state, isQuiet, atActivation } = end;
	const instead = sumOf(stored);
	const reports = [...recentReports(situation), ...(isQuiet ? [] : [{ instead, at: now }])];
	const left = { state, instead, isQuiet, reports };
	if (isQuiet && atActivation && !isSaved) return { left, baseline: { state, instead } };
	// Once n8n has stored another state, the baseline has done its work.
	return { left, baseline: baseline?.instead === instead ? baseline : undefined };
}

function sumOf(stored: unknown): string | null {
	return (stored as Partial<StoredState> | undefined)?.sum ?? null;
}

/** The first poll of an activation starts from what n8n stored, unless n8n only took up an edited workflow. */
function carried({ isFirst, activation, left }: Situation): Left | undefined {
	return !isFirst || activation === 'update' ? left : undefined;
}

/** The state that n8n has not stored, where it still takes the place of the one that n8n has. */
function provisional(situation: Situation): Provisional | undefined {
	const { activation, stored, baseline } = situation;
	const left = carried(situation);
	const state = left?.isQuiet ? left : activation === 'activate' ? undefined : baseline;
	return state?.instead === sumOf(stored) ? state : undefined;
}

function recentReports(situation: Situation): Left['reports'] {
	return (carried(situation)?.reports ?? []).filter(({ at }) => situation.now - at < COMMIT_TIME);
}

/** What the polls of all nodes leave in this process. */
export const memory = new TriggerMemory();

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
			isSaved: isSavedByEngine(this.data),
			stored: this.data.state,
			baseline: this.shared[this.baselineName] as Provisional | undefined,
			left: JSON.parse(memory.get(key) ?? 'null') as Left | undefined,
			settings,
			includesExisting,
			now: Date.now(),
		};
		this.survival = whatSurvives(this.situation);
	}

	/** Leaves the state for the next poll. */
	leave(end: PollEnd): void {
		const { data, shared, baselineName, context, key } = this;
		const now = Date.now();
		const { left, baseline } = whatIsLeft({ ...this.situation, now }, end);
		if (end.state.sum !== left.instead) data.state = end.state as unknown as IDataObject;
		memory.mark(data, context);
		memory.keep(key, JSON.stringify(left), now);
		if (baseline === this.situation.baseline) return;
		if (baseline === undefined) delete shared[baselineName];
		else shared[baselineName] = baseline as unknown as IDataObject;
	}
}

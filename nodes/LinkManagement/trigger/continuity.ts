import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { isSavedByEngine } from '../n8n/lifetimes';
import type { StateFields } from '../watch';
import { memory } from './memory';
import { fingerprint, type Owner } from './owner';

/** What is stored. The ID tells a state from others, by what it says. */
interface StoredState extends Owner {
	id: string;
	fields: StateFields;
}

/** A state, and the ID of the stored state that it takes the place of. */
interface Provisional {
	instead?: string;
	state: StoredState;
}

/** What the polls of one node leave for the next in this process, besides what n8n stores. */
interface Left extends Provisional {
	/**
	 * The last poll reported nothing, so n8n may not have kept its state: not that of the poll at activation, and in some modes of
	 * none. Reading goes on from here rather than from the beginning; a crash costs that progress and nothing else.
	 */
	isQuiet: boolean;
	/** When the latest reports were given to n8n (ms), each with the ID of the state that was stored until then. */
	reports: Array<{ instead?: string; at: number }>;
}

/** n8n commits a report within this time (ms), or never; and a poll does not begin later with what n8n had read for it. */
const COMMIT_TIME = 30_000;

/**
 * One node's thread from poll to poll: what of its past survives until this poll, and what it leaves for the next one.
 *
 * n8n stores the state that a poll leaves together with its report, by default beside it. Three things are missing there:
 * - Durable cursors don't keep the state of the poll at activation. It stands in the workflow's data until they do.
 * - Stored data belongs to the name of the node (durable cursors aside). After another name, the process still knows it.
 * - With several polls due at once, as after a restart, n8n may hand a poll the state from before the last report,
 *   which is still on its way into the database.
 */
export class Continuity {
	/** The first poll after an activation, or a poll by the durable scheduler, which gives each a context of its own. */
	readonly isFirst: boolean;
	/**
	 * The state is from before a recent report, which is still on its way into the database, was refused there, or arrived after
	 * n8n had read the state for this poll; nobody can tell which. Such a poll would report everything again, so it has to wait.
	 */
	readonly isOutdated: boolean;
	/** Whose the last state was. */
	readonly owner?: Owner;
	/** What the poll goes on from; undefined: it sets a baseline. */
	readonly fields?: StateFields;
	private readonly data: IDataObject;
	/** n8n watches the node's data for changes, and saves it: there are no durable cursors. */
	private readonly isSaved: boolean;
	/** The workflow's data, and the name by which it keeps the baseline that an activation of this node set. */
	private readonly shared: IDataObject;
	private readonly baselineName: string;
	/** The ID of the state that n8n handed over; it belongs to the name of the node, durable cursors aside. */
	private readonly instead?: string;
	private readonly reports: Left['reports'];

	/**
	 * @param key tells the node from all others of this n8n
	 * @param settings see `Owner`
	 * @param includesExisting existing records are wanted
	 */
	constructor(
		private readonly context: IPollFunctions,
		private readonly key: string,
		settings: string,
		includesExisting: boolean,
	) {
		this.data = context.getWorkflowStaticData('node');
		this.isSaved = isSavedByEngine(this.data);
		this.shared = context.getWorkflowStaticData('global');
		this.baselineName = `linkManagementTriggerBaseline ${context.getNode().id}`;
		this.isFirst = !memory.isMarked(this.data, context);
		const activation = context.getActivationMode();
		// The first poll of an activation starts from what n8n stored, unless n8n only took up an edited workflow.
		const text = !this.isFirst || activation === 'update' ? memory.recall(key) : undefined;
		const left = text === undefined ? undefined : (JSON.parse(text) as Left);
		const baseline = this.shared[this.baselineName] as Provisional | undefined;
		const stored = this.data.state as StoredState | undefined;
		this.instead = stored?.id;
		const now = Date.now();
		this.reports = (left?.reports ?? []).filter(({ at }) => now - at < COMMIT_TIME);
		this.isOutdated = this.reports.some(({ instead }) => instead === stored?.id);

		// What n8n has not stored, where it still takes the place of what n8n has.
		const provisional = left?.isQuiet ? left : baseline;
		const replacing = provisional?.instead === stored?.id ? provisional?.state : undefined;
		const renamed = this.isSaved ? left?.state : undefined;
		const state = copyOf(replacing ?? stored ?? renamed);
		this.owner = state;
		// Turned on by the user, the trigger starts afresh; with existing records wanted, those not yet reported are.
		const isTurnedOn = this.isFirst && activation === 'activate' && !includesExisting;
		if (state?.settings === settings && !isTurnedOn) this.fields = state.fields;
	}

	/**
	 * Leaves the state for the next poll.
	 *
	 * @param end `isQuiet`: the poll reports nothing; `atActivation`: it is the one at activation
	 */
	leave(owner: Owner, fields: StateFields, end: { isQuiet: boolean; atActivation: boolean }): void {
		const { isQuiet, atActivation } = end;
		const { data, shared, baselineName, context, key, instead } = this;
		const state: StoredState = { ...owner, fields, id: fingerprint([owner, fields]) };
		const reports = isQuiet ? this.reports : [...this.reports, { instead, at: Date.now() }];
		memory.mark(data, context);
		memory.remember(key, JSON.stringify({ state, instead, isQuiet, reports } satisfies Left));
		if (state.id !== instead) data.state = state as unknown as IDataObject;
		const baseline = shared[baselineName] as Provisional | undefined;
		if (isQuiet && atActivation && !this.isSaved) shared[baselineName] = { state, instead } as unknown as IDataObject;
		// Once n8n has stored another state, the baseline has done its work.
		else if (baseline !== undefined && baseline.instead !== instead) delete shared[baselineName];
	}
}

/** n8n watches its data for changes, part by part: a copy is read many times faster. */
function copyOf<Value>(value: Value): Value {
	return JSON.parse(JSON.stringify(value ?? null)) as Value;
}

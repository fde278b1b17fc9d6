import { createHash } from 'crypto';

import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { isSavedByEngine } from '../n8n/lifetimes';
import type { Connection } from '../service/connection';
import type { StateFields } from '../watch';
import { memory } from './memory';

const VERSION = 1;

interface StoredState {
	version: number;
	settings: string;
	/** The service and the key. */
	account: string;
	/** When its report or baseline was made (ms), later than all before: a poll that reports nothing leaves it as it was. */
	made: number;
	fields: StateFields;
}

/** What the polls of one node leave for the next in this process, besides what n8n stores. */
interface Remembered {
	/** The state after polls that reported nothing, which n8n does not keep in all modes; and when that was made which n8n has. */
	quiet?: { from: number; state: StoredState };
	/** The last report: when the state was made that n8n had until then, and when it was given to n8n (ms). */
	report?: { from: number; at: number };
}

/** n8n commits a report within this time (ms), or never; and a poll does not begin later with what n8n had read for it. */
const COMMIT_TIME = 30_000;

/** Tells a service and key from others, for one node: of the key it holds far too little to find it out. */
function accountOf(node: string, { address, apiKey }: Pick<Connection, 'address' | 'apiKey'>): string {
	return createHash('sha256')
		.update(JSON.stringify([node, address, apiKey]))
		.digest('hex')
		.slice(0, 16);
}

/**
 * One node's thread from poll to poll: what of its past survives until this poll, and what it leaves for the next one.
 *
 * n8n stores the state that a poll leaves together with its report, by default beside it. Two things are missing there:
 * - Durable cursors don't keep the state of the poll at activation. It stands in the workflow's data until they do.
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
	/** The last state is of another service or key. */
	readonly isOfAnother: boolean;
	/** What the poll goes on from; undefined: it sets a baseline. */
	readonly fields?: StateFields;
	private readonly data: IDataObject;
	/** n8n watches the node's data for changes, and saves it: there are no durable cursors. */
	private readonly isSaved: boolean;
	/** The workflow's data, and the name by which it keeps the baseline that an activation of this node set. */
	private readonly shared: IDataObject;
	private readonly baselineName: string;
	private readonly own: Pick<StoredState, 'version' | 'settings' | 'account'>;
	/** When the state was made that n8n handed over; 0: there is none. */
	private readonly handed: number;
	private readonly last?: StoredState;
	/** n8n has stored a later state than the baseline. */
	private readonly isBaselineOver: boolean;
	private readonly report: Remembered['report'];

	/**
	 * @param key tells the node from all others of this n8n
	 * @param settings of the watch: a state of others counts no more
	 * @param includesExisting existing records are wanted
	 */
	constructor(
		private readonly context: IPollFunctions,
		private readonly key: string,
		access: Parameters<typeof accountOf>[1],
		settings: string,
		includesExisting: boolean,
	) {
		this.own = { version: VERSION, settings, account: accountOf(key, access) };
		this.data = context.getWorkflowStaticData('node');
		this.isSaved = isSavedByEngine(this.data);
		this.shared = context.getWorkflowStaticData('global');
		this.baselineName = `linkManagementTriggerBaseline ${context.getNode().id}`;
		this.isFirst = !memory.isMarked(this.data, context);
		const { quiet, report } = JSON.parse(memory.recall(key) ?? '{}') as Remembered;
		this.report = report;

		const stored = copyOf(this.data.state) as StoredState | undefined;
		const baseline = copyOf(this.shared[this.baselineName]) as StoredState | undefined;
		this.isBaselineOver = baseline !== undefined && (stored?.made ?? 0) >= baseline.made;
		const handed = baseline === undefined || this.isBaselineOver ? stored : baseline;
		this.handed = handed?.made ?? 0;
		this.isOutdated = report?.from === this.handed && Date.now() - report.at < COMMIT_TIME;
		const last = quiet?.from === this.handed ? quiet.state : handed;
		this.last = last;
		this.isOfAnother = last !== undefined && last.account !== this.own.account;
		// Turned on by the user, the trigger starts afresh; with existing records wanted, those not yet reported are.
		const isTurnedOn = this.isFirst && context.getActivationMode() === 'activate' && !includesExisting;
		const isOwn = last?.version === VERSION && last.settings === settings && !this.isOfAnother;
		if (isOwn && !isTurnedOn) this.fields = last.fields;
	}

	/** Leaves the state for the next poll. @param end `isQuiet`: the poll reports nothing; `atActivation`: it is the one at activation */
	leave(fields: StateFields, { isQuiet, atActivation }: { isQuiet: boolean; atActivation: boolean }): void {
		const { data, shared, baselineName, context, key, handed: from, last } = this;
		const isSame = isQuiet && this.fields !== undefined;
		const before = Math.max(from, last?.made ?? 0);
		const state: StoredState = { ...this.own, made: isSame ? before : Math.max(before + 1, Date.now()), fields };
		const { report } = this;
		const remembered: Remembered = isQuiet ? { quiet: { from, state }, report } : { report: { from, at: Date.now() } };
		memory.mark(data, context);
		memory.remember(key, JSON.stringify(remembered));
		data.state = state as unknown as IDataObject;
		if (isQuiet && atActivation && !this.isSaved) shared[baselineName] = state as unknown as IDataObject;
		else if (this.isBaselineOver) delete shared[baselineName];
	}
}

/** n8n watches its data for changes, part by part: a copy is read many times faster. */
function copyOf(value: unknown): unknown {
	return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

import { NodeOperationError, type IDataObject } from 'n8n-workflow';

import { ApiError } from '../api/apiError';
import { asText } from '../api/records';
import { listed, type AccountLinks } from '../match/account';
import type { LinkRecord } from '../match/linkIndex';
import { changedRecord } from '../match/merge';
import {
	differences,
	isMatchedByAlias,
	linkOf,
	planRows,
	stepFor,
	type LinkFields,
	type Matching,
	type PlannedRow,
	type Step,
} from '../match/plan';
import { aliasOf, hostOf, isSameUrl } from '../match/url';
import { accountLinksOf, readDetails, readerOf, itemRecord } from './accountLinks';
import { createLink, findByAlias, OtherLinkError } from './createLink';
import type { Item } from './item';
import { together } from './together';
import { sendLinkUpdate } from './updateLink';

/** A row that asks for a link to be there. */
export interface UpsertRow {
	/** Fields under the names under which they go out. */
	fields: IDataObject;
	matching: Matching;
	/** Nothing is sent but reading. */
	dryRun: boolean;
}

/** What the rows of a run ask for, planned together. */
interface Plan {
	rows: Map<number, PlannedRow>;
	/** Some row can't be done; where the run ends at errors, none is sent. */
	hasProblem: boolean;
	/** What rows have come to: later rows that mean the same link wait for them. */
	done: Map<number, { promise: Promise<void>; finish: () => void }>;
	/** In a dry run, the links as they would be. */
	imagined: Map<number, LinkRecord>;
}

/** How often a row is tried that others change at the same time. */
const MOST_TRIES = 3;

type Action = 'created' | 'updated' | 'unchanged';

function isProblem({ step, fields, after }: PlannedRow): boolean {
	const lacksUrl = step.action === 'create' && fields.url === undefined && after === undefined;
	return step.action === 'conflict' || step.action === 'ambiguous' || lacksUrl;
}

async function planTogether(asked: Array<{ item: Item; row: UpsertRow }>): Promise<Plan> {
	const [{ item }] = asked;
	const links = accountLinksOf(item);
	await links.learn(
		asked.map(({ row }) => ({ fields: row.fields, matchOn: row.matching.matchOn })),
		readerOf(item),
	);
	const rows = asked
		.map((one) => ({ item: one.item.context.getItemIndex(), fields: one.row.fields, matching: one.row.matching }))
		.sort((one, other) => one.item - other.item);
	const planned = planRows(rows, links.index);
	const done = new Map<number, { promise: Promise<void>; finish: () => void }>();
	for (const row of planned) {
		let finish: () => void = () => undefined;
		const promise = new Promise<void>((resolve) => {
			finish = resolve;
		});
		done.set(row.item, { promise, finish });
	}
	return {
		rows: new Map(planned.map((row) => [row.item, row])),
		hasProblem: planned.some(isProblem),
		done,
		imagined: new Map(),
	};
}

/** The error of a row that can't be done as it stands. */
function problemOf(item: Item, { step, fields }: PlannedRow, labels: (name: string) => string): NodeOperationError {
	const itemIndex = item.context.getItemIndex();
	const error = (message: string, description: string) =>
		new NodeOperationError(item.context.getNode(), `${message} [item ${itemIndex}]`, { itemIndex, description });
	if (step.action === 'conflict') {
		return error(
			`Item ${itemIndex} means the same link as item ${step.item}, and says something else: ${step.fields.map(labels).join(', ')}`,
			`Keep one of the two rows, or give them aliases of their own. Items are counted from 0.`,
		);
	}
	if (step.action === 'ambiguous') {
		return error(
			`The alias "${step.alias}" stands on several domains: ${step.hosts.join(', ')}`,
			'Name the domain in the row, as https://… .',
		);
	}
	return error(
		`Long URL is empty, and there is no link ${fields.custom === undefined ? 'to update' : `with the alias "${String(fields.custom)}"`}`,
		'A new link needs a long URL: enter a value, or check the column that should have one.',
	);
}

/** The record of a link as a row would have it. */
function imagine(fields: LinkFields): LinkRecord {
	const { url, custom } = fields;
	return changedRecord({ ...(custom === undefined ? {} : { alias: custom }), longurl: url }, fields);
}

/** One row at work. */
class RowAtWork {
	private readonly links: AccountLinks;

	constructor(
		private readonly item: Item,
		private readonly row: UpsertRow,
		private readonly check: (body: IDataObject) => void,
	) {
		this.links = accountLinksOf(item);
	}

	/** What the row asks for by what is known now. */
	decide(): Step {
		const { fields, matching } = this.row;
		const meant = linkOf(fields, this.links.index, matching.matchOn);
		if (meant === undefined) return { action: 'create' };
		if ('hosts' in meant) return { action: 'ambiguous', alias: String(fields.custom), hosts: meant.hosts };
		return stepFor(fields, meant.record, matching.updateWhen);
	}

	/**
	 * Does what a step says. Where others have changed the account meanwhile, the row is looked at again.
	 *
	 * @throws ApiError what the service refuses
	 */
	async perform(first: Step): Promise<IDataObject> {
		let step = first;
		let failure: ApiError | undefined;
		let isLost = false;
		for (let tries = 0; tries < MOST_TRIES; tries++) {
			if (step.action === 'unchanged') return this.outcome(step.record, isLost ? 'created' : 'unchanged');
			if (step.action === 'update') {
				const changed = await this.update(step.record);
				if (changed !== undefined) return changed;
				step = this.decide();
				continue;
			}
			const made = await this.create().catch((error: unknown) => {
				const hasAlias = this.row.fields.custom !== undefined;
				const mayBeThere = error instanceof ApiError && !(error instanceof OtherLinkError) && hasAlias;
				if (!mayBeThere || (error.kind !== 'uncertain' && error.kind !== 'rejected')) throw error;
				return error;
			});
			if (!(made instanceof ApiError)) return made;
			failure = made;
			// With an alias it can be sent again: the service makes it once.
			if (made.kind === 'uncertain') {
				isLost = true;
				continue;
			}
			// The alias may have been taken since the list was read, by another run on the same rows.
			const there = await findByAlias(this.item, this.row.fields);
			if (there === undefined) throw made;
			step = stepFor(this.row.fields, there, this.row.matching.updateWhen);
		}
		throw failure ?? new ApiError('rejected', 'The link is changed by others all the time', 'Run this row again.');
	}

	private outcome(record: LinkRecord, action: Action): IDataObject {
		return outcomeOf(record, { action });
	}

	private async create(): Promise<IDataObject> {
		const { item, links, row } = this;
		const { fields } = row;
		this.check(fields);
		const findLost =
			fields.custom === undefined ? async () => await links.newestWith(fields.url, readerOf(item)) : undefined;
		const { record, existing } = await createLink(item, fields, findLost);
		const whole = changedRecord(record, { ...fields, custom: undefined });
		links.note(whole);
		return existing ? { ...this.outcome(whole, 'unchanged'), existing: true } : this.outcome(whole, 'created');
	}

	/** @returns undefined when it is not the link that the row means any more; the account's links are then known better */
	private async update(record: LinkRecord): Promise<IDataObject | undefined> {
		const { item, links, row } = this;
		const { fields, matching } = row;
		const details = links.takeDetails(record) ?? (await readDetails(item, record.id));
		if (details === undefined) return await this.gone(record);
		const shown = { ...record, ...listed(details) };
		if (!this.isMeant(shown)) {
			links.note(shown);
			return undefined;
		}
		const differing = differences(fields, shown);
		if (differing.length === 0 && matching.updateWhen === 'changed') {
			links.note(shown);
			return this.outcome(shown, 'unchanged');
		}
		const isRenamed = fields.custom !== undefined && String(fields.custom) !== aliasOf(shown);
		const changes = { ...fields, custom: isRenamed ? fields.custom : undefined };
		const answer = await sendLinkUpdate(item, { ...record, ...details }, changes, this.check).catch(
			async (error: unknown) => {
				const isRefused = error instanceof ApiError && error.kind === 'rejected';
				if (isRefused && (await readDetails(item, record.id)) === undefined) return undefined;
				throw error;
			},
		);
		if (answer === undefined) return await this.gone(record);
		const changed = changedRecord(shown, changes, answer.shorturl);
		links.note(changed);
		return this.outcome(changed, 'updated');
	}

	/** Whether a link that was read just now is still the one that the row means. */
	private isMeant(shown: LinkRecord): boolean {
		const { fields, matching } = this.row;
		if (!isMatchedByAlias(fields, matching.matchOn)) return isSameUrl(shown.longurl, fields.url);
		const host = hostOf(fields.domain);
		return aliasOf(shown) === String(fields.custom) && (host === undefined || hostOf(shown.shorturl) === host);
	}

	/** A link that can't be read any more. Without an alias, another one must not be made unless it is gone for sure. */
	private async gone(record: LinkRecord): Promise<undefined> {
		const { item, links, row } = this;
		if (!isMatchedByAlias(row.fields, row.matching.matchOn)) {
			const still = await links.verify(record, readerOf(item));
			if (still !== undefined && asText(still.id) === asText(record.id)) {
				throw new ApiError(
					'rejected',
					`The service lists the link ${asText(record.shorturl)}, but does not show its details`,
					'Run this row again.',
				);
			}
		}
		links.forget(record);
		return undefined;
	}
}

/**
 * Sees to it that the account has the link of a row (interface: Create or Update). What the account has is read once for all items.
 *
 * @param labels the names that the editor shows
 * @param check throws when a link can't be sent as it is
 * @returns the link's record and the action; undefined where another row's error ends the run
 * @throws NodeOperationError for rows that contradict each other or name no domain, ApiError for what the service refuses
 */
export async function upsertLink(
	item: Item,
	row: UpsertRow,
	labels: (name: string) => string,
	check: (body: IDataObject) => void,
): Promise<IDataObject | undefined> {
	const plan = await together(item, 'upsert', { item, row }, planTogether);
	const index = item.context.getItemIndex();
	const planned = plan.rows.get(index)!;
	const { step, after } = planned;
	const before = after === undefined ? undefined : plan.done.get(after);
	try {
		if (isProblem(planned)) {
			throw problemOf(item, planned, labels);
		}
		if (plan.hasProblem && !item.context.continueOnFail()) return undefined;
		await before?.promise;
		if (row.dryRun) return dryRun(plan, planned);
		const work = new RowAtWork(item, row, check);
		return await work.perform(before === undefined ? step : work.decide());
	} finally {
		plan.done.get(index)?.finish();
	}
}

/** The item of a row: what became of it comes first, where the editor shows it without scrolling. */
function outcomeOf(record: LinkRecord, outcome: { action: Action; dryRun?: true }): IDataObject {
	return { ...outcome, ...itemRecord(record), ...outcome };
}

function dryRun({ imagined }: Plan, { item, fields, matching, step, after }: PlannedRow): IDataObject {
	const earlier = after === undefined ? undefined : imagined.get(after);
	const { updateWhen } = matching;
	const now: Step = earlier === undefined ? step : stepFor(fields, earlier, updateWhen);
	const record =
		now.action === 'update'
			? changedRecord(now.record, fields)
			: now.action === 'unchanged'
				? now.record
				: imagine(fields);
	imagined.set(item, record);
	const action: Action = now.action === 'update' ? 'updated' : now.action === 'unchanged' ? 'unchanged' : 'created';
	return outcomeOf(record, { action, dryRun: true });
}

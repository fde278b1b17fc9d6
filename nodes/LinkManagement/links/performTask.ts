/** Performs the tasks of Create or Update, from the plan to the items of their rows. */
import type { IDataObject } from 'n8n-workflow';

import { StoppedError } from '../n8n/stop';
import { inEditor, toModel } from '../service/advice';
import { ApiError, DoneOtherwiseError } from '../service/errors';
import { asText, flatRecord, idOf } from '../service/records';
import { differences, namesIn, needsDetails, notShown, predict } from './comparison';
import { createLink } from './createLink';
import { LinkFinder } from './find';
import { isEmpty, type LinkFieldName, type LinkFields, pick } from './linkFields';
import { linkIn, merge } from './linkIndex';
import { itemRecord, type LinkRow, type Outcome } from './linkRow';
import type { LinkTask } from './plan';
import { describeLink, identitiesOf, idOfLink, keyOf, type LinkRecord, longUrlNameOf } from './reference';
import { aboutRows, checkCanBeGiven, namesToFind, type SheetRow, type SheetRules } from './sheetRow';
import { changesInWords, prepareUpdate, updateLink } from './updateLink';
import { aliasOf, isSameAddress } from './url';

type Task = LinkTask<SheetRow & { readonly row: LinkRow }>;

/** What was done with a link. */
interface Done {
	/** The link as it is now. */
	link: LinkRecord;
	action: 'created' | 'updated' | 'unchanged';
	/** What an update has found. */
	before?: LinkRecord;
	/** It was there before the service was asked to make it. */
	existing?: boolean;
}

function notAsPlanned(link: LinkRecord, what: string): ApiError {
	const problem = `The link ${describeLink(link)} ${what} while the node was running`;
	return new ApiError(
		'refused',
		problem,
		`Nothing was sent for this row. ${inEditor('Run it again.')} ${toModel('Call again.')}`,
	);
}

/** Whether a creation may have failed because others have made a link with the alias meanwhile. */
function isTaken({ custom }: LinkFields, error: unknown): boolean {
	const isOwnRefusal = error instanceof ApiError && !(error instanceof DoneOtherwiseError) && error.kind === 'refused';
	return custom !== undefined && isOwnRefusal;
}

export class TaskPerformer {
	/** Field that the service does not show → how many links were updated only for it. */
	readonly hidden = new Map<LinkFieldName, number>();

	private readonly meant: ReadonlySet<unknown>;

	/**
	 * @param tasks all of the run
	 * @param isDryRun only reads, and tells what would be done
	 */
	constructor(
		tasks: readonly LinkTask[],
		private readonly rules: SheetRules,
		readonly isDryRun: boolean,
	) {
		this.meant = new Set(tasks.flatMap(({ link }) => (link === undefined ? [] : identitiesOf(link))));
	}

	/** Performs a task. @returns what came of its rows; undefined if the run was stopped */
	async outcomesOf(task: Task): Promise<Map<LinkRow, Outcome> | undefined> {
		const { rows } = task;
		try {
			const done = await (task.link === undefined ? this.make(task) : this.bring(task, task.link));
			return new Map(this.itemsOf(task, done).map((json, at) => [rows[at].row, { items: [{ json }] }]));
		} catch (error) {
			if (error instanceof StoppedError) return undefined;
			const ofAll = aboutRows(error, rows);
			return new Map(rows.map(({ row }) => [row, { items: [], error: ofAll }]));
		}
	}

	/**
	 * Checks, before anything is sent, that an existing link can be given what its rows say: a date that has passed, for example, if it is
	 * not the link's own.
	 */
	async check({ link, rows, fields }: Task): Promise<void> {
		if (link === undefined || this.rules.updateWhen === 'never') return;
		const [{ row }] = rows;
		const wrong = namesIn(fields).filter((name) =>
			rows.some(({ errorsIfGiven }) => errorsIfGiven?.[name] !== undefined),
		);
		const open = pick(fields, differences(pick(fields, wrong), link));
		const details = needsDetails(open) ? await this.detailsOf(row, link) : undefined;
		if (details !== undefined) row.state.index.keepDetails(link, details);
		checkCanBeGiven(rows, differences(open, { ...link, ...(details && flatRecord(details)) }));
	}

	/** The items of a task's rows. The outcome comes first, where the editor shows it without scrolling. */
	private itemsOf({ rows, fields, saidBy }: Task, { link, action, before, existing }: Done): IDataObject[] {
		const changes = rows.map((one) => {
			const own = [...saidBy].flatMap(([name, row]) => (row === one ? [name] : []));
			return before === undefined ? {} : changesInWords(one.row, pick(fields, own), before);
		});
		const isNothing = changes.every((one) => Object.keys(one).length === 0);
		return rows.map((_row, at) => {
			const isFirst = at === 0;
			const isOwn = action === 'updated' ? Object.keys(changes[at]).length > 0 || (isNothing && isFirst) : isFirst;
			const outcome = {
				action: isOwn ? action : 'unchanged',
				...(this.isDryRun ? { dryRun: true } : {}),
				...(action === 'updated' && isOwn ? { changes: changes[at] } : {}),
			};
			return { ...outcome, ...itemRecord(link), ...outcome, ...(existing && isFirst ? { existing } : {}) };
		});
	}

	/** Compares a link with what its rows say, and updates it if they differ. @param isNew it was not there when the plan was made */
	private async bring(task: Task, link: LinkRecord, isNew = false): Promise<Done> {
		const { updateWhen } = this.rules;
		const { fields, rows } = task;
		const [{ row }] = rows;
		const isForced = updateWhen === 'always';
		const isAsAsked = (one: LinkRecord) => !isForced && differences(fields, one).length === 0;
		if (updateWhen === 'never' || (isAsAsked(link) && !needsDetails(fields))) return { link, action: 'unchanged' };
		const finder = new LinkFinder(row);
		const details = await this.detailsOf(row, link);
		if (details === undefined) {
			finder.links.delete(link);
			throw notAsPlanned(link, 'was deleted');
		}
		const shown = finder.links.put(merge(link, linkIn(details, idOf(link))));
		const isMeant = (one: Task['rows'][number]) =>
			namesToFind(one, this.rules).some((name) => finder.links.matching(name, one.fields.url).includes(shown));
		if (!isNew && !rows.some(isMeant)) throw notAsPlanned(link, 'was changed by others');
		const record = { ...flatRecord(details), id: shown.id };
		const known = finder.mergeKnown(record);
		const whole = isAsAsked(known) ? known : await finder.fullRecord(record);
		if (isAsAsked(whole)) return { link: shown, action: 'unchanged' };
		const differing = differences(fields, whole);
		checkCanBeGiven(rows, differing);
		const body = prepareUpdate(row, whole, fields);
		if (this.isDryRun) return { link: predict(shown, fields), action: 'updated', before: whole };
		const updated = await updateLink(row, whole, fields, body);
		const unseen = notShown(differing, whole);
		if (!isForced && unseen.length === differing.length)
			for (const name of unseen) this.hidden.set(name, (this.hidden.get(name) ?? 0) + 1);
		return { link: updated.link, action: 'updated', before: whole };
	}

	/** The details of a link, as sent. If its ID is unknown, it is found by its short URL. */
	private async detailsOf(row: LinkRow, link: LinkRecord): Promise<IDataObject | undefined> {
		const finder = new LinkFinder(row);
		const known = idOf(link);
		if (known !== undefined) return await finder.details(known);
		const shortUrl = asText(link.shorturl);
		const found = () => finder.links.matching({ by: 'shortUrl', shortUrl }).find((one) => idOf(one) !== undefined);
		await finder.lookUp(shortUrl);
		if (found() === undefined) await finder.readNewest(row.size, () => found() !== undefined);
		return await finder.details(idOfLink(found() ?? link));
	}

	/** Makes the link of a task. */
	private async make(task: Task): Promise<Done> {
		const { fields, rows } = task;
		const [{ row }] = rows;
		if (this.isDryRun) {
			const { url, custom, ...others } = fields;
			const alias = custom === undefined ? {} : { alias: custom };
			return { link: predict({ ...alias, longurl: url }, others), action: 'created' };
		}
		if (fields.custom !== undefined) return await this.create(task);
		// Without an alias, only the long URL tells links apart: of executions at the same time, one makes it.
		return await row.connection.beingMade.inTurn(
			keyOf(longUrlNameOf(fields)),
			async (other) => await this.takeOrCreate(task, other),
			({ link: { id, shorturl } }) => ({ id, shorturl }),
		);
	}

	/** Takes the link that another execution makes or has made, if it is still there and has the long URL, or creates one. */
	private async takeOrCreate(task: Task, link?: LinkRecord): Promise<Done> {
		const [{ row }] = task.rows;
		const details = link && (await this.detailsOf(row, link));
		if (link === undefined || details === undefined) return await this.create(task);
		const { index } = row.state;
		const read = index.put(merge(link, linkIn(details, idOf(link))));
		if (!isSameAddress(read.longurl, task.fields.url)) return await this.create(task);
		index.keepDetails(read, details);
		return await this.takeOver(task, read);
	}

	private async create(task: Task): Promise<Done> {
		const { fields, rows } = task;
		const [{ row }] = rows;
		const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
		const isNew = (link: LinkRecord) => !this.isMeant(link);
		const made = await createLink(row, filled, { isNew }).catch(async (error: unknown) => {
			// Where a row names its link by the long URL, the link that has its alias is another one.
			const isOwn = this.rules.matchOn === 'alias' && isTaken(fields, error);
			const link = isOwn ? await new LinkFinder(row).findMade(fields) : undefined;
			if (link === undefined) throw error;
			return { record: link, existing: undefined };
		});
		if (made.existing !== false) return { ...(await this.takeOver(task, made.record)), existing: made.existing };
		const link = row.state.index.put(predict(made.record, { ...fields, custom: undefined }));
		return { link, action: 'created' };
	}

	/** Whether a link is one that was there, and that rows of this run mean. */
	private isMeant(link: LinkRecord): boolean {
		return identitiesOf(link).some((one) => this.meant.has(one));
	}

	/** Goes on with a link that was not there when the plan was made. */
	private async takeOver(task: Task, link: LinkRecord): Promise<Done> {
		const [{ row }] = task.rows;
		if (row.state.newLinks.has(link) || this.isMeant(link)) {
			throw new DoneOtherwiseError(
				`The service gave the link ${describeLink(link)}, which other rows of this run mean`,
				'Nothing was changed for this row. Give the row an alias, or correct its long URL.',
			);
		}
		// The service may write aliases in small letters.
		const alias = aliasOf(link);
		const isLowered = asText(task.fields.custom).toLowerCase() === alias;
		return await this.bring(isLowered ? { ...task, fields: { ...task.fields, custom: alias } } : task, link, true);
	}
}

/** Performs a row of Create or Update, from its plan to its item. */
import type { IDataObject } from 'n8n-workflow';

import { ApiError, DoneOtherwiseError } from '../service/errors';
import { asText, flatRecord } from '../service/records';
import type { Redaction } from '../service/redact';
import { changedRecord, changesOf, differences, notShown } from './comparison';
import { LinkFinder } from './find';
import { isEmpty, labelOf, pick, type LinkFieldName, type LinkFields } from './linkFields';
import { mergeDetails, linkIn, type LinkIndex } from './linkIndex';
import { newLinksOf } from './newLinks';
import { decisionFor, type LinkDecision, type PlannedRow } from './plan';
import { describeLink, keyOf, type LinkName, type LinkRecord } from './reference';
import { createdMeanwhile, itemRecord, type LinkRow, type SheetStep } from './linkRow';
import { checkCanBeGiven, namesToFind, nameOfRow } from './rowNames';
import { createLink, prepareUpdate, updateLink } from './send';
import { aliasOf, hostOf, isSameAddress } from './url';

type Action = 'created' | 'updated' | 'unchanged';

/** What a row still has to do with a link that is there. */
interface Task extends LinkDecision {
	fields: LinkFields;
	/** An earlier row has made or changed the link. */
	isLater: boolean;
}

const MOST_QUOTED = 120;

/** A value in a sentence: text in quotes, shortened after the key is removed. */
function inWords(value: unknown, { text: withoutKey }: Redaction): string {
	const text = withoutKey(typeof value === 'string' ? `"${value}"` : asText(value));
	return text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text;
}

function notAsPlanned(link: LinkRecord, what: string): ApiError {
	const problem = `The link ${describeLink(link)} ${what} while the node was running`;
	return new ApiError('refused', problem, 'Nothing was sent for this row. Run it again.');
}

/** What is left for a row to do: fields of earlier rows of its link are done, unless one of them has failed. */
function taskOf(planned: PlannedRow, decision: LinkDecision, links: LinkIndex): Task {
	const { after, fields, open, updateWhen } = planned;
	if (after === undefined) return { ...decision, fields, isLater: false };
	let done: PlannedRow | undefined = after;
	while (done !== undefined && done.link === undefined) done = done.after;
	const link = done?.link ?? links.get(decision.link);
	if (link === undefined) {
		const problem = `The row targets the same link as ${after.label}, which was not completed`;
		throw new ApiError('refused', problem, 'See what is wrong with that row, and run both again.');
	}
	planned.followsFailure = after.followsFailure === true || done !== after;
	const isLater = done !== undefined;
	if (!planned.followsFailure) return { ...decision, link, fields: pick(fields, open), isLater };
	return { ...decision, link, fields, isLater, action: updateWhen === 'never' ? 'unchanged' : 'compare' };
}

/** A link as the service shows it, compared with its row. */
interface Comparison {
	/** The link as a list would show it. */
	shown: LinkRecord;
	/** The link with all that the service shows. */
	whole: LinkRecord;
	/** The update; undefined if the link is as the row says. */
	update?: { differing: LinkFieldName[]; changes: IDataObject; body: IDataObject };
}

class RowAtWork {
	private readonly planned: PlannedRow;
	private readonly finder: LinkFinder;
	private readonly links: LinkIndex;
	/** Only reads, and puts out what an update would change. */
	private readonly isDryRun: boolean;

	constructor(
		private readonly row: LinkRow,
		private readonly step: SheetStep,
	) {
		this.planned = step.planned;
		this.finder = new LinkFinder(row);
		this.links = this.finder.links;
		this.isDryRun = step.kind === 'show';
	}

	/** Does what the plan says, unless others have changed the link since. @returns the item of the row */
	async perform(): Promise<IDataObject> {
		const { planned, links } = this;
		if (planned.decision.action !== 'create') return await this.carryOut(taskOf(planned, planned.decision, links));
		if (!this.isDryRun) return await this.createOnce();
		const { url, custom, ...fields } = planned.fields;
		return this.item(
			changedRecord({ ...(custom === undefined ? {} : { alias: custom }), longurl: url }, fields),
			'created',
		);
	}

	/** The item of the row. The outcome comes first, where the editor shows it without scrolling. */
	private item(link: LinkRecord, action: Action, more: IDataObject = {}): IDataObject {
		this.planned.link = link;
		const outcome = { action, ...(this.isDryRun ? { dryRun: true } : {}), ...more };
		return { ...outcome, ...itemRecord(link), ...outcome };
	}

	/** Compares a link with the row, and updates it if they differ. */
	private async carryOut(task: Task): Promise<IDataObject> {
		const { row, isDryRun } = this;
		const { link, fields, isLater } = task;
		if (task.action === 'unchanged') return this.item(link, 'unchanged');
		const { shown, whole, update } = await this.compare(task);
		// In a dry run, earlier rows have changed the link only in the plan.
		const present = isDryRun && isLater ? { ...shown, ...link } : shown;
		if (update === undefined) return this.item(present, 'unchanged');
		const { changes, body } = update;
		if (isDryRun) return this.item(changedRecord(present, fields), 'updated', { changes });
		const updated = await updateLink(row, whole, fields, body);
		await this.learn(update.differing, whole, task.isForced);
		return this.item(updated.link, 'updated', { changes });
	}

	private async compare(task: Task): Promise<Comparison> {
		const { finder, links, planned, row } = this;
		const { link, fields, isForced, isLater } = task;
		const details = await this.detailsOf(link);
		if (details === undefined) {
			links.delete(link);
			throw notAsPlanned(link, 'was deleted');
		}
		const shown = mergeDetails(link, linkIn(details, link.id as number));
		links.put(shown);
		if (!isLater && !namesToFind(planned).some((name) => links.matching(name).includes(shown)))
			throw notAsPlanned(link, 'was changed by others');
		const record = { ...flatRecord(details), id: shown.id };
		const isAsAsked = (one: LinkRecord) => !isForced && differences(fields, one).length === 0;
		const known = finder.mergeKnown(record);
		const whole = isAsAsked(known) ? known : await finder.fullRecord(record);
		if (isAsAsked(whole)) return { shown, whole };
		const differing = differences(fields, whole);
		checkCanBeGiven(planned, differing);
		return { shown, whole, update: { differing, ...prepareUpdate(row, whole, fields) } };
	}

	/** The details of a link. If its ID is unknown, it is found by its short URL; one that a dry run would create has none. */
	private async detailsOf(link: LinkRecord): Promise<IDataObject | undefined> {
		const { finder, isDryRun } = this;
		if (link.id !== undefined) return await finder.details(link.id as number);
		if (isDryRun) return { ...link } as IDataObject;
		const [found] = await finder.find({ by: 'shortUrl', shortUrl: asText(link.shorturl) });
		return found && (await finder.details(found.id as number));
	}

	/**
	 * Creates the link, or takes the one that another execution creates at the same time: without an alias, only the long URL tells
	 * links apart.
	 */
	private async createOnce(): Promise<IDataObject> {
		const { planned, row } = this;
		if (planned.fields.custom !== undefined) return await this.create();
		const key = keyOf(nameOfRow(planned));
		const other = createdMeanwhile(row).get(key);
		const work = (async () => {
			const link = await this.readOther(await other);
			return link === undefined ? await this.create() : await this.takeOver(link);
		})();
		const made = work.then(() => planned.link as IDataObject | undefined).catch(() => undefined);
		row.connection.creations.announce(key, made);
		return await work;
	}

	/** The link that another execution has created, if it still exists and has the long URL. */
	private async readOther(link?: LinkRecord): Promise<LinkRecord | undefined> {
		const details = link && (await this.detailsOf(link));
		if (details === undefined) return undefined;
		const read = mergeDetails(link, linkIn(details, link?.id as number));
		if (!isSameAddress(read.longurl, this.planned.fields.url)) return undefined;
		this.links.put(read);
		this.links.keepDetails(read, details);
		return read;
	}

	private async create(): Promise<IDataObject> {
		const { fields } = this.planned;
		const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
		return await createLink(this.row, filled).then(
			async ({ record, existing }) => {
				if (existing) return { ...(await this.takeOver(record)), existing };
				const link = changedRecord(record, { ...fields, custom: undefined });
				this.links.put(link);
				return this.item(link, 'created');
			},
			async (error: unknown) => {
				const link = await this.findNewLink(error);
				if (link === undefined) throw error;
				const item = await this.takeOver(link);
				const isOwn = error instanceof ApiError && error.kind === 'uncertain' && item.action === 'unchanged';
				return isOwn ? { ...item, action: 'created' } : item;
			},
		);
	}

	/** The link that others have created meanwhile, or that this row has created although the answer was lost. */
	private async findNewLink(error: unknown): Promise<LinkRecord | undefined> {
		if (!(error instanceof ApiError) || error instanceof DoneOtherwiseError) return undefined;
		const name = nameOfRow(this.planned);
		if (name.by === 'url' && error.kind === 'uncertain') await this.readNewest(name);
		else if (name.by === 'alias' && error.kind === 'refused') await this.finder.find(name, true);
		else return undefined;
		const host = hostOf(this.planned.fields.domain) ?? this.links.likelyHost;
		const [link, ...others] = this.links.matching(name).filter(({ shorturl }) => hostOf(shorturl) === host);
		const other = name.by === 'alias' ? this.links.inOtherCase(name, this.planned.fields.url) : undefined;
		return others.length === 0 ? (link ?? other) : undefined;
	}

	/** Reads the newest links until one has the name; at most as many as the run has rows, and a page more. */
	private async readNewest(name: LinkName): Promise<void> {
		let read = 0;
		await new LinkFinder(this.row).readUntil((records) => {
			read += records.length;
			return read > this.row.size || this.links.matching(name).length > 0;
		});
	}

	/** Goes on with a link that did not exist when the plan was made. */
	private async takeOver(link: LinkRecord): Promise<IDataObject> {
		const { updateWhen } = this.planned;
		// The service may have changed the case of the alias.
		const isOtherCase = asText(this.planned.fields.custom).toLowerCase() === aliasOf(link)?.toLowerCase();
		const fields = isOtherCase ? { ...this.planned.fields, custom: aliasOf(link) } : this.planned.fields;
		newLinksOf(this.row).claim(link);
		return await this.carryOut({ ...decisionFor(fields, link, updateWhen), fields, isLater: false });
	}

	/** Learns from an update which fields the service does not show, and which it keeps in another form. */
	private async learn(updated: readonly LinkFieldName[], before: LinkRecord, isForced: boolean): Promise<void> {
		const { row, step } = this;
		const { hidden } = step;
		const { fields } = this.planned;
		const unseen = notShown(updated, before);
		if (!isForced && unseen.length === updated.length)
			for (const name of unseen) hidden.set(name, (hidden.get(name) ?? 0) + 1);
		const shown = updated.filter((name) => !unseen.includes(name));
		const looked = row.sharedInLoop('look at what an update has left', () => ({ isDone: false }));
		// For one row, this is not worth a request.
		if (shown.length === 0 || looked.isDone || row.size === 1) return;
		looked.isDone = true;
		// The update is done, even if this fails.
		const details = await row.lookUp(`/api/url/${asText(before.id)}`).catch(() => undefined);
		if (details === undefined) return;
		const after = flatRecord(details);
		for (const name of differences(pick(fields, shown), after)) {
			const [{ from, to }] = Object.values(changesOf(pick(fields, [name]), after));
			if (from === undefined) continue;
			const { redact } = row.connection;
			row.atEnd(
				`${name} is written otherwise`,
				() =>
					`This service writes ${labelOf(name)} differently: ${inWords(to, redact)} comes back as ${inWords(from, redact)}. Such rows are updated in every run.`,
			);
		}
	}
}

export async function performInSheet(row: LinkRow, step: SheetStep): Promise<IDataObject> {
	return await new RowAtWork(row, step).perform();
}

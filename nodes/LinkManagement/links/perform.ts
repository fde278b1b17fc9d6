import type { IDataObject } from 'n8n-workflow';

import { ApiError, DoneOtherwiseError } from '../service/errors';
import { asText, flatRecord } from '../service/records';
import {
	changedRecord,
	changesOf,
	differences,
	isEmpty,
	notShown,
	pick,
	writtenOtherwise,
	type LinkFields,
} from './changes';
import { LinkFinder } from './find';
import { linkIn, type LinkIndex } from './linkIndex';
import { nameOfId } from './names';
import { namesToFind, nameOfRow, stepFor, type LinkStep, type PlannedRow } from './plan';
import { newLinksOf } from './newLinks';
import { describeLink, keyOf, type LinkName, type LinkRecord } from './reference';
import { itemRecord, type LinkRow } from './row';
import { bodyOfUpdate, createLink, updateLink, type LinkRules } from './send';
import { hostOf, isSameAddress } from './url';

/** What a run finds out of the fields of the service, by their names: it is said after the run. */
export interface Findings {
	/** Fields that the service does not show → how many rows they alone had updated. */
	readonly hidden: Map<string, number>;
	/** Fields that it keeps otherwise than they were sent, with both texts of one row; undefined where it does not. */
	readonly keptOtherwise: Map<string, { sent: unknown; shown: unknown } | undefined>;
}

type Action = 'created' | 'updated' | 'unchanged';

function notAsPlanned(link: LinkRecord, what: string): ApiError {
	const problem = `The link ${describeLink(link)} ${what} while the node was at work`;
	return new ApiError('refused', problem, 'Nothing was sent for this row. Run it again.');
}

/** A row of Create or Update at work. */
export class RowAtWork {
	private readonly row: LinkRow;
	private readonly finder: LinkFinder;
	private readonly links: LinkIndex;
	private readonly isDryRun: boolean;

	constructor(
		private readonly planned: PlannedRow,
		private readonly rules: LinkRules,
		private readonly findings: Findings,
	) {
		this.row = planned.row;
		this.finder = new LinkFinder(planned.row);
		this.links = this.finder.links;
		this.isDryRun = planned.row.request.options.dryRun === true;
	}

	/** Does what the plan says, unless others have changed the link since it was made. @returns the item of the row */
	async perform(): Promise<IDataObject> {
		const { step, after, fields, updateWhen } = this.planned;
		if (step.action === 'create') return await (this.isDryRun ? this.createDry() : this.createOnce());
		if (after === undefined) return await this.carryOut(step, fields);
		this.planned.followsFailure = after.followsFailure || after.link === undefined;
		if (after.link === undefined && this.links.known(step.link) === undefined) {
			const problem = `The row targets the same link as ${after.row.label}, which was not completed`;
			throw new ApiError('refused', problem, 'See what is wrong with that row, and run both again.');
		}
		// What earlier rows say of the link is done, unless one of them has failed.
		const left = this.planned.followsFailure ? fields : pick(fields, this.planned.open);
		const { earlier } = this;
		const isUnknown = earlier === undefined && updateWhen !== 'never';
		const next = isUnknown ? { ...step, action: 'compare' as const } : stepFor(left, earlier ?? step.link, updateWhen);
		return await this.carryOut(next, left);
	}

	/** The link as an earlier row has left it. A dry run leaves it in the plan alone, so it looks beyond rows that failed. */
	private get earlier(): LinkRecord | undefined {
		let { after } = this.planned;
		while (this.isDryRun && after !== undefined && after.link === undefined) after = after.after;
		return after?.link;
	}

	private async carryOut(step: LinkStep, fields: LinkFields): Promise<IDataObject> {
		return step.action === 'unchanged' ? this.item(step.link, 'unchanged') : await this.compare(step, fields);
	}

	/** The item of a row: what became of it comes first, where the editor shows it without scrolling. */
	private item(link: LinkRecord, action: Action, more: IDataObject = {}): IDataObject {
		this.planned.link = link;
		const outcome = { action, ...(this.isDryRun ? { dryRun: true } : {}), ...more };
		return { ...outcome, ...itemRecord(link), ...outcome };
	}

	private createDry(): IDataObject {
		const { url, custom, ...fields } = this.planned.fields;
		const link = { ...(custom === undefined ? {} : { alias: custom }), longurl: url };
		return this.item(changedRecord(link, fields), 'created');
	}

	/**
	 * Creates the link, unless another execution that goes on at the same time does: a link without an alias is taken from it, for
	 * nothing but its long URL tells it from others.
	 */
	private async createOnce(): Promise<IDataObject> {
		const { planned } = this;
		if (planned.fields.custom !== undefined) return await this.create();
		const { created } = this.row.connection.creations;
		const key = keyOf(nameOfRow(planned));
		const other = created.get(key);
		const work = (async () => {
			const link = await this.readOther(await other);
			return link === undefined ? await this.create() : await this.takeOver(link);
		})();
		const made = work.then(() => planned.link as IDataObject | undefined).catch(() => undefined);
		created.set(key, made);
		return await work;
	}

	/** The link that another execution has created, as it is now: somebody may have deleted it since, or given it another long URL. */
	private async readOther(link?: LinkRecord): Promise<LinkRecord | undefined> {
		const details = link && (await this.detailsOf(link));
		if (details === undefined) return undefined;
		const read = { ...link, ...linkIn(details, link?.id as number) };
		if (!isSameAddress(read.longurl, this.planned.fields.url)) return undefined;
		this.links.note(read, details);
		return read;
	}

	private async create(): Promise<IDataObject> {
		const { fields } = this.planned;
		const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
		return await createLink(this.row, filled).then(
			({ record, existing }) => {
				const link = changedRecord(record, { ...fields, custom: undefined });
				this.links.note(link);
				return this.item(link, existing ? 'unchanged' : 'created', existing ? { existing } : {});
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

	/** The link that others have made meanwhile, or that this row has made although the answer was lost. */
	private async findNewLink(error: unknown): Promise<LinkRecord | undefined> {
		if (!(error instanceof ApiError) || error instanceof DoneOtherwiseError) return undefined;
		const name = nameOfRow(this.planned);
		if (name.by === 'url' && error.kind === 'uncertain') await this.readNewest(name);
		else if (name.by === 'alias' && error.kind === 'refused') await this.finder.find(name, true);
		else return undefined;
		const host = hostOf(this.planned.fields.domain) ?? this.links.likelyHost;
		const [link, ...others] = this.links.among(name).filter(({ shorturl }) => hostOf(shorturl) === host);
		return others.length === 0 ? link : undefined;
	}

	/** Reads the newest links until one has the name, and at most as many as the run has rows and a page. */
	private async readNewest(name: LinkName): Promise<void> {
		let read = 0;
		for await (const { records } of this.finder.pages()) {
			read += records.length;
			if (read > this.row.size || this.links.among(name).length > 0) break;
		}
	}

	/** The link is there, though it was not when the plan was made. */
	private async takeOver(link: LinkRecord): Promise<IDataObject> {
		const { fields, updateWhen } = this.planned;
		newLinksOf(this.row).take(link);
		return await this.carryOut(stepFor(fields, link, updateWhen), fields);
	}

	private async compare({ link, isForced }: LinkStep, fields: LinkFields): Promise<IDataObject> {
		const { row, links, rules, planned } = this;
		const details = await this.detailsOf(link);
		if (details === undefined) {
			links.forget(link);
			throw notAsPlanned(link, 'was deleted');
		}
		const read = linkIn(details, link.id as number);
		const isByEarlierRow = this.earlier !== undefined;
		// In a dry run, earlier rows have changed the link in the plan alone.
		const shown: LinkRecord = this.isDryRun && isByEarlierRow ? { ...read, ...link } : { ...link, ...read };
		if (!this.isDryRun || !isByEarlierRow) links.note(shown);
		const meant = (name: LinkName) => [...links.among(name), ...(name.by === 'url' ? links.alike(name) : [])];
		const isMeant = namesToFind(planned).some((name) => meant(name).includes(shown));
		if (!isMeant && !isByEarlierRow) throw notAsPlanned(link, 'was changed by others');
		const whole = { ...shown, ...flatRecord(details), id: shown.id };
		const differing = differences(fields, whole);
		if (differing.length === 0 && !isForced) return this.item(shown, 'unchanged');
		rules.checkNew(pick(fields, differing), row.timezone);
		const inWords = (name: string, value: unknown) =>
			name === 'campaign' || name === 'channel' ? (nameOfId(row, name, value) ?? value) : value;
		const changes = changesOf(differing, fields, whole, inWords) as IDataObject;
		if (this.isDryRun) {
			bodyOfUpdate(row, whole, fields, rules);
			return this.item(changedRecord(shown, fields), 'updated', { changes });
		}
		const updated = await updateLink(row, whole, fields, rules);
		const hidden = notShown(differing, whole);
		if (!isForced && hidden.length === differing.length) {
			const rows = this.findings.hidden;
			for (const name of hidden) rows.set(name, (rows.get(name) ?? 0) + 1);
		}
		await this.findKeptOtherwise(differing, whole);
		return this.item(updated.link, 'updated', { changes });
	}

	/** Looks, once a run for each field, whether the service keeps it otherwise than it was sent: where it seemed to do so before. */
	private async findKeptOtherwise(updated: readonly string[], before: LinkRecord): Promise<void> {
		const { keptOtherwise } = this.findings;
		const { fields } = this.planned;
		const suspected = writtenOtherwise(updated, fields, before).filter((name) => !keptOtherwise.has(name));
		if (suspected.length === 0) return;
		for (const name of suspected) keptOtherwise.set(name, undefined);
		// The update is made, whatever comes of this.
		const details = await this.row.lookUp(`/api/url/${asText(before.id)}`).catch(() => undefined);
		if (details === undefined) return;
		const after = flatRecord(details);
		for (const name of differences(pick(fields, suspected), after)) {
			const [{ from: shown, to: sent }] = Object.values(changesOf([name], fields, after));
			keptOtherwise.set(name, { sent, shown });
		}
	}

	/** The details of a link. One whose ID is not known is found by its short URL; one that a dry run would create has none. */
	private async detailsOf(link: LinkRecord): Promise<IDataObject | undefined> {
		const { finder } = this;
		if (link.id !== undefined) return await finder.details(link.id as number);
		if (this.isDryRun) return { details: { ...link } as IDataObject };
		const [found] = await finder.find({ by: 'shortUrl', shortUrl: asText(link.shorturl) });
		return found && (await finder.details(found.id as number));
	}
}

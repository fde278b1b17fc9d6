import type { IDataObject } from 'n8n-workflow';

import { ApiError, DoneOtherwiseError } from '../service/errors';
import { asText, flatRecord } from '../service/records';
import { linkIn, type AccountLinks } from './account';
import { changedRecord, changesOf, differences, isEmpty, notShown, type LinkFields } from './changes';
import { createLink, OtherLinkError } from './creation';
import type { Account } from './find';
import { identityOf, type LinkRecord } from './linkIndex';
import { nameOfId, type NamedKind } from './names';
import { nameOfRow, SheetPlan, stepFor, type PlannedRow, type Step } from './plan';
import { keyOf } from './reference';
import { accountOf, itemRecord, type LinkRow } from './row';
import { bodyOfUpdate, updateLink, type CheckLink } from './updateAndDelete';
import { aliasOf, hostOf, isSameAddress, isSameShortUrl } from './url';

/** How rows ask for links, apart from what they say of them. */
export interface Upserting {
	/** The names that the editor shows of fields. */
	labels(name: string): string;
	/** Throws when a whole link can't be sent. */
	check: CheckLink;
	/** Throws when a field can't be given to a new link, or can't be changed so. */
	checkNew(timezone: string, fields: LinkFields): void;
}

/** What a run of Create or Update notes besides its items. */
export interface UpsertNotes {
	/** Links that rows have made or found → the first row that means each. */
	owners: Map<unknown, PlannedRow>;
	/** Fields that the service does not show → how many rows they alone had updated. */
	notShown: Map<string, number>;
}

/** How often a row is tried that others change at the same time. */
const MOST_TRIES = 3;

type Action = 'created' | 'updated' | 'unchanged';

/** A row of Create or Update at work. */
export class RowAtWork {
	private readonly account: Account;
	private readonly links: AccountLinks;
	private readonly isDryRun: boolean;
	/** What is still to be seen to. */
	private fields: LinkFields;

	constructor(
		private readonly row: LinkRow,
		private readonly planned: PlannedRow,
		private readonly upserting: Upserting,
		private readonly notes: UpsertNotes,
	) {
		this.account = accountOf(row);
		this.links = this.account.links;
		this.isDryRun = row.request.options.dryRun === true;
		this.fields = planned.open;
	}

	/**
	 * Does what the plan says. Where others have changed the account meanwhile, or an earlier row has failed, the row is looked at
	 * again. A row without an alias takes the link that another execution is creating to the same address.
	 *
	 * @returns the item of the row
	 */
	async perform(): Promise<IDataObject> {
		const { planned, row } = this;
		const step = await this.firstStep();
		const key = this.creationKey(step);
		if (key === undefined) return await this.carryOut(step);
		const { created } = row.connection.creations;
		for (let other = created.get(key); other !== undefined; other = created.get(key)) {
			const link = await other;
			if (link !== undefined) {
				this.links.note(link);
				return await this.carryOut(stepFor(planned.fields, link, planned.updateWhen));
			}
			if (created.get(key) === other) created.delete(key);
		}
		const work = this.carryOut(step);
		const linkOf = work.then(
			() => planned.link as IDataObject | undefined,
			() => undefined,
		);
		created.set(key, linkOf);
		return await work;
	}

	/** By which other executions know that this row creates a link; undefined where they find it by its alias. */
	private creationKey({ action }: Step): string | undefined {
		const { custom } = this.planned.fields;
		return action !== 'create' || custom !== undefined || this.isDryRun ? undefined : keyOf(nameOfRow(this.planned));
	}

	private async carryOut(first: Step): Promise<IDataObject> {
		let step = first;
		let failure = new ApiError('refused', 'Others change the link all the time', 'Run this row again.');
		for (let tries = 0, isLost = false; tries < MOST_TRIES; tries++) {
			if (step.action === 'create') {
				const created = await this.create();
				if (!(created instanceof ApiError)) return created;
				failure = created;
				isLost = created.kind === 'uncertain';
				const found = await this.findAgain(true);
				// With an alias it can be sent again where nothing was created: the service creates it once.
				if (found.length === 0 && (!isLost || (await this.mayBeCreated()))) throw created;
				step = this.decide(found);
				continue;
			}
			const done = step.action === 'unchanged' ? this.item(step.link, 'unchanged') : await this.compare(step);
			if (done !== undefined) return isLost && done.action === 'unchanged' ? { ...done, action: 'created' } : done;
			step = this.decide(await this.findAgain());
		}
		throw failure;
	}

	/** The planned step; of a link that an earlier row creates or changes, by what has come of that. */
	private async firstStep(): Promise<Step> {
		const { step, after, open, updateWhen } = this.planned;
		if (after === undefined) return step;
		return after.link === undefined ? this.decide(await this.findAgain()) : stepFor(open, after.link, updateWhen);
	}

	/** The first of the rows that mean the same link as this one. */
	private get firstOfLink(): PlannedRow {
		let first = this.planned;
		while (first.after !== undefined) first = first.after;
		return first;
	}

	/** What the row asks for by what is known now. A link that other rows mean is not this one's. */
	private decide(all: readonly LinkRecord[]): Step {
		this.fields = this.planned.fields;
		const { owners } = this.notes;
		const found = all.filter((link) => (owners.get(identityOf(link)) ?? this.firstOfLink) === this.firstOfLink);
		const { shortUrl, updateWhen } = this.planned;
		if (shortUrl !== undefined && found.length > 0) return stepFor(this.fields, found[0], updateWhen);
		const plan = new SheetPlan({ among: () => found }, this.upserting.labels, () => undefined);
		return plan.add({ ...this.planned, fields: this.fields }).step;
	}

	/** The links that the row may mean by now. */
	private async findAgain(isRefused = false): Promise<readonly LinkRecord[]> {
		const { planned, account, links } = this;
		const { shortUrl } = planned;
		if (shortUrl !== undefined) return await account.find({ by: 'shortUrl', shortUrl });
		const name = nameOfRow(planned);
		if (name.by === 'alias') return await account.find(name, isRefused);
		await this.newest();
		return links.among(name);
	}

	/** The newest links, down to one that was there before, and at most as many as the run has rows and a page. */
	private async newest(): Promise<readonly LinkRecord[]> {
		const newest: LinkRecord[] = [];
		for await (const { records } of this.account.pages()) {
			newest.push(...records);
			if (newest.length > this.row.size || records.some((link) => this.links.wasThere(link))) break;
		}
		return newest;
	}

	/** Whether a creation whose answer was lost may have made a link without its alias: one to its address that nobody knew. */
	private async mayBeCreated(): Promise<boolean> {
		const { custom, url } = this.planned.fields;
		if (custom === undefined) return true;
		const before = new Set(this.links.among({ by: 'url', url: asText(url) }).map(({ id }) => id));
		const newest = await this.newest();
		return newest.some((link) => isSameAddress(link.longurl, url) && !before.has(link.id));
	}

	/** The item of a row: what became of it comes first, where the editor shows it without scrolling. */
	private item(link: LinkRecord, action: Action, more: IDataObject = {}): IDataObject {
		this.planned.link = link;
		if (!this.isDryRun) this.notes.owners.set(identityOf(link), this.firstOfLink);
		const outcome = { action, ...(this.isDryRun ? { dryRun: true } : {}), ...more };
		return { ...outcome, ...itemRecord(link), ...outcome };
	}

	/** @returns the error, where somebody else may have created the link meanwhile, or nobody knows */
	private async create(): Promise<IDataObject | ApiError> {
		const { row, links } = this;
		const { fields } = this.planned;
		const expected = { ...fields, custom: undefined };
		if (this.isDryRun) {
			const { url, custom } = fields;
			const link = { ...(custom === undefined ? {} : { alias: custom }), longurl: url };
			return this.item(changedRecord(link, expected), 'created');
		}
		const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
		const created = await createLink(row, filled).catch((error: unknown) => {
			const mayBeThere = error instanceof ApiError && !(error instanceof OtherLinkError);
			const isByOthers = mayBeThere && error.kind === 'refused' && fields.custom !== undefined;
			if (isByOthers || (mayBeThere && error.kind === 'uncertain')) return error;
			throw error;
		});
		if (created instanceof ApiError) return created;
		const { record, existing } = created;
		const link = changedRecord(record, expected);
		links.note(link);
		return this.item(link, existing ? 'unchanged' : 'created', existing ? { existing } : {});
	}

	/** @returns undefined when it is not the link that the row means any more; the account's links are then known better */
	private async compare({ link, isForced }: Extract<Step, { action: 'compare' }>): Promise<IDataObject | undefined> {
		const { row, links, fields, upserting } = this;
		const details = await this.detailsOf(link);
		if (details === undefined) {
			links.forget(link);
			return undefined;
		}
		const read = linkIn(details, link.id as number);
		const { after } = this.planned;
		// In a dry run, earlier rows have changed the link in the plan alone.
		const shown: LinkRecord = this.isDryRun && after !== undefined ? { ...read, ...link } : { ...link, ...read };
		if (!this.isDryRun) links.note(shown);
		const whole = { ...shown, ...flatRecord(details), id: shown.id };
		if (after?.link === undefined && !this.isMeant(shown)) return undefined;
		const differing = differences(fields, whole);
		if (differing.length === 0 && !isForced) return this.item(shown, 'unchanged');
		upserting.checkNew(row.timezone, Object.fromEntries(differing.map((name) => [name, fields[name]])));
		const changes = this.describeChanges(differing, whole);
		const cleared = differing.filter((name) => isEmpty(fields[name]));
		const updating = { check: upserting.check, cleared, labels: (name: string) => upserting.labels(name) };
		if (this.isDryRun) {
			bodyOfUpdate(row, whole, fields, updating);
			return this.item(changedRecord(shown, fields), 'updated', { changes });
		}
		const updated = await updateLink(row, whole, fields, updating).catch(async (error: unknown) => {
			const isRefused = error instanceof ApiError && error.kind === 'refused' && !(error instanceof DoneOtherwiseError);
			if (isRefused && (await this.account.byId(link.id as number)) === undefined) return undefined;
			throw error;
		});
		if (updated !== undefined) {
			if (!isForced) this.noteNotShown(differing, whole);
			return this.item(changedRecord(shown, fields, updated.link.shorturl), 'updated', { changes });
		}
		links.forget(link);
		return undefined;
	}

	/** Counts the row where it was updated for the sake of fields alone that the service does not show. */
	private noteNotShown(differing: readonly string[], whole: LinkRecord): void {
		const hidden = notShown(differing, whole);
		if (hidden.length < differing.length) return;
		for (const name of hidden) this.notes.notShown.set(name, (this.notes.notShown.get(name) ?? 0) + 1);
	}

	/** What an update changes, with campaigns and channels by their names. */
	private describeChanges(differing: readonly string[], whole: LinkRecord): IDataObject {
		const changes = changesOf(differing, this.fields, whole);
		for (const kind of ['campaign', 'channel'] as const) {
			const change = changes[kind];
			if (change === undefined) continue;
			for (const end of ['from', 'to'] as const) change[end] = this.nameOf(kind, change[end]);
		}
		return JSON.parse(JSON.stringify(changes)) as IDataObject;
	}

	private nameOf(kind: NamedKind, value: unknown): unknown {
		return nameOfId(this.row, kind, value) ?? value;
	}

	/** The details of a link. One whose ID is not known is found by its short URL; one that a dry run would create has none. */
	private async detailsOf(link: LinkRecord): Promise<IDataObject | undefined> {
		const { account } = this;
		const id = link.id as number | string | undefined;
		if (id !== undefined) return await account.details(id);
		if (this.isDryRun) return { details: { ...link } as IDataObject };
		const [found] = await account.find({ by: 'shortUrl', shortUrl: asText(link.shorturl) });
		return found && (await account.details(found.id as number));
	}

	/** Whether a link that was read just now is still the one that the row means. */
	private isMeant(shown: LinkRecord): boolean {
		const { fields, shortUrl, matchOn } = this.planned;
		const isAlias = fields.custom !== undefined && aliasOf(shown) === asText(fields.custom);
		if (shortUrl !== undefined) {
			return isSameShortUrl(shown.shorturl, shortUrl) || (isAlias && hostOf(shown.shorturl) === hostOf(shortUrl));
		}
		if (nameOfRow({ fields, matchOn }).by === 'url') return isSameAddress(shown.longurl, fields.url);
		const host = hostOf(fields.domain);
		return isAlias && (host === undefined || hostOf(shown.shorturl) === host);
	}
}

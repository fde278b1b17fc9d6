import type { IDataObject } from 'n8n-workflow';

import type { Account } from '../../account/account';
import { linkIn, type AccountLinks } from '../../account/accountLinks';
import type { LinkRecord } from '../../account/linkIndex';
import { told, type LinkName } from '../../account/linkName';
import { aliasOf, hostOf, isSameAddress } from '../../account/url';
import { ApiError } from '../../api/apiError';
import { flatRecord } from '../../api/flatRecord';
import { asText } from '../../api/records';
import { changedRecord, changesOf, differences, type LinkFields } from '../../sheet/changes';
import {
	isMatchedByAlias,
	SheetPlan,
	stepFor,
	type Matching,
	type Origin,
	type PlannedRow,
	type Step,
} from '../../sheet/plan';
import { isTool } from '../../engine/tool';
import { ValueError } from '../request';
import type { Row } from '../row';
import { accountOf, itemRecord, noteSaid, saidBefore } from './account';
import { sendUpdate, updateOf, type Check } from './change';
import { createLink, madeOtherwise, OtherLinkError } from './create';

/** How rows ask for links, apart from what they say of them. */
export interface Upserting {
	/** The names that the editor shows of fields. */
	labels(name: string): string;
	/** Throws when a whole link can't be sent. */
	check: Check;
	/** Throws when a field can't be given to a link that is made, or can't be changed so. */
	checkNew(row: Row, fields: LinkFields): void;
}

/** How often a row is tried that others change at the same time. */
const MOST_TRIES = 3;

type Action = 'created' | 'updated' | 'unchanged';

/** What names the link of a row: its alias, on its domain if it names one, or else its long URL. */
export function nameOf(fields: LinkFields, matchOn: Matching['matchOn']): LinkName {
	const domain = fields.domain === undefined ? {} : { domain: asText(fields.domain) };
	return isMatchedByAlias(fields, matchOn)
		? { by: 'alias', alias: asText(fields.custom), ...domain }
		: { by: 'url', url: asText(fields.url), ...domain };
}

function itemOf({ item, isEarlierRun }: Origin): string {
	return `item ${item}${isEarlierRun ? ' of an earlier round' : ''}`;
}

/** What is wrong with a row that can't be done as it stands. */
export function problemOf(step: Step, labels: Upserting['labels']): ValueError | undefined {
	if (step.action === 'conflict') {
		return new ValueError(
			`The row means the same link as ${itemOf(step.at)}, and says something else: ${step.fields.map(labels).join(', ')}`,
			'Keep one of the two rows, or give them aliases of their own. Items are counted from 0.',
		);
	}
	if (step.action === 'claimed') {
		return new ValueError(
			`The alias "${step.alias}" is asked for by ${itemOf(step.at)} too, for another link`,
			'Give each of the two an alias of its own. Items are counted from 0.',
		);
	}
	if (step.action === 'taken') {
		return new ValueError(
			`The alias "${step.alias}" belongs to another link: ${told(step.holder)}`,
			'Choose another one, name another domain, or leave the alias empty: then a link that is there keeps the one that it has.',
		);
	}
	if (step.action === 'ambiguous') {
		return new ValueError(
			`The alias "${step.alias}" stands on several domains: ${step.places.join(', ')}`,
			'Name the domain in the row, as https://… .',
		);
	}
	if (step.action !== 'noUrl') return undefined;
	return new ValueError(
		`Long URL is empty, and there is no link ${step.alias === undefined ? 'to update' : `with the alias "${step.alias}"`}`,
		'A new link needs a long URL: enter a value, or check the column that should have one.',
	);
}

/** A row at work. */
export class RowAtWork {
	private readonly account: Account;
	private readonly links: AccountLinks;
	private readonly isDryRun: boolean;
	/** What is still to be seen to. */
	private fields: LinkFields;

	constructor(
		private readonly row: Row,
		private readonly planned: PlannedRow,
		private readonly upserting: Upserting,
	) {
		this.account = accountOf(row);
		this.links = this.account.links;
		this.isDryRun = row.request.options.dryRun === true;
		this.fields = planned.fields;
	}

	/**
	 * Does what the plan says. Where others have changed the account meanwhile, or an earlier row has failed, the row is looked at
	 * again.
	 *
	 * @returns the item of the row
	 * @throws ApiError what the service refuses
	 */
	async perform(): Promise<IDataObject> {
		let step = await this.firstStep();
		let failure = new ApiError('refused', 'The link is changed by others all the time', 'Run this row again.');
		for (let tries = 0, isLost = false; tries < MOST_TRIES; tries++) {
			if (step.action === 'create') {
				const made = await this.create();
				if (!(made instanceof ApiError)) return made;
				failure = made;
				isLost = made.kind === 'uncertain';
				const found = await this.findAgain();
				// With an alias it can be sent again where nothing was made: the service makes it once.
				if (found.length === 0 && (!isLost || (await this.isMade()))) throw made;
				step = this.decide(found);
				continue;
			}
			if (step.action === 'unchanged') return this.outcome(step.link, isLost ? 'created' : 'unchanged');
			if (step.action !== 'compare') throw problemOf(step, this.upserting.labels) ?? new Error(step.action);
			const done = await this.compare(step.link, step.isForced);
			if (done !== undefined) return isLost && done.action === 'unchanged' ? { ...done, action: 'created' } : done;
			step = this.decide(await this.findAgain());
		}
		throw failure;
	}

	/** The planned step; of a link that an earlier row makes or changes, by what has come of that. */
	private async firstStep(): Promise<Step> {
		const { step, after, open, updateWhen } = this.planned;
		if (after === undefined) return step;
		if (after.link === undefined) return this.decide(await this.findAgain());
		const { fields } = this;
		this.fields = Object.fromEntries(Object.keys(open).map((name) => [name, fields[name]]));
		return stepFor(this.fields, after.link, updateWhen);
	}

	/** What the row asks for by what is known now. Of a link that another row has said something else of, nothing. */
	private decide(found: readonly LinkRecord[]): Step {
		this.fields = this.planned.fields;
		const plan = new SheetPlan((link) => saidBefore(this.row, link));
		return plan.add({ ...this.planned, fields: this.fields }, found).step;
	}

	/** The links that the row may mean by now. */
	private async findAgain(): Promise<readonly LinkRecord[]> {
		const name = nameOf(this.planned.fields, this.planned.matchOn);
		if (name.by === 'alias') return await this.account.find(name);
		this.links.noteAll(await this.newest());
		return this.links.among(name);
	}

	/** The newest links, down to one that was there before, and at most as many as the run has rows and a page. */
	private async newest(): Promise<readonly LinkRecord[]> {
		const newest: LinkRecord[] = [];
		for await (const { records } of this.account.pages()) {
			newest.push(...records);
			if (newest.length > this.row.run.size || records.some((link) => this.links.wasThere(link))) break;
		}
		return newest;
	}

	/** Whether a creation whose answer was lost may have made a link without its alias: one to its address that nobody knew. */
	private async isMade(): Promise<boolean> {
		const { custom, url } = this.planned.fields;
		if (custom === undefined) return true;
		const newest = await this.newest();
		return newest.some((link) => isSameAddress(link.longurl, url) && this.links.known(link.id) === undefined);
	}

	/** The item of a row: what became of it comes first, where the editor shows it without scrolling. */
	private outcome(link: LinkRecord, action: Action, more: IDataObject = {}): IDataObject {
		this.planned.link = link;
		if (!this.isDryRun && !isTool(this.row.context)) noteSaid(this.row, link, this.planned.fields);
		const outcome = { action, ...(this.isDryRun ? { dryRun: true } : {}), ...more };
		return { ...outcome, ...itemRecord(link), ...outcome };
	}

	/** @returns the error, where somebody else may have made the link meanwhile, or nobody knows */
	private async create(): Promise<IDataObject | ApiError> {
		const { row, links, upserting } = this;
		const { fields } = this.planned;
		upserting.check(fields as IDataObject);
		upserting.checkNew(row, fields);
		const otherwise = madeOtherwise(row, fields);
		if (otherwise !== undefined) throw otherwise;
		const asked = { ...fields, custom: undefined };
		if (this.isDryRun) {
			const { url, custom } = fields;
			return this.outcome(
				changedRecord({ ...(custom === undefined ? {} : { alias: custom }), longurl: url }, asked),
				'created',
			);
		}
		const made = await createLink(row, fields).catch((error: unknown) => {
			const mayBeThere = error instanceof ApiError && !(error instanceof OtherLinkError);
			if (mayBeThere && (error.kind === 'uncertain' || (error.kind === 'refused' && fields.custom !== undefined)))
				return error;
			throw error;
		});
		if (made instanceof ApiError) return made;
		const { record, existing } = made;
		const link = changedRecord(record, asked);
		links.note(link);
		return this.outcome(link, existing ? 'unchanged' : 'created', existing ? { existing } : {});
	}

	/** @returns undefined when it is not the link that the row means any more; the account's links are then known better */
	private async compare(link: LinkRecord, isForced: boolean): Promise<IDataObject | undefined> {
		const { row, links, fields, upserting } = this;
		const details = await this.detailsOf(link);
		if (details === undefined) {
			links.forget(link);
			return undefined;
		}
		const read = linkIn(details, link.id as number);
		// In a dry run, earlier rows have changed the link in the plan alone.
		const shown: LinkRecord =
			this.isDryRun && this.planned.after !== undefined ? { ...read, ...link } : { ...link, ...read };
		if (!this.isDryRun) links.note(shown);
		const whole = { ...shown, ...flatRecord(details), id: shown.id };
		if (this.planned.after?.link === undefined && !this.isMeant(shown)) return undefined;
		const differing = differences(fields, whole);
		if (differing.length === 0 && !isForced) return this.outcome(shown, 'unchanged');
		upserting.checkNew(row, Object.fromEntries(differing.map((name) => [name, fields[name]])));
		const body = updateOf(whole, fields, upserting.check);
		const changes = changesOf(differing, fields, whole) as IDataObject;
		if (this.isDryRun) return this.outcome(changedRecord(shown, fields), 'updated', { changes });
		const done = await sendUpdate(row, shown, fields, body).catch(async (error: unknown) => {
			const isRefused = error instanceof ApiError && error.kind === 'refused';
			if (isRefused && (await this.account.byId(link.id as number)) === undefined) return undefined;
			throw error;
		});
		if (done !== undefined) return this.outcome(done.link, 'updated', { changes });
		links.forget(link);
		return undefined;
	}

	/** The details of a link. One whose ID was not told is found by its short URL; one that a dry run would make has none. */
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
		const { fields, matchOn } = this.planned;
		if (!isMatchedByAlias(fields, matchOn)) return isSameAddress(shown.longurl, fields.url);
		const host = hostOf(fields.domain);
		return aliasOf(shown) === asText(fields.custom) && (host === undefined || hostOf(shown.shorturl) === host);
	}
}

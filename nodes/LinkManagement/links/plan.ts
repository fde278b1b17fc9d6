import { ValueError } from '../service/errors';
import { asText } from '../service/records';
import { changedRecord, differences, namesIn, needsDetails } from './comparison';
import { checkNeeds, labelOf, pick, areSame, type LinkFieldName, type LinkFields } from './linkFields';
import type { LinkIndex } from './linkIndex';
import {
	aboutLink,
	aliasNameOf,
	describeLink,
	identityOf,
	keyOf,
	longUrlNameOf,
	SeveralLinksError,
	type Identity,
	type LinkRecord,
} from './reference';
import { checkCanBeGiven, nameOfRow, type SheetRow } from './rowNames';
import { aliasOf, hostOf } from './url';

/** What to do with an existing link: leave it, or compare it and update it if it differs, or in any case. */
export interface LinkDecision {
	action: 'compare' | 'unchanged';
	link: LinkRecord;
	isForced: boolean;
}

export interface PlannedRow extends SheetRow {
	decision: { action: 'create' } | LinkDecision;
	/** The earlier row that creates or changes the same link, and has to be done before. */
	after?: PlannedRow;
	/** The fields that no earlier row gives. */
	open: readonly LinkFieldName[];
	/** The link, once the row is done; undefined if it failed. */
	link?: LinkRecord;
	/** An earlier row of the link has failed. */
	followsFailure?: boolean;
}

interface Group {
	/** The link as it will be after the last row. */
	link: LinkRecord;
	/** The link's identity; undefined if the first row creates it. */
	id?: Identity;
	first?: string;
	/** Field → its value, and the first row that gives it. */
	fields: Map<LinkFieldName, { value: unknown; label: string }>;
	last?: PlannedRow;
}

/** Whether a row gives its link another alias. */
function isRenaming({ custom }: LinkFields, link: LinkRecord): boolean {
	return custom !== undefined && asText(custom) !== aliasOf(link);
}

/** The decision for a row whose link exists. */
export function decisionFor(fields: LinkFields, link: LinkRecord, updateWhen: SheetRow['updateWhen']): LinkDecision {
	const isForced = updateWhen === 'always';
	const mayDiffer = updateWhen === 'changed' && (needsDetails(fields) || differences(fields, link).length > 0);
	return { action: isForced || mayDiffer ? 'compare' : 'unchanged', link, isForced };
}

/**
 * Plans a run, row by row, named ones first: what each row does, and which rows mean the same link. Rows are matched with the account
 * as it was when the run began. A dry run puts the plan out; a run does it.
 */
export class SheetPlan {
	/** Existing links, by their identity. */
	private readonly groups = new Map<Identity, Group>();
	/** Long URL → the links to which rows give it. */
	private readonly byLongUrl = new Map<string, Set<Group>>();
	/** Alias → the links to which rows give it. */
	private readonly claims = new Map<string, Group[]>();

	constructor(private readonly index: Pick<LinkIndex, 'matching' | 'similarTo' | 'inOtherCase' | 'likelyHost'>) {}

	/** Plans the next row. @throws ValueError if it can't be done; the plan is unchanged then */
	add(asked: SheetRow): PlannedRow {
		const row = this.asWritten(asked);
		const group = this.groupOf(row);
		if (group === undefined) return this.create(row);
		const { fields, updateWhen } = row;
		const isOpen = (name: LinkFieldName) => !group.fields.has(name);
		const isSame = (name: LinkFieldName) => areSame(name, group.fields.get(name)?.value, fields[name]);
		const differing = namesIn(fields).filter((name) => !isOpen(name) && !isSame(name));
		if (differing.length > 0) {
			const earlier = group.fields.get(differing[0])?.label;
			throw new ValueError(
				`The row targets the same link as ${earlier} with different values: ${differing.map(labelOf).join(', ')}`,
				'Keep one of the two rows, or give them aliases of their own.',
			);
		}
		const open = namesIn(fields).filter(isOpen);
		const decision = decisionFor(pick(fields, open), group.link, updateWhen);
		if (decision.action === 'compare' && isRenaming(fields, group.link)) {
			this.checkAlias(asText(fields.custom), hostOf(group.link.shorturl), group);
		}
		return this.join(group, { ...row, open, decision, ...(group.last === undefined ? {} : { after: group.last }) });
	}

	/** The existing links that rows mean. */
	*links(): Generator<LinkRecord> {
		for (const { link } of this.groups.values()) yield link;
	}

	/** The row with the alias as its link has it, perhaps in another case. */
	private asWritten(row: SheetRow): SheetRow {
		const { fields, shortUrl } = row;
		if (shortUrl !== undefined || fields.custom === undefined || fields.url === undefined) return row;
		const link = this.index.inOtherCase(aliasNameOf(fields), fields.url);
		return link === undefined ? row : { ...row, fields: { ...fields, custom: aliasOf(link) } };
	}

	/**
	 * Checks, once all rows are planned, that a row would not create a link whose long URL exists in another spelling: services change
	 * the spelling, and then every run would create one more.
	 *
	 * @throws ValueError that names the link
	 */
	checkSpelling(row: PlannedRow): void {
		if (row.decision.action !== 'create') return;
		const name = longUrlNameOf(row.fields);
		const alias = nameOfRow(row).by === 'alias' ? asText(row.fields.custom) : undefined;
		// The service may have changed the case of the alias as well.
		const isMeant = (link: LinkRecord) => (alias ?? aliasOf(link))?.toLowerCase() === aliasOf(link)?.toLowerCase();
		const link = this.index.similarTo(name).find((one) => isMeant(one) && !this.groups.has(identityOf(one) ?? ''));
		if (link === undefined) return;
		const [what, other] = alias === undefined ? ['', 'an alias'] : [`the alias "${alias}" and `, 'another alias'];
		const error = new ValueError(
			`No link has ${what}the long URL ${name.url}, but ${describeLink(link)} has it in another spelling: ${asText(link.longurl)}`,
			`If it is the same page, write the ${alias === undefined ? 'long URL' : 'row'} as the service has it. Otherwise give the row ${other}.`,
		);
		throw aboutLink(error, link);
	}

	private create(row: SheetRow): PlannedRow {
		const { fields } = row;
		const { custom, domain, url } = fields;
		if (url === undefined) {
			throw new ValueError(
				`Long URL is empty, and there is no link ${custom === undefined ? 'to update' : `with the alias "${asText(custom)}"`}`,
				'A new link needs a long URL: enter one, or check the column that should hold it.',
			);
		}
		if (custom !== undefined) this.checkAlias(asText(custom), hostOf(domain) ?? this.index.likelyHost);
		checkCanBeGiven(row, namesIn(fields));
		checkNeeds(fields);
		const link = { longurl: url, ...(domain === undefined ? {} : { shorturl: `${asText(domain)}/` }) };
		const group: Group = { link, first: row.label, fields: new Map() };
		return this.join(group, { ...row, open: namesIn(fields), decision: { action: 'create' } });
	}

	private groupOf(row: SheetRow): Group | undefined {
		const { fields, shortUrl } = row;
		if (shortUrl !== undefined) return this.groupFor(this.linkAt(shortUrl, fields));
		return nameOfRow(row).by === 'alias' ? this.groupByAlias(fields) : this.groupByUrl(fields);
	}

	/** The link at the short URL of a row, or the one to which an earlier run gave the row's alias. */
	private linkAt(shortUrl: string, { custom, domain }: LinkFields): LinkRecord {
		const host = hostOf(shortUrl);
		if (domain !== undefined && hostOf(domain) !== host) {
			throw new ValueError(
				`The row holds the short URL ${shortUrl} and another domain, ${asText(domain)}`,
				'The domain of a link can’t be changed. Remove one of the two.',
			);
		}
		const [link] = this.index.matching({ by: 'shortUrl', shortUrl });
		const alias = custom === undefined ? undefined : asText(custom);
		const holders = alias === undefined ? [] : this.index.matching({ by: 'alias', alias, domain: host });
		if (link === undefined) {
			if (holders.length === 1) return holders[0];
			throw new ValueError(
				`There is no link with the short URL ${shortUrl}${alias === undefined ? '' : `, nor one with the alias "${alias}" on its domain`}`,
				'Nothing was created. Correct the short URL, or clear its cell to create a new link.',
			);
		}
		const other = holders.find((holder) => identityOf(holder) !== identityOf(link));
		if (other === undefined) return link;
		throw new ValueError(
			`The row holds the short URL of one link, ${describeLink(link)}, and the alias of another, ${describeLink(other)}`,
			'Correct the wrong one, or clear its cell.',
		);
	}

	private groupByAlias(fields: LinkFields): Group | undefined {
		const name = aliasNameOf(fields);
		const host = hostOf(name.domain);
		const groups = new Set(this.index.matching(name).map((link) => this.groupFor(link)));
		for (const group of this.claims.get(name.alias) ?? []) {
			const isMeant = host === undefined || (groups.size === 0 && hostOf(group.link.shorturl) === host);
			if (group.id === undefined && isMeant) groups.add(group);
		}
		const [only] = groups;
		if (groups.size <= 1) return only;
		const places = [...groups].map(({ link }) => hostOf(link.shorturl) ?? 'the default domain').sort();
		throw new ValueError(
			`The alias "${name.alias}" exists on several domains: ${places.join(', ')}`,
			'Add the domain to the row, such as https://go.example.com.',
		);
	}

	/** The existing or planned link that has the long URL of a row. */
	private groupByUrl(fields: LinkFields): Group | undefined {
		const { custom } = fields;
		const name = longUrlNameOf(fields);
		const there = this.index.matching(name).map((link) => this.groupFor(link));
		const found = [...new Set([...there, ...(this.byLongUrl.get(keyOf(name)) ?? [])])];
		const hasAlias = ({ link }: Group) => custom !== undefined && aliasOf(link) === asText(custom);
		const [only, ...others] = found.length > 1 ? found.filter(hasAlias) : found;
		if (found.length < 2 || (only !== undefined && others.length === 0)) return only;
		throw new SeveralLinksError(
			`The long URL ${name.url}`,
			found.map(({ link, id, first }) => (id === undefined ? `the new link of ${first}` : describeLink(link))),
			'Add the short URL or the alias of the link that the row means.',
		);
	}

	private groupFor(link: LinkRecord): Group {
		const id = identityOf(link) ?? '';
		return this.groups.get(id) ?? { link, id, fields: new Map() };
	}

	/** Adds a row to the group of its link. */
	private join(group: Group, planned: PlannedRow): PlannedRow {
		const { fields, label, open, decision } = planned;
		for (const name of open) group.fields.set(name, { value: fields[name], label });
		group.last = planned;
		if (group.id !== undefined) this.groups.set(group.id, group);
		if (decision.action === 'unchanged') return planned;
		if (isRenaming(fields, group.link)) {
			const alias = asText(fields.custom);
			const claims = this.claims.get(alias) ?? [];
			this.claims.set(alias, claims);
			claims.push(group);
		}
		group.link = changedRecord(group.link, fields);
		const { domain, url } = fields;
		if (url === undefined) return planned;
		// A later row with the long URL that this row gives its link means the same link.
		for (const key of new Set([longUrlNameOf({ url, domain }), longUrlNameOf({ url })].map(keyOf)))
			this.byLongUrl.set(key, (this.byLongUrl.get(key) ?? new Set()).add(group));
		return planned;
	}

	/** Checks that no other link has an alias, and that no earlier row gives it to another link. @throws ValueError */
	private checkAlias(alias: string, host: string | undefined, group?: Group): void {
		const { likelyHost } = this.index;
		// An unknown host may be the same.
		const mayBeThere = (place = likelyHost) => host === undefined || place === undefined || place === host;
		const isClaimed = (other: Group) => other !== group && mayBeThere(hostOf(other.link.shorturl));
		const claim = this.claims.get(alias)?.find(isClaimed);
		if (claim !== undefined) {
			throw new ValueError(
				`${claim.fields.get('custom')?.label} gives the alias "${alias}" to another link`,
				'Give each of the two an alias of its own.',
			);
		}
		const isOwn = (link: LinkRecord) => group !== undefined && identityOf(link) === identityOf(group.link);
		const holder = this.index.matching({ by: 'alias', alias, domain: host }).find((link) => !isOwn(link));
		if (holder === undefined) return;
		const holding = this.groups.get(identityOf(holder) ?? '');
		if (holding !== undefined && aliasOf(holding.link) !== alias) {
			throw new ValueError(
				`The alias "${alias}" belongs to another link, ${describeLink(holder)}, until ${holding.fields.get('custom')?.label} has changed it`,
				'Run the node again. The alias is free then.',
			);
		}
		const error = new ValueError(
			`The alias "${alias}" belongs to another link: ${describeLink(holder)}`,
			'Choose another alias or another domain, or leave the alias empty: a link that exists keeps its own.',
		);
		throw aboutLink(error, holder);
	}
}

import { ValueError } from '../service/errors';
import { asText } from '../service/records';
import { changedRecord, differences, needsDetails, pick, saysSame, type LinkFields } from './changes';
import type { LinkIndex } from './linkIndex';
import {
	aliasNameOf,
	describeLink,
	identityOf,
	keyOf,
	longUrlNameOf,
	SeveralLinksError,
	type LinkName,
	type LinkRecord,
} from './reference';
import { aliasOf, hostOf } from './url';

export interface SheetRow {
	label: string;
	/** What it says of its link. A campaign or channel that is missing stands in it by its name, until it is created. */
	fields: LinkFields;
	/** The short URL that it holds, where that is on a host of the account. */
	shortUrl?: string;
	matchOn: 'alias' | 'url';
	/** When a link that is there is updated. */
	updateWhen: 'changed' | 'always' | 'never';
}

/** What becomes of a link that is there: compared with what the service shows, and updated where it differs, or in any case. */
export interface LinkDecision {
	action: 'compare' | 'unchanged';
	link: LinkRecord;
	isForced: boolean;
}

export interface PlannedRow extends SheetRow {
	decision: { action: 'create' } | LinkDecision;
	/** The earlier row that creates or changes the same link: it has to be done before. */
	after?: PlannedRow;
	/** The fields of which no earlier row says anything. */
	open: readonly string[];
	/** What came of the link, once the row is done; undefined where it failed. */
	link?: LinkRecord;
	/** An earlier row of the link has failed. */
	followsFailure?: boolean;
}

interface Group {
	/** The link as it will be after the last of them. */
	link: LinkRecord;
	/** The first of them makes it. */
	isNew: boolean;
	/** What they say of each field, and which of them does so first. */
	fields: Map<string, { value: unknown; label: string }>;
	last?: PlannedRow;
}

/** What names the link of a row that holds no short URL: its alias, on its domain if it names one, or else its long URL. */
export function nameOfRow({ fields, matchOn }: SheetRow) {
	return matchOn === 'alias' && fields.custom !== undefined ? aliasNameOf(fields) : longUrlNameOf(fields);
}

/** All names by which the links of a row have to be known before it can be planned. */
export function namesToFind(row: SheetRow): LinkName[] {
	const { fields, shortUrl } = row;
	if (shortUrl === undefined) return fields.custom === undefined && fields.url === undefined ? [] : [nameOfRow(row)];
	const alias = fields.custom === undefined ? undefined : asText(fields.custom);
	const own: LinkName = { by: 'shortUrl', shortUrl };
	if (alias === undefined || alias === aliasOf({ shorturl: shortUrl })) return [own];
	return [own, { by: 'alias', alias, domain: hostOf(shortUrl) }];
}

/** Whether a row gives its link an alias that it has not. */
function isRenaming({ custom }: LinkFields, link: LinkRecord): boolean {
	return custom !== undefined && asText(custom) !== aliasOf(link);
}

/** What is to be done for a row whose link is there. */
export function decisionFor(fields: LinkFields, link: LinkRecord, updateWhen: SheetRow['updateWhen']): LinkDecision {
	const isForced = updateWhen === 'always';
	const mayDiffer = updateWhen === 'changed' && (needsDetails(fields) || differences(fields, link).length > 0);
	return { action: isForced || mayDiffer ? 'compare' : 'unchanged', link, isForced };
}

/**
 * Plans a run, row by row in the order of the items: what each asks for, and which mean the same link. Rows are matched with the
 * account as it was when the run began. The plan is what a dry run puts out, and what a run does.
 */
export class SheetPlan {
	/** By the name of the link: its ID, or the long URL that rows give it. */
	private readonly groups = new Map<string, Group>();
	/** Aliases → the links to which rows give them. */
	private readonly claims = new Map<string, Group[]>();

	/** @param labelOf the name that the editor shows of a field @param checkNew throws where a new link can't have these fields */
	constructor(
		private readonly known: Pick<LinkIndex, 'among' | 'alike' | 'likelyHost'>,
		private readonly labelOf: (name: string) => string,
		private readonly checkNew: (fields: LinkFields) => void,
	) {}

	/** Plans the next row. One that can't be done throws, and says nothing of any link. */
	add(row: SheetRow): PlannedRow {
		const group = this.groupOf(row);
		if (group === undefined) return this.create(row);
		const { fields, updateWhen } = row;
		const isOpen = (name: string) => !group.fields.has(name);
		const isSame = (name: string) => saysSame(name, group.fields.get(name)?.value, fields[name]);
		const differing = Object.keys(fields).filter((name) => !isOpen(name) && !isSame(name));
		if (differing.length > 0) {
			const earlier = group.fields.get(differing[0])?.label;
			throw new ValueError(
				`The row targets the same link as ${earlier} with different values: ${differing.map(this.labelOf).join(', ')}`,
				'Keep one of the two rows, or give them aliases of their own.',
			);
		}
		const open = Object.keys(fields).filter(isOpen);
		const decision = decisionFor(pick(fields, open), group.link, updateWhen);
		if (decision.action === 'compare' && isRenaming(fields, group.link)) {
			this.checkAlias(asText(fields.custom), hostOf(group.link.shorturl), group);
		}
		return this.join(group, { ...row, open, decision, ...(group.last === undefined ? {} : { after: group.last }) });
	}

	/** The links that rows mean, and those that rows will make. */
	*links(): Generator<LinkRecord> {
		for (const { link } of this.groups.values()) yield link;
	}

	/**
	 * Looks, once all rows are planned, whether a row would make a link that is there in another spelling of its long URL: services keep
	 * long URLs so, and then each run would make one more.
	 *
	 * @throws ValueError that names the link
	 */
	checkSpelling(row: PlannedRow): void {
		if (row.decision.action !== 'create' || nameOfRow(row).by === 'alias') return;
		const name = longUrlNameOf(row.fields);
		const link = this.known.alike(name).find((one) => !this.groups.has(`id ${identityOf(one)}`));
		if (link === undefined) return;
		throw new ValueError(
			`No link has the long URL ${name.url}, but ${describeLink(link)} has it in another spelling: ${asText(link.longurl)}`,
			'If it is the same page, write the long URL as the service has it. Otherwise give the row an alias.',
		);
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
		if (custom !== undefined) this.checkAlias(asText(custom), hostOf(domain) ?? this.known.likelyHost);
		this.checkNew(fields);
		const link = { longurl: url, ...(domain === undefined ? {} : { shorturl: `${asText(domain)}/` }) };
		const group: Group = { link, isNew: true, fields: new Map() };
		return this.join(group, { ...row, open: Object.keys(fields), decision: { action: 'create' } });
	}

	private groupOf(row: SheetRow): Group | undefined {
		const { fields, shortUrl } = row;
		if (shortUrl !== undefined) return this.groupFor(this.linkAt(shortUrl, fields));
		return nameOfRow(row).by === 'alias' ? this.groupByAlias(fields) : this.groupByUrl(fields);
	}

	/** The link at the short URL of a row, or the one that an earlier run has given the row's alias. */
	private linkAt(shortUrl: string, { custom, domain }: LinkFields): LinkRecord {
		const host = hostOf(shortUrl);
		if (domain !== undefined && hostOf(domain) !== host) {
			throw new ValueError(
				`The row holds the short URL ${shortUrl} and another domain, ${asText(domain)}`,
				'The domain of a link can’t be changed. Remove one of the two.',
			);
		}
		const [link] = this.known.among({ by: 'shortUrl', shortUrl });
		const alias = custom === undefined ? undefined : asText(custom);
		const holders = alias === undefined ? [] : this.known.among({ by: 'alias', alias, domain: host });
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
		const groups = new Set(this.known.among(name).map((link) => this.groupFor(link)));
		for (const group of this.claims.get(name.alias) ?? []) {
			const isMeant = host === undefined || (groups.size === 0 && hostOf(group.link.shorturl) === host);
			if (group.isNew && isMeant) groups.add(group);
		}
		const [only] = groups;
		if (groups.size <= 1) return only;
		const places = [...groups].map(({ link }) => hostOf(link.shorturl) ?? 'the default domain').sort();
		throw new ValueError(
			`The alias "${name.alias}" exists on several domains: ${places.join(', ')}`,
			'Add the domain to the row, such as https://go.example.com.',
		);
	}

	private groupByUrl(fields: LinkFields): Group | undefined {
		const { custom } = fields;
		const name = longUrlNameOf(fields);
		const hasAlias = (link: LinkRecord) => custom !== undefined && aliasOf(link) === asText(custom);
		const same = this.known.among(name);
		// Of one with the row's alias, the service keeps the long URL in another spelling.
		const found = same.length > 0 ? same : this.known.alike(name).filter(hasAlias);
		const named = found.filter(hasAlias);
		const [only] = found.length > 1 ? named : found;
		if (found.length > 1 && named.length !== 1) {
			throw new SeveralLinksError(
				`The long URL ${name.url}`,
				found,
				'Add the short URL or the alias of the link that the row means.',
			);
		}
		return only === undefined ? this.groups.get(keyOf(name)) : this.groupFor(only);
	}

	private groupFor(link: LinkRecord): Group {
		const name = `id ${identityOf(link)}`;
		const group = this.groups.get(name) ?? { link, isNew: false, fields: new Map() };
		this.groups.set(name, group);
		return group;
	}

	/** Takes in what a row says of its link. */
	private join(group: Group, planned: PlannedRow): PlannedRow {
		const { fields, label, open, decision } = planned;
		for (const name of open) group.fields.set(name, { value: fields[name], label });
		group.last = planned;
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
		// A later row that names the link by the long URL that this one gives it means the same link.
		for (const name of [longUrlNameOf({ url, domain }), longUrlNameOf({ url })]) {
			const key = keyOf(name);
			if (!this.groups.has(key)) this.groups.set(key, group);
		}
		return planned;
	}

	/** Whether a link can be given an alias: that no link has, and no earlier row gives to another link. */
	private checkAlias(alias: string, host: string | undefined, group?: Group): void {
		const { likelyHost } = this.known;
		// Of a place that nobody knows it may be either.
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
		const holder = this.known.among({ by: 'alias', alias, domain: host }).find((link) => !isOwn(link));
		if (holder === undefined) return;
		const holding = this.groups.get(`id ${identityOf(holder)}`);
		if (holding !== undefined && aliasOf(holding.link) !== alias) {
			throw new ValueError(
				`The alias "${alias}" belongs to another link, ${describeLink(holder)}, until ${holding.fields.get('custom')?.label} has changed it`,
				'Run the node again. The alias is free then.',
			);
		}
		throw new ValueError(
			`The alias "${alias}" belongs to another link: ${describeLink(holder)}`,
			'Choose another alias or another domain, or leave the alias empty: a link that exists keeps its own.',
		);
	}
}

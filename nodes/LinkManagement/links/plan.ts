import { ValueError } from '../service/errors';
import { asText } from '../service/records';
import { changedRecord, differences, needsDetails, saysSame, type LinkFields } from './changes';
import { identityOf, type LinkRecord } from './linkIndex';
import { aliasNameOf, describeLink, keyOf, longUrlNameOf, SeveralLinksError, type LinkName } from './reference';
import { aliasOf, hostOf } from './url';

/** How a row is matched with links, and when a link that is there is updated. */
export interface Matching {
	matchOn: 'alias' | 'url';
	updateWhen: 'changed' | 'always' | 'never';
}

/** A row of a sheet. */
export interface SheetRow extends Matching {
	/** As people find it: "row 8". */
	label: string;
	fields: LinkFields;
	/** The short URL that it holds, where that is on a host of the account. */
	shortUrl?: string;
}

/** What a row asks for. */
export type Step =
	| { action: 'create' }
	/** The link is there. What the service shows tells whether it differs from the row; `isForced` where it is updated all the same. */
	| { action: 'compare'; link: LinkRecord; isForced: boolean }
	| { action: 'unchanged'; link: LinkRecord };

/** A row with its step. */
export interface PlannedRow extends SheetRow {
	step: Step;
	/** The earlier row that creates or changes the same link: it has to be done before. */
	after?: PlannedRow;
	/** What no earlier row says of the link. */
	open: LinkFields;
	/** What came of the link, once the row is done. */
	link?: LinkRecord;
}

/** What is known of the account's links, as it was when the run began. */
export interface KnownLinks {
	among(name: LinkName): readonly LinkRecord[];
	/** Where a link without a domain is made; undefined where it may be on one of several hosts. */
	likelyHost?: string;
	/** The same, where a creation has shown it. */
	homeHost?: string;
}

/** Rows that mean the same link. */
interface Group {
	/** The link as it will be after the last of them. */
	link: LinkRecord;
	/** What they say of it, and which of them said it first. */
	fields: LinkFields;
	sources: Map<string, string>;
	last?: PlannedRow;
}

/** What names the link of a row that holds no short URL: its alias, on its domain if it names one, or else its long URL. */
export function nameOfRow({ fields, matchOn }: Pick<SheetRow, 'fields' | 'matchOn'>) {
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

/** The fields that a row and those before it both name and give different values. */
function contradictions(earlier: LinkFields, fields: LinkFields): string[] {
	const isBoth = (name: string) => earlier[name] !== undefined && fields[name] !== undefined;
	return Object.keys(fields).filter((name) => isBoth(name) && !saysSame(name, earlier[name], fields[name]));
}

/** What is to be done for a row whose link is there. */
export function stepFor(fields: LinkFields, link: LinkRecord, updateWhen: Matching['updateWhen']): Step {
	const isForced = updateWhen === 'always';
	const mayDiffer = updateWhen === 'changed' && (needsDetails(fields) || differences(fields, link).length > 0);
	return isForced || mayDiffer ? { action: 'compare', link, isForced } : { action: 'unchanged', link };
}

/**
 * Plans a run, row by row in the order of the items: what each asks for, and which mean the same link. Rows are matched with the
 * account as it was when the run began. The plan is what a dry run puts out, and what a run does.
 */
export class SheetPlan {
	private readonly groups = new Map<string, Group>();
	/** Aliases that rows give to links: of links that are made, and of links that are there. */
	private readonly made = new Map<string, Array<{ host?: string; group: Group }>>();
	private readonly given = new Map<string, Array<{ host?: string; group: Group }>>();

	/**
	 * @param labels the names that the editor shows of fields
	 * @param checkNew throws where a new link can't have these fields
	 */
	constructor(
		private readonly known: KnownLinks,
		private readonly labels: (name: string) => string,
		private readonly checkNew: (fields: LinkFields) => void,
	) {}

	/**
	 * Plans the next row.
	 *
	 * @throws ValueError, SeveralLinksError where the row can't be done; it then says nothing of any link
	 */
	add(row: SheetRow): PlannedRow {
		const group = this.groupOf(row);
		if (group === undefined) return this.create(row);
		const { fields, updateWhen } = row;
		const differing = contradictions(group.fields, fields);
		if (differing.length > 0) {
			const earlier = group.sources.get(differing[0]);
			throw new ValueError(
				`The row targets the same link as ${earlier} with different values: ${differing.map(this.labels).join(', ')}`,
				'Keep one of the two rows, or give them aliases of their own.',
			);
		}
		const { last } = group;
		const open = Object.fromEntries(Object.entries(fields).filter(([name]) => group.fields[name] === undefined));
		const step = stepFor(open, group.link, updateWhen);
		const isRenaming =
			step.action === 'compare' && open.custom !== undefined && asText(open.custom) !== aliasOf(group.link);
		if (isRenaming) this.checkAlias(asText(open.custom), hostOf(group.link.shorturl), group);
		const planned: PlannedRow = { ...row, open, step, ...(last === undefined ? {} : { after: last }) };
		this.join(group, planned);
		if (isRenaming) this.note(this.given, asText(open.custom), hostOf(group.link.shorturl), group);
		if (step.action === 'compare') this.nameByUrl(group, fields);
		return planned;
	}

	/** A row whose link is not there yet. */
	private create(row: SheetRow): PlannedRow {
		const { fields } = row;
		const { custom, domain, url } = fields;
		if (url === undefined) {
			throw new ValueError(
				`Long URL is empty, and there is no link ${custom === undefined ? 'to update' : `with the alias "${asText(custom)}"`}`,
				'A new link needs a long URL: enter one, or check the column that should hold it.',
			);
		}
		const host = hostOf(domain);
		if (custom !== undefined) this.checkAlias(asText(custom), host ?? this.known.likelyHost);
		this.checkNew(fields);
		const place = domain === undefined ? {} : { shorturl: `${asText(domain)}/` };
		const group: Group = {
			link: changedRecord({ longurl: url, ...place }, fields),
			fields: {},
			sources: new Map(),
		};
		const planned: PlannedRow = { ...row, open: fields, step: { action: 'create' } };
		this.join(group, planned);
		if (custom !== undefined) this.note(this.made, asText(custom), host, group);
		this.nameByUrl(group, fields);
		return planned;
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
				'Nothing was created. Correct the short URL, or empty its cell to have a new link created.',
			);
		}
		const other = holders.find((holder) => identityOf(holder) !== identityOf(link));
		if (other === undefined) return link;
		throw new ValueError(
			`The row holds the short URL of one link, ${describeLink(link)}, and the alias of another, ${describeLink(other)}`,
			'Correct the one that is wrong, or empty its cell.',
		);
	}

	private groupByAlias(fields: LinkFields): Group | undefined {
		const name = aliasNameOf(fields);
		const { alias } = name;
		const host = hostOf(name.domain);
		const found = this.known.among(name);
		const made = this.made.get(alias) ?? [];
		const { homeHost } = this.known;
		if (host !== undefined && found.length === 0) {
			return made.find((one) => one.host === host || (one.host === undefined && host === homeHost))?.group;
		}
		const groups = new Set(found.map((link) => this.groupFor(link)));
		if (host === undefined) for (const { group } of made) groups.add(group);
		const [only] = groups;
		if (groups.size <= 1) return only;
		const places = [...groups].map(({ link }) => hostOf(link.shorturl) ?? 'the default domain').sort();
		throw new ValueError(
			`The alias "${alias}" exists on several domains: ${places.join(', ')}`,
			'Name the domain in the row, as https://… .',
		);
	}

	private groupByUrl(fields: LinkFields): Group | undefined {
		const { custom } = fields;
		const name = longUrlNameOf(fields);
		const found = this.known.among(name);
		const named = custom === undefined ? [] : found.filter((link) => aliasOf(link) === asText(custom));
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

	/** The rows that mean a link which is there. */
	private groupFor(link: LinkRecord): Group {
		const name = `id ${identityOf(link)}`;
		const group = this.groups.get(name) ?? { link, fields: {}, sources: new Map<string, string>() };
		this.groups.set(name, group);
		return group;
	}

	/** Takes in what a row says of its link. */
	private join(group: Group, planned: PlannedRow): void {
		const { fields, label, step } = planned;
		for (const name of Object.keys(planned.open)) group.sources.set(name, label);
		group.fields = { ...fields, ...group.fields };
		group.last = planned;
		if (step.action === 'compare') group.link = changedRecord(group.link, fields);
	}

	/** Whether a link can be given an alias: that no link has, and no earlier row gives to another link. */
	private checkAlias(alias: string, host: string | undefined, group?: Group): void {
		const { likelyHost } = this.known;
		// Of a place that nobody knows it may be either.
		const mayBeThere = (place = likelyHost) => host === undefined || place === undefined || place === host;
		const others = [...(this.made.get(alias) ?? []), ...(this.given.get(alias) ?? [])];
		const claim = others.find((one) => one.group !== group && mayBeThere(one.host));
		if (claim !== undefined) {
			throw new ValueError(
				`${claim.group.sources.get('custom')} gives the alias "${alias}" to another link`,
				'Give each of the two an alias of its own.',
			);
		}
		for (const holder of this.known.among({ by: 'alias', alias, ...(host === undefined ? {} : { domain: host }) })) {
			const holding = this.groups.get(`id ${identityOf(holder)}`);
			if (holding === group && group !== undefined) continue;
			if (holding !== undefined && aliasOf(holding.link) !== alias) {
				throw new ValueError(
					`The alias "${alias}" belongs to another link, ${describeLink(holder)}, until ${holding.sources.get('custom')} has changed it`,
					'Run the node again: by then the alias is free.',
				);
			}
			throw new ValueError(
				`The alias "${alias}" belongs to another link: ${describeLink(holder)}`,
				'Choose another alias or another domain, or leave the alias empty: a link that exists keeps its own.',
			);
		}
	}

	private note(names: SheetPlan['made'], alias: string, host: string | undefined, group: Group): void {
		names.set(alias, [...(names.get(alias) ?? []), { host, group }]);
	}

	/** A later row that names the link by the long URL that this one gives it means the same link. */
	private nameByUrl(group: Group, { domain, url }: LinkFields): void {
		if (url === undefined) return;
		for (const name of [longUrlNameOf({ url, domain }), longUrlNameOf({ url })]) {
			const key = keyOf(name);
			if (!this.groups.has(key)) this.groups.set(key, group);
		}
	}
}

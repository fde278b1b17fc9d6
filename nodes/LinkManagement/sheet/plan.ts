import { asText } from '../api/records';
import { identityOf, linkIdOf, type LinkRecord } from '../account/linkIndex';
import { addressKey, aliasOf, hostOf } from '../account/url';
import { changedRecord, differences, needsDetails, saysSame, type LinkFields } from './changes';

/** How a row is matched with links, and when a link that is there is updated. */
export interface Matching {
	matchOn: 'alias' | 'url';
	updateWhen: 'changed' | 'always' | 'never';
}

/** A row of a sheet. */
interface SheetRow extends Matching {
	/** The input item, counted from 0. */
	item: number;
	fields: LinkFields;
}

/** Where something was said: an item of this run, or of an earlier run of the same node. */
export interface Origin {
	item: number;
	isEarlierRun?: boolean;
}

/** What was said of a link so far, and where. */
export interface Said {
	fields: LinkFields;
	at: Origin;
	/** Fields that were said elsewhere. */
	others?: Map<string, Origin>;
}

/** What a row asks for. */
export type Step =
	| { action: 'create' }
	/** The link is there. What the service shows tells whether it differs from the row; `isForced` where it is updated all the same. */
	| { action: 'compare'; link: LinkRecord; isForced: boolean }
	| { action: 'unchanged'; link: LinkRecord }
	/** An earlier row means the same link and says something else in these fields. */
	| { action: 'conflict'; at: Origin; fields: string[] }
	/** Another link has the alias that the row gives its own. */
	| { action: 'taken'; alias: string; holder: LinkRecord }
	/** An earlier row gives the alias to another link. */
	| { action: 'claimed'; alias: string; at: Origin }
	/** The alias stands on several domains, and the row names none. */
	| { action: 'ambiguous'; alias: string; places: string[] }
	/** The link is not there, and the row has no long URL to make it of. */
	| { action: 'noUrl'; alias?: string };

/** A row with its step. */
export interface PlannedRow extends SheetRow {
	step: Step;
	/** The earlier row that makes or changes the same link: it has to be done before. */
	after?: PlannedRow;
	/** The earlier row whose link gives up the alias that this one takes. */
	freedBy?: PlannedRow;
	/** What no earlier row has said of the link. */
	open: LinkFields;
	/** What came of the link, once the row is done. */
	link?: LinkRecord;
}

/** Throws where fields can't be given to a link, or to a new one. */
type Check = (fields: LinkFields, link?: LinkRecord) => void;

/** What is known of the account's aliases. */
interface Aliases {
	/** Where a link without a domain is made; undefined where it may be on one of several hosts. */
	likelyHost?: string;
	/** The links that have an alias on this host, or on any. */
	holders(alias: string, host: string | undefined): readonly LinkRecord[];
}

/** Rows that mean the same link. */
interface Group {
	said: Said;
	/** The link as it will be after the last of them. */
	link: LinkRecord;
	last?: PlannedRow;
}

/** Whether a row is matched by its alias, or else by its long URL. */
export function isMatchedByAlias(fields: LinkFields, matchOn: Matching['matchOn']): boolean {
	return matchOn === 'alias' && fields.custom !== undefined;
}

/** Of several links to one address: the one that the row describes best, and among equals the one that was there first. */
export function best(fields: LinkFields, links: readonly LinkRecord[]): LinkRecord {
	const rank = (link: LinkRecord) => [
		fields.custom !== undefined && aliasOf(link) === asText(fields.custom) ? 0 : 1,
		differences(fields, link).length,
		Number(linkIdOf(link) ?? Infinity),
	];
	const ranked = links.map((link) => ({ link, rank: rank(link) }));
	ranked.sort((one, other) => {
		const at = one.rank.findIndex((figure, place) => figure !== other.rank[place]);
		return at < 0 ? 0 : one.rank[at] - other.rank[at];
	});
	return ranked[0].link;
}

/** The fields that a row and those before it both name and give different values. */
function contradictions(said: LinkFields, fields: LinkFields): string[] {
	return Object.keys(fields).filter(
		(name) => said[name] !== undefined && fields[name] !== undefined && !saysSame(name, said[name], fields[name]),
	);
}

/** What is to be done for a row whose link is there. */
export function stepFor(fields: LinkFields, link: LinkRecord, updateWhen: Matching['updateWhen']): Step {
	const isForced = updateWhen === 'always';
	const mayDiffer = updateWhen === 'changed' && (needsDetails(fields) || differences(fields, link).length > 0);
	return isForced || mayDiffer ? { action: 'compare', link, isForced } : { action: 'unchanged', link };
}

/**
 * Plans a run, row by row in the order of the items: what each asks for, and which mean the same link. Of two rows that mean the
 * same link and say different things the later one is in conflict, and nothing comes of it. The plan is what a dry run puts out,
 * and what a run does.
 */
export class SheetPlan {
	private readonly groups = new Map<string, Group>();
	/** Aliases of links that rows make → where. */
	private readonly made = new Map<string, Map<string, Group>>();

	/**
	 * @param saidBefore what earlier runs of the node said of a link
	 * @param defaultHost where a link without a domain is made, as far as that is known
	 * @param aliases undefined where it is left to the service which are taken
	 */
	constructor(
		private readonly saidBefore: (link: LinkRecord) => Said | undefined = () => undefined,
		private readonly defaultHost?: string,
		private readonly aliases?: Aliases,
	) {}

	/**
	 * Plans the next row.
	 *
	 * @param found the links of the account that the row may mean
	 * @param check throws where a link can't be given these fields: one that is there, or a new one. The row has then said nothing.
	 */
	add(row: SheetRow, found: readonly LinkRecord[], check: Check = () => undefined): PlannedRow {
		const { fields } = row;
		const group = this.groupOf(row, found);
		if (Array.isArray(group)) {
			return { ...row, open: fields, step: { action: 'ambiguous', alias: asText(fields.custom), places: group } };
		}
		if (group === undefined) return this.opened(row, check);
		const differing = contradictions(group.said.fields, fields);
		if (differing.length > 0) {
			const at = group.said.others?.get(differing[0]) ?? group.said.at;
			return { ...row, open: fields, step: { action: 'conflict', at, fields: differing } };
		}
		const { last } = group;
		const open = last === undefined ? fields : unsaid(fields, group.said.fields);
		const step = stepFor(open, group.link, row.updateWhen);
		const given = step.action === 'compare' ? this.aliasFor(row, group) : {};
		if (given.step !== undefined) return { ...row, open: fields, step: given.step };
		if (step.action === 'compare') check(open, group.link);
		const planned: PlannedRow = { ...row, open, step, ...given, ...(last === undefined ? {} : { after: last }) };
		this.join(group, planned);
		group.last = planned;
		return planned;
	}

	/** A row whose link is not there yet. */
	private opened(row: SheetRow, check: Check): PlannedRow {
		const { fields, item } = row;
		if (fields.url === undefined) {
			const alias = fields.custom === undefined ? {} : { alias: asText(fields.custom) };
			return { ...row, open: fields, step: { action: 'noUrl', ...alias } };
		}
		const given = this.aliasFor(row);
		if (given.step !== undefined) return { ...row, open: fields, step: given.step };
		check(fields);
		const planned: PlannedRow = { ...row, ...given, open: fields, step: { action: 'create' } };
		const place = fields.domain === undefined ? {} : { shorturl: `${asText(fields.domain)}/` };
		const link = changedRecord({ longurl: fields.url, ...place }, fields);
		const group: Group = { said: { fields, at: { item } }, link, last: planned };
		this.nameGroup(group, fields);
		return planned;
	}

	/** The places are those where an alias stands that is asked for without a domain. */
	private groupOf({ fields, matchOn }: SheetRow, found: readonly LinkRecord[]): Group | undefined | string[] {
		const host = hostOf(fields.domain);
		if (!isMatchedByAlias(fields, matchOn)) {
			if (found.length > 0) return this.groupFor(best(fields, found));
			return this.groups.get(urlName(host, fields.url));
		}
		const made = this.made.get(asText(fields.custom));
		if (host !== undefined && found.length === 0) {
			return made?.get(host) ?? (host === this.defaultHost ? made?.get('') : undefined);
		}
		const groups = new Set(found.map((link) => this.groupFor(link)));
		if (host === undefined) for (const group of made?.values() ?? []) groups.add(group);
		const [only] = groups;
		return groups.size > 1 ? [...groups].map(({ link }) => placeOf(link)).sort() : only;
	}

	/** Whether a row can give its link the alias that it names, where it does not name the link by it. */
	private aliasFor({ fields, matchOn }: SheetRow, group?: Group): { step?: Step; freedBy?: PlannedRow } {
		const { custom, domain } = fields;
		const { aliases } = this;
		if (custom === undefined || aliases === undefined || isMatchedByAlias(fields, matchOn)) return {};
		const alias = asText(custom);
		if (group !== undefined && aliasOf(group.link) === alias) return {};
		const { likelyHost } = aliases;
		const host = hostOf(domain) ?? hostOf(group?.link.shorturl) ?? likelyHost;
		// Of a place that nobody knows it may be either.
		const mayBeThere = (place = likelyHost) => host === undefined || place === undefined || place === host;
		const made = [...(this.made.get(alias) ?? [])];
		const maker = made.find(([place, one]) => one !== group && mayBeThere(place || undefined))?.[1];
		if (maker !== undefined) {
			return { step: { action: 'claimed', alias, at: maker.said.others?.get('custom') ?? maker.said.at } };
		}
		let freedBy: PlannedRow | undefined;
		for (const holder of aliases.holders(alias, host)) {
			const other = this.groups.get(`id ${identityOf(holder)}`);
			if (other === undefined || aliasOf(other.link) === alias) return { step: { action: 'taken', alias, holder } };
			freedBy = other.last;
		}
		return freedBy === undefined ? {} : { freedBy };
	}

	/** The rows that mean a link which is there. */
	private groupFor(link: LinkRecord): Group {
		const identity = identityOf(link) ?? '';
		const known = this.groups.get(`id ${identity}`);
		if (known !== undefined) return known;
		const said = this.saidBefore(link) ?? { fields: {}, at: { item: 0 } };
		const group: Group = { said, link };
		this.groups.set(`id ${identity}`, group);
		return group;
	}

	/** Takes in what a row says of a link that is there, or that an earlier row makes. */
	private join(group: Group, { fields, item, step }: PlannedRow): void {
		if (group.last === undefined && Object.keys(group.said.fields).length === 0) {
			group.said = { fields, at: { item } };
		} else {
			const others = group.said.others ?? new Map<string, Origin>();
			for (const name of Object.keys(unsaid(fields, group.said.fields))) others.set(name, { item });
			group.said = { ...group.said, fields: { ...group.said.fields, ...fields }, others };
		}
		if (step.action !== 'compare') return;
		group.link = changedRecord(group.link, fields);
		this.nameGroup(group, fields);
	}

	/** A later row that names the link as this one leaves it means the same. */
	private nameGroup(group: Group, { custom, domain, url }: LinkFields): void {
		const host = hostOf(domain) ?? hostOf(group.link.shorturl) ?? '';
		if (custom !== undefined) {
			const alias = asText(custom);
			const made = this.made.get(alias) ?? new Map<string, Group>();
			if (!made.has(host)) made.set(host, group);
			this.made.set(alias, made);
		}
		for (const name of [urlName(hostOf(domain), url), urlName(undefined, url)]) {
			if (url !== undefined && !this.groups.has(name)) this.groups.set(name, group);
		}
	}
}

function urlName(host: string | undefined, url: unknown): string {
	return `url ${host ?? ''} ${addressKey(url) ?? asText(url)}`;
}

function placeOf(link: LinkRecord): string {
	return hostOf(link.shorturl) ?? 'the default domain';
}

/** The fields that were not said before. */
function unsaid(fields: LinkFields, said: LinkFields): LinkFields {
	return Object.fromEntries(Object.entries(fields).filter(([name]) => said[name] === undefined));
}

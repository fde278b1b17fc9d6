/** What the rows of a sheet ask for, and which links are named: reckoned from what the service holds, in the plainest way. */
import type { LinkWithAddress } from '../sandbox';
import { CAMPAIGNS, PASSED, type Naming, type SheetRow } from './scenario';

/** What becomes of a row at a service that takes everything, while nobody else changes the account. */
export type Expected = 'created' | 'updated' | 'unchanged' | 'error';

export const isSameAddress = (one: string, other: string): boolean => new URL(one).href === new URL(other).href;

/** A link as it will be after the rows before; one that is not there yet has no ID. */
interface Modelled {
	id?: number;
	alias?: string;
	domain: string;
	longurl: string;
	title?: string;
	expiry?: string | null;
	campaign?: number | null;
	/** What the rows so far have said of it. */
	said: SheetRow;
}

/** The campaign that a name stands for; undefined where there is none, or where several may be meant. */
export function campaignOf(name: string): number | undefined {
	const exact = CAMPAIGNS.filter((campaign) => campaign.name === name);
	const folded = CAMPAIGNS.filter((campaign) => campaign.name.toLowerCase() === name.toLowerCase());
	const meant = exact.length > 0 ? exact : folded;
	if (meant.length > 0) return meant.length === 1 ? meant[0].id : undefined;
	return CAMPAIGNS.find(({ id }) => String(id) === name)?.id;
}

/** Links that a row may mean. */
export function linksOf<T extends Pick<Modelled, 'alias' | 'domain' | 'longurl'>>(row: SheetRow, links: T[]): T[] {
	const there = links.filter(({ domain }) => row.domain === undefined || domain === row.domain);
	if (row.alias !== undefined) return there.filter(({ alias }) => alias === row.alias);
	return there.filter(({ longurl }) => row.url !== undefined && isSameAddress(longurl, row.url));
}

function contradicts(said: SheetRow, row: SheetRow): boolean {
	const { url, title, expiry, campaign } = row;
	const differs = (one: unknown, other: unknown) => one !== undefined && other !== undefined && one !== other;
	if (said.url !== undefined && url !== undefined && !isSameAddress(said.url, url)) return true;
	if (differs(said.title, title) || differs(said.expiry, expiry)) return true;
	return campaign !== undefined && said.campaign !== undefined && campaignOf(campaign) !== campaignOf(said.campaign);
}

/** What the fields of a row change of a link, as far as a reader of the service can see it. */
function differs(link: Modelled, row: SheetRow): boolean {
	if (row.url !== undefined && !isSameAddress(row.url, link.longurl)) return true;
	if (row.title !== undefined && row.title !== link.title) return true;
	return row.expiry !== undefined && row.expiry !== link.expiry;
}

/**
 * What is to become of each row, in their order.
 *
 * @param isVisible whether the service shows a link's campaign, so that it can be compared
 */
export function expectedOf(
	rows: SheetRow[],
	links: LinkWithAddress[],
	{ updateWhen, showsCampaigns }: { updateWhen: 'changed' | 'never'; showsCampaigns: boolean },
): Expected[] {
	const world: Modelled[] = links.map((link) => ({ ...link, said: {} }));
	return rows.map((row): Expected => {
		if (row.campaign !== undefined && campaignOf(row.campaign) === undefined) return 'error';
		const meant = linksOf(row, world);
		if (meant.length > 1) return 'error';
		const [link] = meant;
		if (link === undefined) {
			if (row.url === undefined || row.deep === true || row.expiry === PASSED) return 'error';
			const { alias, domain = '', url, title, expiry } = row;
			const campaign = row.campaign === undefined ? null : campaignOf(row.campaign);
			world.push({ alias, domain, longurl: url, title, expiry, campaign, said: row });
			return 'created';
		}
		if (contradicts(link.said, row)) return 'error';
		const isNew = { ...row };
		for (const name of Object.keys(link.said)) delete isNew[name];
		const campaign = isNew.campaign === undefined ? undefined : campaignOf(isNew.campaign);
		const assigns = campaign !== undefined && (!showsCampaigns || link.campaign !== campaign);
		const isChange = differs(link, row) || assigns || isNew.deep === true;
		if (isChange && updateWhen === 'changed') {
			if (isNew.deep === true || (row.expiry === PASSED && link.expiry !== PASSED)) return 'error';
			const { url = link.longurl, title = link.title, expiry = link.expiry } = row;
			Object.assign(link, { longurl: url, title, expiry, campaign: campaign ?? link.campaign });
		}
		link.said = { ...row, ...link.said };
		return isChange && updateWhen === 'changed' ? 'updated' : 'unchanged';
	});
}

/**
 * Whether it is plain what each row means: all by their aliases, or each by an address that one link at most leads to. Where rows of
 * both kinds meet, one row may change what another is matched by.
 */
export function isPlain(rows: SheetRow[], links: LinkWithAddress[]): boolean {
	if (rows.every(({ alias }) => alias !== undefined)) return true;
	return rows.every((row) => row.alias === undefined && linksOf(row, links).length < 2);
}

/** The links that a text names: an ID, a long URL, an alias, or a short URL, which is its host and its whole path. */
export function linksNamed(by: Naming['by'], text: string, links: LinkWithAddress[]): LinkWithAddress[] {
	const bare = (address: string) => address.replace(/^https?:\/\//, '');
	if (by === 'id') return links.filter(({ id }) => String(id) === text);
	if (by === 'longUrl') return links.filter(({ longurl }) => isSameAddress(longurl, text));
	if (by === 'alias' && !text.includes('/')) return links.filter(({ alias }) => alias === text);
	return links.filter(({ shorturl }) => bare(shorturl) === bare(text));
}

import type { IDataObject } from 'n8n-workflow';

import { withoutSlashAtEnd } from '../../service/baseUrl';
import { asText, flatRecord, idOf } from '../../service/records';
import { fieldNamed, fieldsThat } from '../linkFields';
import { identityOf, type LinkName, type LinkRecord, type LongUrlName, type PlacedName } from '../reference';
import {
	addressKey,
	aliasBelow,
	aliasOf,
	hostOf,
	isSameAddress,
	isSameShortUrl,
	keysKeptBy,
	looseAddressKey,
	shortKey,
} from '../url';

/** The loose key of a long URL, if it may differ from its strict key: few do, and it costs time. */
function looseKeyOf({ longurl }: LinkRecord): string | undefined {
	const isSpelled = typeof longurl === 'string' && /[%+]|&amp;|[^\x20-\x7e]/i.test(longurl);
	return isSpelled ? looseAddressKey(longurl) : undefined;
}

function keysOf(record: LinkRecord): string[] {
	const keys = {
		short: shortKey(record.shorturl),
		alias: aliasOf(record),
		url: addressKey(record.longurl),
		loose: looseKeyOf(record),
	};
	return Object.entries(keys).flatMap(([kind, key]) => (key === undefined ? [] : [`${kind} ${key}`]));
}

function onDomain(links: LinkRecord[], domain: string | undefined): LinkRecord[] {
	const host = hostOf(domain);
	return host === undefined ? links : links.filter(({ shorturl }) => hostOf(shorturl) === host);
}

/**
 * The links of an account that a run has read, kept up to date with the run's own changes. Changes by others show when they matter:
 * an alias that is refused is looked up, a deleted link is not found.
 */
export class LinkIndex {
	isComplete = false;
	/** The highest ID that a list has shown: links that are created later have higher ones. */
	newest = 0;
	domains: readonly string[] = [];
	areDomainsKnown = false;
	private readonly links = new Map<number | string, { record: LinkRecord; keys: readonly string[] }>();
	/** Key → the links that have it, in the order in which they were seen. */
	private readonly byKey = new Map<string, Set<number | string>>();
	/** The links that lists have shown, and those that this run has changed. */
	private readonly listed = new Set<number | string>();
	private readonly changed = new Set<number | string>();
	/** Host → the address below which its links are. */
	private readonly bases = new Map<string, string>();

	constructor(private readonly address: string) {}

	/** Adds or replaces a link. @returns it, with its alias */
	put(shown: LinkRecord): LinkRecord {
		const record = this.withAlias(shown);
		const id = identityOf(record);
		this.delete(record);
		// Until now, it was known without its ID.
		this.delete({ shorturl: record.shorturl });
		const keys = keysOf(record);
		this.links.set(id, { record, keys });
		for (const key of keys) {
			const others = this.byKey.get(key);
			if (others === undefined) this.byKey.set(key, new Set([id]));
			else others.add(id);
		}
		const host = shortKey(record.shorturl)?.split('/', 1)[0];
		if (host !== undefined && (shown.alias !== undefined || !this.bases.has(host))) {
			const address = withoutSlashAtEnd(asText(record.shorturl));
			const path = `/${asText(record.alias)}`;
			const end = address.endsWith(path) ? address.length - path.length : address.lastIndexOf('/');
			this.bases.set(host, address.slice(0, end));
		}
		return record;
	}

	/** A record with its alias: what follows the base of its host, where the service does not show it. */
	withAlias(record: LinkRecord): LinkRecord {
		if (aliasOf({ alias: record.alias }) !== undefined) return record;
		const alias = aliasBelow(this.baseOf(hostOf(record.shorturl)), record.shorturl);
		return alias === undefined ? record : { ...record, alias };
	}

	/** Adds what details show of a link to what lists have shown. */
	putDetails(details: IDataObject, id?: number): LinkRecord {
		const shown = linkIn(details, id);
		return this.put(merge(this.get(shown), shown));
	}

	/** Adds a link that a list has shown. If this run has changed the link, the page may be older than the change. */
	putListed(link: LinkRecord): void {
		const id = identityOf(link);
		this.put(this.changed.has(id) ? { ...link, ...this.get(link) } : link);
		this.newest = Math.max(this.newest, idOf(link) ?? 0);
		this.listed.add(id);
	}

	putChanged(link: LinkRecord): void {
		this.put(link);
		this.changed.add(identityOf(link));
	}

	isListed(link: LinkRecord): boolean {
		return this.listed.has(identityOf(link));
	}

	delete(record: LinkRecord): void {
		const id = identityOf(record);
		for (const key of this.links.get(id)?.keys ?? []) this.byKey.get(key)?.delete(id);
		this.links.delete(id);
	}

	private withKey(...keys: readonly string[]): LinkRecord[] {
		const ids = new Set(keys.flatMap((key) => [...(this.byKey.get(key) ?? [])]));
		return Array.from(ids, (id) => this.links.get(id)!.record);
	}

	/** The links whose long URLs are similar but not the same: services may keep an address in another spelling. */
	similarTo({ url, domain }: LongUrlName): LinkRecord[] {
		const links = this.withKey(...keysKeptBy(url).flatMap((key) => [`loose ${key}`, `url ${key}`]));
		const others = links.filter(({ longurl }) => !isSameAddress(longurl, url));
		return onDomain(others, domain);
	}

	get(record: LinkRecord): LinkRecord | undefined {
		return this.links.get(identityOf(record))?.record;
	}

	matching(name: LinkName): LinkRecord[] {
		switch (name.by) {
			case 'shortUrl':
				return this.withKey(`short ${shortKey(name.shortUrl)}`);
			case 'url':
				return onDomain(this.withKey(`url ${addressKey(name.url)}`), name.domain);
			case 'alias':
				return onDomain(this.withKey(`alias ${name.alias}`), name.domain);
		}
	}

	/** The address below which the account's links are on a host, if it is known. */
	baseOf(host: string | undefined): string | undefined {
		const { address, domains, bases } = this;
		return bases.get(host ?? '') ?? [address, ...domains].find((place) => hostOf(place) === host);
	}

	private get ownHosts(): string[] {
		const branded = this.domains.map(hostOf);
		return [...this.bases.keys()].filter((host) => !branded.includes(host));
	}

	/** The hosts on which the account may have links, as far as these are known. */
	get hosts(): string[] {
		// Links without a domain may be on another host than the service's.
		const own = this.ownHosts.length > 0 ? [] : [this.address];
		return [...new Set([...own, ...this.domains, ...this.bases.keys()].flatMap((place) => hostOf(place) ?? []))];
	}

	hasHost(host: string): boolean {
		return this.baseOf(host) !== undefined;
	}

	/**
	 * The host on which a link without a domain is probably created: the service's own if it has links, or the only host of all links
	 * that are not on the account's domains; undefined if there are several. Good enough to stop a row, not to choose a link.
	 */
	get likelyHost(): string | undefined {
		const hosts = this.ownHosts;
		const own = hostOf(this.address);
		if (hosts.length === 0 || this.bases.has(own ?? '')) return own;
		return hosts.length === 1 ? hosts[0] : undefined;
	}

	/** The address of a named link: with the scheme that was seen with its host, or else the service's. */
	addressOf(name: PlacedName): string {
		const entered = (name.by === 'shortUrl' ? name.shortUrl : name.domain) ?? '';
		const place = this.baseOf(hostOf(entered));
		const alias = name.by === 'alias' ? name.alias.replaceAll(' ', '%20') : '';
		const address = name.by === 'shortUrl' ? entered : `${withoutSlashAtEnd(place ?? entered)}/${alias}`;
		// A service behind a proxy may show its address without TLS.
		const known = place ?? (/^https:/i.test(entered) ? entered : this.address);
		const scheme = /^http:/i.test(known) ? 'http' : 'https';
		return `${scheme}://${address.replace(/^[a-z]+:\/\//i, '')}`;
	}
}

/** Fields of details and statistics that lists leave out (spec, "Short link list item"). */
const DETAILS_ONLY = new Set([
	...fieldsThat(({ shownIn }) => shownIn === 'details').flatMap((name) => fieldNamed(name).shownAs ?? [name]),
	...['topCountries', 'topReferrers', 'topBrowsers', 'topOs', 'socialCount'],
]);

/** A known link, updated by its details. They don't show the alias itself, which may contain a slash. */
export function merge(known: LinkRecord | undefined, shown: LinkRecord): LinkRecord {
	const { alias, ...others } = known ?? {};
	const isSame = alias !== undefined && isSameShortUrl(known?.shorturl, shown.shorturl);
	return isSame ? { ...known, ...shown, alias } : { ...others, ...shown };
}

/** The link of a details answer (spec, "Short link details"), as a list would show it. */
export function linkIn(answer: IDataObject, id?: number): LinkRecord {
	// Asked for by its ID, it is the link with that ID, whatever the answer says.
	const own = id === undefined ? {} : { id };
	const details = { ...own, ...flatRecord(answer), ...own };
	return Object.fromEntries(Object.entries(details).filter(([name]) => !DETAILS_ONLY.has(name)));
}

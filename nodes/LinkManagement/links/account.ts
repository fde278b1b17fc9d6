import type { IDataObject } from 'n8n-workflow';

import { withoutSlashAtEnd } from '../service/baseUrl';
import type { Connection } from '../service/connection';
import { flatRecord } from '../service/records';
import { identityOf, LinkIndex, linkIdOf, type LinkRecord } from './linkIndex';
import type { LinkName } from './reference';
import { aliasOf, baseOf, hostOf } from './url';

/** Details of links that are kept for the update or the item that they were read for, at most. */
const MOST_DETAILS = 1000;

/**
 * What a run knows of an account's links: read as far as the rows need it, and kept up to date with what the run does itself. What
 * others do meanwhile shows when it matters: an alias that is refused is looked up, a link that is gone is not found.
 */
export class AccountLinks {
	index = new LinkIndex();
	/** Every link of the account is in the index. */
	isComplete = false;
	/** They were read in an earlier round of a loop: a hint where to look. */
	isHint = false;
	/** The account's domains, once they were asked for. */
	domains: readonly string[] | undefined;
	/** Where the service has made a link that names no domain. */
	homeHost: string | undefined;
	/** Details that came with a look-up, by ID: what an update has to send along. */
	private readonly details = new Map<number | string, IDataObject>();
	/** The identities of links that the run has made. */
	private readonly made = new Set<number | string | undefined>();
	/** The hosts of links that were seen → the address below which they stand. */
	private readonly places = new Map<string, string>();

	constructor(private readonly connection: Pick<Connection, 'address'>) {}

	/** Takes over what an earlier round of a loop has read. */
	takeHint(earlier: AccountLinks): void {
		if (!earlier.isComplete) return;
		this.index = earlier.index;
		this.isHint = true;
		this.homeHost = earlier.homeHost;
		for (const [host, place] of earlier.places) this.places.set(host, place);
	}

	/** Takes in a link that was seen or changed. */
	note(record: LinkRecord): void {
		this.index.add(record);
		const host = hostOf(record.shorturl);
		if (host === undefined || this.places.has(host)) return;
		this.places.set(host, baseOf(record.shorturl) ?? this.connection.address);
	}

	noteAll(records: Iterable<LinkRecord>): void {
		for (const record of records) this.note(record);
	}

	/** Takes in a link that the run has made. */
	noteMade(record: LinkRecord): void {
		this.note(record);
		this.made.add(identityOf(record));
	}

	/** Whether a link was there before the run. */
	wasThere(record: LinkRecord): boolean {
		return this.known(record.id) !== undefined && !this.made.has(identityOf(record));
	}

	/** Forgets a link that is gone. */
	forget(record: LinkRecord): void {
		const id = identityOf(record);
		if (id === undefined) return;
		this.index.remove(id);
		this.details.delete(id);
	}

	/** Keeps the details that a look-up brought, and takes in what a list would show of the link. */
	noteDetails(details: IDataObject, link: LinkRecord): LinkRecord {
		const id = linkIdOf(link);
		if (id !== undefined && this.details.size < MOST_DETAILS) this.details.set(id, details);
		this.note(link);
		return link;
	}

	/** The details that a look-up brought, once: they are as old as the look-up. */
	takeDetails(id: number | string): IDataObject | undefined {
		const details = this.details.get(id);
		this.details.delete(id);
		return details;
	}

	/** The link with this ID, as far as it was seen. */
	known(id: unknown): LinkRecord | undefined {
		const known = linkIdOf({ id });
		return known === undefined ? undefined : this.index.byId(known);
	}

	/** The links of what was read that a name may mean. */
	among(name: LinkName): LinkRecord[] {
		const { index } = this;
		switch (name.by) {
			case 'id':
				return [index.byId(name.id)].filter((link) => link !== undefined);
			case 'shortUrl':
				return index.byShortUrl(name.shortUrl);
			case 'alias':
				return index.byAlias(name.alias, hostOf(name.domain));
			case 'url':
				return index.byLongUrl(name.url, hostOf(name.domain));
		}
	}

	/** Whether links of this account stand on a host, as far as is known. */
	standsOn(host: string): boolean {
		const domains = this.domains ?? [];
		return host === this.ownHost || this.places.has(host) || domains.some((domain) => hostOf(domain) === host);
	}

	private get ownHost(): string | undefined {
		return hostOf(this.connection.address);
	}

	/**
	 * Where a link without a domain is made: where the service has made one, on its own host if links stand there, or where all of
	 * them stand, those on the account's domains aside. Undefined where they stand on several others. Enough to stop a row by, not
	 * to choose a link by.
	 */
	get likelyHost(): string | undefined {
		if (this.homeHost !== undefined) return this.homeHost;
		const hosts = [...this.places.keys()];
		if (hosts.length === 0 || this.places.has(this.ownHost ?? '')) return this.ownHost;
		if (hosts.length === 1) return hosts[0];
		const branded = (this.domains ?? []).map(hostOf);
		const [only, ...others] = hosts.filter((host) => !branded.includes(host));
		return others.length === 0 ? only : undefined;
	}

	/** The short URL that an alias has on a domain, or where links without a domain stand. */
	shortUrlOf(alias: string, domain?: string): string {
		const host = domain === undefined ? this.likelyHost : hostOf(domain);
		const { address } = this.connection;
		const own = host === undefined || host === this.ownHost ? address : undefined;
		const place = (host === undefined ? undefined : this.places.get(host)) ?? own ?? domain ?? `https://${host}`;
		return `${withoutSlashAtEnd(place)}/${alias}`;
	}

	/** A short URL with the scheme that its host was seen with; else with the service's own, and with the other. */
	spellings(shortUrl: string): string[] {
		const host = hostOf(shortUrl) ?? '';
		const { address } = this.connection;
		const known = this.places.get(host) ?? (host === this.ownHost ? address : undefined);
		const scheme = /^http:/i.test(known ?? address) ? 'http' : 'https';
		const schemes = known === undefined ? [scheme, scheme === 'http' ? 'https' : 'http'] : [scheme];
		const rest = shortUrl.replace(/^[a-z]+:\/\//i, '');
		return schemes.map((one) => `${one}://${rest}`);
	}
}

/** What lists leave out of a link's details and statistics (spec, "Short link list item"). */
const DETAILS_ONLY = new Set([
	'location',
	'device',
	'language',
	'languages',
	'expiry',
	'topCountries',
	'topReferrers',
	'topBrowsers',
	'topOs',
	'socialCount',
]);

/** The link of an answer with details (spec, "Short link details"), as a list would show it. */
export function linkIn(answer: IDataObject, id?: number | string): LinkRecord {
	const details: LinkRecord = { ...(id === undefined ? {} : { id }), ...flatRecord(answer) };
	const alias = aliasOf(details);
	return {
		...(details.id === undefined ? {} : { id: details.id }),
		...(alias === undefined ? {} : { alias }),
		...Object.fromEntries(Object.entries(details).filter(([name]) => !DETAILS_ONLY.has(name))),
	};
}

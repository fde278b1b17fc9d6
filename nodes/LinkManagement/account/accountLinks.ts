import type { IDataObject } from 'n8n-workflow';

import { withoutSlashAtEnd } from '../api/baseUrl';
import type { Connection } from '../api/connection';
import { flatRecord } from '../api/flatRecord';
import type { Learned } from '../api/learned';
import { linkIdOf, identityOf, LinkIndex, type LinkRecord } from './linkIndex';
import type { LinkName } from './linkName';
import { aliasOf, baseOf, hostOf, shortKey } from './url';

/** How long (ms) holds what was learned of a service: where its short links stand; that it ignores `short`; what it drops. */
const PLACES = 'places of short links';
const PLACES_HOLD = 24 * 3_600_000;
const IGNORING_HOLDS = 3_600_000;
const DROPPING_HOLDS = 7 * 24 * 3_600_000;

/** Hosts that are asked for an alias whose domain is not known, at most. */
const MOST_HOSTS = 2;
/** So many links that were seen tell where links of this account stand. */
const ENOUGH_SEEN = 10;
/** Details of links that are kept for the update or the item that they were read for, at most. */
const MOST_DETAILS = 1000;

/** What a service may drop of a creation without a word. */
type Droppable = 'alias' | 'domain';

/**
 * What is known of an account's links during one execution: read as far as the rows need it, and kept up to date with what the
 * execution's nodes do themselves. What others do meanwhile shows when it matters: an alias that is refused is looked up, a link
 * that is gone is not found.
 */
export class AccountLinks {
	index = new LinkIndex();
	/** Every link of the account is in the index. */
	isComplete = false;
	/** The account's domains, once they were asked for. */
	domains: readonly string[] | undefined;
	/** Links that were read at some time and are not there any more, though nobody knows which. */
	missing = 0;
	/** Details that came with a look-up, by ID: what an update has to send along. */
	private readonly details = new Map<number | string, IDataObject>();
	/** The identities of links that the execution has made. */
	private readonly made = new Set<number | string | undefined>();
	/** Where short links stand → how many were seen there. */
	private readonly places = new Map<string, number>();

	/** The service's address, below which short links stand unless something else was seen. */
	private readonly address: string;
	/** What is known of the service from earlier executions. */
	private readonly learned: Learned;

	constructor({ address, learned }: Pick<Connection, 'address' | 'learned'>) {
		this.address = address;
		this.learned = learned;
	}

	/** Takes in a link that was seen, made or changed. */
	note(record: LinkRecord): void {
		this.index.add(record);
		const place = baseOf(record.shorturl);
		if (place === undefined) return;
		const seen = this.places.get(place) ?? 0;
		this.places.set(place, seen + 1);
		if (seen === 0) this.learned.remember(PLACES, this.likelyPlaces(), PLACES_HOLD);
	}

	noteAll(records: Iterable<LinkRecord>): void {
		for (const record of records) this.note(record);
	}

	/** Takes in a link that the execution has made. */
	noteMade(record: LinkRecord): void {
		this.note(record);
		this.made.add(identityOf(record));
	}

	/** Whether a link is known that the execution has not made. */
	wasThere(record: LinkRecord): boolean {
		return (
			this.known(record.id) !== undefined &&
			!this.made.has(linkIdOf(record)) &&
			!this.made.has(shortKey(record.shorturl))
		);
	}

	/** Forgets a link that is gone. */
	forget(record: LinkRecord): void {
		const id = identityOf(record);
		if (id === undefined) return;
		const before = this.index.size;
		this.index.remove(id);
		this.details.delete(id);
		if (this.index.size < before && this.missing > 0) this.missing--;
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

	get ignoresShort(): boolean {
		return this.learned.recall<boolean>('ignores short') === true;
	}

	noteIgnoresShort(): void {
		this.learned.remember('ignores short', true, IGNORING_HOLDS);
	}

	/** Whether the service was seen to drop this of a creation. */
	drops(what: Droppable): boolean {
		return this.learned.recall<boolean>(`drops ${what}`) === true;
	}

	/** A creation has shown whether the service drops this. */
	noteDropping(what: Droppable, isDropped: boolean): void {
		if (isDropped) this.learned.remember(`drops ${what}`, true, DROPPING_HOLDS);
		else this.learned.forget(`drops ${what}`);
	}

	/** Where a link without a domain is made, as far as creations have shown it. */
	get defaultHost(): string | undefined {
		return this.learned.recall<string>('default host');
	}

	/**
	 * Where a link without a domain is made, unless everything deceives: on the service's own host if links stand there, or where all of
	 * them stand. Undefined where they stand on several others. Enough to stop a row by, not to choose a link by.
	 */
	get likelyHost(): string | undefined {
		const known = this.knownPlaces().map(hostOf);
		const own = hostOf(this.address);
		if (this.defaultHost !== undefined) return this.defaultHost;
		if (known.length === 0 || known.includes(own)) return own;
		return known.length === 1 ? known[0] : undefined;
	}

	/** A link was made that named no domain. */
	noteDefault(shortUrl: unknown): void {
		const host = hostOf(shortUrl);
		if (host === undefined) return;
		if (this.defaultHost !== host) this.learned.forget('default host');
		this.learned.remember('default host', host, PLACES_HOLD);
	}

	/** The short URLs that an alias may have on a domain, or where none is named on the likeliest ones. */
	shortUrlsOf(alias: string, domain?: string): string[] {
		if (domain === undefined) return this.likelyPlaces().map((place) => `${place}/${alias}`);
		const host = hostOf(domain);
		const place = [...this.knownPlaces(), this.address].find((one) => hostOf(one) === host);
		return place === undefined ? this.spellings(`${withoutSlashAtEnd(domain)}/${alias}`) : [`${place}/${alias}`];
	}

	/** A short URL with the scheme that its host was seen with; else with the service's own, and with the other. */
	spellings(shortUrl: string): string[] {
		const host = hostOf(shortUrl);
		const known = [...this.knownPlaces(), this.address].find((one) => hostOf(one) === host);
		const scheme = schemeOf(known ?? this.address);
		const schemes = known === undefined ? [scheme, scheme === 'http' ? 'https' : 'http'] : [scheme];
		const rest = shortUrl.replace(/^[a-z]+:\/\//i, '');
		return schemes.map((one) => `${one}://${rest}`);
	}

	/** Where short links were seen, most of them first. */
	private knownPlaces(): string[] {
		if (this.places.size === 0) return this.learned.recall<string[]>(PLACES) ?? [];
		return [...this.places].sort((one, other) => other[1] - one[1]).map(([place]) => place);
	}

	/** Below which addresses a short link may stand that names no domain: where they are made, and where most were seen. */
	private likelyPlaces(): string[] {
		const known = this.knownPlaces();
		const { defaultHost } = this;
		const seen = [...this.places.values()].reduce((sum, count) => sum + count, 0);
		if (defaultHost === undefined && seen >= ENOUGH_SEEN) return known.slice(0, 1);
		const first =
			defaultHost === undefined
				? this.address
				: (known.find((place) => hostOf(place) === defaultHost) ?? `${schemeOf(this.address)}://${defaultHost}`);
		return [...new Set([first, ...known])].slice(0, MOST_HOSTS);
	}
}

function schemeOf(address: string): string {
	return /^http:/i.test(address) ? 'http' : 'https';
}

/** What lists show of a link (spec, "Short link list item"), out of its details and statistics. */
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

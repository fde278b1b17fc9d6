import { addressKey, aliasOf, hostOf, shortKey } from './url';

/** A link as a list shows it (spec, "Short link list item"); services show more than the document says. */
export type LinkRecord = Readonly<Record<string, unknown>>;

/** What tells a link from all others: its ID, or its short URL where the ID is not known. */
type Identity = number | string;

function addTo(places: Map<string, Identity[]>, key: string | undefined, id: Identity): void {
	if (key === undefined) return;
	const there = places.get(key);
	if (there === undefined) places.set(key, [id]);
	else if (!there.includes(id)) there.push(id);
}

function takeFrom(places: Map<string, Identity[]>, key: string | undefined, id: Identity): void {
	if (key === undefined) return;
	const left = (places.get(key) ?? []).filter((one) => one !== id);
	if (left.length === 0) places.delete(key);
	else places.set(key, left);
}

/** Links by ID, by alias and by long URL, as far as a run has seen them. */
export class LinkIndex {
	private readonly links = new Map<Identity, LinkRecord>();
	private readonly aliases = new Map<string, Identity[]>();
	private readonly longUrls = new Map<string, Identity[]>();
	/** How many are known by their short URL alone. */
	private withoutId = 0;

	/**
	 * Takes in a link, in place of what was known of it. Services may answer a creation without an ID: such a link is known by its
	 * short URL until it is seen with its ID.
	 */
	add(record: LinkRecord): void {
		const id = identityOf(record);
		if (id === undefined) return;
		this.remove(id);
		if (typeof id === 'string') this.withoutId++;
		else if (this.withoutId > 0) this.remove(shortKey(record.shorturl) ?? id);
		this.links.set(id, record);
		addTo(this.aliases, aliasOf(record), id);
		addTo(this.longUrls, addressKey(record.longurl), id);
	}

	remove(id: Identity): void {
		const record = this.links.get(id);
		if (record === undefined) return;
		this.links.delete(id);
		if (typeof id === 'string') this.withoutId--;
		takeFrom(this.aliases, aliasOf(record), id);
		takeFrom(this.longUrls, addressKey(record.longurl), id);
	}

	all(): Iterable<LinkRecord> {
		return this.links.values();
	}

	byId(id: Identity): LinkRecord | undefined {
		return this.links.get(id);
	}

	/**
	 * The links with this alias: more than one where it stands on several domains.
	 *
	 * @param host only those on this host; see `hostOf`
	 */
	byAlias(alias: string, host?: string): LinkRecord[] {
		return this.at(this.aliases.get(alias), host);
	}

	/** The links at this short URL: one, unless the service has changed meanwhile. */
	byShortUrl(shortUrl: string): LinkRecord[] {
		const key = shortKey(shortUrl);
		const alias = aliasOf({ shorturl: shortUrl });
		if (key === undefined || alias === undefined) return [];
		return this.byAlias(alias).filter(({ shorturl }) => shortKey(shorturl) === key);
	}

	/** The links that lead to this address, whatever its spelling; see `addressKey`. */
	byLongUrl(url: unknown, host?: string): LinkRecord[] {
		return this.at(this.longUrls.get(addressKey(url) ?? ''), host);
	}

	private at(ids: readonly Identity[] = [], host?: string): LinkRecord[] {
		const links = ids.map((id) => this.links.get(id)!);
		return host === undefined ? links : links.filter(({ shorturl }) => hostOf(shorturl) === host);
	}
}

export function identityOf(record: LinkRecord): Identity | undefined {
	return linkIdOf(record) ?? shortKey(record.shorturl);
}

/** The ID by which a link is told from others: a number, also where the service sends text, or whatever text it has for one. */
export function linkIdOf({ id }: LinkRecord): Identity | undefined {
	if (typeof id === 'number') return id;
	if (typeof id !== 'string' || id === '') return undefined;
	return /^\d{1,15}$/.test(id) ? Number(id) : id;
}

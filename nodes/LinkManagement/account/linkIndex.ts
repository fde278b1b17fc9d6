import { addressKey, aliasOf, hostOf, shortKey } from './url';

/** A link as a list shows it (spec, "Short link list item"); services show more than the document says. */
export type LinkRecord = Readonly<Record<string, unknown>>;

/** A hash of 32 bits (FNV-1a). Links that share one by chance are told apart by what they hold. */
function hashOf(text: string): number {
	let hash = 0x811c9dc5;
	for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
	return hash ^ (hash >>> 15);
}

/** Hash → the places of the links that have it: mostly one, which stands there by itself, for a list of one takes memory. */
class Places {
	private readonly places = new Map<number, number | number[]>();

	put(hash: number, place: number): void {
		const before = this.places.get(hash);
		if (Array.isArray(before)) before.push(place);
		else this.places.set(hash, before === undefined ? place : [before, place]);
	}

	take(hash: number, place: number): void {
		const places = this.places.get(hash);
		if (places === place) this.places.delete(hash);
		else if (Array.isArray(places)) places.splice(places.lastIndexOf(place), 1);
	}

	with(hash: number): readonly number[] {
		const places = this.places.get(hash) ?? [];
		return typeof places === 'number' ? [places] : places;
	}
}

/**
 * The account's links by ID, by alias and by long URL, as far as they were seen in lists, or made by this run itself.
 *
 * 100,000 links have to fit into 60 MB. A record as an object costs two to three times what its values cost as one text, which
 * is read only when the link is asked for; the keys are hashes for the same reason.
 */
export class LinkIndex {
	/** The values of each link's fields, as JSON between commas; by place. An empty text is a free place. */
	private readonly values: string[] = [];
	/** Which field names the values belong to; by place. */
	private readonly shapes: number[] = [];
	private readonly fieldNames: string[][] = [];
	private readonly shapeNumbers = new Map<string, number>();
	private readonly ids = new Places();
	private readonly aliases = new Places();
	private readonly longUrls = new Places();
	private readonly free: number[] = [];
	/** Short URLs of links whose ID is not known. */
	private readonly withoutId = new Set<string>();

	/** How many links are known. */
	get size(): number {
		return this.values.length - this.free.length;
	}

	/**
	 * Takes in a link, in place of what was known of it. One whose ID was not told, for services may answer a creation so, is known
	 * by its short URL until it is seen with its ID.
	 */
	add(record: LinkRecord): void {
		const id = identityOf(record);
		if (id === undefined) return;
		this.remove(id);
		if (typeof id === 'string') this.withoutId.add(id);
		else if (this.withoutId.size > 0) this.remove(shortKey(record.shorturl) ?? id);
		const place = this.free.pop() ?? this.values.length;
		// Joined, for V8 keeps the parts of a text that JSON.stringify put together: half as much memory again.
		this.values[place] = Object.values(record)
			.map((value) => JSON.stringify(value ?? null))
			.join(',');
		this.shapes[place] = this.shapeOf(Object.keys(record));
		this.ids.put(hashOf(String(id)), place);
		const alias = aliasOf(record);
		if (alias !== undefined) this.aliases.put(hashOf(alias), place);
		const url = addressKey(record.longurl);
		if (url !== undefined) this.longUrls.put(hashOf(url), place);
	}

	/** Forgets a link. */
	remove(id: number | string): void {
		const place = this.placeOf(id);
		if (place === undefined) return;
		const record = this.at(place);
		this.ids.take(hashOf(String(id)), place);
		const alias = aliasOf(record);
		if (alias !== undefined) this.aliases.take(hashOf(alias), place);
		const url = addressKey(record.longurl);
		if (url !== undefined) this.longUrls.take(hashOf(url), place);
		this.values[place] = '';
		this.free.push(place);
		if (typeof id === 'string') this.withoutId.delete(id);
	}

	/** The link with this ID. */
	byId(id: number | string): LinkRecord | undefined {
		const place = this.placeOf(id);
		return place === undefined ? undefined : this.at(place);
	}

	/**
	 * The links with this alias: more than one where it stands on several domains.
	 *
	 * @param host only those on this host; see `hostOf`
	 */
	byAlias(alias: string, host?: string): LinkRecord[] {
		return this.found(this.aliases, hashOf(alias), host, (record) => aliasOf(record) === alias);
	}

	/** The links at this short URL: one, unless the service has changed meanwhile. */
	byShortUrl(shortUrl: string): LinkRecord[] {
		const key = shortKey(shortUrl);
		const alias = aliasOf({ shorturl: shortUrl });
		if (key === undefined || alias === undefined) return [];
		return this.found(this.aliases, hashOf(alias), undefined, ({ shorturl }) => shortKey(shorturl) === key);
	}

	/** The links that lead to this address, whatever its spelling; see `addressKey`. */
	byLongUrl(url: unknown, host?: string): LinkRecord[] {
		const key = addressKey(url);
		if (key === undefined) return [];
		return this.found(this.longUrls, hashOf(key), host, ({ longurl }) => addressKey(longurl) === key);
	}

	private found(
		places: Places,
		hash: number,
		host: string | undefined,
		isMeant: (record: LinkRecord) => boolean,
	): LinkRecord[] {
		return places
			.with(hash)
			.map((place) => this.at(place))
			.filter((record) => isMeant(record) && (host === undefined || hostOf(record.shorturl) === host));
	}

	private placeOf(id: number | string): number | undefined {
		return this.ids.with(hashOf(String(id))).find((place) => identityOf(this.at(place)) === id);
	}

	private at(place: number): LinkRecord {
		const values = JSON.parse(`[${this.values[place]}]`) as unknown[];
		return Object.fromEntries(this.fieldNames[this.shapes[place]].map((name, at) => [name, values[at]]));
	}

	private shapeOf(names: string[]): number {
		const key = JSON.stringify(names);
		let shape = this.shapeNumbers.get(key);
		if (shape === undefined) {
			shape = this.fieldNames.push(names) - 1;
			this.shapeNumbers.set(key, shape);
		}
		return shape;
	}
}

/** What tells a link from all others: its ID, or its short URL where the ID is not known. */
export function identityOf(record: LinkRecord): number | string | undefined {
	return linkIdOf(record) ?? shortKey(record.shorturl);
}

/** The ID by which a link is told from others: a number, also where the service sends text, or whatever text it has for one. */
export function linkIdOf({ id }: LinkRecord): number | string | undefined {
	if (typeof id === 'number') return id;
	if (typeof id !== 'string' || id === '') return undefined;
	return /^\d{1,15}$/.test(id) ? Number(id) : id;
}

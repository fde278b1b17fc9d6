import { withoutSlashAtEnd } from '../api/baseUrl';
import { LinkIndex, type LinkRecord } from './linkIndex';
import { isMatchedByAlias, type LinkFields, type Matching } from './plan';
import { cheapestReading } from './reading';
import { aliasOf, hostOf, isSameUrl, urlKey } from './url';

/** A page of the account's links, newest first. */
export interface LinkPage {
	records: readonly LinkRecord[];
	/** How many links there are in all, where the service says so. */
	result?: number;
	/** Requests that the rest of the list takes; Infinity where nobody knows. */
	pagesLeft: number;
}

/** What a search by short URL brought (spec, GET /api/urls, `short`). */
export type ShortUrlAnswer =
	/** The link's details, as one flat record. */
	| { details: LinkRecord }
	/** There is no such link. */
	| 'none'
	/** A list: the service ignores `short`, or shows in this way that there is none. */
	| { records: readonly LinkRecord[] };

/** How the account's links are asked for; each call is a request, or for `pages` one for each page. */
export interface AccountReader {
	/** The whole list, newest first, a page at a time; the caller may stop early. */
	pages(): AsyncGenerator<LinkPage, void, undefined>;
	byShortUrl(shortUrl: string): Promise<ShortUrlAnswer>;
	/** Keyword search: the first page of what it finds, and whether that is all. */
	search(keyword: string): Promise<{ records: readonly LinkRecord[]; isAll: boolean }>;
}

/** A row that asks which link it means. */
export interface Asking {
	fields: LinkFields;
	matchOn: Matching['matchOn'];
	/** The link is named by its ID; then the fields have no say, and a look-up is left to the operation. */
	id?: number;
}

/** Whether one request finds the link, without the list. */
function canBeLookedUp({ fields, matchOn, id }: Asking): boolean {
	return id !== undefined || isMatchedByAlias(fields, matchOn);
}

/** Hosts that are asked for an alias whose domain is not known, at most. */
const MOST_HOSTS = 2;

/**
 * What is known of an account's links during one execution: read as far as the rows need it, and kept up to date with what the
 * execution does itself. What others do meanwhile shows when it matters: an alias that is refused is looked up, a link that is
 * gone is not found.
 */
export class AccountLinks {
	index = new LinkIndex();
	/** Every link of the account is in the index. */
	isComplete = false;
	/** Links that were read at some time and are not there any more, though nobody knows which. */
	private missing = 0;
	/** Details that came with a look-up, by ID: what an update has to send along. */
	private readonly details = new Map<unknown, LinkRecord>();
	/** Host of short links → how many were seen there. */
	private readonly hosts = new Map<string, number>();
	private ignoresShort = false;
	private result: number | undefined;
	private pageCount = Infinity;
	/** Look-ups that were made in this execution. */
	private lookUps = 0;

	/**
	 * @param address the service's address, below which short links stand unless something else was seen
	 */
	constructor(private readonly address: string) {}

	/** Takes in a link that was seen, made or changed. */
	note(record: LinkRecord): void {
		this.index.add(record);
		const host = hostOf(record.shorturl);
		if (host !== undefined) this.hosts.set(host, (this.hosts.get(host) ?? 0) + 1);
	}

	/** Forgets a link that is gone. */
	forget(record: LinkRecord): void {
		const id = typeof record.id === 'string' && /^\d{1,15}$/.test(record.id) ? Number(record.id) : record.id;
		const before = this.index.size;
		this.index.remove(id as number);
		this.details.delete(id);
		if (this.index.size < before && this.missing > 0) this.missing--;
	}

	/** The details that a look-up brought, once: they are as old as the look-up. */
	takeDetails(record: LinkRecord): LinkRecord | undefined {
		const id = Number(record.id);
		const details = this.details.get(id);
		this.details.delete(id);
		return details;
	}

	/**
	 * Makes sure that the index holds every link that these rows mean, with the fewest requests: looks rows up one by one, or
	 * reads the list. To be called once for each run over rows, before they are planned.
	 */
	async learn(rows: readonly Asking[], reader: AccountReader): Promise<void> {
		if (this.isComplete) {
			await this.freshen(reader);
			if (this.missing > 0) await this.findMissing(rows, reader);
			return;
		}
		// What an earlier run of the execution has looked up may have changed since.
		this.index = new LinkIndex();
		const open = distinct(rows);
		if (open.length === 0) return;
		const [only] = open;
		if (open.length === 1 && canBeLookedUp(only)) await this.lookUp(only, reader);
		else await this.readOrLookUp(open, reader);
	}

	private async readOrLookUp(open: Asking[], reader: AccountReader): Promise<void> {
		let isFirst = true;
		let pages = 0;
		for await (const page of reader.pages()) {
			for (const record of page.records) this.note(record);
			this.result = page.result;
			this.pageCount = ++pages + page.pagesLeft;
			if (!isFirst) continue;
			isFirst = false;
			const left = open.filter((row) => !this.isAnswered(row));
			const single = left.filter(canBeLookedUp);
			if (left.length === 0 && page.pagesLeft > 0) return;
			if (cheapestReading(this.lookUps + single.length, left.length - single.length, page.pagesLeft) === 'list')
				continue;
			for (const row of single) await this.lookUp(row, reader);
			return;
		}
		this.isComplete = true;
		this.missing = 0;
	}

	/** Whether what was read settles which link a row means, so that the rest of the list can't change it. */
	private isAnswered({ fields, matchOn, id }: Asking): boolean {
		if (id !== undefined) return this.index.byId(id) !== undefined;
		if (!isMatchedByAlias(fields, matchOn)) return false;
		const host = hostOf(fields.domain);
		// Without a domain, the alias may stand on another one too.
		return this.index.byAlias(String(fields.custom), host).length > 0 && (host !== undefined || this.hosts.size === 1);
	}

	/** Reads the newest links until one that is known, and notices by the count when others are gone. */
	private async freshen(reader: AccountReader): Promise<void> {
		for await (const page of reader.pages()) {
			const isKnown = page.records.some((record) => this.index.byId(record.id as number) !== undefined);
			for (const record of page.records) this.note(record);
			this.result = page.result;
			this.pageCount = page.pagesLeft + 1;
			if (isKnown || page.records.length === 0) break;
		}
		this.missing = this.result === undefined ? 0 : Math.max(0, this.index.size - this.result);
	}

	/** Some links are gone: finds out whether rows mean them, or reads the list again where that takes fewer requests. */
	private async findMissing(rows: readonly Asking[], reader: AccountReader): Promise<void> {
		const meant = distinct(rows).flatMap(({ fields, matchOn, id }) =>
			id !== undefined
				? [this.index.byId(id)].filter((record) => record !== undefined)
				: isMatchedByAlias(fields, matchOn)
					? this.index.byAlias(String(fields.custom), hostOf(fields.domain))
					: this.index.byLongUrl(fields.url, hostOf(fields.domain)),
		);
		if (meant.length >= this.pageCount) {
			this.index = new LinkIndex();
			for await (const page of reader.pages()) for (const record of page.records) this.note(record);
			this.missing = 0;
			return;
		}
		for (const record of meant) {
			if (this.missing <= 0) return;
			await this.verify(record, reader);
		}
	}

	/** Looks whether a link is still there, and takes in what it is now. */
	async verify(record: LinkRecord, reader: AccountReader): Promise<LinkRecord | undefined> {
		const alias = aliasOf(record);
		if (alias === undefined) return record;
		const found = await this.find(alias, hostOf(record.shorturl), reader, String(record.shorturl));
		if (found === undefined || String(found.id) !== String(record.id)) this.forget(record);
		return found;
	}

	private async lookUp({ fields: { custom, domain }, id }: Asking, reader: AccountReader): Promise<void> {
		if (id === undefined) await this.find(String(custom), hostOf(domain), reader, undefined, domain);
	}

	/**
	 * Finds the link with an alias, wherever short links live, and never takes another link for it. What is found is noted.
	 *
	 * @param host only on this host; undefined where the domain was not named
	 * @param known the link's short URL, where it was seen
	 * @param domain as it was entered
	 */
	async find(
		alias: string,
		host: string | undefined,
		reader: AccountReader,
		known?: string,
		domain?: unknown,
	): Promise<LinkRecord | undefined> {
		this.lookUps++;
		const isMeant = (record: LinkRecord) =>
			aliasOf(record) === alias && (host === undefined || hostOf(record.shorturl) === host);
		if (!this.ignoresShort) {
			const bases = known !== undefined ? [] : domain !== undefined ? [String(domain)] : this.likelyBases(host);
			const shortUrls = known === undefined ? bases.map((base) => `${withoutSlashAtEnd(base)}/${alias}`) : [known];
			for (const shortUrl of shortUrls) {
				const answer = await reader.byShortUrl(shortUrl);
				if (answer === 'none') continue;
				if ('details' in answer) {
					if (!isMeant({ ...answer.details, shorturl: answer.details.shorturl ?? shortUrl })) continue;
					return this.keepDetails({ shorturl: shortUrl, ...answer.details, alias });
				}
				const listed = answer.records.find(isMeant);
				if (listed !== undefined) {
					this.note(listed);
					return listed;
				}
				// A list that holds other links: the parameter was ignored.
				if (answer.records.length > 0) this.ignoresShort = true;
				break;
			}
			// Where every short link seen so far stands on one host, there is no other to look at.
			if (!this.ignoresShort && (host !== undefined || this.hosts.size === 1)) return undefined;
		}
		const { records } = await reader.search(alias);
		const found = records.filter(isMeant);
		for (const record of found) this.note(record);
		return found[0];
	}

	/**
	 * The newest links that lead to an address and were not known before: one of them was made by a creation whose answer was
	 * lost. Reads the newest page.
	 */
	async newestWith(longUrl: unknown, reader: AccountReader): Promise<LinkRecord | undefined> {
		for await (const page of reader.pages()) {
			const found = page.records.find(
				(record) => isSameUrl(record.longurl, longUrl) && this.index.byId(record.id as number) === undefined,
			);
			if (found !== undefined) this.note(found);
			return found;
		}
		return undefined;
	}

	private keepDetails(details: LinkRecord): LinkRecord {
		const id = Number(details.id);
		this.details.set(id, details);
		const record = listed(details);
		this.note(record);
		return record;
	}

	/** Below which addresses a short link without a domain may stand: where most were seen first, else the service's own. */
	private likelyBases(host: string | undefined): string[] {
		const scheme = /^https?:\/\//i.exec(this.address)?.[0] ?? 'https://';
		if (host !== undefined) return [hostOf(this.address) === host ? this.address : `${scheme}${host}`];
		const seen = [...this.hosts].sort((one, other) => other[1] - one[1]).map(([name]) => name);
		return (seen.length === 0 ? [hostOf(this.address) ?? ''] : seen)
			.slice(0, MOST_HOSTS)
			.map((name) => (hostOf(this.address) === name ? this.address : `${scheme}${name}`));
	}
}

/** Rows that ask for different links: each once. */
function distinct(rows: readonly Asking[]): Asking[] {
	const asked = new Map<string, Asking>();
	for (const row of rows) {
		const { fields, matchOn, id } = row;
		const host = hostOf(fields.domain) ?? '';
		const key =
			id !== undefined
				? `id ${id}`
				: isMatchedByAlias(fields, matchOn)
					? `alias ${host} ${String(fields.custom)}`
					: `url ${host} ${urlKey(fields.url) ?? ''}`;
		if (!asked.has(key)) asked.set(key, row);
	}
	return [...asked.values()];
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

/** A link's details as a list would show them. */
export function listed(details: LinkRecord): LinkRecord {
	const alias = aliasOf(details);
	return {
		...(details.id === undefined ? {} : { id: details.id }),
		...(alias === undefined ? {} : { alias }),
		...Object.fromEntries(Object.entries(details).filter(([name]) => !DETAILS_ONLY.has(name))),
	};
}

import type { IDataObject } from 'n8n-workflow';

import { inSlices, inTurns } from '../n8n/slices';
import { ApiError } from '../service/errors';
import { ListReader, readList } from '../service/list';
import { isRecord, recordsIn } from '../service/records';
import type { ServiceRequest, Speaker } from '../service/sendRequest';
import { linkIn, type AccountLinks } from './account';
import type { LinkRecord } from './linkIndex';
import { keyOf, type LinkName, type SearchedName } from './reference';
import { aliasOf, hostOf, isSameShortUrl } from './url';

/** What a look-up of a short URL has settled: the link, that there is none, or nothing. */
type LookUp = LinkRecord | 'none' | 'unclear';

/** A service that ignores `short` is asked for one again after this time (ms). */
const IGNORES_SHORT = 'ignores short';
const IGNORING_HOLDS = 60 * 60_000;

/** So many pages of a search are read at most where asking each domain for the alias takes fewer requests. */
const FEW_PAGES = 1;

/** What a look-up takes at most, in requests: an alias without a domain may stand on several. */
function mostRequests(name: LinkName): number {
	return name.by === 'alias' && name.domain === undefined ? 2 : 1;
}

/** Finds the links that are meant: asks the service, for a row or a dropdown, for what is not known yet. */
export class Account {
	/** How many requests were made so far. */
	private requests = 0;

	/** @param links what is known of them, perhaps from other rows */
	constructor(
		private readonly speaker: Speaker,
		readonly links: AccountLinks,
	) {}

	get connection(): Speaker['connection'] {
		return this.speaker.connection;
	}

	async send(request: ServiceRequest): Promise<IDataObject> {
		this.requests++;
		return await this.speaker.send(request);
	}

	/**
	 * The whole list, newest first, or what a keyword search finds; a page at a time, and the caller may stop early. Each comes with
	 * the number of pages that are left.
	 */
	async *pages(keyword?: string) {
		const query = keyword === undefined ? { order: 'date' } : { q: keyword };
		const list = new ListReader(this, { path: '/api/urls', collection: 'urls', query });
		for (let records = await list.next(); records !== undefined; records = await list.next()) {
			this.links.noteAll(records);
			yield { records: records as LinkRecord[], pagesLeft: list.pagesLeft };
		}
	}

	/** The account's domains. A service or key without this list has none but those on which its links were seen. */
	async domains(): Promise<readonly string[]> {
		const read = async () => {
			const domains = await readList(this, { path: '/api/domains', collection: 'domains' }, Infinity);
			return domains.flatMap(({ domain }) => (typeof domain === 'string' && domain !== '' ? [domain] : []));
		};
		this.links.domains ??= await read().catch((error: unknown) => {
			if (error instanceof ApiError && ['noEndpoint', 'noRight'].includes(error.kind)) return [];
			throw error;
		});
		return this.links.domains;
	}

	/** The details of a link (spec, GET /api/url/:id), as sent; undefined when there is no such link. */
	async byId(id: number | string): Promise<IDataObject | undefined> {
		this.requests++;
		return await this.speaker.lookUp(`/api/url/${encodeURIComponent(String(id))}`);
	}

	/** The details of a link: those that a look-up has brought, or read now; undefined when there is no such link. */
	async details(id: number | string): Promise<IDataObject | undefined> {
		return this.links.takeDetails(id) ?? (await this.byId(id));
	}

	/**
	 * Finds the links that rows name, all of them together and with the fewest requests: looks them up one by one, or reads the
	 * list. From then on `links.among` answers for each of them.
	 */
	async findAll(names: readonly LinkName[]): Promise<void> {
		const byKey = new Map<string, LinkName>();
		await inSlices(names, (name) => byKey.set(keyOf(name), name));
		const open = [...byKey.values()];
		if (open.length === 0 || this.links.isComplete) return;
		if (this.links.isHint) return await this.readNewest();
		const [only] = open;
		if (open.length > 1 || only.by === 'url') return await this.readOrLookUp(open);
		if (only.by !== 'id') await this.find(only);
	}

	/** Reads the newest links down to one that an earlier round of a loop has seen. */
	private async readNewest(): Promise<void> {
		const { links } = this;
		const before = new Set<unknown>();
		const wasKnown = ({ id }: LinkRecord) => before.has(id);
		for (const { id } of links.index.all()) before.add(id);
		for await (const { records } of this.pages()) if (records.some(wasKnown)) break;
		links.isComplete = true;
	}

	/** Reads the list, or what a search finds, until something is known. */
	private async readUntil(isKnown: () => boolean, keyword?: string): Promise<void> {
		const pages = this.pages(keyword);
		for (let page = await pages.next(); !page.done && !isKnown(); page = await pages.next());
	}

	/** Reads all links. */
	async readAll(): Promise<void> {
		if (this.links.isComplete) return;
		await this.readUntil(() => false);
		this.links.isComplete = true;
	}

	/** Reads the list page by page as long as that takes fewer requests than looking up what is open one by one. */
	private async readOrLookUp(names: LinkName[]): Promise<void> {
		let expected = 0;
		for await (const { pagesLeft } of this.pages()) {
			// A service may grant smaller pages than it was hoped for.
			if (pagesLeft > expected && (await this.lookUpAll(names, pagesLeft))) return;
			expected = Math.max(expected, pagesLeft);
		}
		this.links.isComplete = true;
	}

	/**
	 * Looks up what is open one by one, unless the rest of the list takes fewer requests.
	 *
	 * @returns whether everything was looked up
	 */
	private async lookUpAll(names: LinkName[], pagesLeft: number): Promise<boolean> {
		// Without a domain, the alias may stand on another one too.
		const isOpen = (name: LinkName) =>
			this.links.among(name).length === 0 || name.by === 'url' || mostRequests(name) > 1;
		const open: LinkName[] = [];
		let cost = 0;
		for await (const name of inTurns(names)) {
			if (!isOpen(name)) continue;
			open.push(name);
			// An ID that was not seen is asked for by the operation itself.
			cost += mostRequests(name);
			if (name.by === 'url' || cost >= pagesLeft) return false;
		}
		const most = this.requests + pagesLeft;
		for (const name of open) {
			if (name.by === 'shortUrl' || name.by === 'alias') await this.find(name);
			// A search may find more than was to be expected.
			if (this.requests > most) return false;
		}
		return true;
	}

	/**
	 * Finds the links that one name may mean: by a look-up or a search. Never takes another link for the one that is named: a service
	 * may answer for another address than was asked for.
	 *
	 * @param isSure reads the list where neither finds it
	 * @returns all links that it may mean: several where an alias without a domain stands on more than one
	 */
	async find(name: SearchedName, isSure = false): Promise<LinkRecord[]> {
		const found =
			name.by === 'alias' && name.domain === undefined ? await this.findEverywhere(name) : await this.findAt(name);
		if (found.length > 0 || !isSure) return found;
		await this.readAll();
		return this.links.among(name);
	}

	/** The link at one place. */
	private async findAt(name: SearchedName): Promise<LinkRecord[]> {
		const { links } = this;
		const shortUrl = name.by === 'alias' ? links.shortUrlOf(name.alias, name.domain) : name.shortUrl;
		const looked = await this.lookUp(links.spellings(shortUrl));
		if (looked !== 'unclear') return looked === 'none' ? [] : [looked];
		const alias = name.by === 'alias' ? name.alias : (aliasOf({ shorturl: shortUrl }) ?? '');
		await this.readUntil(() => links.among(name).length > 0, alias);
		return links.among(name);
	}

	/**
	 * The links with an alias on all domains: a search shows them. Where it finds many pages, for the alias is a part of others, the
	 * domains are asked for it one by one if that takes fewer requests.
	 */
	private async findEverywhere(name: Extract<SearchedName, { by: 'alias' }>): Promise<LinkRecord[]> {
		const { links } = this;
		let expected = FEW_PAGES;
		for await (const { pagesLeft } of this.pages(name.alias)) {
			// A service may grant smaller pages than it was hoped for.
			if (pagesLeft > expected && (await this.askEveryDomain(name.alias, pagesLeft))) break;
			expected = Math.max(expected, pagesLeft);
		}
		const found = links.among(name);
		if (found.length > 0) return found;
		const looked = await this.lookUp([links.shortUrlOf(name.alias)]);
		return typeof looked === 'string' ? [] : [looked];
	}

	/** @returns whether it is clear now on which domains the alias stands */
	private async askEveryDomain(alias: string, most: number): Promise<boolean> {
		const { links } = this;
		if (this.ignoresShort) return false;
		const domains = [undefined, ...(await this.domains())];
		const shortUrls = new Map(domains.map((domain) => [hostOf(domain), links.shortUrlOf(alias, domain)]));
		if (shortUrls.size >= most) return false;
		let isClear = true;
		for (const shortUrl of shortUrls.values()) {
			if ((await this.atShortUrl(shortUrl)) === 'unclear') isClear = false;
		}
		return isClear;
	}

	private get ignoresShort(): boolean {
		return this.connection.learned.recall<boolean>(IGNORES_SHORT) === true;
	}

	/** Asks for short URLs, until one is there. */
	private async lookUp(shortUrls: readonly string[]): Promise<LookUp> {
		if (this.ignoresShort) return 'unclear';
		let answer: LookUp = 'none';
		for (const shortUrl of shortUrls) {
			const found = await this.atShortUrl(shortUrl);
			if (typeof found !== 'string') return found;
			if (found === 'unclear') answer = found;
		}
		return answer;
	}

	/** Asks for the link at a short URL (spec, GET /api/urls, `short`): details, a list of one, or the whole list where it is ignored. */
	private async atShortUrl(shortUrl: string): Promise<LookUp> {
		const { links } = this;
		this.requests++;
		const answer = await this.speaker.lookUp('/api/urls', { short: shortUrl });
		if (answer === undefined) return 'none';
		if (isRecord(answer.details)) {
			const link = linkIn(answer);
			// Some take the last part of the path for the alias, and answer with another link.
			return isSameShortUrl(link.shorturl, shortUrl) ? links.noteDetails(answer, link) : 'unclear';
		}
		const records: LinkRecord[] = recordsIn(answer, 'urls') ?? [];
		const found = records.find(({ shorturl }) => isSameShortUrl(shorturl, shortUrl));
		if (found !== undefined) {
			links.note(found);
			return found;
		}
		if (records.length === 0) return 'none';
		// A list of other links: the parameter was ignored.
		if (records.length > 1) this.connection.learned.remember(IGNORES_SHORT, true, IGNORING_HOLDS);
		return 'unclear';
	}
}

import type { IDataObject } from 'n8n-workflow';

import { withoutSlashAtEnd } from '../api/baseUrl';
import type { Speaker } from '../api/sendRequest';
import { inSlices, inTurns } from '../engine/slices';
import { linkIn, type AccountLinks } from './accountLinks';
import { identityOf, linkIdOf, LinkIndex, type LinkRecord } from './linkIndex';
import { keyOf, type LinkName, type LookedUp } from './linkName';
import { AccountReader } from './reader';
import { aliasOf, isSameShortUrl, shortKey } from './url';

/** Whether the search for a short URL has settled whether there is such a link. */
type LookUp = LinkRecord | 'none' | 'unclear';

/** What a look-up may have to be paid with, in requests: an alias without a domain may stand on others too. */
function mostRequests(name: LinkName): number {
	return name.by === 'alias' && name.domain === undefined ? 2 : 1;
}

/** Which links are meant: asks the service, in the name of a row or of a dropdown, as far as what is known does not tell. */
export class Account extends AccountReader {
	/** @param links what is known of them, perhaps from other rows */
	constructor(
		speaker: Speaker,
		readonly links: AccountLinks,
	) {
		super(speaker);
	}

	/**
	 * Finds the links that rows name, all of them together and with the fewest requests: looks them up one by one, or reads the
	 * list. From then on `links.among` answers for each of them.
	 */
	async findAll(names: readonly LinkName[]): Promise<void> {
		const byKey = new Map<string, LinkName>();
		await inSlices(names, (name) => byKey.set(keyOf(name), name));
		const open = [...byKey.values()];
		if (open.length === 0) return;
		if (this.links.isComplete) return await this.freshen(open);
		// What an earlier run of the execution has looked up may have changed since.
		this.links.index = new LinkIndex();
		const [only] = open;
		if (open.length > 1 || only.by === 'url') return await this.readOrLookUp(open);
		if (only.by !== 'id') await this.find(only);
	}

	/** Reads the list page by page as long as that takes fewer requests than looking up what is open one by one. */
	private async readOrLookUp(names: LinkName[]): Promise<void> {
		const { links } = this;
		let expected = 0;
		for await (const { records, pagesLeft } of this.pages()) {
			links.noteAll(records);
			// A service may grant smaller pages than it was hoped for.
			if (pagesLeft > expected && (await this.lookUpAll(names, pagesLeft))) return;
			expected = Math.max(expected, pagesLeft);
		}
		links.isComplete = true;
		links.missing = 0;
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

	/** Reads the newest links until one that is known, and notices by the count when others are gone. */
	private async freshen(names: LinkName[]): Promise<void> {
		const { links } = this;
		for await (const { records, total, pagesLeft } of this.pages()) {
			const isKnown = records.some((record) => links.known(record.id) !== undefined);
			links.noteAll(records);
			if (!isKnown && records.length > 0) continue;
			links.missing = total === undefined ? 0 : Math.max(0, links.index.size - total);
			if (links.missing > 0) await this.findMissing(names, pagesLeft + 1);
			return;
		}
	}

	/** Some links are gone: finds out whether rows mean them, or reads the list again where that takes fewer requests. */
	private async findMissing(names: LinkName[], pages: number): Promise<void> {
		const { links } = this;
		const named = (await inSlices(names, (name) => links.among(name))).flat();
		const meant = new Map(named.map((link) => [identityOf(link), link]));
		if (meant.size >= pages) {
			links.index = new LinkIndex();
			for await (const { records } of this.pages()) links.noteAll(records);
			links.missing = 0;
			return;
		}
		for (const link of meant.values()) {
			if (links.missing <= 0) return;
			const id = linkIdOf(link);
			if (id === undefined || (await this.readAhead(id, true)) === undefined) links.forget(link);
		}
	}

	/** The details of a link: those that a look-up has brought, or read now; undefined when there is no such link. */
	async details(id: number | string): Promise<IDataObject | undefined> {
		return this.links.takeDetails(id) ?? (await this.byId(id));
	}

	/** Reads the details of a link ahead of the row that needs them. */
	async readAhead(id: number | string, isAnew = false): Promise<IDataObject | undefined> {
		const read = await (isAnew ? this.byId(id) : this.details(id));
		if (read !== undefined) this.links.noteDetails(read, { ...this.links.known(id), ...linkIn(read, id) });
		return read;
	}

	/**
	 * Finds the links that one name may mean, without the list where a look-up tells. Never takes another link for the one that is
	 * named: a service may answer for another address than was asked for.
	 *
	 * @returns all links that it may mean: several where an alias without a domain stands on more than one
	 */
	async find(name: LookedUp): Promise<LinkRecord[]> {
		const { links } = this;
		const alias = name.by === 'alias' ? name.alias : (aliasOf({ shorturl: name.shortUrl }) ?? '');
		if (name.by === 'alias' && name.domain === undefined) return await this.findEverywhere(name, alias);
		const looked = await this.lookUp(
			name.by === 'alias' ? links.shortUrlsOf(alias, name.domain) : links.spellings(name.shortUrl),
		);
		if (looked !== 'unclear') return looked === 'none' ? [] : [looked];
		// A search by keyword, until the link is there.
		for await (const { records } of this.pages(alias)) {
			links.noteAll(records);
			if (links.among(name).length > 0) break;
		}
		return links.among(name);
	}

	/**
	 * Finds the links with an alias on all domains: a search shows them. Where it finds more than a page, for the alias is a part of
	 * others, the domains are asked for it one by one if that takes fewer requests.
	 */
	private async findEverywhere(name: LookedUp, alias: string): Promise<LinkRecord[]> {
		const { links } = this;
		let expected = 1;
		for await (const { records, pagesLeft } of this.pages(alias)) {
			links.noteAll(records);
			if (pagesLeft > expected && (await this.askEveryDomain(alias, pagesLeft))) return links.among(name);
			expected = Math.max(expected, pagesLeft);
		}
		const found = links.among(name);
		if (found.length > 0) return found;
		const looked = await this.lookUp(links.shortUrlsOf(alias));
		return typeof looked === 'string' ? [] : [looked];
	}

	/** @returns whether it is clear now on which domains the alias stands */
	private async askEveryDomain(alias: string, most: number): Promise<boolean> {
		const { links } = this;
		if (links.ignoresShort || (links.domains === undefined && most <= 2)) return false;
		links.domains ??= await this.domains();
		const listed = links.domains.map((domain) =>
			/^https?:/i.test(domain) ? `${withoutSlashAtEnd(domain)}/${alias}` : links.shortUrlsOf(alias, domain)[0],
		);
		const shortUrls = new Map([...links.shortUrlsOf(alias), ...listed].map((one) => [shortKey(one), one]));
		if (shortUrls.size >= most) return false;
		let isClear = true;
		for (const shortUrl of shortUrls.values()) {
			if ((await this.atShortUrl(shortUrl)) === 'unclear') isClear = false;
		}
		return isClear;
	}

	/** Asks for short URLs, until one is there. */
	private async lookUp(shortUrls: readonly string[]): Promise<LookUp> {
		if (this.links.ignoresShort) return 'unclear';
		let answer: LookUp = 'none';
		for (const shortUrl of shortUrls) {
			const found = await this.atShortUrl(shortUrl);
			if (typeof found !== 'string') return found;
			if (found === 'unclear') answer = found;
		}
		return answer;
	}

	private async atShortUrl(shortUrl: string): Promise<LookUp> {
		const { links } = this;
		const answer = await this.byShortUrl(shortUrl);
		if (answer === 'none') return 'none';
		if ('details' in answer) {
			const link = linkIn(answer.details);
			// Some take the last part of the path for the alias, and answer with another link.
			return isSameShortUrl(link.shorturl, shortUrl) ? links.noteDetails(answer.details, link) : 'unclear';
		}
		const found = answer.records.find((record) => isSameShortUrl(record.shorturl, shortUrl));
		if (found !== undefined) {
			links.note(found);
			return found;
		}
		if (answer.records.length === 0) return 'none';
		// A list of other links: the parameter was ignored.
		if (answer.records.length > 1) links.noteIgnoresShort();
		return 'unclear';
	}
}

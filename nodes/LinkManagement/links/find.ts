import type { IDataObject } from 'n8n-workflow';

import { mapYielding } from '../n8n/slices';
import { ApiError, ValueError } from '../service/errors';
import { readList } from '../service/listReader';
import { asText, isRecord, recordsIn } from '../service/records';
import { linkIn } from './linkIndex';
import { LinkLists } from './linkLists';
import {
	describeLink,
	keyOf,
	SeveralLinksError,
	type LinkName,
	type LinkRecord,
	type LinkReference,
	type SearchedName,
} from './reference';
import { aliasOf, isSameShortUrl } from './url';
import { LISTS } from '../service/endpoints';

/** The result of looking up a short URL: the link, none, or no clear answer. */
type LookUp = LinkRecord | 'none' | 'unclear';

/** The kinds of names, as the editor calls them. */
const KINDS = { id: 'ID', shortUrl: 'short URL', alias: 'alias', url: 'long URL' } as const;

/** Most links that are looked up one by one; for more, the list is read. */
const FEW = 10;
/** A learned fact: the service ignores the parameter `short`. It holds for this time (ms). */
const IGNORES_SHORT = 'ignores short';
const IGNORING_HOLDS = 60 * 60_000;

/** Finds the links that names mean: asks the service for what is not known yet. */
export class LinkFinder extends LinkLists {
	/** The account's domains; none if the service or the key has no such list. */
	async domains(): Promise<readonly string[]> {
		const { links, row } = this;
		const read = async () => {
			const source = { ...LISTS.domains, mayBeEmpty: true };
			const domains = await readList(row.reader, source, Infinity);
			links.areDomainsKnown = true;
			return domains.flatMap(({ domain }) => (typeof domain === 'string' && domain !== '' ? [domain] : []));
		};
		const readOrNone = async () =>
			await read().catch((error: unknown) => {
				if (error instanceof ApiError && error.affects === 'endpoint') return [];
				throw error;
			});
		return (links.domains ??= await row.once('domains', readOrNone));
	}

	/** Reads what tells whether these hosts are the account's: its domains, or else its links. */
	async findHosts(hosts: ReadonlySet<string>): Promise<void> {
		const isFound = () => [...hosts].every((host) => this.links.hasHost(host));
		if (!isFound()) await this.domains();
		if (!isFound() && !this.links.isComplete) await this.readUntil(isFound);
	}

	/** The details of a link, as sent: from a look-up, or read now; undefined if there is no such link. */
	async details(id: number): Promise<IDataObject | undefined> {
		return this.links.takeDetails(id) ?? (await this.row.lookUp(`/api/url/${id}`));
	}

	/**
	 * Finds the links of all names together: looks up a few one by one, unless the first page shows them, and reads the list for more.
	 * After that, `links.matching` is complete for each of them.
	 */
	async findAll(names: readonly LinkName[]): Promise<void> {
		const { links } = this;
		const byKey = new Map<string, LinkName>();
		await mapYielding(names, (name) => byKey.set(keyOf(name), name));
		const all = [...byKey.values()];
		if (all.length === 0 || links.isComplete) return;
		if (links.isHint) {
			// Reads the newest links, down to one that an earlier round of a loop has seen.
			const newest: LinkRecord[] = [];
			await this.readUntil((records, hasKnown) => {
				newest.push(...records);
				return hasKnown;
			});
			links.removeVanished(newest);
			links.isComplete = true;
			return;
		}
		if (all.length > FEW || all.some(({ by }) => by === 'url')) return await this.readAll();
		// A page that seems empty is asked for again: the list tells more than searches do.
		if (all.length > 1 && this.list === undefined) await this.readUntil((records) => records.length > 0);
		// The operation itself asks for an ID that was not seen.
		const isOpen = (name: LinkName) => name.by !== 'id' && name.by !== 'url' && !this.isFound(name);
		if ((this.list?.pagesLeft ?? Infinity) <= all.filter(isOpen).length) return await this.readAll();
		for (const name of all as SearchedName[]) if (isOpen(name)) await this.find(name);
	}

	/** Whether all links that a name may mean are known. Without a domain, an alias may be on several. */
	private isFound(name: SearchedName): boolean {
		const { links } = this;
		if (links.isComplete) return true;
		return (name.by === 'shortUrl' || name.domain !== undefined) && links.matching(name).length > 0;
	}

	/**
	 * Finds the links that one name may mean: by a look-up or a search. It never takes another link for it: a service may answer for
	 * another address.
	 *
	 * @param isSure reads the list if neither finds it
	 * @returns several links if an alias without a domain is on more than one
	 */
	async find(name: SearchedName, isSure = false): Promise<LinkRecord[]> {
		const { links } = this;
		const isAnywhere = name.by === 'alias' && name.domain === undefined;
		const ignoresShort = this.row.connection.learned.recall<boolean>(IGNORES_SHORT) === true;
		const alias = name.by === 'alias' ? name.alias : undefined;
		const answer = isAnywhere || ignoresShort ? 'unclear' : await this.lookUp(links.addressOf(name), alias);
		if (typeof answer !== 'string') return [answer];
		if (answer === 'unclear') {
			const word = name.by === 'alias' ? name.alias : (aliasOf({ shorturl: name.shortUrl }) ?? '');
			if (isAnywhere) await this.searchEverywhere(word, isSure);
			else await this.search(word, () => links.matching(name).length > 0);
		}
		const found = answer === 'none' ? [] : links.matching(name);
		if (found.length > 0 || !isSure) return found;
		await this.readAll();
		return links.matching(name);
	}

	/** The one link that a reference means. @throws ValueError when there is none, SeveralLinksError when there are several */
	async findOne({ name, entered }: LinkReference): Promise<LinkRecord> {
		const known = this.links.matching(name);
		const isSearched = known.length === 0 && (name.by === 'shortUrl' || name.by === 'alias');
		const found = isSearched ? await this.find(name, true) : known;
		const kind = KINDS[name.by];
		if (found.length === 1) return found[0];
		if (found.length === 0) {
			const [twin] = name.by === 'url' ? this.links.similarTo(name) : [];
			throw new ValueError(
				`There is no short link with the ${kind} ${entered}${twin === undefined ? '' : `, but ${describeLink(twin)} has it in another spelling: ${asText(twin.longurl)}`}`,
				`Check the ${kind}, and that the link belongs to the account of the credential.`,
			);
		}
		const advice =
			name.by === 'alias'
				? 'Name the domain too, as in go.example.com/spring, or choose By Short URL.'
				: 'Name the link by its short URL or its ID.';
		throw new SeveralLinksError(`The ${kind} ${entered}`, found, advice);
	}

	/** Looks up a short URL (spec, GET /api/urls, `short`). Services answer with details, a list of one, or ignore the parameter. */
	private async lookUp(shortUrl: string, alias?: string): Promise<LookUp> {
		const { links, row } = this;
		const answer = await row.lookUp(LISTS.links.path, { short: shortUrl });
		if (answer === undefined) return 'none';
		if (isRecord(answer.details)) {
			// Some take the last part of the path for the alias, and give another link.
			if (!isSameShortUrl(linkIn(answer).shorturl, shortUrl)) return 'unclear';
			const link = links.putDetails(answer, undefined, alias);
			links.keepDetails(link, answer);
			return link;
		}
		const records: LinkRecord[] = recordsIn(answer, 'urls') ?? [];
		const found = records.find(({ shorturl }) => isSameShortUrl(shorturl, shortUrl));
		if (found !== undefined) {
			links.put(found);
			return found;
		}
		if (records.length === 0) return 'none';
		// A list of other links: the parameter was ignored.
		if (records.length > 1) row.connection.learned.remember(IGNORES_SHORT, true, IGNORING_HOLDS);
		return 'unclear';
	}
}

import type { IDataObject } from 'n8n-workflow';

import { inSlices } from '../n8n/slices';
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

/** What a look-up of a short URL has settled: the link, that there is none, or nothing. */
type LookUp = LinkRecord | 'none' | 'unclear';

/** What a link is named by, in the words of the editor. */
const KINDS = { id: 'ID', shortUrl: 'short URL', alias: 'alias', url: 'long URL' } as const;

/** So few links are looked up one by one; for more, the list is read. */
const FEW = 10;
/** The service ignores `short`: what was learned, and how long (ms) it holds. */
const IGNORES_SHORT = 'ignores short';
const IGNORING_HOLDS = 60 * 60_000;

/** Finds the links that are meant: asks the service for what is not known yet. */
export class LinkFinder extends LinkLists {
	/** The account's domains. A service or key without this list has none but those on which its links were seen. */
	async domains(): Promise<readonly string[]> {
		const { links, row } = this;
		const read = async () => {
			const source = { path: '/api/domains', collection: 'domains', mayBeEmpty: true };
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

	/** Finds out whether links of the account stand on these hosts: its domains tell, or else its list. */
	async findHosts(hosts: ReadonlySet<string>): Promise<void> {
		const isFound = () => [...hosts].every((host) => this.links.hasHost(host));
		if (!isFound()) await this.domains();
		if (!isFound() && !this.links.isComplete) await this.readOn(isFound);
	}

	/** The details of a link, as sent: those that a look-up has brought, or read now; undefined when there is no such link. */
	async details(id: number): Promise<IDataObject | undefined> {
		return this.links.takeDetails(id) ?? (await this.row.lookUp(`/api/url/${id}`));
	}

	/**
	 * Finds the links that rows name, all of them together: looks up a few one by one, unless the first page shows them, and reads the
	 * list for more. From then on `links.matching` answers for each of them.
	 */
	async findAll(names: readonly LinkName[]): Promise<void> {
		const { links } = this;
		const byKey = new Map<string, LinkName>();
		await inSlices(names, (name) => byKey.set(keyOf(name), name));
		const all = [...byKey.values()];
		if (all.length === 0 || links.isComplete) return;
		if (links.isHint) {
			// The newest links, down to one that an earlier round of a loop has seen.
			const newest: LinkRecord[] = [];
			await this.readOn((records, hasKnown) => {
				newest.push(...records);
				return hasKnown;
			});
			links.removeVanished(newest);
			links.isComplete = true;
			return;
		}
		if (all.length > FEW || all.some(({ by }) => by === 'url')) return await this.readAll();
		// A list that seems to be empty is asked for again: what it has tells more than searches do.
		if (all.length > 1 && this.list === undefined) await this.readOn((records) => records.length > 0);
		// An ID that was not seen is asked for by the operation itself.
		const isOpen = (name: LinkName) => name.by !== 'id' && name.by !== 'url' && !this.isFound(name);
		if ((this.list?.pagesLeft ?? Infinity) <= all.filter(isOpen).length) return await this.readAll();
		for (const name of all as SearchedName[]) if (isOpen(name)) await this.find(name);
	}

	/** Whether all links that a name may mean are known. Without a domain, its alias may stand on another one too. */
	private isFound(name: SearchedName): boolean {
		const { links } = this;
		if (links.isComplete) return true;
		return (name.by === 'shortUrl' || name.domain !== undefined) && links.matching(name).length > 0;
	}

	/**
	 * Finds the links that one name may mean: by a look-up or a search. Never takes another link for the one that is named: a service
	 * may answer for another address.
	 *
	 * @param isSure reads the list where neither finds it
	 * @returns all links that it may mean: several where an alias without a domain stands on more than one
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
	async findOnly({ name, entered }: LinkReference): Promise<LinkRecord> {
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

	/** Asks for the link at a short URL (spec, GET /api/urls, `short`): details, a list of one, or the whole list where it is ignored. */
	private async lookUp(shortUrl: string, alias?: string): Promise<LookUp> {
		const { links, row } = this;
		const answer = await row.lookUp('/api/urls', { short: shortUrl });
		if (answer === undefined) return 'none';
		if (isRecord(answer.details)) {
			// Some take the last part of the path for the alias, and answer with another link.
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

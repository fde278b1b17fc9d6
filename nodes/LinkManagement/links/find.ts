import type { IDataObject } from 'n8n-workflow';

import { inSlices, inTurns } from '../n8n/slices';
import { ApiError, ValueError } from '../service/errors';
import { ListReader, readList } from '../service/list';
import { asText, idOf, isRecord, recordsIn } from '../service/records';
import { linkIn, type LinkIndex } from './linkIndex';
import {
	describeLink,
	identityOf,
	keyOf,
	SeveralLinksError,
	type LinkName,
	type LinkRecord,
	type LinkReference,
	type SearchedName,
} from './reference';
import { accountKey, linksOf, type LinkRow } from './row';
import { aliasOf, isSameShortUrl } from './url';

/** What a look-up of a short URL has settled: the link, that there is none, or nothing. */
type LookUp = LinkRecord | 'none' | 'unclear';

/** What a link is named by, in the words of the editor. */
const KINDS = { id: 'ID', shortUrl: 'short URL', alias: 'alias', url: 'long URL' } as const;

/** So few links are looked up one by one; for more, the list is read. */
const FEW = 10;
/** The service ignores `short`, and searches find aliases: what was learned, and how long (ms) the former holds. */
const IGNORES_SHORT = 'ignores short';
const SEARCHES_ALIASES = 'searches aliases';
const IGNORING_HOLDS = 60 * 60_000;

/** Whether a search can find a link by nothing but its alias, which its short URL holds, too. */
function isFoundByAlias(record: LinkRecord, searched: string): boolean {
	const word = searched.toLowerCase();
	const holders = Object.keys(record).filter((name) => asText(record[name]).toLowerCase().includes(word));
	return word !== '' && holders.length > 0 && holders.every((name) => name === 'alias' || name === 'shorturl');
}

/** Whether a page is the last one that is needed. @param hasKnown a link on it was known before */
type IsEnough = (records: LinkRecord[], hasKnown: boolean) => boolean;

/** Finds the links that are meant: asks the service for what is not known yet. */
export class LinkFinder {
	/** The whole list, as far as this finder has read it. */
	private list?: ListReader;

	readonly links: LinkIndex;

	constructor(private readonly row: LinkRow) {
		this.links = linksOf(row);
	}

	/** A search mostly finds nothing. What is not found by it is looked for in the list before anything is taken for missing. */
	private listOf(query: IDataObject): ListReader {
		return new ListReader(this.row.reader, { path: '/api/urls', collection: 'urls', query, mayBeEmpty: 'q' in query });
	}

	/** Reads a list on, page by page, until that is enough. @returns whether it has come to its end */
	private async read(list: ListReader, isEnough: IsEnough): Promise<boolean> {
		const { links } = this;
		for (let records = await list.next(); records !== undefined; records = await list.next()) {
			const hasKnown = records.some((record) => links.known(record) !== undefined);
			for await (const record of inTurns(records)) {
				links.note(record);
				links.newest = Math.max(links.newest, idOf(record) ?? 0);
			}
			if (isEnough(records, hasKnown)) break;
		}
		return list.place === undefined;
	}

	/** Reads the whole list, newest first, from where this finder has come to, until that is enough. */
	async readOn(isEnough: IsEnough): Promise<void> {
		this.list ??= this.listOf({ order: 'date' });
		if (await this.read(this.list, isEnough)) this.links.isComplete = true;
	}

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
				if (error instanceof ApiError && error.of === 'endpoint') return [];
				throw error;
			});
		return (links.domains ??= await row.once(`domains of ${accountKey(row)}`, readOrNone));
	}

	/** Reads the whole list, unless that was done; once for all rows of the run. */
	async readAll(): Promise<void> {
		const { links, row } = this;
		if (links.isComplete) return;
		await row.once(`links of ${accountKey(row)}`, async () => await this.readOn(() => false));
	}

	/** Finds out whether links of the account stand on these hosts: its domains tell, or else its list. */
	async findHosts(hosts: ReadonlySet<string>): Promise<void> {
		const isFound = () => [...hosts].every((host) => this.links.standsOn(host));
		if (!isFound()) await this.domains();
		if (!isFound() && !this.links.isComplete) await this.readOn(isFound);
	}

	/** The details of a link, as sent: those that a look-up has brought, or read now; undefined when there is no such link. */
	async details(id: number): Promise<IDataObject | undefined> {
		return this.links.takeDetails(id) ?? (await this.row.lookUp(`/api/url/${id}`));
	}

	/**
	 * Finds the links that rows name, all of them together: looks up a few one by one, unless the first page shows them, and reads the
	 * list for more. From then on `links.among` answers for each of them.
	 */
	async findAll(names: readonly LinkName[]): Promise<void> {
		const { links } = this;
		const byKey = new Map<string, LinkName>();
		await inSlices(names, (name) => byKey.set(keyOf(name), name));
		const all = [...byKey.values()];
		if (all.length === 0 || links.isComplete) return;
		if (links.isHint) {
			// The newest links, down to one that an earlier round of a loop has seen.
			await this.readOn((_records, hasKnown) => hasKnown);
			links.isComplete = true;
			return;
		}
		if (all.length > FEW || all.some(({ by }) => by === 'url')) return await this.readAll();
		if (all.length > 1 && this.list === undefined) await this.readOn(() => true);
		for (const name of all) {
			// An ID that was not seen is asked for by the operation itself.
			if (name.by !== 'id' && name.by !== 'url' && !this.isFound(name)) await this.find(name);
		}
	}

	/** Whether all links that a name may mean are known. Without a domain, its alias may stand on another one too. */
	private isFound(name: SearchedName): boolean {
		const { links } = this;
		if (links.isComplete) return true;
		return (name.by === 'shortUrl' || name.domain !== undefined) && links.among(name).length > 0;
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
		const answer = isAnywhere || ignoresShort ? 'unclear' : await this.lookUp(links.addressOf(name));
		if (typeof answer !== 'string') return [answer];
		if (answer === 'unclear') {
			const alias = name.by === 'alias' ? name.alias : (aliasOf({ shorturl: name.shortUrl }) ?? '');
			if (isAnywhere) await this.searchEverywhere(alias, isSure);
			else await this.search(alias, () => links.among(name).length > 0);
		}
		const found = answer === 'none' ? [] : links.among(name);
		if (found.length > 0 || !isSure) return found;
		await this.readAll();
		return links.among(name);
	}

	/** The one link that a reference means. @throws ValueError when there is none, SeveralLinksError when there are several */
	async findOnly({ name, entered }: LinkReference): Promise<LinkRecord> {
		const known = this.links.among(name);
		const isSearched = known.length === 0 && (name.by === 'shortUrl' || name.by === 'alias');
		const found = isSearched ? await this.find(name, true) : known;
		const kind = KINDS[name.by];
		if (found.length === 1) return found[0];
		if (found.length === 0) {
			const [twin] = name.by === 'url' ? this.links.alike(name) : [];
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

	/** Searches for an alias, in both forms in which Unicode writes it, until that is enough. */
	private async search(alias: string, isEnough: () => boolean): Promise<void> {
		for (const word of new Set([alias, alias.normalize('NFD')])) {
			await this.read(this.listOf({ q: word }), (records) => {
				if (records.some((record) => isFoundByAlias(record, word))) this.learnOfSearch(true);
				return isEnough();
			});
			if (isEnough()) return;
		}
	}

	/** Finds all links that have an alias, on whatever domain. @param isSure the list is read anyway where a search finds none */
	private async searchEverywhere(alias: string, isSure: boolean): Promise<void> {
		const { links } = this;
		await this.search(alias, () => false);
		const isFound = links.among({ by: 'alias', alias }).length > 0;
		// A search that looks at other fields alone leaves out links that have the alias as well.
		if ((isFound || !isSure) && !(await this.searchesAliases())) await this.readAll();
	}

	/** Whether searches find links by their aliases. What they look at is not documented: a link that is known tells. */
	private async searchesAliases(): Promise<boolean> {
		const { links, row } = this;
		const known = () => row.connection.learned.recall<boolean>(SEARCHES_ALIASES);
		if (links.isComplete || known() !== undefined) return known() ?? true;
		const tryOut = async () => {
			const isTelling = (link: LinkRecord) => isFoundByAlias(link, aliasOf(link) ?? '');
			if (links.find(isTelling) === undefined) await this.readOn(() => true);
			const link = links.isComplete ? undefined : links.find(isTelling);
			if (link === undefined) return links.isComplete;
			let isFound = false;
			await this.read(this.listOf({ q: aliasOf(link) }), (records) => {
				isFound = records.some((record) => identityOf(record) === identityOf(link));
				return isFound;
			});
			this.learnOfSearch(isFound);
			return isFound;
		};
		return await row.once(`search of ${accountKey(row)}`, tryOut);
	}

	private learnOfSearch(findsAliases: boolean): void {
		this.row.connection.learned.remember(SEARCHES_ALIASES, findsAliases);
	}

	/** Asks for the link at a short URL (spec, GET /api/urls, `short`): details, a list of one, or the whole list where it is ignored. */
	private async lookUp(shortUrl: string): Promise<LookUp> {
		const { links, row } = this;
		const answer = await row.lookUp('/api/urls', { short: shortUrl });
		if (answer === undefined) return 'none';
		if (isRecord(answer.details)) {
			const link = linkIn(answer);
			// Some take the last part of the path for the alias, and answer with another link.
			if (!isSameShortUrl(link.shorturl, shortUrl)) return 'unclear';
			links.note(link, answer);
			return link;
		}
		const records: LinkRecord[] = recordsIn(answer, 'urls') ?? [];
		const found = records.find(({ shorturl }) => isSameShortUrl(shorturl, shortUrl));
		if (found !== undefined) {
			links.note(found);
			return found;
		}
		if (records.length === 0) return 'none';
		// A list of other links: the parameter was ignored.
		if (records.length > 1) row.connection.learned.remember(IGNORES_SHORT, true, IGNORING_HOLDS);
		return 'unclear';
	}
}

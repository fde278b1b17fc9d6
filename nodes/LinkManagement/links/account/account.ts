import type { IDataObject } from 'n8n-workflow';

import { mapYielding, yielding } from '../../n8n/slices';
import { LINK, LISTS, pathOf } from '../../service/endpoints';
import { ignoreRefusedEndpoint, noSuchRecord } from '../../service/answer/errors';
import { ListReader, readList } from '../../service/lists/listReader';
import { asText, isRecord, recordsIn } from '../../service/records';
import type { ServiceClient } from '../../service/send/serviceClient';
import { notShown } from '../comparison';
import { fieldsThat, type LinkFields } from '../linkFields';
import {
	aliasNameOf,
	keyOf,
	type LinkName,
	type LinkRecord,
	longUrlNameOf,
	type NamedKind,
	type PlacedName,
} from '../reference';
import { aliasBelow, hostOf, isSameShortUrl } from '../url';
import { LinkIndex, linkIn } from './linkIndex';
import type { NamedRecords } from './namedRecords';
import type { NewLinks } from './newLinks';

/** Most names of links that are looked up one by one; for more, the list is read. */
const FEW = 10;

const shownByLists = fieldsThat(({ shownIn, isFixed }) => shownIn === 'someLists' && isFixed !== true);

const hostIn = (name: PlacedName) => hostOf(name.by === 'shortUrl' ? name.shortUrl : name.domain);

/** What a run knows of its account, and how it finds what it does not know yet: each list is read once. */
export class Account {
	readonly index: LinkIndex;
	/** The campaigns, channels and other records that have names, as far as they were read. */
	readonly names = new Map<NamedKind, NamedRecords>();
	private list?: ListReader;
	/** The readings of the list of links, one after another. Once one has failed, the others fail the same way. */
	private reading: Promise<void> = Promise.resolve();
	private first?: Promise<void>;
	private branded?: Promise<readonly string[]>;
	/** ID → the details of a link that a look-up has brought. */
	private readonly lookedUp = new Map<number, IDataObject>();

	/**
	 * @param client sends the requests of the run
	 * @param newLinks the links that the run makes
	 */
	constructor(
		readonly client: ServiceClient,
		readonly newLinks: NewLinks,
	) {
		this.index = new LinkIndex(client.connection.address);
	}

	private get listsShowMore() {
		return this.client.connection.learned.listsShowMore;
	}

	private listOf(query: IDataObject): ListReader {
		return new ListReader(this.client, { ...LISTS.links, query, mayBeEmpty: 'q' in query });
	}

	/** Reads the next page of a list into the index. @returns its records; undefined at the end of the list */
	private async readPage(list: ListReader): Promise<LinkRecord[] | undefined> {
		const records = await list.next();
		if (records === undefined || records.length === 0) return records;
		for await (const record of yielding(records)) this.index.putListed(record);
		const isMore = (record: LinkRecord) => notShown(shownByLists, record).length < shownByLists.length;
		this.listsShowMore.remember(this.listsShowMore.recall() === true || records.some(isMore));
		return records;
	}

	/** Reads on in the list of links, newest first, until it is enough. */
	private async readUntil(isEnough: (records: LinkRecord[]) => boolean): Promise<void> {
		this.reading = this.reading.then(async () => {
			this.list ??= this.listOf({ order: 'date' });
			while (!this.index.isComplete) {
				const records = await this.readPage(this.list);
				this.index.isComplete = this.list.isOver;
				if (records !== undefined && isEnough(records)) break;
			}
		});
		await this.reading;
	}

	private async readFirst(): Promise<void> {
		// A page that seems empty is asked for again.
		this.first ??= this.readUntil(({ length }) => length > 0);
		await this.first;
	}

	private async readAll(): Promise<void> {
		await this.readUntil(() => false);
	}

	/** Reads the list, if that takes fewer requests than so many. @returns whether all links are known */
	async readIfFewer(requests: number): Promise<boolean> {
		if (requests > 1) await this.readFirst();
		if (this.list !== undefined && (this.list.pagesLeft ?? Infinity) < requests) await this.readAll();
		return this.index.isComplete;
	}

	/** Reads the newest links again, until it is enough or more than so many were seen. */
	async readNewest(most: number, isEnough: () => boolean): Promise<void> {
		const list = this.listOf({ order: 'date' });
		let read = 0;
		for (let records = await this.readPage(list); records !== undefined; records = await this.readPage(list)) {
			read += records.length;
			if (read > most || isEnough()) return;
		}
	}

	/** The account's domains; none if the service or the key has no such list. */
	async domains(): Promise<readonly string[]> {
		const { index, client } = this;
		const read = async () => {
			const records = await readList(client, { ...LISTS.domains, mayBeEmpty: true }, Infinity);
			index.domains = records.flatMap(({ domain }) => (typeof domain === 'string' && domain !== '' ? [domain] : []));
			index.areDomainsKnown = true;
		};
		this.branded ??= read()
			.catch(ignoreRefusedEndpoint)
			.then(() => index.domains);
		return await this.branded;
	}

	/** Reads what tells whether hosts are the account's: the first page of its links, its domains, and all links if that is wanted. */
	async findHosts(hosts: Iterable<string>, isWhole = true): Promise<void> {
		const isFound = () => [...hosts].every((host) => this.index.hasHost(host));
		if (!isFound()) await this.readFirst();
		if (!isFound()) await this.domains();
		if (!isFound() && isWhole) await this.readUntil(isFound);
	}

	/**
	 * Finds the links of all names together: looks up a few one by one, where that is certain; else it reads the list, whole, once. After
	 * that, `index.matching` is complete for each of them.
	 */
	async find(names: readonly LinkName[]): Promise<void> {
		const { index } = this;
		const byKey = new Map<string, LinkName>();
		await mapYielding(names, (name) => byKey.set(keyOf(name), name));
		const all = [...byKey.values()];
		if (all.length === 0 || index.isComplete) return;
		if (all.length > FEW || all.some(({ by }) => by === 'url')) return await this.readAll();
		const few = all as PlacedName[];
		const isAnywhere = few.some((name) => hostIn(name) === undefined);
		// The first page of the list may show them all, and on which hosts they may be.
		if (isAnywhere || few.length > 1) await this.readFirst();
		if (isAnywhere && !index.isComplete) await this.domains();
		const placed = few.flatMap((name): PlacedName[] =>
			hostIn(name) === undefined ? index.hosts.map((domain) => ({ ...name, domain })) : [name],
		);
		const open = placed.filter((name) => index.matching(name).length === 0);
		if (await this.readIfFewer(open.length)) return;
		for (const name of open) if (!(await this.isLookedUp(name))) return await this.readAll();
	}

	/** Looks a name up on its host. @returns false if that leaves open which links there are */
	private async isLookedUp(name: PlacedName): Promise<boolean> {
		const { index } = this;
		const host = hostIn(name)!;
		const address = index.addressOf(name);
		const answer = await this.lookUp(address);
		if (answer !== undefined) return answer !== 'unclear';
		// Services write a name with a slash, a space or letters beyond ASCII in several ways.
		if (!/^[\w.~-]+$/.test(aliasBelow(index.baseOf(host), address) ?? '')) return false;
		if (!index.hasHost(host)) await this.domains();
		// An unknown host may be the account's all the same, and may have its links below a path.
		return index.hasHost(host) && index.addressOf(name) === address;
	}

	/**
	 * Looks up a short URL (spec, GET /api/urls, `short`). Services answer with details, a list of one, or ignore the parameter.
	 * @returns the link; undefined if there is none; unclear if the answer is about others
	 */
	async lookUp(shortUrl: string): Promise<LinkRecord | 'unclear' | undefined> {
		const { index, client } = this;
		const { ignoresShort } = client.connection.learned;
		if (ignoresShort.recall() === true) return 'unclear';
		const answer = await client.lookUp(LISTS.links.path, { short: shortUrl });
		if (answer === undefined) return undefined;
		if (isRecord(answer.details)) {
			// Some take the last part of the path for the alias, and give another link.
			if (!isSameShortUrl(linkIn(answer).shorturl, shortUrl)) return 'unclear';
			const link = index.putDetails(answer);
			this.lookedUp.set(Number(link.id), answer);
			return link;
		}
		const records: LinkRecord[] = recordsIn(answer, 'urls') ?? [];
		const found = records.find(({ shorturl }) => isSameShortUrl(shorturl, shortUrl));
		if (found !== undefined) return index.put(found);
		if (records.length === 0) return undefined;
		// A list of other links: the parameter was ignored.
		if (records.length > 1) ignoresShort.remember(true);
		return 'unclear';
	}

	private takeLookedUp(id: number): IDataObject | undefined {
		const details = this.lookedUp.get(id);
		this.lookedUp.delete(id);
		return details;
	}

	/** The details of a link, as sent: from a look-up, or read now; undefined if there is no such link. */
	async detailsIfThere(id: number): Promise<IDataObject | undefined> {
		return this.takeLookedUp(id) ?? (await this.client.lookUp(pathOf(LINK, { id })));
	}

	/** The details of a link, as sent: from a look-up, or read now. @throws ApiError if there is no such link */
	async details(id: number): Promise<IDataObject> {
		const read = async () => await this.client.send({ method: 'GET', path: pathOf(LINK, { id }) });
		return (
			this.takeLookedUp(id) ??
			(await read().catch((error: unknown) => {
				throw noSuchRecord(error, 'short link', id);
			}))
		);
	}

	/**
	 * All that the service shows of a link, because some services reset what an update leaves out. Some show campaign and channel only
	 * in lists: then the link is looked for in one. @param details as one flat record, with the ID
	 */
	async fullRecord(details: LinkRecord): Promise<LinkRecord> {
		const isShown = notShown(shownByLists, details).length === 0;
		const isFound = () => isShown || this.listsShowMore.recall() === false || this.index.isListed(details);
		const look = async () => {
			// One page of a search shows most; otherwise the list does.
			if (!isFound()) await this.readPage(this.listOf({ q: asText(details.longurl) }));
			if (!isFound()) await this.readAll();
		};
		// A service or key without the list shows nothing more.
		await look().catch(ignoreRefusedEndpoint);
		return { ...this.index.get(details), ...details };
	}

	/** Reads the list, if it shows more than details do, and takes fewer requests than a search for each of these links. */
	async findListed(ids: readonly number[]): Promise<void> {
		const open = ids.filter((id) => !this.index.isListed({ id })).length;
		if (ids.length < 2 || open === 0 || this.listsShowMore.recall() === false) return;
		const read = async () => {
			await this.readFirst();
			if (this.listsShowMore.recall() === true) await this.readIfFewer(open + 1);
		};
		// If this fails, each row looks for its own link.
		await read().catch(() => undefined);
	}

	/** Looks for a link that may have been made since, by its alias or else its long URL. @param most so many of the newest are looked at */
	async findMade({ custom, domain, url }: LinkFields, most: number): Promise<LinkRecord | undefined> {
		const { index } = this;
		const name = custom === undefined ? longUrlNameOf({ url, domain }) : aliasNameOf({ custom, domain });
		if (name.by === 'alias') {
			const placed = { ...name, domain: name.domain ?? index.likelyHost };
			await this.lookUp(index.addressOf(placed));
		}
		// Without a domain, a link on one of them may be a colleague's.
		const branded = domain === undefined ? (await this.domains()).map(hostOf) : [];
		const meant = () =>
			index.matching(name).filter(({ shorturl }) => domain !== undefined || !branded.includes(hostOf(shorturl)));
		if (meant().length === 0) await this.readNewest(most, () => meant().length > 0);
		const [only, ...others] = meant();
		return others.length === 0 ? only : undefined;
	}
}

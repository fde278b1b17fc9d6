import type { IDataObject } from 'n8n-workflow';

import { mapYielding } from '../n8n/slices';
import { inEditor } from '../service/advice';
import { LINK, LISTS, pathOf } from '../service/endpoints';
import { ApiError, ValueError } from '../service/errors';
import { inQuotes } from '../service/failures';
import { readList } from '../service/listReader';
import { isRecord, recordsIn } from '../service/records';
import type { LinkFields } from './linkFields';
import { linkIn } from './linkIndex';
import { LinkLists } from './linkLists';
import {
	aliasNameOf,
	describeLink,
	idOfLink,
	keyOf,
	type LinkName,
	type LinkRecord,
	type LinkReference,
	longUrlNameOf,
	type PlacedName,
	SeveralLinksError,
} from './reference';
import { aliasBelow, hostOf, isSameShortUrl } from './url';

/** The kinds of names, as the editor calls them. */
const KINDS = { id: 'ID', shortUrl: 'short URL', alias: 'alias', url: 'long URL' } as const;

/** Most names that are looked up one by one; for more, the list is read. */
export const FEW = 10;

/** A learned fact: the service ignores the parameter `short`. */
const IGNORES_SHORT = 'ignores short';
/** The host on which a name says that its link is. */
const hostIn = (name: PlacedName) => hostOf(name.by === 'shortUrl' ? name.shortUrl : name.domain);

/** Finds the links that names mean: asks the service for what the run does not know yet. */
export class LinkFinder extends LinkLists {
	/** The account's domains; none if the service or the key has no such list. */
	async domains(): Promise<readonly string[]> {
		const { links, row } = this;
		const read = async () => {
			const domains = await readList(row.reader, { ...LISTS.domains, mayBeEmpty: true }, Infinity);
			links.areDomainsKnown = true;
			return domains.flatMap(({ domain }) => (typeof domain === 'string' && domain !== '' ? [domain] : []));
		};
		const readOrNone = async () =>
			await read().catch((error: unknown) => {
				if (error instanceof ApiError && error.affects === 'endpoint') return [];
				throw error;
			});
		return (links.domains ??= await row.state.once('domains', readOrNone));
	}

	/** Whether a host is the account's, as its domains and the first page of its links tell. */
	async isOwn(host: string): Promise<boolean> {
		const { links } = this;
		if (!links.hasHost(host)) await this.readFirstPage();
		if (!links.hasHost(host)) await this.domains();
		return links.hasHost(host);
	}

	/** Reads what tells whether these hosts are the account's: its domains, or else its links. @param isLong the list is read anyway */
	async findHosts(hosts: Iterable<string>, isLong = false): Promise<void> {
		const isFound = () => [...hosts].every((host) => this.links.hasHost(host));
		if (!isFound()) await (isLong ? this.readAll() : this.readFirstPage());
		if (!isFound()) await this.domains();
		if (!isFound()) await this.readUntil(isFound);
	}

	/** The details of a link, as sent: from a look-up, or read now; undefined if there is no such link. */
	async details(id: number): Promise<IDataObject | undefined> {
		return this.links.takeDetails(id) ?? (await this.row.lookUp(pathOf(LINK, { id })));
	}

	/**
	 * Finds the links of all names together: looks up a few one by one, and reads the list for more, or for a name that stays uncertain.
	 * After that, `links.matching` is complete for each of them. IDs are not asked for.
	 */
	async findAll(names: readonly LinkName[]): Promise<void> {
		const { links } = this;
		const byKey = new Map<string, LinkName>();
		await mapYielding(names, (name) => name.by !== 'id' && byKey.set(keyOf(name), name));
		const all = [...byKey.values()];
		if (all.length === 0 || links.isComplete) return;
		if (all.length > FEW || all.some(({ by }) => by === 'url')) return await this.readAll();
		const few = all as PlacedName[];
		const isAnywhere = few.some((name) => hostIn(name) === undefined);
		// The first page of the list may show them all, and on which hosts they may be.
		if (few.length > 1 || isAnywhere) await this.readFirstPage();
		const open = () => few.filter((name) => !this.isFound(name));
		if (await this.isListCheaper(open().length)) return;
		if (isAnywhere) await this.domains();
		const costs = open().map((name) => (hostIn(name) === undefined ? links.places.length : 1));
		if (await this.isListCheaper(costs.reduce((sum, cost) => sum + cost, 0))) return;
		for (const name of open()) if (this.ignoresShort || !(await this.isLookedUp(name))) return await this.readAll();
	}

	/** Whether all links that a name may mean are known. Without a domain, an alias may be on several. */
	private isFound(name: PlacedName): boolean {
		const { links } = this;
		return links.isComplete || (hostIn(name) !== undefined && links.matching(name).length > 0);
	}

	/** Looks a name up wherever its link may be. @returns false if that leaves open which links there are */
	private async isLookedUp(name: PlacedName): Promise<boolean> {
		const { links } = this;
		const host = hostIn(name);
		if (host === undefined) {
			for (const domain of links.places) if (!(await this.isLookedUp({ ...name, domain } as PlacedName))) return false;
			return true;
		}
		const address = links.addressOf(name);
		const answer = await this.lookUp(address);
		// Services write a name with a slash, a space or letters beyond ASCII in several ways.
		const isPlain = /^[\w.~-]+$/.test(aliasBelow(links.baseOf(host), address) ?? '');
		if (answer !== undefined || !isPlain) return answer !== undefined && answer !== 'unclear';
		if (links.hasHost(host)) return true;
		await this.domains();
		return links.hasHost(host) && (links.addressOf(name) === address || (await this.isLookedUp(name)));
	}

	private get ignoresShort(): boolean {
		return this.row.connection.learned.recall<boolean>(IGNORES_SHORT) === true;
	}

	/**
	 * Looks up a short URL (spec, GET /api/urls, `short`). Services answer with details, a list of one, or ignore the parameter.
	 *
	 * @returns the link; undefined if there is none; unclear if the answer is about others
	 */
	async lookUp(shortUrl: string): Promise<LinkRecord | 'unclear' | undefined> {
		const { links, row } = this;
		if (this.ignoresShort) return 'unclear';
		const answer = await row.lookUp(LISTS.links.path, { short: shortUrl });
		if (answer === undefined) return undefined;
		if (isRecord(answer.details)) {
			// Some take the last part of the path for the alias, and give another link.
			if (!isSameShortUrl(linkIn(answer).shorturl, shortUrl)) return 'unclear';
			const link = links.putDetails(answer);
			links.keepDetails(link, answer);
			return link;
		}
		const records: LinkRecord[] = recordsIn(answer, 'urls') ?? [];
		const found = records.find(({ shorturl }) => isSameShortUrl(shorturl, shortUrl));
		if (found !== undefined) return links.put(found);
		if (records.length === 0) return undefined;
		// A list of other links: the parameter was ignored.
		if (records.length > 1) row.connection.learned.remember(IGNORES_SHORT, true);
		return 'unclear';
	}

	/**
	 * The ID of the link that a reference means. From a model, a number may be an alias, and an address may be a long one.
	 *
	 * @throws SeveralLinksError if a number is the ID of one link and the alias of another, ValueError if there is no such link
	 */
	async idMeantBy({ name, or, ...link }: LinkReference): Promise<number> {
		const { links } = this;
		if (or === undefined) return name.by === 'id' ? name.id : idOfLink(this.oneFor({ ...link, name }));
		if (name.by === 'id') {
			await this.findAll([or]);
			const others = links.matching(or).filter(({ id }) => id !== name.id);
			if (others.length === 0) return name.id;
			const there = await this.details(name.id);
			if (there === undefined) return idOfLink(this.oneFor({ ...link, name: or }));
			const found = [linkIn(there, name.id), ...others];
			throw new SeveralLinksError(inQuotes(link.entered), found, 'Pass the short URL of the one that is meant.');
		}
		const host = hostOf(link.entered) ?? '';
		// The whole list shows all hosts.
		if (!(await this.isOwn(host))) await this.findAll([or]);
		// On a host of the account it is a short URL alone: a repeated deletion must not take a link that leads there.
		const reading = links.hasHost(host) ? name : or;
		await this.findAll([reading]);
		return idOfLink(this.oneFor({ ...link, name: reading }));
	}

	/** The one link that a reference means, of those that are known. @throws ValueError if there is none, SeveralLinksError if several */
	oneFor({ name, entered }: LinkReference): LinkRecord {
		const found = this.links.matching(name);
		const kind = KINDS[name.by];
		if (found.length === 1) return found[0];
		if (found.length === 0) {
			const [twin] = name.by === 'url' ? this.links.similarTo(name) : [];
			throw new ValueError(
				`There is no short link with the ${kind} ${inQuotes(entered)}${twin === undefined ? '' : `, but ${describeLink(twin)} has it in another spelling: ${inQuotes(twin.longurl)}`}`,
				`Check the ${kind}${inEditor(', and that the link belongs to the account of the credential')}.`,
			);
		}
		const advice =
			name.by === 'alias'
				? `Name the domain too, as in go.example.com/spring${inEditor(', or choose By Short URL')}.`
				: 'Name the link by its short URL or its ID.';
		throw new SeveralLinksError(`The ${kind} ${inQuotes(entered)}`, found, advice);
	}

	/**
	 * Looks for a link that may have been made since the links were read, by its alias or else by its long URL.
	 *
	 * @param most so many of the newest links are looked at besides; none by default
	 */
	async findMade({ custom, domain, url }: LinkFields, most?: number): Promise<LinkRecord | undefined> {
		const { links } = this;
		const name = custom === undefined ? longUrlNameOf({ url, domain }) : aliasNameOf({ custom, domain });
		if (name.by === 'alias') {
			const placed = { ...name, domain: name.domain ?? links.likelyPlace };
			if (links.matching(placed).length === 0) await this.lookUp(links.addressOf(placed));
		}
		// Without a domain, a link on one of them may be a colleague's.
		const isOpen = domain === undefined && (most !== undefined || links.matching(name).length > 0);
		const branded = isOpen ? (await this.domains()).map(hostOf) : [];
		const meant = () =>
			links.matching(name).filter(({ shorturl }) => domain !== undefined || !branded.includes(hostOf(shorturl)));
		if (most !== undefined && meant().length === 0) await this.readNewest(most, () => meant().length > 0);
		const [only, ...others] = meant();
		return others.length === 0 ? only : undefined;
	}
}

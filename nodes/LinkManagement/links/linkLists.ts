import type { IDataObject } from 'n8n-workflow';

import { yielding } from '../n8n/slices';
import { ApiError } from '../service/errors';
import { ListReader } from '../service/listReader';
import { asText } from '../service/records';
import { notShown } from './comparison';
import { fieldsThat, shownOf, type LinkFieldName } from './linkFields';
import type { LinkIndex } from './linkIndex';
import { linksOf, type LinkRow } from './linkRow';
import { identityOf, type LinkName, type LinkRecord } from './reference';
import { aliasOf } from './url';
import { LISTS } from '../service/endpoints';

/** A learned fact: whether searches find aliases. */
const SEARCHES_ALIASES = 'searches aliases';

/** A learned fact: the fields that lists of this service show (field notes, "Resources"). */
const LISTS_SHOW = 'fields in lists of links';
const shownByLists = fieldsThat(({ shownIn, isFixed }) => shownIn === 'someLists' && isFixed !== true);
const shownBySome = [...shownByLists, ...fieldsThat(({ shownIn }) => shownIn === 'someDetails')];

/** Whether a search for this word can find a link only by its alias, which its short URL holds, too. */
function isFoundByAlias(record: LinkRecord, searched: string): boolean {
	const word = searched.toLowerCase();
	const holders = Object.keys(record).filter((name) => asText(record[name]).toLowerCase().includes(word));
	return word !== '' && holders.length > 0 && holders.every((name) => name === 'alias' || name === 'shorturl');
}

/** Whether a page is the last one that is needed. @param hasKnown it has a link that was known before */
type IsEnough = (records: LinkRecord[], hasKnown: boolean) => boolean;

/** Reads and searches the list of links as far as needed, into the index of the run. */
export class LinkLists {
	/** The list, as far as this finder has read it. */
	protected list?: ListReader;
	private pagesOfSearches = 0;

	readonly links: LinkIndex;

	constructor(protected readonly row: LinkRow) {
		this.links = linksOf(row);
	}

	/** A search often finds nothing. Before a link counts as missing, it is looked for in the list. */
	protected listOf(query: IDataObject): ListReader {
		return new ListReader(this.row.reader, { ...LISTS.links, query, mayBeEmpty: 'q' in query });
	}

	/** Reads on, page by page, until it is enough. @returns whether the list has ended */
	protected async read(list: ListReader, isEnough: IsEnough): Promise<boolean> {
		const { links } = this;
		for (let records = await list.next(); records !== undefined; records = await list.next()) {
			const hasKnown = records.some((record) => links.get(record) !== undefined);
			for await (const record of yielding(records)) links.putListed(record);
			if (records.length > 0) this.learnOfLists(records);
			if (isEnough(records, hasKnown)) break;
		}
		return list.isOver;
	}

	/** Reads on in the whole list, newest first, until it is enough. */
	async readUntil(isEnough: IsEnough): Promise<void> {
		this.list ??= this.listOf({ order: 'date' });
		if (await this.read(this.list, isEnough)) this.links.isComplete = true;
	}

	/** Reads the whole list, once for all rows of the run. */
	async readAll(): Promise<void> {
		const { links, row } = this;
		if (links.isComplete) return;
		await row.once('links', async () => await this.readUntil(() => false));
	}

	/**
	 * Searches for an alias, in both its Unicode forms, until it is enough. Reads the list instead once the searches of this finder take
	 * more requests.
	 */
	protected async search(alias: string, isEnough: () => boolean): Promise<void> {
		for (const word of new Set([alias, alias.normalize('NFD')])) {
			const found = this.listOf({ q: word });
			const isTooExpensive = () => this.pagesOfSearches + (found.pagesLeft ?? 0) > (this.list?.pagesLeft ?? Infinity);
			await this.read(found, (records) => {
				this.pagesOfSearches++;
				if (records.some((record) => isFoundByAlias(record, word))) this.learnOfSearch(true);
				return isEnough() || isTooExpensive();
			});
			if (!isEnough() && isTooExpensive()) await this.readAll();
			if (isEnough() || this.links.isComplete) return;
		}
	}

	/** Finds all links that have an alias, on any domain. @param isSure the list is read anyway if a search finds none */
	protected async searchEverywhere(alias: string, isSure: boolean): Promise<void> {
		const { links } = this;
		await this.search(alias, () => false);
		const isFound = links.matching({ by: 'alias', alias }).length > 0;
		// A search that ignores aliases may miss links.
		if ((isFound || !isSure) && !(await this.searchesAliases())) await this.readAll();
	}

	/** Whether searches find links by their aliases. That is not documented: a known link shows it. */
	private async searchesAliases(): Promise<boolean> {
		const { links, row } = this;
		const known = () => row.connection.learned.recall<boolean>(SEARCHES_ALIASES);
		if (links.isComplete || known() !== undefined) return known() ?? true;
		const tryOut = async () => {
			const isTelling = (link: LinkRecord) => isFoundByAlias(link, aliasOf(link) ?? '');
			if (links.find(isTelling) === undefined) await this.readUntil(() => true);
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
		return await row.once('search', tryOut);
	}

	private learnOfSearch(findsAliases: boolean): void {
		this.row.connection.learned.remember(SEARCHES_ALIASES, findsAliases);
	}

	private learnOfLists(records: LinkRecord[]): void {
		const { learned } = this.row.connection;
		const before = learned.recall<LinkFieldName[]>(LISTS_SHOW) ?? [];
		const isShown = (name: LinkFieldName) => records.some((record) => shownOf(name, record) !== undefined);
		learned.remember(
			LISTS_SHOW,
			shownBySome.filter((name) => before.includes(name) || isShown(name)),
		);
	}

	/** Whether lists may show fields of a link that its details don't. */
	private listsShowMore(details: LinkRecord): boolean {
		const listed = this.row.connection.learned.recall<LinkFieldName[]>(LISTS_SHOW);
		return notShown(listed ?? shownByLists, details).length > 0;
	}

	/**
	 * All that the service shows of a link, because some services reset what an update leaves out. Some show campaign and channel only
	 * in lists: then the link is looked for in one.
	 *
	 * @param details as one flat record, with the ID
	 */
	async fullRecord(details: LinkRecord): Promise<LinkRecord> {
		const { links, row } = this;
		const isFound = () => details.id === undefined || links.isListed(details) || !this.listsShowMore(details);
		const isUnsearched = row.connection.learned.recall<boolean>(SEARCHES_ALIASES) === false;
		// One page of a search is enough for most; otherwise the list shows it, once for all rows.
		const isOnePage = () => true;
		const look = async () => {
			for (const searched of [...(isUnsearched ? [] : [aliasOf(details)]), details.longurl]) {
				if (!isFound()) await this.read(this.listOf({ q: asText(searched) }), isOnePage);
			}
			if (!isFound()) await row.once('newest links', async () => await this.readUntil(isOnePage));
			if (!isFound()) await this.readAll();
		};
		await look().catch((error: unknown) => {
			// A service or key without the list shows nothing more.
			if (!(error instanceof ApiError) || error.affects !== 'endpoint') throw error;
		});
		return this.mergeKnown(details);
	}

	/** Reads the list, if it shows more than details do, and takes fewer requests than a search for each link. */
	async findListed(names: readonly LinkName[]): Promise<void> {
		const { links, row } = this;
		const { learned } = row.connection;
		const isListed = (name: LinkName) => links.matching(name).some((link) => links.isListed(link));
		const open = () => names.filter((name) => !isListed(name)).length;
		const isMore = () => learned.recall<LinkFieldName[]>(LISTS_SHOW)?.some((name) => shownByLists.includes(name));
		if (names.length < 2 || isMore() === false || open() === 0) return;
		const read = async () => {
			if (this.list === undefined) await this.readUntil(() => true);
			if (isMore() === true && (this.list?.pagesLeft ?? Infinity) <= open()) await this.readUntil(() => false);
		};
		// If this fails, each row looks for its own link.
		await read().catch((error: unknown) => {
			if (!(error instanceof ApiError)) throw error;
		});
	}

	/** Details of a link, added to what is known of it. */
	mergeKnown(details: LinkRecord): LinkRecord {
		return { ...this.links.get(details), ...details };
	}
}

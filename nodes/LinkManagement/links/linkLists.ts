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

/** Searches find aliases: what was learned. */
const SEARCHES_ALIASES = 'searches aliases';

/** Fields that lists of some services show (field notes, "Resources"), and those that any answer may show. */
const LISTS_SHOW = 'fields in lists of links';
const shownByLists = fieldsThat(({ shownIn, isFixed }) => shownIn === 'someLists' && isFixed !== true);
const shownBySome = [...shownByLists, ...fieldsThat(({ shownIn }) => shownIn === 'someDetails')];

/** Whether a search can find a link by nothing but its alias, which its short URL holds, too. */
function isFoundByAlias(record: LinkRecord, searched: string): boolean {
	const word = searched.toLowerCase();
	const holders = Object.keys(record).filter((name) => asText(record[name]).toLowerCase().includes(word));
	return word !== '' && holders.length > 0 && holders.every((name) => name === 'alias' || name === 'shorturl');
}

/** Whether a page is the last one that is needed. @param hasKnown a link on it was known before */
type IsEnough = (records: LinkRecord[], hasKnown: boolean) => boolean;

/** Reads the list of links, and searches it, as far as that is needed. What it reads stands in the index of the run. */
export class LinkLists {
	/** The whole list, as far as this finder has read it. */
	protected list?: ListReader;
	private pagesOfSearches = 0;

	readonly links: LinkIndex;

	constructor(protected readonly row: LinkRow) {
		this.links = linksOf(row);
	}

	/** A search mostly finds nothing. What is not found by it is looked for in the list before anything is taken for missing. */
	protected listOf(query: IDataObject): ListReader {
		return new ListReader(this.row.reader, { path: '/api/urls', collection: 'urls', query, mayBeEmpty: 'q' in query });
	}

	/** Reads a list on, page by page, until that is enough. @returns whether it has come to its end */
	protected async read(list: ListReader, isEnough: IsEnough): Promise<boolean> {
		const { links } = this;
		for (let records = await list.next(); records !== undefined; records = await list.next()) {
			const hasKnown = records.some((record) => links.get(record) !== undefined);
			for await (const record of yielding(records)) links.putListed(record);
			if (records.length > 0) this.learnOfLists(records);
			if (isEnough(records, hasKnown)) break;
		}
		return list.cursor === undefined;
	}

	/** Reads the whole list, newest first, from where this finder has come to, until that is enough. */
	async readOn(isEnough: IsEnough): Promise<void> {
		this.list ??= this.listOf({ order: 'date' });
		if (await this.read(this.list, isEnough)) this.links.isComplete = true;
	}

	/** Reads the whole list, unless that was done; once for all rows of the run. */
	async readAll(): Promise<void> {
		const { links, row } = this;
		if (links.isComplete) return;
		await row.once('links', async () => await this.readOn(() => false));
	}

	/**
	 * Searches for an alias, in both forms in which Unicode writes it, until that is enough. The list is read instead where the searches of
	 * this finder take more requests.
	 */
	protected async search(alias: string, isEnough: () => boolean): Promise<void> {
		for (const word of new Set([alias, alias.normalize('NFD')])) {
			const found = this.listOf({ q: word });
			const isDear = () => this.pagesOfSearches + (found.pagesLeft ?? 0) > (this.list?.pagesLeft ?? Infinity);
			await this.read(found, (records) => {
				this.pagesOfSearches++;
				if (records.some((record) => isFoundByAlias(record, word))) this.learnOfSearch(true);
				return isEnough() || isDear();
			});
			if (!isEnough() && isDear()) await this.readAll();
			if (isEnough() || this.links.isComplete) return;
		}
	}

	/** Finds all links that have an alias, on whatever domain. @param isSure the list is read anyway where a search finds none */
	protected async searchEverywhere(alias: string, isSure: boolean): Promise<void> {
		const { links } = this;
		await this.search(alias, () => false);
		const isFound = links.matching({ by: 'alias', alias }).length > 0;
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

	/** Whether lists show fields of a link that its details don't, as far as is known. */
	private listsShowMore(details: LinkRecord): boolean {
		const listed = this.row.connection.learned.recall<LinkFieldName[]>(LISTS_SHOW);
		return notShown(listed ?? shownByLists, details).length > 0;
	}

	/**
	 * All that the service shows of a link that is to be changed, for some services reset what an update leaves out. At some of them
	 * lists alone show its campaign and channel: then it is looked for in one.
	 *
	 * @param details as one flat record, with the ID
	 */
	async wholeLink(details: LinkRecord): Promise<LinkRecord> {
		const { links, row } = this;
		const isFound = () => details.id === undefined || links.isListed(details) || !this.listsShowMore(details);
		const isUnsearched = row.connection.learned.recall<boolean>(SEARCHES_ALIASES) === false;
		// A page of a search is enough for most; what takes more than that, the list itself shows, once for all rows.
		const isOnePage = () => true;
		const look = async () => {
			for (const searched of [...(isUnsearched ? [] : [aliasOf(details)]), details.longurl]) {
				if (!isFound()) await this.read(this.listOf({ q: asText(searched) }), isOnePage);
			}
			if (!isFound()) await row.once('newest links', async () => await this.readOn(isOnePage));
			if (!isFound()) await this.readAll();
		};
		await look().catch((error: unknown) => {
			// A service or key without the list shows nothing there.
			if (!(error instanceof ApiError) || error.affects !== 'endpoint') throw error;
		});
		return this.beside(details);
	}

	/** Reads the list, where it shows more of links than their details, and takes fewer requests than a search for each of them. */
	async findListed(names: readonly LinkName[]): Promise<void> {
		const { links, row } = this;
		const { learned } = row.connection;
		const isListed = (name: LinkName) => links.matching(name).some((link) => links.isListed(link));
		const open = () => names.filter((name) => !isListed(name)).length;
		const isMore = () => learned.recall<LinkFieldName[]>(LISTS_SHOW)?.some((name) => shownByLists.includes(name));
		if (names.length < 2 || isMore() === false || open() === 0) return;
		const read = async () => {
			if (this.list === undefined) await this.readOn(() => true);
			if (isMore() === true && (this.list?.pagesLeft ?? Infinity) <= open()) await this.readOn(() => false);
		};
		// What can't be read now is left to the rows, each of which looks for its own link.
		await read().catch((error: unknown) => {
			if (!(error instanceof ApiError)) throw error;
		});
	}

	/** What details show of a link, beside what is known of it. */
	beside(details: LinkRecord): LinkRecord {
		return { ...this.links.get(details), ...details };
	}
}

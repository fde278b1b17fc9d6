import type { IDataObject } from 'n8n-workflow';

import { yielding } from '../n8n/slices';
import { LISTS } from '../service/endpoints';
import { ApiError, ignoreRefusedEndpoint } from '../service/errors';
import { ListReader } from '../service/listReader';
import { asText } from '../service/records';
import { notShown } from './comparison';
import { fieldsThat, type LinkFieldName, shownOf } from './linkFields';
import type { LinkIndex } from './linkIndex';
import type { LinkRow } from './linkRow';
import type { LinkName, LinkRecord } from './reference';

/** From this round of a loop on, a hint says what it costs. */
const NOT_ONCE = 3;
const NO_LOOP = 'The node paces itself and needs no loop: give it all items at once, or at least 1,000 in a round.';

/** A learned fact: the fields that lists of this service show (field notes, "Resources"). */
const LISTS_SHOW = 'fields in lists of links';
const shownByLists = fieldsThat(({ shownIn, isFixed }) => shownIn === 'someLists' && isFixed !== true);
const shownBySome = [...shownByLists, ...fieldsThat(({ shownIn }) => shownIn === 'someDetails')];

/** Reads the list of links as far as needed, into the index of the run. */
export class LinkLists {
	readonly links: LinkIndex;
	/** The list, as far as this reader has read it. */
	protected list?: ListReader;

	constructor(protected readonly row: LinkRow) {
		this.links = row.state.index;
	}

	private listOf(query: IDataObject): ListReader {
		return new ListReader(this.row.reader, { ...LISTS.links, query, mayBeEmpty: 'q' in query });
	}

	/** Reads on in a list, page by page, until it is enough. */
	private async readOn(list: ListReader, isEnough: (records: LinkRecord[]) => boolean): Promise<void> {
		const { state, round } = this.row;
		if (round >= NOT_ONCE)
			this.row.atEnd('rounds', () => `${NO_LOOP} This round has read ${state.pagesRead} pages of your links again.`);
		for (let records = await list.next(); records !== undefined; records = await list.next()) {
			state.pagesRead++;
			for await (const record of yielding(records)) this.links.putListed(record);
			if (records.length > 0) this.learnOfLists(records);
			if (isEnough(records)) break;
		}
	}

	/** Reads on in the whole list, newest first, until it is enough. */
	protected async readUntil(isEnough: (records: LinkRecord[]) => boolean): Promise<void> {
		if (this.links.isComplete) return;
		this.list ??= this.listOf({ order: 'date' });
		await this.readOn(this.list, isEnough);
		if (this.list.isOver) this.links.isComplete = true;
	}

	/** Reads the newest links again, until it is enough or more than so many were seen. */
	async readNewest(most: number, isEnough: () => boolean): Promise<void> {
		let read = 0;
		await this.readOn(this.listOf({ order: 'date' }), ({ length }) => {
			read += length;
			return read > most || isEnough();
		});
	}

	async readFirstPage(): Promise<void> {
		// A page that seems empty is asked for again.
		if (this.list === undefined) await this.readUntil(({ length }) => length > 0);
	}

	/** Reads the whole list, once for all rows of the run. */
	async readAll(): Promise<void> {
		if (this.links.isComplete) return;
		await this.row.state.once('links', async () => await this.readUntil(() => false));
	}

	/** Reads the rest of the list if that takes fewer requests. @returns whether all links are known */
	async isListCheaper(requests: number): Promise<boolean> {
		if (this.list !== undefined && (this.list.pagesLeft ?? Infinity) < requests) await this.readAll();
		return this.links.isComplete;
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

	/**
	 * All that the service shows of a link, because some services reset what an update leaves out. Some show campaign and channel only
	 * in lists: then the link is looked for in one.
	 *
	 * @param details as one flat record, with the ID
	 */
	async fullRecord(details: LinkRecord): Promise<LinkRecord> {
		const { links, row } = this;
		const isFound = () => {
			const listed = row.connection.learned.recall<LinkFieldName[]>(LISTS_SHOW);
			return links.isListed(details) || notShown(listed ?? shownByLists, details).length === 0;
		};
		const look = async () => {
			// One page of a search shows most; otherwise the list does, once for all rows.
			if (!isFound()) await this.readOn(this.listOf({ q: asText(details.longurl) }), () => true);
			if (!isFound()) await this.readAll();
		};
		// A service or key without the list shows nothing more.
		await look().catch(ignoreRefusedEndpoint);
		return this.mergeKnown(details);
	}

	/** Reads the list, if it shows more than details do, and takes fewer requests than a search for each link. */
	async findListed(names: readonly LinkName[]): Promise<void> {
		const { links, row } = this;
		const open = () => names.filter((name) => !links.matching(name).some((link) => links.isListed(link))).length;
		const isMore = () =>
			row.connection.learned.recall<LinkFieldName[]>(LISTS_SHOW)?.some((name) => shownByLists.includes(name));
		if (names.length < 2 || isMore() === false || open() === 0) return;
		const read = async () => {
			await this.readFirstPage();
			if (isMore() === true && (this.list?.pagesLeft ?? Infinity) <= open()) await this.readAll();
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

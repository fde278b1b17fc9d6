import { linkIn, LinkIndex } from '../links/account';
import { ApiError } from '../service/answer/errors';
import { SIZES } from '../service/lists/cursor';
import { ListReader } from '../service/lists/listReader';
import type { ServiceRecord } from '../watch';
import type { TriggerEvent } from './events';
import type { PollClient } from './pollClient';

/**
 * The records of an event, as one poll or several read them: from the list, or chosen links one by one where that takes fewer requests
 * than the list has pages left.
 */
export class WatchedRecords {
	isOver = false;
	private readonly list: ListReader;
	/** The chosen links that were asked for one by one. */
	private readonly asked = new Set<number>();
	/** The service does not show single records. */
	private isListOnly: boolean;

	constructor(
		client: PollClient,
		private readonly event: TriggerEvent,
	) {
		const { listed, isNewestFirst } = event;
		this.isListOnly = listed.recordPath === undefined;
		// If one page is usually enough, a small one saves time; if all are read, large ones save requests.
		this.list = new ListReader(client, listed, { largest: isNewestFirst ? SIZES.first : undefined, ifShort: 'tell' });
	}

	/** The number of records in the list, less those that its pages leave out; undefined if the service does not say it. */
	get total(): number | undefined {
		const { total, isShort, missing } = this.list;
		return total !== undefined && isShort ? total - missing : total;
	}

	/**
	 * @param left the chosen records that were not seen; undefined: all are wanted
	 * @returns the records of the next page, or a single one; perhaps none
	 */
	async next(client: PollClient, left?: ReadonlySet<number>): Promise<ServiceRecord[]> {
		const singles = this.isListOnly || left === undefined ? [] : [...left].filter((id) => !this.asked.has(id));
		if (singles.length > 0 && singles.length < (this.list.pagesLeft ?? 0)) {
			const shown = await this.single(client, singles[0]);
			this.isOver = !this.isListOnly && singles.length === 1;
			return shown;
		}
		const records = await this.list.next(client);
		this.isOver = this.list.isOver;
		return records ?? [];
	}

	/** Asks for one link. Where the service does not show it with its count, the list does. */
	private async single(client: PollClient, id: number): Promise<ServiceRecord[]> {
		const { recordPath, countField } = this.event.listed;
		const body = await client.lookUp(recordPath!(id)).catch((error: unknown) => {
			const isOfRequest = error instanceof ApiError && (error.affects === 'row' || error.affects === 'endpoint');
			if (!isOfRequest || error.isTransient) throw error;
			this.isListOnly = true;
		});
		this.asked.add(id);
		if (body === undefined) return [];
		const record = new LinkIndex(client.connection.address).withAlias(linkIn(body, id));
		this.isListOnly = record[countField] === undefined;
		return this.isListOnly ? [] : [record];
	}
}

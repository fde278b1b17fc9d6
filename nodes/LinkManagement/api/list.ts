import type { IDataObject } from 'n8n-workflow';

import { ApiError } from './apiError';
import { ListReading, type ReadingOptions } from './listReading';
import { isSizeRefusal } from './pageSizing';
import { figuresIn, recordsIn } from './records';
import type { Connection } from './connection';
import type { Speaker } from './sendRequest';

/** A list endpoint. */
export interface ListSource {
	/** Below the base URL (spec, "Endpoints"). */
	path: string;
	/** The name under which the records stand; several where services differ. */
	collection: string | readonly string[];
	query?: IDataObject;
}

/** Who asks for a list. */
export interface ListSpeaker extends Pick<Speaker, 'send'> {
	readonly connection: Pick<Connection, 'learned'>;
}

/** How long (ms) what was learned of a list's pages holds: a service that once failed at a size gets another chance. */
const SIZES_HOLD = 60 * 60_000;

const sizesOf = ({ path }: ListSource) => `page sizes of ${path}`;

/**
 * A reading of a list, page by page. Its page sizes come from what earlier readings of that list have taught, whichever node,
 * dropdown or poll that was.
 */
export class ListReader extends ListReading<IDataObject> {
	/** @param wanted how many records, Infinity for all */
	constructor(
		private readonly speaker: ListSpeaker,
		private readonly source: ListSource,
		wanted = Infinity,
		options: ReadingOptions = {},
	) {
		super(wanted, speaker.connection.learned.recall(sizesOf(source)), options);
	}

	/** Lets go of what has come, for who keeps it elsewhere and reads to the end. */
	release(): void {
		this.records.length = 0;
	}

	/**
	 * Reads the next page.
	 *
	 * @returns the records that are new, perhaps none; undefined when all that is wanted is there
	 * @throws ApiError when the service fails, does not answer with such a list, or the list has no end
	 */
	async next(): Promise<IDataObject[] | undefined> {
		const { path, collection } = this.source;
		let asked = this.ask();
		if (asked === undefined) return undefined;
		let sent = 0;
		const query = (isAfterFailure: boolean) => {
			// The failure may lie in the page's size.
			if (isAfterFailure) asked = this.smaller(asked!);
			sent = Date.now();
			const { page, limit } = asked!;
			return { ...this.source.query, page, ...(limit === undefined ? {} : { limit }) };
		};
		const body = await this.speaker.send({ method: 'GET', path, query }).catch((error: unknown) => {
			const { limit = 0 } = asked!;
			const isTooLarge = error instanceof ApiError && isSizeRefusal(error.statusCode, limit);
			if (!isTooLarge || limit <= this.sizing.worked) throw error;
			return undefined;
		});
		if (body === undefined) {
			this.refused(asked);
			return [];
		}
		const records = recordsIn(body, collection);
		if (records === undefined) throw withoutList([collection].flat()[0]);
		const fresh = this.take(asked, { records, ...figuresIn(body) }, Date.now() - sent);
		this.speaker.connection.learned.remember(sizesOf(this.source), this.sizing, SIZES_HOLD);
		return fresh;
	}
}

function withoutList(name: string): ApiError {
	return new ApiError(
		'unreadable',
		`The service answered without the list "${name}"`,
		'Check the Base URL in the Link Management API credential.',
	);
}

/**
 * Reads a list page by page, with as few requests as the service allows (see `ListReading`).
 *
 * @param wanted how many records, Infinity for all
 * @returns the records in the list's order, each once
 * @throws ApiError when the service fails, does not answer with such a list, or the list has no end
 */
export async function readList(speaker: ListSpeaker, source: ListSource, wanted: number): Promise<IDataObject[]> {
	const reader = new ListReader(speaker, source, wanted);
	while ((await reader.next()) !== undefined);
	return wanted === Infinity ? reader.records : reader.records.slice(0, wanted);
}

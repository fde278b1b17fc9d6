import type { IDataObject } from 'n8n-workflow';

import { ApiError } from '../api/apiError';
import { isRecord, readPage, withoutError } from '../api/envelope';
import { ListReader } from '../api/list';
import { withNumbers } from '../api/records';
import { AccountLinks, type AccountReader, type LinkPage, type ShortUrlAnswer } from '../match/account';
import type { LinkRecord } from '../match/linkIndex';
import type { Item } from './item';
import { accountKey } from './together';

/** What is known of an account's links may be this old (ms) when a further run of the execution takes it up. */
const LONGEST_KEPT = 30 * 60_000;
/** More links than these (about 80 MB) are not kept from one run of an execution to the next. */
const MOST_KEPT = 200_000;
/** Results of a keyword search that are looked through for an alias. */
const SEARCH_SIZE = 100;

interface Kept {
	account: AccountLinks;
	usedAt: number;
}

/**
 * By the signal that ends an execution: n8n has one for each, and nothing else holds it, so that what is known of an account is
 * gone with the execution, and is still there for the next batch of a loop.
 */
const executions = new WeakMap<object, Map<string, Kept>>();

/** What this execution knows of the links of the item's account. */
export function accountLinksOf(item: Item): AccountLinks {
	const holder: object = item.context.getExecutionCancelSignal() ?? item.run;
	const accounts = executions.get(holder) ?? new Map<string, Kept>();
	executions.set(holder, accounts);
	const key = accountKey(item);
	const kept = accounts.get(key);
	const now = Date.now();
	const isUsable = kept !== undefined && now - kept.usedAt <= LONGEST_KEPT && kept.account.index.size <= MOST_KEPT;
	const account = isUsable ? kept.account : new AccountLinks(item.connection.address);
	accounts.set(key, { account, usedAt: now });
	return account;
}

/** A link's record as an item holds it. */
export function itemRecord(record: LinkRecord): IDataObject {
	return withNumbers({ ...record } as IDataObject);
}

/** One flat record of a link's details and statistics (spec, "Short link details"). */
export function flat({ id, details, data, ...others }: IDataObject): IDataObject {
	return withNumbers({
		...(id === undefined ? {} : { id }),
		...others,
		...(isRecord(data) ? data : {}),
		...(isRecord(details) ? details : {}),
	});
}

/** The link of a list answer that is meant. */
export function linkIn(body: IDataObject, isMeant: (record: LinkRecord) => boolean): LinkRecord | undefined {
	return recordsIn(body).find(isMeant);
}

function recordsIn(body: IDataObject): LinkRecord[] {
	const list = isRecord(body.data) ? body.data.urls : undefined;
	return Array.isArray(list) ? list.filter(isRecord).map(withNumbers) : [];
}

/** Asks the service for links in the name of an item. */
export function readerOf(item: Item): AccountReader {
	return {
		async *pages(): AsyncGenerator<LinkPage, void, undefined> {
			const list = new ListReader({
				path: '/api/urls',
				collection: 'urls',
				query: { order: 'date' },
				address: item.connection.address,
				send: async (request) => await item.send(request),
			});
			for (let records = await list.next(); records !== undefined; records = await list.next()) {
				// The index holds them from here on.
				list.release();
				const { total, pagesLeft } = list;
				yield { records: records.map(withNumbers), pagesLeft, ...(total === undefined ? {} : { result: total }) };
			}
		},

		async byShortUrl(short): Promise<ShortUrlAnswer> {
			const body = await unlessRejected(async () => {
				const answer = await item.send({ method: 'GET', path: '/api/urls', query: { short } });
				return withoutError(answer.body as IDataObject);
			});
			if (body === undefined) return 'none';
			return isRecord(body.details) ? { details: flat(body) } : { records: recordsIn(body) };
		},

		async search(q) {
			const body = await unlessRejected(async () => {
				const answer = await item.send({ method: 'GET', path: '/api/urls', query: { q, limit: SEARCH_SIZE, page: 1 } });
				return answer.body as IDataObject;
			});
			if (body === undefined) return { records: [], isAll: true };
			const { result = 0 } = readPage(body, 'urls');
			const records = recordsIn(body);
			return { records, isAll: result <= records.length };
		},
	};
}

/**
 * Reads the details of a link.
 *
 * @returns undefined when the service has no such link
 */
export async function readDetails(item: Item, id: unknown): Promise<IDataObject | undefined> {
	return await unlessRejected(async () => {
		const answer = await item.send({ method: 'GET', path: `/api/url/${encodeURIComponent(String(id))}` });
		const body = withoutError(answer.body as IDataObject);
		return flat({ id: Number(id), ...body });
	});
}

/** A look-up that the service answers with its error envelope found nothing; a refused key is something else. */
export async function unlessRejected<T>(look: () => Promise<T>): Promise<T | undefined> {
	return await look().catch((error: unknown) => {
		const isAnswer =
			error instanceof ApiError && error.kind === 'rejected' && error.statusCode !== 401 && error.statusCode !== 403;
		if (!isAnswer) throw error;
		return undefined;
	});
}

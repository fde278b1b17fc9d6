import { type IDataObject, sleep } from 'n8n-workflow';

import { StoppedError } from '../../n8n/stop';
import { ApiError } from '../answer/errors';
import { withAbort } from '../send/withAbort';

/** How long (ms) a page serves other triggers, from when it was asked for; and most pages that are kept of a service and key. */
const SERVES_FOR = 30_000;
const MOST_PAGES = 20;

/** A page that was asked for. Pages are numbered in the order in which they were. */
interface AskedPage {
	readonly number: number;
	/** In ms since 1970. */
	readonly askedAt: number;
	readonly answer: Promise<IDataObject>;
	/** The triggers that took it. */
	readonly takenBy: Set<string>;
}

/**
 * The pages of lists, for all triggers of a service and key: who asks for a page that another one has asked for a moment ago gets it,
 * too. Each trigger gets pages in the order in which they were asked for, none twice: what it asks for again is asked for afresh.
 */
export class SharedPages {
	/** The oldest comes first. */
	private readonly pages = new Map<string, AskedPage>();
	private asked = 0;

	/**
	 * @param key of the page: its list, order, number and size
	 * @param ask asks the service for it
	 * @param how the trigger that polls, and whether it takes no page of others
	 */
	async page(
		key: string,
		ask: () => Promise<IDataObject>,
		how: { reader: string; isAlone: boolean; signal?: AbortSignal },
	): Promise<IDataObject> {
		const { reader, isAlone, signal } = how;
		const other = isAlone ? undefined : this.ofOthers(key, reader);
		const page = other ?? this.ask(key, ask);
		page.takenBy.add(reader);
		if (other === undefined) return await page.answer;
		const body = await withAbort(async () => await page.answer, signal).catch((error: unknown) => {
			// Who asked for it had less time, or none.
			const isOfOther = error instanceof StoppedError || (error instanceof ApiError && error.isTransient);
			if (signal?.aborted === true || !isOfOther) throw error;
		});
		return body ?? (await this.page(key, ask, how));
	}

	/** A page that the trigger may take: it is not too old, and no older than another one that it has taken. */
	private ofOthers(key: string, reader: string): AskedPage | undefined {
		const page = this.pages.get(key);
		if (page === undefined || Date.now() - page.askedAt > SERVES_FOR) return undefined;
		const isLater = [...this.pages.values()].every(
			({ number, takenBy }) => number < page.number || !takenBy.has(reader),
		);
		return isLater ? page : undefined;
	}

	private ask(key: string, ask: () => Promise<IDataObject>): AskedPage {
		const page = { number: ++this.asked, askedAt: Date.now(), answer: ask(), takenBy: new Set<string>() };
		if (this.pages.size === 0) void this.letGo();
		this.pages.delete(key);
		this.pages.set(key, page);
		const [oldest] = this.pages.keys();
		if (this.pages.size > MOST_PAGES) this.pages.delete(oldest);
		page.answer.catch(() => this.pages.get(key) === page && this.pages.delete(key));
		return page;
	}

	/** Lets go of pages that serve nobody any more: the next poll may be hours away. */
	private async letGo(): Promise<void> {
		do {
			await sleep(SERVES_FOR);
			for (const [key, { askedAt }] of this.pages) if (Date.now() - askedAt >= SERVES_FOR) this.pages.delete(key);
		} while (this.pages.size > 0);
	}
}

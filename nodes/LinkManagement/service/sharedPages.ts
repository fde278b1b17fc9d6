import type { IDataObject } from 'n8n-workflow';

import { ApiError } from './errors';
import { withAbort } from './withAbort';

/** How long (ms) a page serves the polls of other triggers. */
const SERVES_FOR = 30_000;
/** Most characters of all pages that are kept of a service and key. */
const MOST_CHARACTERS = 8_000_000;
/** Most triggers of a service and key whose last page is known. */
const MOST_READERS = 10_000;

/** A page that was asked for. */
interface AskedPage {
	/** Pages are numbered in the order in which they were asked for. */
	readonly number: number;
	readonly answer: Promise<IDataObject>;
	/** Those to be told when it is sent. */
	readonly onSend: Set<() => void>;
	/** When it came (ms since 1970), and its length; undefined while it is under way. */
	came?: { at: number; characters: number };
}

/** How a poll asks for a page. */
interface PageOptions {
	/** The trigger that polls. */
	reader: string;
	/** It takes no page that others have asked for. */
	isAlone: boolean;
	signal?: AbortSignal;
	/** Called when the page is sent. */
	onSend?(): void;
}

/**
 * The pages of lists, for all triggers of a service and key: who asks for a page that another one has under way, or got a moment ago,
 * gets it, too. Each trigger gets pages in the order in which they were asked for, none twice: so its next reading is a later one, and
 * what it asks for again is asked for afresh.
 */
export class SharedPages {
	/** The oldest comes first. */
	private readonly pages = new Map<string, AskedPage>();
	/** The number of the page that each trigger took last. */
	private readonly taken = new Map<string, number>();
	private asked = 0;

	/**
	 * @param key of the page: its list, order, number and size
	 * @param ask asks the service for it
	 */
	async page(
		key: string,
		ask: (onSend: () => void) => Promise<IDataObject>,
		{ reader, isAlone, signal, onSend = () => undefined }: PageOptions,
	): Promise<IDataObject> {
		for (;;) {
			const known = isAlone ? undefined : this.after(this.taken.get(reader) ?? 0, key);
			const page = known ?? this.ask(key, ask);
			if (page.came === undefined) page.onSend.add(onSend);
			else onSend();
			const body = await (known === undefined ? page.answer : this.joined(page, signal));
			if (body === undefined) continue;
			this.taken.delete(reader);
			this.taken.set(reader, page.number);
			const [oldest] = this.taken.keys();
			if (this.taken.size > MOST_READERS) this.taken.delete(oldest);
			return body;
		}
	}

	/** The page that another one has asked for. @returns undefined if that one had less time, or none: then the next one asks */
	private async joined({ answer }: AskedPage, signal?: AbortSignal): Promise<IDataObject | undefined> {
		return await withAbort(async () => await answer, signal).catch((error: unknown) => {
			if (signal?.aborted === true || (error instanceof ApiError && !error.isTransient)) throw error;
			return undefined;
		});
	}

	/** A page that was asked for after another one, and is not too old. */
	private after(number: number, key: string): AskedPage | undefined {
		const page = this.pages.get(key);
		if (page === undefined || page.number <= number) return undefined;
		return Date.now() - (page.came?.at ?? Infinity) <= SERVES_FOR ? page : undefined;
	}

	private ask(key: string, ask: (onSend: () => void) => Promise<IDataObject>): AskedPage {
		const onSend = new Set<() => void>();
		const answer = ask(() => onSend.forEach((tell) => tell()));
		const page: AskedPage = { number: ++this.asked, answer, onSend };
		this.pages.delete(key);
		this.pages.set(key, page);
		answer.then(
			(body) => this.keep(page, body),
			() => this.pages.get(key) === page && this.pages.delete(key),
		);
		return page;
	}

	/** Notes that a page came, and lets go of those that are too old or too many. */
	private keep(page: AskedPage, body: IDataObject): void {
		const now = Date.now();
		page.came = { at: now, characters: JSON.stringify(body).length };
		let room = MOST_CHARACTERS;
		for (const [key, { came }] of [...this.pages].reverse()) {
			if (came === undefined) continue;
			room -= came.characters;
			if (room < 0 || now - came.at > SERVES_FOR) this.pages.delete(key);
		}
	}
}

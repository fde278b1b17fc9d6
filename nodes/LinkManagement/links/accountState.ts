import { LinkIndex } from './linkIndex';
import type { NamedRecords } from './namedRecords';
import type { NewLinks } from './newLinks';
import type { NamedKind } from './reference';

/** What is asked of the service once for all rows. */
type Question = 'domains' | 'links';

/** What a run knows of an account and its service: what it has read itself, and what it has done. All its tries share this. */
export class AccountState {
	readonly index: LinkIndex;
	/** The campaigns, channels and other records that have names, as far as they were read. */
	readonly names = new Map<NamedKind, NamedRecords>();
	private readonly asked = new Map<Question, Promise<unknown>>();

	/** How many pages of the list of links it has read. */
	pagesRead = 0;

	/**
	 * @param address of the service
	 * @param newLinks the links that it makes
	 */
	constructor(
		address: string,
		readonly newLinks: NewLinks,
	) {
		this.index = new LinkIndex(address);
	}

	/** Asks once for all rows, which share the answer, or the failure. */
	async once<T>(question: Question, ask: () => Promise<T>): Promise<T> {
		const answer = (this.asked.get(question) as Promise<T> | undefined) ?? ask();
		this.asked.set(question, answer);
		return await answer;
	}

	/** The next try of the run asks again for what has failed. */
	beginTry(): void {
		this.asked.clear();
	}
}

import type { LinkFieldName } from './linkFields';
import { LinkIndex } from './linkIndex';
import type { NamedRecords } from './namedRecords';
import type { NewLinks } from './newLinks';
import type { NamedKind, NameReference } from './reference';

/** What is asked of the service once for all rows. */
type Question = 'domains' | 'links' | NamedKind | `new ${NamedKind} ${string}`;

/** What a run knows of an account and its service: what it has read itself, and what it has done. All its tries share this. */
export class AccountState {
	readonly index: LinkIndex;
	/** The campaigns, channels and pixels, as far as they were read. */
	readonly names = new Map<NamedKind, NamedRecords>();
	/** Field → whether this service clears it by an empty value, as an update has shown. */
	readonly clears = new Map<LinkFieldName, boolean>();
	private readonly asked = new Map<Question, Promise<unknown>>();

	/** The campaigns and channels that it has made. */
	readonly madeNames: NameReference[] = [];
	/** How many pages of the list of links it has read. */
	pagesRead = 0;

	/**
	 * @param address of the service
	 * @param newLinks those of all rounds of a loop: else each round would make one more link at a service that drops aliases
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

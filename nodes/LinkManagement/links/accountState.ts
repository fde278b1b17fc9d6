import type { LinkFieldName } from './linkFields';
import { LinkIndex } from './linkIndex';
import type { NamedRecords } from './namedRecords';
import type { NewLinks } from './newLinks';
import { isReference, type LinkReference, type NamedKind, type NameReference, type Reference } from './reference';
import { hostOf } from './url';

/** What is asked of the service once for all rows. */
type Question = 'domains' | 'links' | NamedKind | `new ${NamedKind} ${string}`;

/** What a run knows of an account and its service: what it has read itself, and what it has done. All its tries share this. */
export class AccountState {
	readonly index: LinkIndex;
	/** The campaigns, channels and pixels, as far as they were read. */
	readonly names = new Map<NamedKind, NamedRecords>();
	/** Host → the account's own spelling of its domain. */
	readonly spellings = new Map<string | undefined, string>();
	/** The IDs of the links that rows choose by other names. */
	readonly linkIds = new Map<LinkReference, number>();
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

	/** What is sent for a reference; undefined if its record is not known yet. */
	private valueOf(reference: Reference): number | string | undefined {
		switch (reference.kind) {
			case 'link':
				return reference.name.by === 'id' && reference.or === undefined
					? reference.name.id
					: this.linkIds.get(reference);
			case 'ownUrl':
				return undefined;
			case 'host':
				return this.spellings.get(hostOf(reference.name)) ?? reference.name;
			default: {
				const { kind, name, id } = reference;
				const records = this.names.get(kind);
				// The service may hide the list from this key.
				return records === undefined ? id : records.idOf(name, id);
			}
		}
	}

	isMissing(reference: NameReference): boolean {
		return this.valueOf(reference) === undefined;
	}

	/** Values as they are sent, with IDs in the places of names. References to records that are not known yet stay. */
	resolved<V extends object>(values: V): V {
		const sent = (value: unknown): unknown => {
			if (Array.isArray(value)) return value.map(sent);
			return isReference(value) ? (this.valueOf(value) ?? value) : value;
		};
		return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, sent(value)])) as V;
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

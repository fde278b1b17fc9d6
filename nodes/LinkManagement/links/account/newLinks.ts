import { ApiError } from '../../service/answer/errors';
import { asText } from '../../service/records';
import type { LinkFields } from '../linkFields';
import { aboutLink, describeLink, type LinkRecord } from '../reference';
import { hostOf, shortKey } from '../url';

/** What a creation asks for that services may drop or change without a word (field notes, "Resources"). `url`: where that alone tells links apart. */
export type Wish = 'alias' | 'domain' | 'url';

/** A link to be made, and what must not be dropped of it. */
export interface Creation {
	readonly fields: LinkFields;
	readonly wishes: readonly Wish[];
}

/** Wish and host → the link that came without it. */
export type Dropped = Map<string, LinkRecord>;

/** What is known of the creations on one domain that rows name; those without a domain share one gate. */
interface Gate {
	readonly kept: Set<Wish>;
	/** The creation that will show what the service does. `ended` never rejects. */
	trial?: { readonly by: Creation; readonly ended: Promise<void> };
}

/** A creation may not go yet, although it has its permit: it is asked again. */
class NotYet extends Error {}

const droppedKey = (wish: Wish, domain: unknown) => (wish === 'url' ? wish : `${wish} ${hostOf(domain) ?? ''}`);

/**
 * The links that a run makes, and whether the service gives them the aliases and domains that they ask for. The next run would not find
 * a link without its alias, and would make one more for each row. So the first creation that asks for one goes alone; if the service
 * drops it, no further one is sent.
 */
export class NewLinks {
	/** The keys of their short URLs. */
	private readonly made = new Set<string | undefined>();
	private readonly gates = new Map<string, Gate>();

	/** @param dropped what the runs of this execution have seen dropped: else each round of a loop would make one more link */
	constructor(private readonly dropped: Dropped) {}

	/** Whether this run has made a link. */
	has({ shorturl }: LinkRecord): boolean {
		return this.made.has(shortKey(shorturl));
	}

	/** Whether the service is known to keep something as it is asked for, on any domain. */
	keeps(wish: Wish): boolean {
		return [...this.gates.values()].some(({ kept }) => kept.has(wish));
	}

	private gateOf({ fields: { domain } }: Creation): Gate {
		const host = hostOf(domain) ?? '';
		const gate = this.gates.get(host) ?? { kept: new Set() };
		this.gates.set(host, gate);
		return gate;
	}

	/** Learns from a new link. @param kept what was asked for and came @param lacks what was asked for and did not come */
	add(link: LinkRecord, creation: Creation, kept: readonly Wish[], lacks?: Wish): void {
		this.made.add(shortKey(link.shorturl));
		for (const wish of kept) this.gateOf(creation).kept.add(wish);
		const key = lacks && droppedKey(lacks, creation.fields.domain);
		if (key !== undefined && !this.dropped.has(key)) this.dropped.set(key, link);
	}

	/** @throws ApiError if the service has dropped something of this on the domain */
	private check({ fields: { custom, domain }, wishes }: Creation): void {
		for (const wish of wishes) {
			const link = this.dropped.get(droppedKey(wish, domain));
			if (link === undefined) continue;
			const asked = wish === 'alias' ? `the alias "${asText(custom)}"` : `the domain ${hostOf(domain) ?? ''}`;
			const [does, cure] =
				wish === 'url'
					? ['changes the long URL', 'Give the row an alias: without one, each run would make its link again.']
					: [`drops the ${wish}`, `Check that your plan includes ${asked}, or leave the ${wish} of the row empty.`];
			const error = new ApiError(
				'otherwise',
				`The service ${does} of new links: the first one became ${describeLink(link)}`,
				`No link was created for this row. ${cure}`,
			);
			throw aboutLink(error, link);
		}
	}

	/** Asked once more when the permit is there. @throws an error if the creation must not be sent now */
	mayGo(creation: Creation): void {
		this.check(creation);
		const { kept, trial } = this.gateOf(creation);
		const isOpen = creation.wishes.every((wish) => kept.has(wish));
		if (!isOpen && trial?.by !== creation) throw new NotYet();
	}

	/** Begins a trial: until `work` is over, no other creation of the gate is sent. */
	private async try<T>(creation: Creation, work: () => Promise<T>): Promise<T> {
		const gate = this.gateOf(creation);
		const result = work();
		const end = () => void (gate.trial?.ended === ended && (gate.trial = undefined));
		const ended: Promise<void> = result.then(end, end);
		gate.trial = { by: creation, ended };
		return await result;
	}

	/** Looks at a link that lacks something, while nothing more is sent. */
	async doubt<T>(creation: Creation, look: () => Promise<T>): Promise<T> {
		this.gateOf(creation).kept.clear();
		return await this.try(creation, look);
	}

	/** Makes a link, once it is known that the service keeps what it asks for. @param create makes it, and calls `add` @throws ApiError */
	async create<T>(creation: Creation, create: () => Promise<T>): Promise<T> {
		const gate = this.gateOf(creation);
		const isOpen = () => creation.wishes.every((wish) => gate.kept.has(wish));
		for (;;) {
			while (gate.trial !== undefined && !isOpen()) await gate.trial.ended;
			this.check(creation);
			const made = await (isOpen() ? create() : this.try(creation, create)).catch((error: unknown) => {
				if (error instanceof NotYet) return error;
				throw error;
			});
			if (!(made instanceof NotYet)) return made;
		}
	}
}

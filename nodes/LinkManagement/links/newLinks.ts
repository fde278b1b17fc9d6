import { DoneOtherwiseError } from '../service/errors';
import { asText } from '../service/records';
import type { LinkFields } from './linkFields';
import { aboutLink, describeLink, identitiesOf, type Identity, type LinkRecord } from './reference';
import { hostOf } from './url';

/** What a creation asks for that services may drop without a word (field notes, "Resources"). */
export type Wish = 'alias' | 'domain';

/**
 * The links that a run makes, and whether the service gives them the aliases and domains that they ask for. The next run would not find
 * a link without its alias, and would make one more for each row. So the first creation that asks for one goes alone; if the service
 * drops it, no further one is sent.
 */
export class NewLinks {
	private readonly made = new Set<Identity>();
	private readonly kept = new Set<Wish>();
	/** What the service has dropped → the link that it gave instead. */
	private readonly dropped = new Map<Wish, LinkRecord>();
	/** The creation that will show what the service does. It never rejects. */
	private trial?: Promise<void>;

	/** Whether this run has made a link. */
	has(link: LinkRecord): boolean {
		return identitiesOf(link).some((one) => this.made.has(one));
	}

	/** Learns from a new link. @param lacks what was asked for and did not come */
	add(link: LinkRecord, { custom, domain }: LinkFields, lacks?: Wish): void {
		for (const one of identitiesOf(link)) this.made.add(one);
		if (lacks !== undefined) this.dropped.set(lacks, link);
		// If the alias was dropped, nobody knows whether the domain was, too.
		if (lacks === 'alias') return;
		if (custom !== undefined) this.kept.add('alias');
		if (domain !== undefined && lacks === undefined) this.kept.add('domain');
	}

	/**
	 * Makes a link, once it is known whether the service keeps what the link asks for.
	 *
	 * @param create makes it, and calls `add`
	 * @throws DoneOtherwiseError if the service drops it
	 */
	async create<T>(fields: LinkFields, wishes: readonly Wish[], create: () => Promise<T>): Promise<T> {
		const isOpen = () => wishes.some((wish) => !this.kept.has(wish));
		while (this.trial !== undefined && isOpen()) await this.trial;
		const lacking = wishes.find((wish) => this.dropped.has(wish));
		if (lacking !== undefined) throw drops(lacking, fields, this.dropped.get(lacking)!);
		if (!isOpen()) return await create();
		const made = create();
		const end = () => void (this.trial = undefined);
		this.trial = made.then(end, end);
		return await made;
	}
}

function drops(wish: Wish, { custom, domain }: LinkFields, given: LinkRecord): DoneOtherwiseError {
	const asked = wish === 'alias' ? `the alias "${asText(custom)}"` : `the domain ${hostOf(domain) ?? ''}`;
	const error = new DoneOtherwiseError(
		`The service drops the ${wish} of new links: the first one of this run became ${describeLink(given)}`,
		`No link was created for this row. Check that your plan includes ${asked}, or leave the ${wish} of the row empty.`,
	);
	return aboutLink(error, given);
}

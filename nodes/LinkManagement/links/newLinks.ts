import type { LinkFinder } from './find';
import type { LinkFields } from './linkFields';
import { aliasNameOf, identityOf, keyOf, longUrlNameOf, type Identity, type LinkRecord } from './reference';
import type { LinkRow } from './linkRow';
import { hostOf } from './url';

/** What a creation asks for that services may drop: an alias, or a domain, by its host. */
function askedOf({ custom, domain }: LinkFields): string[] {
	return [...(custom === undefined ? [] : ['alias']), ...(domain === undefined ? [] : [`on ${hostOf(domain)}`])];
}

/** A key of creations that ask for the same link. */
function requestOf(fields: LinkFields): string {
	return keyOf(aliasNameOf(fields)) + keyOf(longUrlNameOf(fields));
}

/**
 * The links that an execution creates, and whether the service gives them the aliases and domains that they ask for. Services may
 * drop both silently (field notes, "Resources"). The next run would not find a link by such an alias, and create one more for each
 * row. A creation that may be a duplicate therefore goes alone, until one has shown what the service does.
 */
export class NewLinks {
	/** The links that rows mean or have created. */
	private readonly claimed = new Set<Identity>();
	/** An alias, or a domain → whether the service keeps it. */
	private readonly seen = new Map<string, boolean>();
	/** Request → the link that came without its alias or domain: rows of several rounds of a loop may ask for the same. */
	private readonly others = new Map<string, LinkRecord>();
	/** The creation that will show what the service does. It never rejects. */
	private trial?: Promise<void>;

	claim(link: LinkRecord): void {
		const id = identityOf(link);
		if (id !== undefined) this.claimed.add(id);
	}

	/** Learns from a creation. @param dropped what its link lacks */
	learn(link: LinkRecord, fields: LinkFields, dropped?: 'alias' | 'domain'): void {
		this.claim(link);
		if (dropped !== undefined) this.others.set(requestOf(fields), link);
		for (const asked of askedOf(fields)) {
			const isDropped = dropped !== undefined && (asked === 'alias') === (dropped === 'alias');
			// If the alias was dropped, nobody knows whether the domain was, too.
			if (isDropped || (dropped !== 'alias' && !this.seen.has(asked))) this.seen.set(asked, !isDropped);
		}
	}

	/**
	 * Creates the link of a row once it is certain that this makes no duplicate.
	 *
	 * @param create creates it, and calls `learn`
	 * @param refuse makes the error of a row whose long URL already has a link that no row means
	 */
	async create<T>(
		fields: LinkFields,
		finder: LinkFinder,
		create: () => Promise<T>,
		refuse: (link: LinkRecord, dropped: 'alias' | 'domain') => Error,
	): Promise<T> {
		while (this.trial !== undefined && this.isInDoubt(fields, finder)) await this.trial;
		const before = this.others.get(requestOf(fields));
		const dropped = this.droppedOf(fields);
		if (before !== undefined) throw refuse(before, dropped ?? 'alias');
		if (!this.isInDoubt(fields, finder)) return await create();
		if (dropped !== undefined) {
			await finder.readAll();
			const [link] = this.unclaimed(fields, finder);
			if (link === undefined) return await create();
			this.claim(link);
			throw refuse(link, dropped);
		}
		const made = create();
		const end = () => void (this.trial = undefined);
		this.trial = made.then(end, end);
		return await made;
	}

	/** What the service was seen to drop of what a creation asks for. */
	private droppedOf(fields: LinkFields): 'alias' | 'domain' | undefined {
		const dropped = askedOf(fields).find((asked) => this.seen.get(asked) === false);
		return dropped === undefined || dropped === 'alias' ? dropped : 'domain';
	}

	private isInDoubt(fields: LinkFields, finder: LinkFinder): boolean {
		if (askedOf(fields).every((asked) => this.seen.get(asked) === true)) return false;
		return !finder.links.isComplete || this.unclaimed(fields, finder).length > 0;
	}

	/** The links that have the long URL of a row, perhaps in another spelling, and that no row means. */
	private unclaimed({ url }: LinkFields, { links }: LinkFinder): LinkRecord[] {
		const name = longUrlNameOf({ url });
		return [...links.matching(name), ...links.similarTo(name)].filter(
			(link) => !this.claimed.has(identityOf(link) ?? ''),
		);
	}
}

/** The links that an execution creates in the account of a row. */
export function newLinksOf(row: LinkRow): NewLinks {
	return row.sharedInLoop('new links', () => new NewLinks());
}

/** What is to be done with each link, from the rows of a sheet: the order of the rows changes nothing, and nothing is asked for. */
import { yielding } from '../../n8n/slices';
import { ValueError } from '../../service/answer/errors';
import { inQuotes } from '../../service/answer/failures';
import { asText } from '../../service/records';
import { checkNeeds, type LinkFields } from '../linkFields';
import { givenUp, Group, isElsewhere, leadsElsewhere, ring, twoLinks } from './linkGroup';
import type { LinkIndex } from '../account';
import { groupedBy } from '../linkRow';
import {
	aboutLink,
	type AliasName,
	describeLink,
	identityOf,
	keyOf,
	type LinkName,
	type LinkRecord,
	type LongUrlName,
	longUrlNameOf,
	severalLinks,
} from '../reference';
import {
	aboutRows,
	contradictionOf,
	labelsOf,
	merged,
	nameOfRow,
	rankOf,
	type SheetRow,
	type SheetRules,
} from './sheetRow';
import { addressKey, hostOf, NOT_IN_NEW_ALIAS } from '../url';

/** What is done with one link. */
export interface LinkTask<R extends SheetRow = SheetRow> {
	/** The link as the account shows it; undefined if it is to be made. */
	readonly link?: LinkRecord;
	readonly rows: readonly R[];
	readonly fields: LinkFields;
}

/** A row, and how it names its link. */
interface NamedRow<R> {
	row: R;
	name: LinkName | undefined;
}

class Planner<R extends SheetRow> {
	readonly refused = new Map<R, Error>();
	private readonly groups = new Set<Group<R>>();
	private readonly byLink = new Map<number | string, Group<R>>();
	/** An alias, or the key of a long URL → the links to which rows give it. */
	private readonly given = new Map<string, Set<Group<R>>>();

	constructor(
		private readonly index: LinkIndex,
		private readonly rules: SheetRules,
	) {}

	/** Takes the rows of one rank. What they say counts for those of lower ranks, so their order does not matter. */
	async addRank(rows: ReadonlyArray<NamedRow<R>>): Promise<void> {
		const made = new Map<string, Group<R>>();
		const groups = new Map<NamedRow<R>, Group<R>>();
		for await (const one of yielding(rows)) {
			const group = this.attempt([one.row], () => this.groupOf(one, made));
			if (group !== undefined) groups.set(one, group);
		}
		for await (const [one, group] of yielding(groups)) this.put(one, group);
	}

	private put({ row, name }: NamedRow<R>, group: Group<R>): void {
		group.rows.push(row);
		this.groups.add(group);
		if (name?.by === 'alias' && group.link !== undefined) group.byAlias.add(row);
		if (group.link !== undefined && this.isKept) return;
		const { url } = row.fields;
		const custom = group.aliasFrom(row);
		if (custom !== undefined) this.give(`alias ${custom}`, group);
		if (url !== undefined) this.give(`url ${addressKey(url)}`, group);
	}

	private attempt<T>(rows: readonly R[], work: () => T): T | undefined {
		try {
			return work();
		} catch (error) {
			for (const row of rows) this.refused.set(row, aboutRows(error, rows) as Error);
			return undefined;
		}
	}

	private give(what: string, group: Group<R>): void {
		this.given.set(what, (this.given.get(what) ?? new Set()).add(group));
	}

	private givenTo = (what: string): Group<R>[] => [...(this.given.get(what) ?? [])];

	private get isKept(): boolean {
		return this.rules.updateWhen === 'never';
	}

	/** The rows that give an existing link another alias. */
	private renamingOf(group: Group<R>): R[] {
		const isRenamed = group.link !== undefined && !this.isKept;
		return isRenamed ? group.rows.filter((row) => group.aliasFrom(row) !== undefined) : [];
	}

	private groupFor(link: LinkRecord): Group<R> {
		const id = identityOf(link);
		const group = this.byLink.get(id) ?? new Group<R>(link, hostOf(link.shorturl));
		this.byLink.set(id, group);
		return group;
	}

	/** The link that a row means. @param made the new links of the other rows of its rank, by their names */
	private groupOf({ row, name }: NamedRow<R>, made: Map<string, Group<R>>): Group<R> {
		if (name === undefined)
			throw new ValueError(
				'Long URL is empty, and there is no link to update',
				'A new link needs a long URL: enter one, or check the column that should hold it.',
			);
		if (name.by === 'shortUrl') return this.groupFor(this.linkAt(row));
		const key = keyOf(name);
		const found = (name.by === 'alias' ? this.groupByAlias(row, name) : this.groupByUrl(name)) ?? made.get(key);
		if (found !== undefined) return found;
		const group = new Group<R>(undefined, hostOf(name.domain) ?? this.index.likelyHost);
		made.set(key, group);
		return group;
	}

	/** The link at the short URL of a row, or the one to which an earlier run gave the row's alias. */
	private linkAt({ shortUrl = '', fields: { custom, domain } }: R): LinkRecord {
		const host = hostOf(shortUrl);
		if (domain !== undefined && hostOf(domain) !== host) {
			throw new ValueError(
				`The row holds the short URL ${shortUrl} and another domain, ${asText(domain)}`,
				"The domain of a link can't be changed. Remove one of the two.",
			);
		}
		const [link] = this.index.matching({ by: 'shortUrl', shortUrl });
		if (link !== undefined) return link;
		const alias = custom === undefined ? undefined : asText(custom);
		const holders = alias === undefined ? [] : this.index.matching({ by: 'alias', alias, domain: host });
		if (holders.length === 1) return holders[0];
		throw new ValueError(
			`There is no link with the short URL ${shortUrl}${alias === undefined ? '' : `, nor one with the alias "${alias}" on its domain`}`,
			'Nothing was created. Correct the short URL, or clear its cell to create a new link.',
		);
	}

	/** The link that has an alias, or to which rows of a higher rank give it. */
	private groupByAlias({ fields: { url } }: R, name: AliasName): Group<R> | undefined {
		// A link that is to be renamed may be another one than the row means.
		const isMeant = (group: Group<R>) => group.link === undefined || url === undefined || group.leadsTo(url);
		const given = this.givenTo(`alias ${name.alias}`).filter(isMeant);
		return this.onlyOne(`The alias ${inQuotes(name.alias)}`, name, given, 'domain or the short URL');
	}

	/** The link that has the long URL of a row, or to which rows of a higher rank give it. */
	private groupByUrl(name: LongUrlName): Group<R> | undefined {
		const given = this.givenTo(`url ${addressKey(name.url)}`);
		return this.onlyOne(`The long URL ${inQuotes(name.url)}`, name, given, 'short URL or the alias');
	}

	/** The one link that a name means. @param given those to which rows give the name @param cure what tells the links apart */
	private onlyOne(
		what: string,
		name: AliasName | LongUrlName,
		given: ReadonlyArray<Group<R>>,
		cure: string,
	): Group<R> | undefined {
		const host = hostOf(name.domain);
		const there = this.index.matching(name).map((link) => this.groupFor(link));
		const found = [...new Set([...there, ...given.filter((group) => host === undefined || group.host === host)])];
		if (found.length < 2) return found[0];
		throw severalLinks(
			what,
			found.map(({ link, rows }) => (link === undefined ? `the new link of ${labelsOf(rows)}` : describeLink(link))),
			`Add the ${cure} of the link that the row means.`,
		);
	}

	async finish(): Promise<Array<LinkTask<R>>> {
		const tasks = new Map<Group<R>, LinkTask<R>>();
		for await (const group of yielding(this.groups)) {
			const task = this.taskOf(group);
			if (task !== undefined) tasks.set(group, task);
		}
		for await (const [group, task] of yielding(tasks)) {
			this.attempt(task.rows, () => this.checkAlias(group, task));
		}
		return [...tasks.values()].filter(({ rows: [row] }) => !this.refused.has(row));
	}

	/** @returns undefined if all its rows are refused */
	private taskOf(group: Group<R>): LinkTask<R> | undefined {
		const { link, byAlias } = group;
		const renaming = this.renamingOf(group);
		const refuse = (rows: Iterable<R>, errorOf: (row: R) => Error) => {
			for (const row of rows) this.refused.set(row, errorOf(row));
		};
		const given = new Set(renaming.map((row) => group.aliasFrom(row)));
		const isOld = ({ fields: { custom } }: R) => !given.has(asText(custom));
		if (renaming.length > 0)
			refuse([...byAlias].filter(isOld), ({ fields: { custom } }) => givenUp(asText(custom), link!, renaming));
		if (link !== undefined && this.isKept)
			refuse(
				group.rows.filter(({ fields: { url } }) => isElsewhere(link, url)),
				() => leadsElsewhere(link),
			);
		const rows = group.rows.filter((row) => !this.refused.has(row)).sort((one, other) => one.index - other.index);
		const { fields, contradictions } = merged(rows, (row) => group.fieldsOf(row));
		if (contradictions.size > 0) refuse(rows, (row) => contradictionOf(row, rows, contradictions));
		else if (link === undefined) this.attempt(rows, () => this.checkNew(fields));
		return rows.length === 0 || this.refused.has(rows[0]) ? undefined : { link, rows, fields };
	}

	private checkNew(fields: LinkFields): void {
		const { custom, url } = fields;
		if (url === undefined) {
			throw new ValueError(
				`Long URL is empty, and there is no link with the alias "${asText(custom)}"`,
				'A new link needs a long URL: enter one, or check the column that should hold it.',
			);
		}
		checkNeeds(fields);
		// Services change the spelling of long URLs: then each run would make one more.
		const isFree = (one: LinkRecord) => !this.groups.has(this.byLink.get(identityOf(one))!);
		const twin = custom === undefined ? this.index.similarTo(longUrlNameOf(fields)).find(isFree) : undefined;
		if (twin === undefined) return;
		const error = new ValueError(
			`No link has the long URL ${inQuotes(url)}, but ${describeLink(twin)} has it in another spelling: ${inQuotes(twin.longurl)}`,
			'If it is the same page, write the long URL as the service has it. Otherwise give the row an alias.',
		);
		throw aboutLink(error, twin);
	}

	/** Checks that a link can be given its alias: no other link has it, and no other rows give it to one. @throws ValueError */
	private checkAlias(group: Group<R>, { link, rows }: LinkTask<R>): void {
		const [alias] = rows.flatMap((row) => group.aliasFrom(row) ?? []);
		if (alias === undefined) return;
		const { host } = group;
		const isGiven = link === undefined || !this.isKept;
		if (isGiven && NOT_IN_NEW_ALIAS.test(alias))
			throw new ValueError(
				`A new alias has no space, slash, ? or #, and no = or quote before it: "${alias}"`,
				'Enter one such as spring-sale.',
			);
		// An unknown host may be the same.
		const mayBeThere = ({ host: place }: Group<R>) => host === undefined || place === undefined || place === host;
		const rivals = this.givenTo(`alias ${alias}`).filter((other) => other !== group && mayBeThere(other));
		if (isGiven && rivals.length > 0) {
			throw new ValueError(
				`The alias "${alias}" is given to another link, too, by ${labelsOf(rivals.flatMap(({ rows: of }) => of))}`,
				'None of these rows is done. Give each link an alias of its own.',
			);
		}
		const holder = link && this.holderOf(alias, group);
		if (holder?.link === undefined) return;
		const leaving = this.renamingOf(holder);
		if (leaving.length === 0) throw twoLinks(link!, holder.link);
		throw this.isRing(group) ? ring(alias, holder.link, leaving) : givenUp(alias, holder.link, leaving);
	}

	/** The other link that has an alias on the host of a group. */
	private holderOf(alias: string, { host, link }: Group<R>): Group<R> | undefined {
		const there = this.index.matching({ by: 'alias', alias, domain: host });
		const other = there.find((one) => identityOf(one) !== identityOf(link ?? {}));
		return other && this.groupFor(other);
	}

	/** Whether links that are renamed take each other's aliases in a ring. */
	private isRing(group: Group<R>): boolean {
		const seen = new Set<Group<R>>();
		let next: Group<R> | undefined = group;
		while (next !== undefined && !seen.has(next)) {
			seen.add(next);
			const [row]: R[] = this.renamingOf(next);
			next = row && this.holderOf(next.aliasFrom(row)!, next);
		}
		return next === group;
	}
}

/** Plans what is done with each link. Of rows that contradict each other, none is done. @param index the account as it was when the run began */
export async function planSheet<R extends SheetRow>(
	rows: readonly R[],
	index: LinkIndex,
	rules: SheetRules,
): Promise<{ tasks: Array<LinkTask<R>>; refused: ReadonlyMap<R, Error> }> {
	const planner = new Planner<R>(index, rules);
	const named = rows.map((row) => {
		const name = nameOfRow(row);
		return { row, name, rank: rankOf(name) };
	});
	const ranks = groupedBy(named, ({ rank }) => rank).sort(([one], [other]) => one.rank - other.rank);
	for (const some of ranks) await planner.addRank(some);
	return { tasks: await planner.finish(), refused: planner.refused };
}

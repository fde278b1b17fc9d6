/** What the rows of a sheet ask for, and which links are named: reckoned from what the service holds, in the plainest way. */
import type { LinkWithAddress } from '../sandbox';
import { CAMPAIGNS, OTHER, THEIRS, type Naming, type Settings, type SheetRow } from './scenario';
import { isBlank, isRefused } from './typed';

export const isSameAddress = (one: string, other: string): boolean => new URL(one).href === new URL(other).href;

/** A link; one that a row makes has no ID, and perhaps no alias that could be known. */
type Modelled = Pick<LinkWithAddress, 'domain' | 'longurl'> & Partial<LinkWithAddress>;

/** Something that an error has to name: a link, or the row by its place. */
export type Culprit = Modelled | number;

/** A row that fails: before anything of the run is sent, or in its turn. */
export interface Failure {
	isPlanned: boolean;
	/** Nobody knows it before the service has answered. */
	isOfService?: true;
	names: Culprit[];
}

/** What becomes of a row while nobody else changes the account; `any` where the rules leave it open. */
export type Expected = 'created' | 'updated' | 'unchanged' | 'skipped' | 'any' | Failure;

/** How the service is, as far as it touches what becomes of rows. */
export interface Traits {
	showsCampaigns: boolean;
	/** Whether its own domain is known as one of the account's, also where no link stands there. */
	knowsOwnDomain: boolean;
	/** Whether no update can clear a field. */
	clearsNothing: boolean;
	/** Whether capitals of an alias come back small. */
	lowers: boolean;
	/** What a new link does not get of what it asks for. */
	dropsAliases: boolean;
	dropsDomains: boolean;
	dropsTargets: boolean;
	/** Whether another user of the service has an alias. */
	hasOthers: boolean;
	/** Whether a long URL that has a link gets no other. */
	returnsKnown: boolean;
}

const failure = (...names: Culprit[]): Failure => ({ isPlanned: true, names });
const inTurn: Failure = { isPlanned: false, names: [] };
const ofService: Failure = { ...inTurn, isOfService: true };
const isFailure = (meant: Course | Failure): meant is Failure => 'isPlanned' in meant;

/** The campaign that a name stands for; undefined where there is none, or where several may be meant. */
function campaignOf(name: string): number | undefined {
	const exact = CAMPAIGNS.filter((campaign) => campaign.name === name);
	const folded = CAMPAIGNS.filter((campaign) => campaign.name.toLowerCase() === name.toLowerCase());
	const meant = exact.length > 0 ? exact : folded;
	if (meant.length > 0) return meant.length === 1 ? meant[0].id : undefined;
	return CAMPAIGNS.find(({ id }) => String(id) === name)?.id;
}

/** Every link that a row may mean, whatever the settings. */
export function linksOf<T extends Modelled>({ short, alias, domain, url }: SheetRow, links: T[]): T[] {
	const isThere = (link: T) => domain === undefined || link.domain === domain;
	return links.filter(
		(link) =>
			(short?.domain === link.domain && short.alias === link.alias) ||
			(alias !== undefined && alias === link.alias && isThere(link)) ||
			(url !== undefined && isSameAddress(link.longurl, url) && isThere(link)),
	);
}

/** A link in the course of a run. */
interface Course {
	/** As it was when the run began; rows of the run make it where that is missing. */
	was?: Modelled;
	now: Modelled;
	/** The rows that mean it, and how each names it. */
	rows: Array<{ row: SheetRow; item: number; by: By }>;
	/** Nobody can know what it is like now. */
	isOpen?: true;
	/** It is not made. */
	isMissing?: true;
}

type By = 'short' | 'alias' | 'url';

const FIELDS = ['url', 'alias', 'title', 'description', 'expiry', 'campaign', 'germany'] as const;

type Field = (typeof FIELDS)[number];

/** A run over rows, all of which are there when it begins: their order changes nothing. */
class Run {
	readonly courses: Course[];

	/** What comes of each row, by its place. */
	readonly expected = new Map<number, Expected>();

	/** A row could not be foreseen, nor what comes after it. */
	isOpen = false;

	/** A row has failed, and has changed its link in part. */
	isHalfDone = false;

	constructor(
		links: Modelled[],
		private readonly settings: Settings,
		private readonly traits: Traits,
	) {
		this.courses = links.map((was) => ({ was, now: { ...was }, rows: [] }));
	}

	/** Plays all rows. */
	play(all: Array<{ row: SheetRow; item: number }>): void {
		const ranked: Array<{ row: SheetRow; item: number; by: By; rank: number }> = [];
		for (const { row, item } of all) {
			const isNameless = row.campaign !== undefined && campaignOf(row.campaign) === undefined;
			if (isBlank(row)) this.expected.set(item, 'skipped');
			else if (isRefused(row) || isNameless) this.expected.set(item, failure());
			else {
				const by = this.byOf(row);
				const rank = by === 'short' ? 0 : (by === 'alias' ? 1 : 3) + (row.domain === undefined ? 1 : 0);
				ranked.push({ row, item, by, rank: 2 * rank + (row.url === undefined ? 1 : 0) });
			}
		}
		ranked.sort((one, other) => one.rank - other.rank);
		const aliases = new Set(ranked.flatMap(({ row: { alias } }) => alias ?? []));
		const small = new Set([...aliases].map((alias) => alias.toLowerCase()));
		// Which of them comes first decides.
		this.isOpen ||= this.traits.lowers && small.size < aliases.size;
		for (const { row, item, by } of ranked) {
			const meant = this.isOpen ? 'any' : this.meantBy(row, by);
			if (meant === 'any') {
				this.isOpen = true;
				this.expected.set(item, 'any');
			} else if (isFailure(meant)) this.expected.set(item, meant);
			else meant.rows.push({ row, item, by });
		}
		const done = this.courses.filter(({ rows }) => rows.length > 0);
		for (const course of done) this.plan(course);
		for (const course of done) this.claim(course);
		for (const course of done) this.perform(course);
	}

	private byOf({ short, alias, url }: SheetRow): By {
		if (short !== undefined && short.domain !== OTHER) return 'short';
		return url !== undefined && (alias === undefined || this.settings.matchOn === 'url') ? 'url' : 'alias';
	}

	private isAt(course: Course, domain?: string): boolean {
		return domain === undefined || course.now.domain === domain;
	}

	/** The links to which rows that were looked at before give something: with `updateWhen: never`, only new ones. */
	private given(field: 'alias' | 'url', value: string): Course[] {
		const says = ({ rows, was }: Course) =>
			(was === undefined || this.settings.updateWhen !== 'never') &&
			rows.some(({ row, by }) => {
				if (field === 'url') return row.url !== undefined && isSameAddress(row.url, value);
				return row.alias === value && (by !== 'alias' || was === undefined) && row.alias !== was?.alias;
			});
		return this.courses.filter(says);
	}

	/** The link that a row means, by the account as it was when the run began and by rows of a higher rank. */
	private meantBy(row: SheetRow, by: By): Course | 'any' | Failure {
		const { short, alias, domain, url } = row;
		const there = this.courses.filter(({ was }) => was !== undefined);
		if (by === 'short') {
			const at = (one: string) => there.find(({ was }) => was!.domain === short!.domain && was!.alias === one);
			const isKnown = short!.domain !== '' || this.traits.knowsOwnDomain || there.some(({ was }) => was!.domain === '');
			if (!isKnown) return 'any';
			const [byShort, byAlias] = [at(short!.alias), alias === undefined ? undefined : at(alias)];
			if (domain !== undefined && domain !== short!.domain) return failure();
			if (byShort && byAlias && byShort !== byAlias) return failure(byShort.was!, byAlias.was!);
			return byShort ?? byAlias ?? failure();
		}
		if (by === 'alias') {
			if (alias === undefined) return failure();
			const here = there.filter((course) => this.isAt(course, domain));
			const exact = here.filter(({ was }) => was!.alias === alias);
			const small = here.filter(
				({ was }) => was!.alias === alias.toLowerCase() && url !== undefined && isSameAddress(was!.longurl, url),
			);
			const given = this.given('alias', alias).filter(
				(course) =>
					this.isAt(course, domain) &&
					(course.was === undefined || url === undefined || isSameAddress(this.urlOf(course), url)),
			);
			const found = [...new Set([...(exact.length > 0 ? exact : small), ...given])];
			if (found.length > 1) return failure();
			return found[0] ?? this.make(row);
		}
		const found = [
			...new Set([
				...there.filter((course) => isSameAddress(course.was!.longurl, url!) && this.isAt(course, domain)),
				...this.given('url', url!).filter((course) => this.isAt(course, domain)),
			]),
		];
		const own = found.filter(
			(course) => alias !== undefined && (course.was?.alias === alias || this.given('alias', alias).includes(course)),
		);
		if (found.length > 1) return own.length === 1 ? own[0] : failure(...found.flatMap(({ was }) => was ?? []));
		return found[0] ?? this.make(row);
	}

	private urlOf({ rows, now }: Course): string {
		return rows.find(({ row }) => row.url !== undefined)?.row.url ?? now.longurl;
	}

	private make({ url = '', alias, domain = '' }: SheetRow): Course {
		const course: Course = { now: { domain, longurl: url, alias }, rows: [], isMissing: true };
		this.courses.push(course);
		return course;
	}

	/** Refuses rows of a link. */
	private fail(
		{ rows }: Course,
		expected: Expected,
		isMeant: (one: Course['rows'][number]) => boolean = () => true,
	): void {
		for (const one of rows) if (isMeant(one) && !this.expected.has(one.item)) this.expected.set(one.item, expected);
	}

	/** The rows of a link that are still to be done. */
	private open({ rows }: Course): Course['rows'] {
		return rows.filter(({ item }) => !this.expected.has(item)).sort((one, other) => one.item - other.item);
	}

	/** An alias by which a row names its link is no change; nor is one that the link has in small letters. */
	private aliasIn({ was }: Course, { row, by }: Course['rows'][number]): string | undefined {
		const { alias, url } = row;
		if (was === undefined || alias === undefined) return alias;
		if (by === 'alias') return undefined;
		const isLowered = was.alias === alias.toLowerCase() && url !== undefined && isSameAddress(url, was.longurl);
		return isLowered ? was.alias : alias;
	}

	private renaming(course: Course): Course['rows'] {
		if (course.was === undefined || this.settings.updateWhen === 'never') return [];
		const isNew = (one: Course['rows'][number]) =>
			(this.aliasIn(course, one) ?? course.was!.alias) !== course.was!.alias;
		return course.rows.filter(isNew);
	}

	/** What the rows of a link can't do, whatever becomes of the others. */
	private plan(course: Course): void {
		const { was } = course;
		const renaming = this.renaming(course);
		const isOld = ({ by, row }: Course['rows'][number]) =>
			by === 'alias' && !renaming.some((one) => one.row.alias === row.alias);
		if (renaming.length > 0) this.fail(course, failure(...renaming.map(({ item }) => item)), isOld);
		if (was !== undefined && this.settings.updateWhen === 'never')
			this.fail(course, failure(was), ({ row }) => row.url !== undefined && !isSameAddress(row.url, was.longurl));
		const rows = this.open(course);
		const differ = (name: Field) => {
			const values = rows.flatMap(
				(one) => (name === 'alias' ? this.aliasIn(course, one) : this.said(one.row, name)) ?? [],
			);
			return values.some((value) => !isSame(name, value, values[0]));
		};
		const deep = new Set(rows.map(({ row }) => row.deep).filter((value) => value !== undefined));
		const isContrary = FIELDS.some(differ) || (deep.size > 1 && rows.some(({ row }) => row.deep === true));
		if (isContrary) {
			for (const { item } of rows) {
				const others = rows.map((one) => one.item).filter((other) => other !== item);
				this.expected.set(item, failure(...(others.length > 4 ? [] : others)));
			}
			return;
		}
		if (was !== undefined || rows.length === 0) return;
		const has = rows.map(({ row }) => row);
		if (!has.some(({ url }) => url !== undefined) || has.some(({ deep: asks }) => asks === true) || has.some(hasPassed))
			return this.fail(course, failure());
		const url = this.urlOf(course);
		const alias = rows.some(({ by }) => by === 'alias') ? course.now.alias : undefined;
		const isNamed = (one?: string) => one?.toLowerCase() === (alias ?? one)?.toLowerCase();
		const isTwin = (one: Course) =>
			one.was &&
			one.rows.length === 0 &&
			isCut(url, one.was.longurl) &&
			isNamed(one.was.alias) &&
			this.isAt(one, rows.find(({ row }) => row.domain !== undefined)?.row.domain);
		const twins = this.courses.filter(isTwin);
		if (twins.length > 0) this.fail(course, failure(...(twins.length === 1 ? [twins[0].was!] : [])));
	}

	/** An alias that a link is to be given belongs to no other, and no other is given it. */
	private claim(course: Course): void {
		const rows = this.open(course);
		const alias = rows.map((one) => this.aliasIn(course, one)).find((one) => one !== undefined);
		if (alias === undefined || (course.was !== undefined && this.renaming(course).length === 0)) return;
		const isHere = (one: Course) => one !== course && one.now.domain === course.now.domain;
		const rival = this.given('alias', alias).find(isHere);
		if (rival !== undefined) return this.fail(course, failure(...rival.rows.slice(0, 4).map(({ item }) => item)));
		const holder = this.courses.find((one) => isHere(one) && one.was?.alias === alias);
		if (holder !== undefined) this.fail(course, failure(holder.was!));
		// Where nothing shows on which host a link without a domain is made, its alias may be taken there.
		const isKnown = course.now.domain !== '' || this.courses.some(({ was }) => was?.domain === '');
		if (!isKnown && this.courses.some(({ was }) => was?.alias === alias)) this.leave(course);
	}

	/** Nobody can say what comes of a link. */
	private leave(course: Course): void {
		this.isOpen = true;
		course.isOpen = true;
		this.fail(course, 'any');
	}

	private perform(course: Course): void {
		const rows = this.open(course);
		if (rows.length === 0) return;
		const [{ item: first }] = rows;
		const said = (name: Field) =>
			name === 'alias'
				? rows.map((one) => this.aliasIn(course, one)).find((one) => one !== undefined)
				: rows.map(({ row }) => this.said(row, name)).find((value) => value !== undefined);
		const merged = Object.fromEntries(FIELDS.map((name) => [name, said(name)])) as Partial<Record<Field, string>>;
		const isLowered = this.traits.lowers && merged.alias !== undefined && /[A-Z]/.test(merged.alias);
		if (isLowered && merged.alias !== course.was?.alias) return this.leave(course);
		if (course.was === undefined)
			return this.create(course, merged, first, rows.find(({ row }) => row.domain)?.row.domain);
		const deep = rows.some(({ row }) => row.deep === true);
		const open = FIELDS.filter((name) => merged[name] !== undefined && this.differs(course.now, name, merged[name]));
		if (this.settings.updateWhen !== 'changed' || (open.length === 0 && !deep)) return this.fail(course, 'unchanged');
		const isTheirs = this.traits.hasOthers && open.includes('alias') && merged.alias === THEIRS;
		if (open.includes('alias') && (this.traits.dropsAliases || isTheirs)) {
			course.isOpen = true;
			this.isHalfDone ||= !isTheirs;
			return this.fail(course, ofService);
		}
		const losesStates = 'united states' in (course.now.location ?? {}) && merged.germany === undefined;
		const isKept = this.traits.clearsNothing && open.some((name) => merged[name] === '');
		const isTooLate = open.includes('expiry') && merged.expiry !== undefined && hasPassed({ expiry: merged.expiry });
		if (losesStates || isKept || isTooLate || deep) {
			course.isOpen = true;
			this.isHalfDone ||= isKept;
			return this.fail(course, losesStates ? 'any' : inTurn);
		}
		// Each change is that of the first row that says it.
		for (const { row, item, by } of rows) {
			const isFirst = (name: Field) => {
				const says = (one: Course['rows'][number]) =>
					(name === 'alias' ? this.aliasIn(course, one) : this.said(one.row, name)) !== undefined;
				return says({ row, item, by }) && rows.find(says)?.item === item;
			};
			this.expected.set(item, open.some(isFirst) ? 'updated' : 'unchanged');
		}
		this.take(course, merged);
	}

	private create(course: Course, merged: Partial<Record<Field, string>>, first: number, domain?: string): void {
		const { traits } = this;
		const url = merged.url!;
		const known = this.courses.filter((one) => one !== course && [one.was?.longurl, one.now.longurl].includes(url));
		if (traits.returnsKnown && known.length > 0) {
			course.isOpen = true;
			if (merged.alias === undefined && domain === undefined) return this.leave(course);
			const isMoved = known.some(({ was, now, isOpen }) => was?.longurl !== now.longurl || isOpen);
			return isMoved ? this.leave(course) : this.fail(course, ofService);
		}
		const isDropped =
			(traits.dropsAliases && merged.alias !== undefined) || (traits.dropsDomains && domain !== undefined);
		if (isDropped || (traits.hasOthers && merged.alias === THEIRS)) {
			course.isOpen = true;
			this.isHalfDone ||= isDropped;
			return this.fail(course, ofService);
		}
		delete course.isMissing;
		this.expected.set(first, 'created');
		this.fail(course, 'unchanged');
		this.take(course, merged);
		if (traits.dropsTargets && merged.germany !== undefined) course.now.location = {};
	}

	/** What a row says of a field: an empty cell says something where it clears it. */
	private said(row: SheetRow, name: Field): string | undefined {
		return row[name] === '' && this.settings.emptyCells !== 'clear' ? undefined : row[name];
	}

	private differs(now: Modelled, name: Field, value: string): boolean {
		if (name === 'url') return !isSameAddress(value, now.longurl);
		if (name === 'campaign') return !this.traits.showsCampaigns || now.campaign !== campaignOf(value);
		if (name === 'expiry') return (value || null) !== (now.expiry ?? null);
		if (name === 'germany') return JSON.stringify(targets(value)) !== JSON.stringify(now.location ?? {});
		return value !== (now[name] ?? '');
	}

	private take({ now }: Course, merged: Partial<Record<Field, string>>): void {
		const { url, alias, title, description, expiry, campaign, germany } = merged;
		Object.assign(now, {
			...(url === undefined ? {} : { longurl: url }),
			...(alias === undefined ? {} : { alias }),
			...(title === undefined ? {} : { title }),
			...(description === undefined ? {} : { description }),
			...(expiry === undefined ? {} : { expiry: expiry || null }),
			...(campaign === undefined ? {} : { campaign: campaignOf(campaign) }),
			...(germany === undefined ? {} : { location: targets(germany) }),
		});
	}
}

/** Whether a service that cuts a fragment, or a slash at the end, would have kept an address so. */
function isCut(url: string, kept: string): boolean {
	const whole = url.replace(/#.*/, '');
	return [whole, url.replace(/\/+$/, ''), whole.replace(/\/+$/, '')].some(
		(form) => form !== url && isSameAddress(form, kept) && !isSameAddress(url, kept),
	);
}

const hasPassed = ({ expiry = '' }: SheetRow) => expiry !== '' && expiry < '2026';

function targets(germany: string): LinkWithAddress['location'] {
	return germany === '' ? {} : { germany };
}

function isSame(name: Field, one: string, other: string): boolean {
	if (name === 'url') return isSameAddress(one, other);
	return name === 'campaign' ? campaignOf(one) === campaignOf(other) : one === other;
}

/**
 * What is to become of each row, in their order, and of the links.
 *
 * @param rounds the rows of each run: of all at once, or of the rounds of a loop
 * @returns links is undefined where the rules leave open what they are like
 */
export function expectedOf(
	rounds: SheetRow[][],
	there: LinkWithAddress[],
	settings: Settings,
	traits: Traits,
): { rows: Expected[]; links?: Modelled[] } {
	let links: Modelled[] | undefined = there;
	const rows: Expected[] = [];
	for (const round of rounds) {
		const run: Run = new Run(links ?? [], settings, traits);
		if (links === undefined) run.isOpen = true;
		const begin = rows.length;
		const all = round.map((row, at) => ({ row, item: begin + at }));
		run.play(all);
		for (const { item } of all) rows[item] = run.expected.get(item) ?? 'any';
		// A run in which no row has a value is refused.
		if (rows.slice(begin).every((one) => one === 'skipped')) for (const { item } of all) rows[item] = failure();
		const isKnown = !rows.includes('any') && !run.isHalfDone;
		const done = run.courses.filter(({ isMissing }) => !isMissing);
		links = isKnown ? done.map(({ now }) => now) : undefined;
	}
	return { rows, links };
}

/** The links that a text names: an ID, a long URL, an alias, or a short URL, which is its host and its whole path. */
export function linksNamed(by: Naming['by'], text: string, links: LinkWithAddress[]): LinkWithAddress[] {
	const bare = (address: string) => address.replace(/^https?:\/\//, '');
	if (by === 'id') return links.filter(({ id }) => String(id) === text);
	if (by === 'longUrl') return links.filter(({ longurl }) => isSameAddress(longurl, text));
	if (by === 'alias' && !text.includes('/')) return links.filter(({ alias }) => alias === text);
	return links.filter(({ shorturl }) => bare(shorturl) === bare(text));
}

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
const isFailure = (meant: Course | Failure | 'any' | undefined): meant is Failure =>
	typeof meant === 'object' && 'isPlanned' in meant;

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
	/** As it was when the run began; a row of the run makes it where that is missing. */
	was?: Modelled;
	now: Modelled;
	/** What rows have said of it, and which row was the first to say so. */
	said: Map<keyof SheetRow, { value: string; item: number }>;
	/** The same of automatic deep links. */
	deep?: { value: boolean; item: number };
	/** Nobody can know what it is like now. */
	isOpen?: true;
	/** The row that should make it has failed. */
	isMissing?: true;
	/** Rows mean it. */
	isMeant?: true;
	/**
	 * The row that makes it, the domain that it names, the alias by which it was looked for, if it was, and those that follow it. By a
	 * domain and an alias, a few rows are looked up to the letter, so that what is spelled otherwise is not seen.
	 */
	maker?: { item: number; url: string; domain?: string; alias?: string; followers: number[] };
}

const FIELDS = ['url', 'alias', 'title', 'description', 'expiry', 'campaign', 'germany'] as const;

type Field = (typeof FIELDS)[number];

/** A run over rows, all of which are there when it begins. */
class Run {
	readonly courses: Course[];

	/** A row could not be foreseen, nor what comes after it. */
	isOpen = false;

	/** A row has failed, and has changed its link in part. */
	isHalfDone = false;

	constructor(
		links: Modelled[],
		private readonly settings: Settings,
		private readonly traits: Traits,
	) {
		this.courses = links.map((was) => ({ was, now: { ...was }, said: new Map() }));
	}

	/** A row with the alias of the link that has it in another case, and its very long URL. */
	private asWritten(row: SheetRow): SheetRow {
		const { short, alias, domain, url } = row;
		if ((short !== undefined && short.domain !== OTHER) || alias === undefined || url === undefined) return row;
		const there = this.courses.flatMap(({ was }) => (was && (domain ?? was.domain) === was.domain ? [was] : []));
		const folded = there.filter((was) => was.alias?.toLowerCase() === alias.toLowerCase());
		const same = folded.filter(({ longurl }) => isSameAddress(longurl, url));
		if (folded.some((was) => was.alias === alias) || same.length !== 1) return row;
		return { ...row, alias: same[0].alias };
	}

	add(asked: SheetRow, item: number): Expected {
		const row = this.asWritten(asked);
		if (isBlank(row)) return 'skipped';
		// A few rows with a domain are looked up to the letter: at a service that takes both aliases, the link is not seen.
		if (row !== asked && row.domain !== undefined && !this.traits.lowers) {
			this.isOpen = true;
			return 'any';
		}
		if (isRefused(row) || (row.campaign !== undefined && campaignOf(row.campaign) === undefined)) return failure();
		const meant = this.isOpen ? 'any' : this.meantBy(row);
		if (isFailure(meant)) return meant;
		const isLowered = this.traits.lowers && row.alias !== undefined && /[A-Z]/.test(row.alias);
		if (meant === 'any' || (isLowered && (typeof meant !== 'object' || meant.now.alias !== row.alias))) {
			this.isOpen = true;
			return 'any';
		}
		if (meant === undefined) return this.create(row, item);
		meant.maker?.followers.push(item);
		const expected = this.change(meant, row, item);
		// A row that can't be done says nothing of any link.
		if (typeof expected === 'string') meant.isMeant = true;
		return expected;
	}

	/** Rows that would make a link that is there in another spelling of its long URL, as services cut it, and that no row means. */
	twins(): Array<{ item: number; expected: Expected }> {
		return this.courses.flatMap((course) => {
			const { maker } = course;
			if (maker === undefined) return [];
			// With an alias, the one that has it in another case.
			const isNamed = (one?: string) => one?.toLowerCase() === (maker.alias ?? one)?.toLowerCase();
			const isThere = ({ domain }: Modelled) => (maker.domain ?? domain) === domain;
			const isTwin = ({ was, isMeant }: Course) =>
				was && isMeant !== true && isCut(maker.url, was.longurl) && isNamed(was.alias) && isThere(was);
			const [twin, ...others] = this.courses.filter(isTwin);
			if (twin === undefined) return [];
			course.isMissing = true;
			const left = maker.followers.map((item) => ({ item, expected: 'any' as const }));
			const isUnclear = this.isOpen || (maker.domain !== undefined && maker.alias !== undefined);
			this.isOpen ||= isUnclear || left.length > 0;
			if (isUnclear) return [{ item: maker.item, expected: 'any' as const }, ...left];
			return [{ item: maker.item, expected: failure(...(others.length === 0 ? [twin.was!] : [])) }, ...left];
		});
	}

	/** The link that a row means by the account as it was when the run began, or that an earlier row makes. */
	private meantBy({ short, alias, domain, url }: SheetRow): Course | undefined | 'any' | Failure {
		const there = this.courses.filter(({ was }) => was !== undefined);
		const isThere = ({ was }: Course) => domain === undefined || was!.domain === domain;
		if (short !== undefined && short.domain !== OTHER) {
			const at = (one: string) => there.find(({ was }) => was!.domain === short.domain && was!.alias === one);
			const isKnown = short.domain !== '' || this.traits.knowsOwnDomain || there.some(({ was }) => was!.domain === '');
			if (!isKnown) return 'any';
			const [byShort, byAlias] = [at(short.alias), alias === undefined ? undefined : at(alias)];
			if (domain !== undefined && domain !== short.domain) return failure();
			if (byShort && byAlias && byShort !== byAlias) return failure(byShort.was!, byAlias.was!);
			return byShort ?? byAlias ?? failure();
		}
		const isByAlias = alias !== undefined && this.settings.matchOn === 'alias';
		if (!isByAlias && url === undefined) return alias === undefined ? failure() : 'any';
		const has = ({ alias: one, longurl }: Modelled) => (isByAlias ? one === alias : isSameAddress(longurl, url!));
		const found = there.filter((course) => has(course.was!) && isThere(course));
		if (!isByAlias && this.courses.some((course) => course.said.has('url') && has(course.now)))
			return this.meantByUrl(found, { alias, domain, url });
		if (found.length > 1) {
			if (isByAlias) return failure();
			const own = found.filter(({ was }) => alias !== undefined && was!.alias === alias);
			return own.length === 1 ? own[0] : failure(...found.map(({ was }) => was!));
		}
		if (found.length === 1) return found[0];
		// Of what this run has made or changed, only that is meant which an earlier row names in the same way.
		const [only, ...others] = this.courses.filter((course) => has(course.now) || course.isOpen);
		if (only === undefined) return undefined;
		const isMade = only.was === undefined && only.now.domain === (domain ?? '');
		const isNamedSo = isByAlias || this.settings.matchOn === 'url' || !only.said.has('alias');
		return isMade && isNamedSo && others.length === 0 && only.isOpen !== true ? only : 'any';
	}

	/** The link that has a long URL, of those that have it and those to which earlier rows give it. */
	private meantByUrl(there: Course[], { alias, domain, url }: SheetRow): Course | 'any' | Failure {
		const given = this.courses.filter(({ said, now }) => said.has('url') && isSameAddress(now.longurl, url!));
		// On which domain a link stands that only moves here, its row need not say.
		if (this.courses.some(({ isOpen }) => isOpen) || (domain !== undefined && given.some(({ was }) => was)))
			return 'any';
		const found = [...new Set([...there, ...given.filter(({ now }) => domain === undefined || now.domain === domain)])];
		const own = found.filter(({ now }) => alias !== undefined && now.alias === alias);
		if (found.length === 1) return found[0];
		if (own.length === 1) return own[0];
		return found.length === 0 ? 'any' : failure(...there.map(({ was }) => was!));
	}

	private create(row: SheetRow, item: number): Expected {
		const { url, alias, domain = '', deep } = row;
		if (url === undefined) return failure();
		const taken = this.holderOf(alias, domain);
		if (taken !== undefined) return taken;
		// Where nothing shows on which host a link without a domain is made, its alias may be taken there.
		const isKnown = row.domain !== undefined || this.courses.some(({ was }) => was?.domain === '');
		if (!isKnown && alias !== undefined && this.courses.some(({ was }) => was?.alias === alias)) {
			this.isOpen = true;
			return 'any';
		}
		const isByUrl = alias === undefined || this.settings.matchOn === 'url';
		const maker = { item, url, domain: row.domain, alias: isByUrl ? undefined : alias, followers: [] };
		const course: Course = { now: { domain, longurl: url, alias }, said: new Map(), maker };
		this.courses.push(course);
		if (deep === true || hasPassed(row)) {
			Object.assign(course, { isOpen: true, isMissing: true });
			return inTurn;
		}
		const otherwise = this.givenOtherwise(course, row, url);
		if (otherwise !== undefined) return otherwise;
		this.say(course, row, item);
		if (this.traits.dropsTargets && row.germany !== undefined) course.now.location = {};
		return 'created';
	}

	/** What comes of a new link that the service does not make as it was asked for. */
	private givenOtherwise(course: Course, { alias, domain }: SheetRow, url: string): Expected | undefined {
		const { traits } = this;
		const known = this.courses.filter((one) => one !== course && [one.was?.longurl, one.now.longurl].includes(url));
		if (traits.returnsKnown && known.length > 0) {
			this.isOpen = known.some(({ was, now, isOpen }) => was?.longurl !== now.longurl || isOpen);
			Object.assign(course, { isOpen: true, isMissing: true });
			return this.isOpen || (alias === undefined && domain === undefined) ? 'any' : ofService;
		}
		const isDropped = (traits.dropsAliases && alias !== undefined) || (traits.dropsDomains && domain !== undefined);
		if (!isDropped && !(traits.hasOthers && alias === THEIRS)) return undefined;
		Object.assign(course, { isOpen: true, isMissing: !isDropped });
		this.isHalfDone ||= isDropped;
		return ofService;
	}

	private change(course: Course, row: SheetRow, item: number): Expected {
		if (course.isOpen) return 'any';
		const { said, now } = course;
		const names = FIELDS.filter((name) => this.says(row, name));
		const earlier = names.find((name) => said.has(name) && !isSame(name, said.get(name)!.value, row[name]!));
		if (earlier !== undefined) return failure(said.get(earlier)!.item);
		const { deep } = row;
		if (deep === false && course.deep?.value === true) return failure(course.deep.item);
		const isOther = deep === true && course.deep?.value === false;
		const open = names.filter((name) => !said.has(name) && this.differs(now, name, row[name]!));
		const isUpdate = isOther || ((open.length > 0 || deep === true) && this.settings.updateWhen === 'changed');
		if (!isUpdate) {
			this.say(course, row, item, []);
			return 'unchanged';
		}
		const taken = open.includes('alias') ? this.holderOf(row.alias, now.domain, course) : undefined;
		if (taken !== undefined) return taken;
		const isRenamed = open.includes('alias') && row.alias !== undefined;
		const isTheirs = this.traits.hasOthers && row.alias === THEIRS;
		if (isRenamed && (this.traits.dropsAliases || isTheirs)) {
			course.isOpen = true;
			this.isHalfDone ||= !isTheirs;
			return ofService;
		}
		const losesStates = 'united states' in (now.location ?? {}) && !names.includes('germany');
		const isKept = this.traits.clearsNothing && open.some((name) => row[name] === '');
		const isTooLate = open.includes('expiry') && hasPassed(row);
		if (losesStates || isKept || isTooLate || row.deep === true) {
			course.isOpen = true;
			this.isHalfDone ||= isKept;
			return losesStates ? 'any' : inTurn;
		}
		this.say(course, row, item, open);
		return 'updated';
	}

	/** An empty cell says something where it clears its field. */
	private says(row: SheetRow, name: Field): boolean {
		return row[name] !== undefined && (row[name] !== '' || this.settings.emptyCells === 'clear');
	}

	private differs(now: Modelled, name: Field, value: string): boolean {
		if (name === 'url') return !isSameAddress(value, now.longurl);
		if (name === 'campaign') return !this.traits.showsCampaigns || now.campaign !== campaignOf(value);
		if (name === 'expiry') return (value || null) !== (now.expiry ?? null);
		if (name === 'germany') return JSON.stringify(targets(value)) !== JSON.stringify(now.location ?? {});
		return value !== (now[name] ?? '');
	}

	/** Another link that has or had an alias on a domain: it can't be given to a further one. */
	private holderOf(alias: string | undefined, domain: string, own?: Course): Failure | 'any' | undefined {
		const holder = this.courses.find(
			(one) =>
				one !== own &&
				one.now.domain === domain &&
				alias !== undefined &&
				[one.was?.alias, one.now.alias].includes(alias),
		);
		if (holder === undefined) return undefined;
		if (holder.isOpen) this.isOpen = true;
		if (holder.isOpen) return 'any';
		return failure(holder.was?.alias === alias ? holder.was! : holder.said.get('alias')!.item);
	}

	private say(course: Course, row: SheetRow, item: number, changed: readonly Field[] = FIELDS): void {
		const { now, said } = course;
		if (row.deep !== undefined) course.deep ??= { value: row.deep, item };
		for (const name of FIELDS.filter((one) => this.says(row, one))) {
			if (!said.has(name)) said.set(name, { value: row[name]!, item });
			if (!changed.includes(name)) continue;
			const value = row[name]!;
			if (name === 'url') now.longurl = value;
			else if (name === 'campaign') now.campaign = campaignOf(value);
			else if (name === 'expiry') now.expiry = value || null;
			else if (name === 'germany') now.location = targets(value);
			else now[name] = value;
		}
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
	let isAnyFilled = false;
	for (const round of rounds) {
		const run: Run = new Run(links ?? [], settings, traits);
		if (links === undefined) run.isOpen = true;
		const begin = rows.length;
		const isNamed = ({ short, alias }: SheetRow) =>
			alias !== undefined || (short !== undefined && short.domain !== OTHER);
		const all = round.map((row, at) => ({ row, item: begin + at }));
		const inTurn = [...all.filter(({ row }) => isNamed(row)), ...all.filter(({ row }) => !isNamed(row))];
		for (const { row, item } of inTurn) rows[item] = run.add(row, item);
		// A run in which no row has had a value is refused.
		isAnyFilled ||= rows.slice(begin).some((one) => one !== 'skipped');
		if (!isAnyFilled) for (const { item } of all) rows[item] = failure();
		for (const { item, expected } of run.twins()) rows[item] = expected;
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

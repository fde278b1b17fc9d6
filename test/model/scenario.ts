/** Accounts whose links and campaigns are alike, services of every kind, and what people do with them: drawn at random. */
import fc, { type Arbitrary } from 'fast-check';

import type { Way } from '../engine/account';
import type { Behaviour, Dialect, Fault, StoredLink } from '../sandbox';

export const GO = 'https://go.example.com';
/** Of another service, as it stands in sheets that come from there. */
export const OTHER = 'https://other.example.net';

/** A row of a sheet, as its writer means it. A column that is missing is not there; the empty text is an empty cell. */
export interface SheetRow {
	/** A short URL: on the service's own domain where the domain is empty. */
	short?: { domain: '' | typeof GO | typeof OTHER; alias: string };
	alias?: string;
	domain?: string;
	url?: string;
	title?: string;
	description?: string;
	expiry?: string;
	campaign?: string;
	/** Where visitors from Germany are sent. */
	germany?: string;
	/** Asks for deep links, which need device targets: no row has any. */
	deep?: boolean;
	/** How it is typed; plainly where it is left out. */
	hand?: Hand;
}

/** How somebody types a row. It means the same, unless a cell is broken, or two columns of one field differ. */
export interface Hand {
	/** Stands around each cell. */
	around: string;
	/** Which of the titles that a column may have. */
	title: number;
	/** In which form a date is written. */
	date: number;
	/** A second column of one of its fields, with the same value or another. */
	twice?: 'same' | 'other';
	/** A cell holds a spreadsheet's error. */
	isBroken?: true;
}

/** The rules of Create or Update that a user sets. */
export interface Settings {
	matchOn: 'alias' | 'url';
	updateWhen: 'changed' | 'never';
	emptyCells: 'keep' | 'clear';
}

/** What somebody runs: a sheet, a creation of each row, or an operation on links that are named one by one. */
export type Turn =
	| { kind: 'sheet'; rows: SheetRow[]; way: Way; isStopping: boolean; settings: Settings }
	| { kind: 'create'; rows: SheetRow[]; way: Way; ifAliasExists: 'fail' | 'returnExisting' | 'another' }
	| { kind: LinkOperation; named: Naming; way: Way }
	/** Others exchange two links between two rounds of a loop: each has the other's names then. */
	| { kind: 'execution'; by: 'shortUrl' | 'alias' | 'longUrl'; does: 'update' | 'delete' };

export type LinkOperation = 'get' | 'totals' | 'update' | 'delete' | 'assignLink';

/** How the links of an operation are named; an ID by the place of its link in the account. */
export type Naming =
	{ by: 'shortUrl' | 'alias'; pasted: Pasted[] } | { by: 'id'; places: number[] } | { by: 'longUrl'; urls: string[] };

/** A short URL as people paste it: the path below a domain (the service's own where empty), with this scheme; or the path alone. */
export interface Pasted {
	domain?: '' | typeof GO;
	path: string;
	scheme: 'http://' | 'https://' | '';
}

/** What others do after a page of the list of links was shown. */
export interface Meddling {
	afterPage: number;
	does: 'creates' | 'renames' | 'deletes';
	link: Partial<StoredLink>;
}

export interface Scenario {
	dialect: Dialect;
	deviations: Partial<Behaviour>;
	links: Array<Partial<StoredLink> & { alias: string; domain: string }>;
	/** Newer links whose aliases contain those of the others. */
	padding: number;
	faults: Fault[];
	/** Each run knows nothing of those before, as after a restart of n8n. */
	isRestarted: boolean;
	meddling?: Meddling;
	turns: Turn[];
}

const SHOP = 'https://shop.example.com';
/** Where a service has it so, it is of another user. */
export const THEIRS = 'theirs';
export const URLS = ['/?next=/', '/?next=', '/#/', '/#', '/a', '/A', '/?to=https://shop', '/?to=https://shop/'].map(
	(path) => SHOP + path,
);
export const ALIASES = ['one', 'One', 'poster', 'r1', 'launch', 'qr-a', THEIRS];
const PATHS = [...ALIASES, 'qr/poster', 'r/launch', 'u/one', 'one/poster', 'nowhere'];
export const CAMPAIGNS = [
	{ id: 3, name: 'Spring' },
	{ id: 5, name: 'spring' },
	{ id: 7, name: '2024' },
	{ id: 2024, name: 'Autumn' },
];
const NAMES = ['Spring', 'spring', 'SPRING', '2024', '5', 'autumn', 'Nobody'];
const TITLES = ['First', 'Second'];
/** Ends of days that no order of day and month confuses. */
const PASSED = '2020-05-21 23:59:59';
const TO_COME = '2035-05-21 23:59:59';
const GERMANY = 'https://example.com/de';

/** A value in so many cases of ten. */
const maybe = <T>(ofTen: number, value: Arbitrary<T>): Arbitrary<T | undefined> =>
	fc.oneof({ weight: 10 - ofTen, arbitrary: fc.constant(undefined) }, { weight: ofTen, arbitrary: value });

/** Most links lead where everybody expects them to: what is asked for is often there. */
const addressFor = (alias: string): Arbitrary<string> =>
	fc.oneof({ weight: 3, arbitrary: fc.constant(URLS[ALIASES.indexOf(alias)]) }, fc.constantFrom(...URLS));

const aliasAndUrl = fc.constantFrom(...ALIASES).chain((alias) => fc.tuple(fc.constant(alias), addressFor(alias)));

const link = fc
	.record({
		pair: aliasAndUrl,
		domain: fc.constantFrom('', '', GO),
		title: fc.constantFrom(...TITLES),
		description: fc.constantFrom('', 'Note'),
		expiry: fc.constantFrom(null, null, TO_COME, PASSED),
		location: fc.constantFrom<Array<StoredLink['location']>>(
			{},
			{ germany: GERMANY },
			{ 'united states': { california: 'https://example.com/ca', texas: 'https://example.com/tx' } },
		),
	})
	.map(({ pair: [alias, longurl], ...more }) => ({ alias, longurl, ...more }));

/** Columns that are not there are left out. */
function filled<T extends object>(row: T): T {
	return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as T;
}

/** What a row may say besides what it is matched by. */
const more = {
	title: maybe(3, fc.constantFrom(...TITLES)),
	description: maybe(2, fc.constantFrom('', '', 'Note', 'Other')),
	expiry: maybe(2, fc.constantFrom('', TO_COME, PASSED)),
};

const hand = maybe(
	4,
	fc
		.record({
			around: fc.constantFrom('', ' ', '\u00a0', '\u200b', '\ufeff', '\t\n'),
			title: fc.nat(3),
			date: fc.nat(5),
			twice: maybe(2, fc.constantFrom('same' as const, 'other' as const)),
			isBroken: maybe(1, fc.constant(true as const)),
		})
		.map(filled),
);

const byAlias: Arbitrary<SheetRow> = fc
	.record({
		pair: aliasAndUrl,
		isWithoutUrl: maybe(2, fc.constant(true)),
		domain: maybe(2, fc.constantFrom(GO)),
		...more,
		hand,
	})
	.map(({ pair: [alias, url], isWithoutUrl, ...rest }) =>
		filled({ alias, ...(isWithoutUrl === true ? {} : { url }), ...rest }),
	);

const byUrl: Arbitrary<SheetRow> = fc
	.record({ url: fc.constantFrom(...URLS.slice(0, 4)), title: maybe(2, fc.constantFrom(...TITLES)), hand })
	.map(filled);

const byShort: Arbitrary<SheetRow> = fc
	.record({
		short: fc.record({
			domain: fc.constantFrom('' as const, '' as const, GO as typeof GO, OTHER as typeof OTHER),
			alias: fc.constantFrom(...ALIASES),
		}),
		alias: maybe(5, fc.constantFrom(...ALIASES)),
		url: maybe(5, fc.constantFrom(...URLS)),
		domain: maybe(1, fc.constantFrom(GO)),
		...more,
		hand,
	})
	.map(filled);

const blank: Arbitrary<SheetRow> = fc.record({ hand }).map(filled);

const targeted: Arbitrary<SheetRow> = fc
	.record({ alias: fc.constantFrom(...ALIASES), url: fc.constantFrom(...URLS), germany: fc.constantFrom('', GERMANY) })
	.map(filled);

const named: Arbitrary<SheetRow> = fc
	.record({
		alias: fc.constantFrom(...ALIASES),
		url: fc.constantFrom(...URLS),
		campaign: fc.constantFrom(...NAMES),
		deep: maybe(1, fc.constant(true)),
		hand,
	})
	.map(filled);

/** From ten rows on, lists are read for what a look-up each would find. */
const few = <T>(one: Arbitrary<T>): Arbitrary<T[]> =>
	fc.oneof(
		{ weight: 6, arbitrary: fc.array(one, { minLength: 1, maxLength: 5 }) },
		fc.array(one, { minLength: 10, maxLength: 12 }),
	);
const orBlank = (row: Arbitrary<SheetRow>) => few(fc.oneof({ weight: 7, arbitrary: row }, blank));
const sheet = fc.oneof(
	{ weight: 4, arbitrary: orBlank(byAlias) },
	{ weight: 2, arbitrary: orBlank(byUrl) },
	{ weight: 4, arbitrary: orBlank(fc.oneof(byShort, byShort, byAlias, byUrl)) },
	few(targeted),
	orBlank(named),
);
const settings: Arbitrary<Settings> = fc.record({
	matchOn: fc.constantFrom('alias' as const, 'alias' as const, 'url' as const),
	updateWhen: fc.constantFrom('changed' as const, 'changed' as const, 'never' as const),
	emptyCells: fc.constantFrom('keep' as const, 'clear' as const),
});
const way = fc.constantFrom<Way[]>('at once', 'at once', 'in batches', 'in a loop', 'in three tries');

const pasted: Arbitrary<Pasted> = fc.record({
	domain: fc.constantFrom('' as const, '' as const, GO as typeof GO),
	path: fc.constantFrom(...PATHS),
	scheme: fc.constantFrom<Array<Pasted['scheme']>>('http://', 'https://', ''),
});

const aliasAsEntered: Arbitrary<Pasted> = fc.oneof(
	fc.record({ path: fc.constantFrom(...ALIASES), scheme: fc.constant('' as const) }),
	pasted.map((one) => ({ ...one, scheme: '' as const })),
);

const naming: Arbitrary<Naming> = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({ by: fc.constant('shortUrl' as const), pasted: few(pasted) }),
	},
	{
		weight: 2,
		arbitrary: fc.record({ by: fc.constant('alias' as const), pasted: few(aliasAsEntered) }),
	},
	fc.record({ by: fc.constant('id' as const), places: few(fc.nat(8)) }),
	fc.record({ by: fc.constant('longUrl' as const), urls: few(fc.constantFrom(...URLS)) }),
);

const turn: Arbitrary<Turn> = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constant('sheet' as const),
			rows: sheet,
			way,
			isStopping: fc.boolean(),
			settings,
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('create' as const),
			rows: few(
				fc.oneof(
					byAlias.filter(({ url }) => url !== undefined),
					byUrl,
				),
			),
			way,
			ifAliasExists: fc.constantFrom('fail' as const, 'returnExisting' as const, 'another' as const),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constantFrom<LinkOperation[]>('get', 'totals', 'update', 'delete', 'assignLink'),
			named: naming,
			way,
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({
			kind: fc.constant('execution' as const),
			by: fc.constantFrom('shortUrl' as const, 'alias' as const, 'longUrl' as const),
			does: fc.constantFrom('update' as const, 'delete' as const),
		}),
	},
);

/** In what services differ, as far as it touches which link is meant. */
const deviation: Arbitrary<Partial<Behaviour>> = fc.constantFrom<Array<Partial<Behaviour>>>(
	{ knownLongUrl: 'returned' },
	{ aliasDropped: true },
	{ domainDropped: true },
	{ aliasOfOthers: true },
	{ aliasLowered: true },
	{ targetsDropped: true },
	{ linkUpdate: 'resets' },
	{ linkUpdate: 'keeps', emptyValue: 'ignored' },
	{ linkUpdate: 'resets', emptyValue: 'ignored' },
	{ createReply: 'shorturl' },
	{ createReply: 'shorturl' },
	{ shortMiss: 'wholeList' },
	{ shortMiss: 'emptyList' },
	{ shortLinksElsewhere: true },
	{ statesInLocation: true },
	{ pageCap: 10 },
);

const POST = { method: 'POST', path: '^/api/url/add' };
const READ = { method: 'GET', path: '^/api/url' };

/** What befalls requests; each is gone again before the sheet is run once more. */
const faults: Arbitrary<Fault[]> = fc.constantFrom<Fault[][]>(
	[{ kind: 'dropAfter', match: POST }],
	[{ kind: 'dropAfter', match: POST, times: 1 }],
	[{ kind: 'status', status: 502, body: 'html', match: POST, times: 1 }],
	[{ kind: 'dropAfter', match: { method: 'PUT' }, times: 1 }],
	[{ kind: 'status', status: 500, body: 'envelope', match: READ, after: 1 }],
	[{ kind: 'status', status: 502, body: 'html', match: { method: 'DELETE' }, times: 1 }],
	[
		{ kind: 'status', status: 502, body: 'html', match: { method: 'DELETE' } },
		{ kind: 'status', status: 503, body: 'envelope', match: { method: 'GET', path: '^/api/url/' } },
	],
);

const meddling: Arbitrary<Meddling> = fc
	.record({
		afterPage: fc.constantFrom(1, 1, 2),
		does: fc.constantFrom('creates' as const, 'renames' as const, 'deletes' as const),
		pair: aliasAndUrl,
		domain: fc.constantFrom('', GO),
	})
	.map(({ pair: [alias, longurl], domain, ...more }) => ({
		...more,
		link: { alias, longurl, domain, title: 'Theirs' },
	}));

export const scenario: Arbitrary<Scenario> = fc.record({
	dialect: fc.constantFrom<Dialect[]>('document', 'field'),
	deviations: fc
		.array(deviation, { maxLength: 2 })
		.map((some) => Object.assign({ knownLongUrl: 'new', pageCap: 3 }, ...some) as Partial<Behaviour>),
	links: fc.uniqueArray(link, { maxLength: 8, selector: ({ alias, domain }) => `${domain}/${alias}` }),
	padding: fc.constantFrom(0, 9),
	faults: fc.oneof({ weight: 4, arbitrary: fc.constant<Fault[]>([]) }, faults),
	meddling: maybe(2, meddling),
	isRestarted: fc.boolean(),
	turns: fc.array(turn, { minLength: 1, maxLength: 2 }),
});

/** Accounts whose links and campaigns are alike, services of every kind, and what people do with them: drawn at random. */
import fc, { type Arbitrary } from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Way } from '../engine/account';
import type { Behaviour, Dialect, Fault, StoredLink } from '../sandbox';

export const GO = 'https://go.example.com';

/** A row of a sheet; what is missing is an empty cell. */
export interface SheetRow extends IDataObject {
	alias?: string;
	domain?: string;
	url?: string;
	title?: string;
	expiry?: string;
	campaign?: string;
	/** Asks for deep links, which need device targets: no row has any. */
	deep?: boolean;
}

/** What somebody runs: a sheet, a creation of each row, or an operation on links that are named one by one. */
export type Turn =
	| { kind: 'sheet'; rows: SheetRow[]; way: Way; isStopping: boolean; updateWhen: 'changed' | 'never' }
	| { kind: 'create'; rows: SheetRow[]; way: Way; returns: 'none' | 'alias' | 'url' }
	| { kind: LinkOperation; named: Naming; way: Way }
	/** In one execution: the sheet; a link of it is changed, or renamed and then deleted under its old name; the sheet again. */
	| { kind: 'execution'; rows: SheetRow[]; which: number; does: 'changed' | 'renamed' };

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
	meddling?: Meddling;
	turns: Turn[];
}

const SHOP = 'https://shop.example.com';
export const URLS = ['/?next=/', '/?next=', '/#/', '/#', '/a', '/A', '/?to=https://shop', '/?to=https://shop/'].map(
	(path) => SHOP + path,
);
export const ALIASES = ['one', 'One', 'poster', 'r1', 'launch', 'qr-a'];
const PATHS = [...ALIASES, 'qr/poster', 'r/launch', 'u/one', 'one/poster', 'nowhere'];
export const CAMPAIGNS = [
	{ id: 3, name: 'Spring' },
	{ id: 5, name: 'spring' },
	{ id: 7, name: '2024' },
	{ id: 2024, name: 'Autumn' },
];
const NAMES = ['Spring', 'spring', 'SPRING', '2024', 'autumn', 'Nobody'];
const TITLES = ['First', 'Second'];
export const PASSED = '2020-05-01 00:00:00';
const TO_COME = '2035-05-01 00:00:00';

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
		expiry: fc.constantFrom(null, null, TO_COME, PASSED),
		location: fc.constantFrom<Array<StoredLink['location']>>(
			{},
			{ germany: 'https://example.com/de' },
			{ 'united states': { california: 'https://example.com/ca', texas: 'https://example.com/tx' } },
		),
	})
	.map(({ pair: [alias, longurl], ...more }) => ({ alias, longurl, ...more }));

/** Cells that are empty are left out. */
function filled<T extends object>(row: T): T {
	return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as T;
}

const byAlias: Arbitrary<SheetRow> = fc
	.record({
		pair: aliasAndUrl,
		isWithoutUrl: maybe(2, fc.constant(true)),
		domain: maybe(2, fc.constantFrom(GO)),
		title: maybe(3, fc.constantFrom(...TITLES)),
		expiry: maybe(2, fc.constantFrom(TO_COME, PASSED)),
	})
	.map(({ pair: [alias, url], isWithoutUrl, ...more }) =>
		filled({ alias, ...(isWithoutUrl === true ? {} : { url }), ...more }),
	);

const byUrl: Arbitrary<SheetRow> = fc
	.record({ url: fc.constantFrom(...URLS.slice(0, 4)), title: maybe(2, fc.constantFrom(...TITLES)) })
	.map(filled);

const named: Arbitrary<SheetRow> = fc
	.record({
		alias: fc.constantFrom(...ALIASES),
		url: fc.constantFrom(...URLS),
		campaign: fc.constantFrom(...NAMES),
		deep: maybe(1, fc.constant(true)),
	})
	.map(filled);

const few = <T>(one: Arbitrary<T>): Arbitrary<T[]> => fc.array(one, { minLength: 1, maxLength: 5 });
const sheet = fc.oneof({ weight: 4, arbitrary: few(byAlias) }, { weight: 2, arbitrary: few(byUrl) }, few(named));
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

const upToFour = { minLength: 1, maxLength: 4 };
const different = { ...upToFour, selector: ({ domain, path }: Pasted) => `${domain}/${path}` };
const naming: Arbitrary<Naming> = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({ by: fc.constant('shortUrl' as const), pasted: fc.uniqueArray(pasted, different) }),
	},
	{
		weight: 2,
		arbitrary: fc.record({ by: fc.constant('alias' as const), pasted: fc.uniqueArray(aliasAsEntered, different) }),
	},
	fc.record({ by: fc.constant('id' as const), places: fc.uniqueArray(fc.nat(8), upToFour) }),
	fc.record({ by: fc.constant('longUrl' as const), urls: fc.uniqueArray(fc.constantFrom(...URLS), upToFour) }),
);

const turn: Arbitrary<Turn> = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constant('sheet' as const),
			rows: sheet,
			way,
			isStopping: fc.boolean(),
			updateWhen: fc.constantFrom('changed' as const, 'changed' as const, 'never' as const),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('create' as const),
			rows: few(
				fc.oneof(
					byAlias.filter(({ url, deep }) => url !== undefined && !deep),
					byUrl,
				),
			),
			way,
			returns: fc.constantFrom('none' as const, 'alias' as const, 'url' as const),
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
			rows: fc
				.uniqueArray(fc.tuple(fc.constantFrom(...ALIASES), fc.constantFrom(...URLS)), {
					minLength: 1,
					maxLength: 6,
					selector: ([alias]) => alias,
				})
				.map((pairs) => pairs.map(([alias, url]) => ({ alias, url }))),
			which: fc.nat(5),
			does: fc.constantFrom('changed' as const, 'renamed' as const),
		}),
	},
);

/** In what services differ, as far as it touches which link is meant. */
const deviation: Arbitrary<Partial<Behaviour>> = fc.constantFrom<Array<Partial<Behaviour>>>(
	{ knownLongUrl: 'returned' },
	{ aliasDropped: true },
	{ domainDropped: true },
	{ targetsDropped: true },
	{ linkUpdate: 'resets' },
	{ linkUpdate: 'resets' },
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
	turns: fc.array(turn, { minLength: 1, maxLength: 2 }),
});

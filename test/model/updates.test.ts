/**
 * An update loses nothing that the service shows, or that this run has set: at services that show more or less of a link, and reset or
 * keep what an update leaves out; however links are named, and however many rows there are. SEED sets what is drawn, UPDATES_RUNS how
 * much.
 */
import fc, { type Arbitrary } from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { openAccount, upsertOf, type Way } from '../engine/account';
import { by } from '../engine/host';
import { DIALECTS, type Behavior, type Dialect, type LinkWithAddress, type StoredLink } from '../sandbox';
import { behaviorOf } from '../sandbox/dialect';
import { choice } from './choice';
import { testNoComplaints } from './complaints';

const RUNS = Number(process.env.UPDATES_RUNS ?? 60);

const CAMPAIGNS = [
	{ id: 3, name: 'Spring' },
	{ id: 5, name: 'Autumn' },
];
const CHANNELS = [
	{ id: 9, name: 'News' },
	{ id: 11, name: 'Press' },
];

/** What a row may say of its link, and what the link is to have then; texts as the service keeps them. */
const SAYINGS: Record<string, (at: number) => { says: string | number; has: string | number }> = {
	title: (at) => ({ says: `Cats & dogs ${at}`, has: `Cats & dogs ${at}` }),
	description: (at) => ({ says: `Note ${at}`, has: `Note ${at}` }),
	expiry: () => ({ says: '2036-01-02 03:04:05', has: '2036-01-02 03:04:05' }),
	campaign: () => ({ says: 'Autumn', has: 5 }),
	channel: () => ({ says: 'Press', has: 11 }),
	status: () => ({ says: 'private', has: 'private' }),
	password: (at) => ({ says: `hush-${at}`, has: `hush-${at}` }),
	metadescription: (at) => ({ says: `Preview ${at}`, has: `Preview ${at}` }),
	metaimage: () => ({ says: 'https://example.com/other.png', has: 'https://example.com/other.png' }),
	type: () => ({ says: 'direct', has: 'direct' }),
};
const SAID = Object.keys(SAYINGS);

const BY_UPDATE = ['id', 'shortUrl', 'alias', 'longUrl'] as const;
const BY_SHEET = ['alias', 'short', 'url'] as const;

interface Drawn {
	dialect: Dialect;
	deviations: Partial<Behavior>;
	count: number;
	/** The fields of each row, and which link it names. */
	rows: Array<{ link: number; says: string[] }>;
	operation: 'update' | 'upsert';
	/** Chooses how a row names its link. */
	naming: number;
	way: Way;
}

const deviations = fc
	.tuple(
		choice('linkUpdate', 'resets', 'resets', 'keeps'),
		choice('moreFields', true, true, false),
		choice('longUrlKept', 'asSent', 'escaped', 'plus'),
		choice('shortHit', 'details', 'details', 'list', 'wholeList'),
		choice('shortMiss', 'error', 'emptyList', 'wholeList'),
		choice('searchIgnored', false, false, true),
		choice('shortLinksElsewhere', false, true),
		choice('linkUpdateReply', 'shorturl', 'short'),
		choice('orders', 'both', 'none'),
		choice('recordsAs', 'array', 'object'),
		choice('pageCap', 7, 25, 100),
	)
	.map((some) => Object.assign({ knownLongUrl: 'new' }, ...some) as Partial<Behavior>);

/** Rows of a link say different things. */
const rowsOf = (count: number): Arbitrary<Drawn['rows']> =>
	fc
		.array(
			fc.record({
				link: fc.nat(count - 1),
				says: fc.uniqueArray(fc.constantFrom(...SAID), { minLength: 1, maxLength: 3 }),
			}),
			{ minLength: 1, maxLength: Math.min(200, Math.max(4, 2 * count)) },
		)
		.map((rows) => {
			const said = new Set<string>();
			return rows.flatMap(({ link, says }) => {
				const left = says.filter((name) => !said.has(`${link} ${name}`));
				for (const name of left) said.add(`${link} ${name}`);
				return left.length === 0 ? [] : [{ link, says: left }];
			});
		});

const drawn: Arbitrary<Drawn> = fc
	.oneof(
		{ weight: 5, arbitrary: fc.integer({ min: 1, max: 4 }) },
		{ weight: 4, arbitrary: fc.integer({ min: 8, max: 15 }) },
		fc.integer({ min: 90, max: 130 }),
	)
	.chain((count) =>
		fc.record({
			dialect: fc.constantFrom(...DIALECTS),
			deviations,
			count: fc.constant(count),
			rows: rowsOf(count),
			operation: fc.constantFrom('update' as const, 'upsert' as const),
			naming: fc.nat(11),
			way: fc.constantFrom<Way[]>('at once', 'at once', ...(count > 20 ? [] : (['in a loop'] as const))),
		}),
	);

const account = openAccount();

/** The texts of links, as the service keeps them. */
function kept(name: string, value: unknown, { longUrlKept }: Behavior): unknown {
	if (typeof value !== 'string') return value;
	if (name !== 'longurl') return value;
	if (longUrlKept === 'escaped') return value.replaceAll('&', '&amp;');
	return longUrlKept === 'plus' ? value.replaceAll('%20', '+') : value;
}

const linkAt = (at: number, behavior: Behavior): Partial<StoredLink> & { alias: string } => ({
	id: 1_000 + at,
	alias: `row-${at}`,
	longurl: kept('longurl', `https://example.com/${at}?a=1&b=two%20words`, behavior) as string,
	title: kept('title', `Tom & "Jerry" <${at}>`, behavior) as string,
	description: kept('description', `A & B ${at}`, behavior) as string,
	expiry: '2035-05-21 23:59:59',
	location: { germany: 'https://example.com/de?x=1&y=2' },
	device: { iphone: 'https://example.com/ios' },
	campaign: 3,
	status: 'public',
	unseen: {
		type: 'frame',
		metadescription: 'What it is about',
		metaimage: 'https://example.com/image.png',
		password: 'secret',
		pixels: [1, 2],
		parameters: [{ name: 'ref', value: 'poster' }],
		deeplink: { auto: true },
		languagetarget: [{ language: 'fr', link: 'https://example.com/fr' }],
	},
});

/** What of a link the service shows, in any of its answers. */
function shownAt({ moreFields }: Behavior): Set<string> {
	return new Set([
		...['alias', 'longurl', 'title', 'description', 'expiry', 'location', 'device'],
		...(moreFields ? ['campaign', 'channel'] : []),
	]);
}

/** Everything of a link, flat. */
function flat(link: LinkWithAddress, channels: Array<{ id: number; items: unknown[] }>): Record<string, unknown> {
	const { unseen, ...more } = link;
	const isIn = (items: unknown[]) => (items as Array<{ id: number }>).some(({ id }) => id === link.id);
	return { ...more, ...unseen, channel: channels.find(({ items }) => isIn(items))?.id ?? null };
}

async function look(): Promise<Map<string, Record<string, unknown>>> {
	const channels = await account.sandbox.records('channels');
	return new Map((await account.sandbox.links()).map((link) => [link.alias, flat(link, channels)]));
}

const inItem = (name: string) => `={{ $json.${name} }}`;

/** How an update names its link. The long URL of a service that escapes it is another one: what is entered is read as it is meant. */
function wayOf(naming: number, { longUrlKept }: Partial<Behavior>): (typeof BY_UPDATE)[number] {
	const way = BY_UPDATE[naming % BY_UPDATE.length];
	return way === 'longUrl' && longUrlKept === 'escaped' ? 'id' : way;
}

function parametersOf({ operation, naming, deviations }: Drawn): IDataObject {
	if (operation === 'upsert') return upsertOf({ updateWhen: 'changed' });
	const named = { campaign: 1, channel: 1 } as Record<string, unknown>;
	const linkFields = Object.fromEntries(
		SAID.map((name) => [
			name === 'title' ? 'metatitle' : name,
			name in named ? by('name', inItem(name)) : name === 'type' ? by('id', inItem(name)) : inItem(name),
		]),
	);
	return { resource: 'link', operation, linkId: by(wayOf(naming, deviations), inItem('link')), linkFields };
}

function rowsFor(
	{ operation, naming, rows: said }: Drawn,
	links: Map<string, Record<string, unknown>>,
	behavior: Behavior,
): IDataObject[] {
	const sheet = said.map(({ link: at, says }, place) => {
		const { id, shorturl, longurl, alias } = links.get(`row-${at}`)! as Record<string, string>;
		const named = (titles: Record<string, string>) =>
			Object.fromEntries(says.map((name) => [titles[name] ?? name, SAYINGS[name](at).says]));
		if (operation === 'update') {
			const way = wayOf(naming, behavior);
			return { link: { id, shortUrl: shorturl, alias, longUrl: longurl }[way], ...named({}) };
		}
		const cells = named({ status: 'Link Visibility', type: 'Redirection Type' });
		const way = BY_SHEET[(naming + (naming > 5 ? place : 0)) % BY_SHEET.length];
		// By a long URL that is kept in another spelling nobody finds the link.
		const isSpelled = behavior.longUrlKept !== 'asSent';
		return way === 'short'
			? { shorturl, ...cells }
			: way === 'url' && !isSpelled
				? { url: longurl, ...cells }
				: { alias, ...cells };
	});
	// With a column for aliases it is a sheet of links.
	return operation === 'update' ? sheet : sheet.map((row) => ({ alias: '', ...row }));
}

/** @returns what is wrong, in the words of a user who looks at the account */
async function complaintsOf(one: Drawn): Promise<string[]> {
	const behavior = { ...behaviorOf(one.dialect), shortLinksElsewhere: false, ...one.deviations };
	const links = Array.from({ length: one.count }, (_, at) => linkAt(at, behavior));
	await account.has(one.dialect, { links, campaigns: CAMPAIGNS, deviations: behavior });
	const items = links.map(({ id }) => ({ type: 'links' as const, id: id! }));
	const [news, press] = CHANNELS;
	await account.sandbox.createRecords({ channels: [{ ...news, items }, press] });
	const before = await look();
	const rows = rowsFor(one, before, behavior);
	const work = await account.work(parametersOf(one), rows, one.way);
	if (work.error !== undefined) return [`the run ended with: ${work.error.message}`];
	const complaints: string[] = [];
	const after = await look();
	const shown = shownAt(behavior);
	const skip = new Set(['clicks', 'uniqueClicks', 'id', 'shorturl', 'domain', 'date']);
	for (const [alias, was] of before) {
		const is = after.get(alias);
		const said = new Map(
			one.rows
				.filter(({ link }) => `row-${link}` === alias)
				.flatMap(({ link, says }) => says.map((name) => [name, SAYINGS[name](link).has] as const)),
		);
		for (const name of Object.keys(was).filter((each) => !skip.has(each))) {
			const isChanged = said.has(name);
			// Rounds of a loop are runs of their own.
			const mayBeLost = !isChanged || one.way === 'in a loop';
			const isLoss = mayBeLost && !shown.has(name) && behavior.linkUpdate === 'resets' && said.size > 0;
			const wanted = isChanged ? kept(name, said.get(name), behavior) : was[name];
			if (!isLoss && JSON.stringify(is?.[name]) !== JSON.stringify(wanted))
				complaints.push(`${name} of ${alias} is ${JSON.stringify(is?.[name])}, and not ${JSON.stringify(wanted)}`);
		}
	}
	return complaints;
}

testNoComplaints('an update loses nothing that the service shows or this run has set', drawn, complaintsOf, RUNS);

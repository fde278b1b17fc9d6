/**
 * Sheets of up to 1,200 rows, night after night, at services that drop what they are asked for: whatever n8n still knows of the nights
 * before, no row has more than one link, but for one a night where an alias, a domain or the long URL does not come as asked. SEED sets which are drawn,
 * NIGHTS_RUNS how many.
 */
import fc, { type Arbitrary } from 'fast-check';

import { isFailed } from '../failed';
import { CONTINUE, openAccount, upsertOf, type Way } from '../engine/account';
import { DIALECTS, type Behavior, type Dialect } from '../sandbox';
import { choice } from './choice';
import { testNoComplaints } from './complaints';

const RUNS = Number(process.env.NIGHTS_RUNS ?? 8);

/** All that the sheets lead to stands here. */
const SHOP = 'https://shop.example.com/';
const GO = 'https://go.example.com';

interface Row {
	alias?: string;
	domain?: string;
	url: string;
}

/** What happens before a night. */
interface Between {
	/** n8n starts anew, or another worker does the next night. */
	isRestarted: boolean;
	/** Places of links that somebody deletes. */
	deleted: number[];
	/** The plan includes from now on what it did not. */
	isUpgraded: boolean;
}

interface Nights {
	dialect: Dialect;
	deviations: Partial<Behavior>;
	updateWhen: 'changed' | 'never';
	way: Way;
	rows: Row[];
	/** Links that are there before. */
	others: number;
	between: Between[];
}

/** So many rows have one long URL at most. */
const SAME = 3;

/** Addresses of which services keep some in another form. */
const FORMS = [
	(n: number) => `${n}`,
	(n: number) => `${n}/`,
	(n: number) => `?next=%2F${n}`,
	(n: number) => `${n}#part`,
];

/** What is left of an address in whatever form it is kept. */
const bare = (url: string) => decodeURIComponent(url.split('#', 1)[0].replace(/[?&]tag=own-21/, '')).replace(/\/$/, '');

const aliasOf = (at: number) => (at % 2 === 0 ? `row-${at}` : `Row-${at}`);

const rowsOf = (count: number, everyPlain: number, everyDomain: number, everyTheirs: number): Row[] =>
	Array.from({ length: count }, (_, at) => ({
		...(at % everyPlain === 1 ? {} : { alias: at % everyTheirs === 2 ? `theirs-${at}` : aliasOf(at) }),
		...(at % everyDomain === 3 ? { domain: GO } : {}),
		url: SHOP + FORMS[Math.floor(at / SAME) % FORMS.length](at - (at % SAME)),
	}));

const rows = fc
	.tuple(
		fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 13, max: 150 }), fc.integer({ min: 501, max: 1_200 })),
		fc.integer({ min: 2, max: 9 }),
		fc.integer({ min: 4, max: 9 }),
		fc.integer({ min: 3, max: 40 }),
	)
	.map((drawn) => rowsOf(...drawn));

const sometimes = <T>(value: T): Arbitrary<Partial<T>> => fc.constantFrom<Array<Partial<T>>>({}, value);

const deviations: Arbitrary<Partial<Behavior>> = fc
	.tuple(
		sometimes<Partial<Behavior>>({ aliasDropped: true }),
		choice('aliasDroppedAt', 'anywhere', 'ownHost', 'domains'),
		sometimes<Partial<Behavior>>({ domainDropped: true }),
		fc.constantFrom<Array<Partial<Behavior>>>(
			{},
			{ aliasKept: 'lowered' },
			{ aliasKept: 'stripped' },
			{ createReply: 'shorturl' },
		),
		fc.constantFrom<Array<Partial<Behavior>>>({}, { shortMiss: 'wholeList' }, { shortLinksElsewhere: true }),
		fc.constantFrom<Array<Partial<Behavior>>>({ aliasUnique: 'domain' }, { aliasUnique: 'account' }),
		choice('longUrlKept', 'asSent', 'asSent', 'normalized', 'encoded', 'escaped', 'slashCut', 'fragmentCut', 'tagged'),
	)
	.map(
		(some) => Object.assign({ knownLongUrl: 'new', pageCap: 100, aliasOfOthers: true }, ...some) as Partial<Behavior>,
	);

const between: Arbitrary<Between> = fc.record({
	isRestarted: fc.boolean(),
	deleted: fc.array(fc.nat(1_000), { maxLength: 3 }),
	isUpgraded: fc.nat(5).map((one) => one === 0),
});

const nights: Arbitrary<Nights> = fc.record({
	dialect: fc.constantFrom(...DIALECTS),
	deviations,
	updateWhen: fc.constantFrom('changed' as const, 'never' as const),
	way: fc.constantFrom<Way[]>('at once', 'at once', 'in a loop', 'in three tries'),
	rows,
	others: fc.constantFrom(0, 30, 250),
	between: fc.array(between, { minLength: 1, maxLength: 3 }),
});

const account = openAccount();

/** @returns what is wrong, in the words of a user who looks at the account */
async function complaintsOf(drawn: Nights): Promise<string[]> {
	const { sandbox } = account;
	await account.has(drawn.dialect, { others: drawn.others, domains: [GO], deviations: drawn.deviations });
	// Rounds of a loop are slow.
	const sheet = drawn.way === 'in a loop' ? drawn.rows.slice(0, 40) : drawn.rows;
	if (sheet.length === 0) return [];
	const complaints: string[] = [];
	const own = async () => (await sandbox.links()).filter(({ longurl }) => longurl.startsWith(SHOP));
	let { aliasDropped = false, domainDropped = false } = drawn.deviations;
	// Rows without an alias have one link for each long URL on each domain.
	const wanted = new Map(sheet.map(({ alias, url, domain = '' }) => [alias ?? `${domain} ${bare(url)}`, bare(url)]));
	let allowed = 0;
	for (const [night, before] of [undefined, ...drawn.between].entries()) {
		if (before !== undefined) {
			if (before.isRestarted) account.restart();
			if (before.isUpgraded && (aliasDropped || domainDropped)) {
				[aliasDropped, domainDropped] = [false, false];
				await sandbox.configure({ deviations: { ...drawn.deviations, aliasDropped, domainDropped } });
				// Each row may have a link of another name, and gets its own.
				allowed += wanted.size;
			}
			const there = await own();
			const gone = new Set(
				before.deleted.flatMap((place) => (there.length === 0 ? [] : [there[place % there.length].id])),
			);
			await sandbox.deleteRecords({ links: [...gone] });
			// Where long URLs are changed, one on each domain.
			allowed += (aliasDropped ? 1 : 0) + (domainDropped ? 1 : 0) + (drawn.deviations.longUrlKept === 'tagged' ? 2 : 0);
		}
		await sandbox.clearRequests();
		const { updateWhen, way } = drawn;
		const work = await account.work(upsertOf({ updateWhen }), [...sheet] as never, way, CONTINUE);
		const now = await own();
		const more = new Map<string, number>();
		for (const { longurl } of now) more.set(bare(longurl), (more.get(bare(longurl)) ?? 0) + 1);
		for (const url of wanted.values()) more.set(url, (more.get(url) ?? 0) - 1);
		const doubled = [...more.values()].reduce((sum, count) => sum + Math.max(0, count), 0);
		if (doubled > allowed)
			complaints.push(`night ${night}: ${doubled} links more than rows where ${allowed} are allowed`);
		if (work.items.length !== sheet.length) complaints.push(`night ${night}: ${work.items.length} items`);
		const byId = new Map(now.map((link) => [link.id, link]));
		work.items.forEach(({ json }, at) => {
			if (isFailed(json) || json.id === undefined) return;
			const link = byId.get(Number(json.id));
			if (link === undefined || bare(link.longurl) !== bare(sheet[at].url))
				complaints.push(`night ${night}: row ${at} came out as a link that is not there`);
		});
	}
	return complaints;
}

testNoComplaints(
	'no row has more than one link, but for one a night where an alias, a domain or the long URL does not come as asked',
	nights,
	complaintsOf,
	RUNS,
);

/**
 * Order and size change nothing: the rows of a sheet in two orders, in one run and in a loop come to the same account, and
 * the next run changes nothing. Accounts have aliases with slashes, spaces and capitals; services keep long URLs and aliases in forms of
 * their own. SEED sets what is drawn, ORDER_RUNS how much.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { isSimilarAddress } from '../../nodes/LinkManagement/links/url';
import { actions, CONTINUE, openAccount, type Way } from '../engine/account';
import { DIALECTS, type Behavior, type Dialect } from '../sandbox';
import { behaviorOf } from '../sandbox/dialect';
import { choice } from './choice';
import { testNoComplaints } from './complaints';

const RUNS = Number(process.env.ORDER_RUNS ?? 25);

const SHOP = 'https://shop.example.com/';
const URLS = [
	...['?next=/a%26b=2', '?next=/a&b=2', 'a%23b', 'a#b', 'a%2Fb', 'a/b', 'a/b/', '?q=two%20words', '?a=1&b=2'],
	...['#/one', '#/two', '', 'p/1', 'p/2', 'p/3'],
].map((path) => SHOP + path);

/** Aliases of links that are there, which no service would give today, and of links that rows make. */
const OLD = ['spring', 'a/b', 'b', 'my link', 'Instagram', 'go/2024/sale', 'größe'];
const NEW = ['poster', 'Flyer', 'r1', 'qr-a', 'press', 'x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7'];

interface Row {
	by: 'alias' | 'url' | 'short';
	/** Its place among the aliases. */
	alias: number;
	url: number;
}

interface Drawn {
	dialect: Dialect;
	deviations: Partial<Behavior>;
	/** Which of the old aliases are there, and where each alias leads. */
	there: number[];
	leads: number[];
	rows: Row[];
	/** Another order of the rows. */
	order: number[];
	others: number;
	isTitled: boolean;
}

const deviations = fc
	.tuple(
		choice('longUrlKept', 'asSent', 'asSent', 'normalized', 'encoded', 'escaped', 'plus', 'slashCut', 'fragmentCut'),
		choice('aliasKept', 'asSent', 'asSent', 'asSent', 'lowered', 'stripped'),
		choice('linkUpdate', 'keeps', 'resets'),
		choice('shortHit', 'details', 'list', 'wholeList'),
		choice('shortMiss', 'error', 'emptyList', 'wholeList'),
		choice('searchIgnored', false, false, true),
		choice('moreFields', false, true),
		choice('createReply', 'full', 'full', 'shorturl'),
		choice('pageCap', 3, 10, 100),
	)
	.map((some) => Object.assign({ knownLongUrl: 'new' }, ...some) as Partial<Behavior>);

const row = fc.record({
	by: fc.constantFrom<Array<Row['by']>>('alias', 'alias', 'url', 'short'),
	alias: fc.nat(OLD.length + NEW.length - 1),
	url: fc.nat(URLS.length - 1),
});

const drawn = fc
	.oneof(fc.array(row, { minLength: 1, maxLength: 5 }), fc.array(row, { minLength: 11, maxLength: 20 }))
	.chain((rows) =>
		fc.record({
			dialect: fc.constantFrom(...DIALECTS),
			deviations,
			there: fc.uniqueArray(fc.nat(OLD.length - 1)),
			leads: fc.array(fc.nat(URLS.length - 1), {
				minLength: OLD.length + NEW.length,
				maxLength: OLD.length + NEW.length,
			}),
			rows: fc.constant(rows),
			order: fc.shuffledSubarray(
				rows.map((_, at) => at),
				{ minLength: rows.length, maxLength: rows.length },
			),
			others: fc.constantFrom(0, 30),
			isTitled: fc.boolean(),
		}),
	);

const account = openAccount();

const ALIASES = [...OLD, ...NEW];

/** What a row holds. No two rows contradict each other: an alias leads to one page, and a page has one title. */
function itemOf({ by, alias, url }: Row, { leads, there, isTitled }: Drawn, own: string): IDataObject {
	const titled = (at: number) => (isTitled ? { title: `Page ${at}` } : {});
	const isThere = there.includes(alias);
	// A new link needs an alias that can be given.
	if (by === 'url' || (alias < OLD.length && !isThere)) return { url: URLS[url], ...titled(url) };
	const leadsTo = { url: URLS[leads[alias]], ...titled(leads[alias]) };
	if (by === 'short' && isThere) return { shorturl: `${own}/${ALIASES[alias]}`, ...leadsTo };
	return { alias: ALIASES[alias], ...leadsTo };
}

async function fill(one: Drawn): Promise<string> {
	const behavior = { ...behaviorOf(one.dialect), shortLinksElsewhere: false, ...one.deviations };
	const links = one.there.map((alias) => ({ alias: ALIASES[alias], longurl: URLS[one.leads[alias]] }));
	await account.has(one.dialect, { links, others: one.others, deviations: behavior });
	return account.sandbox.url;
}

/** The links that the sheet is about, whatever alias the service has chosen. */
async function sheetLinks(): Promise<string[]> {
	const isGiven = (alias: string) => ALIASES.some((one) => one.toLowerCase() === alias.toLowerCase());
	return (await account.sandbox.links())
		.filter(({ longurl }) => longurl.startsWith('https://shop.example.com'))
		.map(({ alias, longurl, title }) => `${isGiven(alias) ? alias : '(any)'} → ${longurl} (${title})`)
		.sort();
}

/** Rounds of a loop stand by themselves: a row without an alias can't know that another round names its link, as a service keeps it. */
function mayLoop(items: IDataObject[]): boolean {
	const plain = items.filter(({ alias, shorturl }) => alias === undefined && shorturl === undefined);
	const named = items.filter((item) => !plain.includes(item));
	const isSimilar = (one: unknown, other: unknown) => isSimilarAddress(one, other) || isSimilarAddress(other, one);
	return plain.every(({ url }) => named.every((item) => !isSimilar(item.url, url)));
}

/** @returns what is wrong, in the words of a user who looks at the account */
async function complaintsOf(one: Drawn): Promise<string[]> {
	const complaints: string[] = [];
	const own = await fill(one);
	const items = one.rows.map((each) => itemOf(each, one, own));
	const first = await account.upsert(items, {}, CONTINUE);
	const links = await sheetLinks();
	await account.sandbox.clearRequests();
	const again = await account.upsert(items, {}, CONTINUE);
	const changes = await account.changes();
	const { longUrlKept = 'asSent' } = one.deviations;
	const isKept = longUrlKept === 'asSent' || longUrlKept === 'normalized';
	const isCreation = (change: string) => change === 'POST /api/url/add';
	const failed = actions(first).filter((action) => String(action).startsWith('error'));
	if (changes.some(isCreation) && failed.length === 0)
		complaints.push(`the next run made a link: ${String(actions(again))}`);
	if (isKept && failed.length === 0 && changes.length > 0) complaints.push(`the next run sent ${String(changes)}`);
	const compare = async (what: string, rows: IDataObject[], way: Way) => {
		await fill(one);
		const work = await account.upsert(rows, {}, CONTINUE, way);
		const others = await sheetLinks();
		// A round can't know that the link in another spelling is that of a row in a later round: it makes none, rather than one too many.
		if (way === 'in a loop' && String(actions(work)).includes('another spelling')) {
			const more = others.filter((link) => !links.includes(link));
			if (more.length > 0) complaints.push(`${what}: ${more.join(', ')} besides ${links.join(', ')}`);
			return;
		}
		if (String(others) !== String(links)) complaints.push(`${what}: ${others.join(', ')}; and not ${links.join(', ')}`);
	};
	const shuffled = one.order.map((at) => items[at]);
	await compare('in another order', shuffled, 'at once');
	if (mayLoop(items)) await compare('in a loop', shuffled, 'in a loop');
	return complaints;
}

testNoComplaints('order and size change nothing, and the next run changes nothing', drawn, complaintsOf, RUNS);

/**
 * The plan of a sheet, for small accounts and sheets whose rows name the same few links in every way: each row is done once or refused,
 * no link is done twice, and the order of the rows changes nothing. SEED sets what is drawn, PLANS how much.
 */
import fc from 'fast-check';

import { LinkIndex } from '../../nodes/LinkManagement/links/account';
import { planSheet, type SheetRow, type SheetRules } from '../../nodes/LinkManagement/links/plan';
import type { ValueError } from '../../nodes/LinkManagement/service/answer/errors';
import { SEED } from '../seed';

const RUNS = Number(process.env.PLANS ?? 5000);

const OWN = 'https://links.example';
const BRANDED = ['https://go.example'];
const place = fc.constantFrom(OWN, ...BRANDED, 'https://old.example');
const alias = fc.constantFrom('a', 'b', 'c');
const url = fc.nat(2).map((page) => `https://example.com/${page}`);
/** @param times so many times as often as nothing */
const perhaps = <T>(value: fc.Arbitrary<T>, times = 2) => fc.option(value, { nil: undefined, freq: times });

const account = fc.record({
	links: fc.uniqueArray(fc.record({ place, alias, longurl: url }), {
		maxLength: 4,
		selector: (link) => `${link.place}/${link.alias}`,
	}),
	areDomainsKnown: fc.boolean(),
});

const shortUrl = fc.tuple(place, alias).map((parts) => parts.join('/'));
const metatitle = fc.constantFrom(undefined, undefined, undefined, 'One', 'Two');
const domain = fc.constantFrom(undefined, undefined, undefined, ...BRANDED);

/** A row that names its link by its short URL, its alias or its long URL. */
const row: fc.Arbitrary<Pick<SheetRow, 'shortUrl'> & SheetRow['fields']> = fc.oneof(
	fc.record({ shortUrl, custom: perhaps(alias), url: perhaps(url, 1), metatitle }),
	fc.record({ custom: alias, domain, url: perhaps(url), metatitle }),
	fc.record({ domain, url, metatitle }),
);

const drawn = fc.array(row, { minLength: 2, maxLength: 6 }).chain((rows) =>
	fc.record({
		account,
		rows: fc.constant(rows),
		order: fc.shuffledSubarray([...rows.keys()], { minLength: rows.length }),
		updateWhen: fc.constantFrom<Array<SheetRules['updateWhen']>>('changed', 'changed', 'never'),
	}),
);

type There = Record<'place' | 'alias' | 'longurl', string>;
type Sheet = typeof drawn extends fc.Arbitrary<infer One> ? One : never;
type Drawn = Omit<Sheet, 'account'> & { account: { links: There[]; areDomainsKnown: boolean } };

/** What becomes of each row, by its place in the sheet as drawn. */
async function planOf({ account: { links, areDomainsKnown }, rows, updateWhen }: Drawn, order: readonly number[]) {
	const index = new LinkIndex(OWN);
	if (areDomainsKnown) index.domains = BRANDED;
	for (const [at, one] of links.entries())
		index.put({ id: at + 1, alias: one.alias, shorturl: `${one.place}/${one.alias}`, longurl: one.longurl });
	const sheet = order.map((at, index): SheetRow & { at: number } => {
		const { shortUrl, ...fields } = rows[at];
		return { at, index, label: `row ${at}`, fields, shortUrl };
	});
	return await planSheet(sheet, index, { updateWhen, dryRun: false });
}

type Task = Awaited<ReturnType<typeof planOf>>['tasks'][number];

/** Where the link of a task will be; undefined if nobody knows. */
function placeOf(
	{ account: { links, areDomainsKnown } }: Drawn,
	{ link, fields: { domain } }: Task,
): string | undefined {
	if (link !== undefined) return new URL(String(link.shorturl)).origin;
	if (domain !== undefined) return String(domain);
	const others = new Set(links.map(({ place }) => place));
	for (const branded of areDomainsKnown ? BRANDED : []) others.delete(branded);
	if (others.has(OWN) || others.size === 0) return OWN;
	return others.size === 1 ? [...others][0] : undefined;
}

/** The links of an account when all is done, and the short URL of each row's link. */
function accountAfter(one: Drawn, tasks: readonly Task[]) {
	const { links } = one.account;
	const after: There[] = links.map((link) => ({ ...link }));
	const places = new Map<number, string>();
	for (const [at, task] of tasks.entries()) {
		const { custom, url } = task.fields as { custom?: string; url?: string };
		const link = after[Number(task.link?.id) - 1] ?? {
			place: placeOf(one, task) ?? OWN,
			alias: `new-${at}`,
			longurl: '',
		};
		if (task.link === undefined) after.push(link);
		Object.assign(link, { alias: custom ?? link.alias, longurl: url ?? link.longurl });
		for (const row of task.rows) places.set(row.at, `${link.place}/${link.alias}`);
	}
	return { links: after, places };
}

/** The plan in words that say nothing of the order. */
async function inWords(one: Drawn, order: readonly number[]): Promise<string[]> {
	const { tasks, refused } = await planOf(one, order);
	const done = tasks.map(({ link, rows, fields }) => {
		const said = Object.entries(fields).filter(([, value]) => value !== undefined);
		return `${String(rows.map(({ at }) => at).sort())} → ${String(link?.id ?? 'new')} ${JSON.stringify(said.sort())}`;
	});
	return [...done, ...Array.from(refused.keys(), ({ at }) => `${at} refused`)].sort();
}

test('the order of the rows changes nothing', async () => {
	const holds = async (one: Drawn) => {
		expect(await inWords(one, one.order)).toEqual(await inWords(one, [...one.rows.keys()]));
	};
	await fc.assert(fc.asyncProperty(drawn, holds), { numRuns: RUNS, seed: SEED });
});

test('each row is done once or refused, and no two tasks are about one link, or ask for one alias in one place', async () => {
	const holds = async (one: Drawn) => {
		const { tasks, refused } = await planOf(one, one.order);
		const rows = [...tasks.flatMap((task) => task.rows), ...refused.keys()].map(({ at }) => at);
		expect(rows.sort()).toEqual([...one.rows.keys()]);
		const isKept = ({ link }: Task) => link !== undefined && one.updateWhen === 'never';
		const links = tasks.flatMap(({ link }) => (link === undefined ? [] : [link.id]));
		expect(new Set(links).size).toBe(links.length);
		const given = tasks.filter((task) => task.fields.custom !== undefined && !isKept(task));
		for (const [at, task] of given.entries()) {
			const others = given.slice(at + 1).filter(({ fields }) => fields.custom === task.fields.custom);
			const places = [task, ...others].map((each) => placeOf(one, each));
			if (others.length > 0) expect(places).not.toContain(undefined);
			expect(new Set(places).size).toBe(places.length);
		}
	};
	await fc.assert(fc.asyncProperty(drawn, holds), { numRuns: RUNS, seed: SEED });
});

test('the next plan of a sheet that was done, with the short URLs that came out, makes, moves and renames nothing', async () => {
	let done = 0;
	const holds = async (drawnOne: Drawn) => {
		const one = { ...drawnOne, updateWhen: 'changed' as const };
		const { tasks, refused } = await planOf(one, one.order);
		fc.pre(refused.size === 0);
		done++;
		const { links, places } = accountAfter(one, tasks);
		const rows = one.rows.map((row, at) => (row.shortUrl === undefined ? row : { ...row, shortUrl: places.get(at) }));
		const next = await planOf({ ...one, rows, account: { ...one.account, links } }, one.order);
		// Of two domains with one alias, a row means neither.
		for (const { message } of next.refused.values()) expect(message).toMatch(/^The alias .* belongs to more than one/);
		for (const { link, fields } of next.tasks) {
			expect(link).toBeDefined();
			expect([fields.custom ?? link!.alias, fields.url ?? link!.longurl]).toEqual([link!.alias, link!.longurl]);
		}
	};
	await fc.assert(fc.asyncProperty(drawn, holds), { numRuns: RUNS / 5, seed: SEED, maxSkipsPerRun: 1000 });
	expect(done).toBeGreaterThanOrEqual(RUNS / 5);
});

const NEW = 'a new link';

/** What becomes of a row: its link, a new one, or why it is refused. */
async function outcomeOf(one: Drawn, order: readonly number[], row: number): Promise<string> {
	const { tasks, refused } = await planOf(one, order);
	const task = tasks.find(({ rows }) => rows.some(({ at }) => at === row));
	if (task !== undefined) return task.link === undefined ? NEW : `link ${String(task.link.id)}`;
	const [, { message, advice }] = [...refused].find(([{ at }]) => at === row)! as [unknown, ValueError];
	return `${message} ${JSON.stringify(advice)}`;
}

/** What is said of several rows, and what a row alone can't be refused for. */
const OF_ROWS = /they are done together|^The row targets the same link as|belongs to more than one link/;

test('where nothing is updated, what rows say of links that are there means nothing to other rows', async () => {
	const holds = async (drawnOne: Drawn) => {
		const one = { ...drawnOne, updateWhen: 'never' as const };
		for (const row of one.rows.keys()) {
			const [alone, among] = [await outcomeOf(one, [row], row), await outcomeOf(one, one.order, row)];
			const isOfRows = OF_ROWS.test(among) || (alone === NEW && /is given to another link, too/.test(among));
			if (/^(?:a new link|link \d)/.test(alone) && !isOfRows) expect(among).toBe(alone);
		}
	};
	await fc.assert(fc.asyncProperty(drawn, holds), { numRuns: RUNS / 5, seed: SEED });
});

test('a long URL that a link has in another spelling makes no link, unless another row means that link, and is no other one', async () => {
	const index = new LinkIndex(OWN);
	const longurl = 'https://example.com/?q=a+b';
	index.put({ id: 1, alias: 'a', shorturl: `${OWN}/a`, longurl });
	const [row, other] = ['https://example.com/?q=a%20b', longurl].map((url, at): SheetRow => ({
		label: `row ${at}`,
		index: at,
		fields: { url },
	}));
	const alone = await planSheet([row], index, { updateWhen: 'changed', dryRun: false });
	expect(alone.refused.get(row)?.message).toMatch(/has it in another spelling/);
	const both = await planSheet([row, other], index, { updateWhen: 'changed', dryRun: false });
	expect(both.tasks.map(({ link }) => link?.id)).toEqual([undefined, 1]);
	const named = { ...row, fields: { ...row.fields, custom: 'a' } };
	const kept = await planSheet([named], index, { updateWhen: 'never', dryRun: false });
	expect(kept.tasks.map(({ link }) => link?.id)).toEqual([1]);
});

/**
 * What is done is a link, whatever the rows: sheets drawn at random at services of every kind, held against what the interface promises
 * of any order, of the next run, of every way to name a link, of the requests, and of what comes out. SEED sets what is drawn,
 * LINKS_RUNS how much.
 */
import fc, { type Arbitrary } from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { isSimilarAddress } from '../../nodes/LinkManagement/links/url';
import { isFailed } from '../failed';
import { CONTINUE, openAccount, upsertOf, type Work } from '../engine/account';
import { by } from '../engine/host';
import { DIALECTS, type Behavior, type Dialect, type LinkWithAddress, type StoredLink } from '../sandbox';
import { behaviorOf } from '../sandbox/dialect';
import { linkDeviations } from './choice';
import { testNoComplaints } from './complaints';

const RUNS = Number(process.env.LINKS_RUNS ?? 40);

const HOSTS = ['', 'https://go.example.com', 'https://to.example.org'] as const;
const ALIASES = [
	'spring',
	'Spring',
	'poster',
	'Poster',
	'qr/poster',
	'one',
	'One',
	'two',
	'a/two',
	'three',
	'r1',
	'r2',
	'my link',
	'größe',
];
/** Some lead to different pages, and are kept in the same form by some services. */
const URLS = [
	...['a', 'a/', 'b', 'b?x=1', 'c', 'd', 'e', '?q=two%20words', '?a=1&b=2'],
	...['?next=/a%26b=2', '?next=/a&b=2', 'a%2Fb', 'a/b', '#/one', '#/two'],
].map((path) => `https://shop.example.com/${path}`);
const isNewable = (alias: string) => !/[/ ]/.test(alias);

interface There {
	alias: number;
	host: number;
	url: number;
}

interface Row {
	by: 'short' | 'alias' | 'url';
	alias: number;
	host: number;
	url: number;
	/** What it says besides: whether it names its domain, leads somewhere, or gives another alias. */
	hasDomain: boolean;
	hasUrl: boolean;
	gives?: number;
	title?: number;
	description?: number;
	campaign?: number;
	isSecret: boolean;
}

interface Drawn {
	dialect: Dialect;
	deviations: Partial<Behavior>;
	there: There[];
	others: number;
	rows: Row[];
	order: number[];
}

const there: Arbitrary<There> = fc.record({
	alias: fc.nat(ALIASES.length - 1),
	host: fc.constantFrom(0, 0, 0, 1, 2),
	url: fc.nat(URLS.length - 1),
});

const sometimes = (chance: number) => fc.nat(9).map((drawn) => drawn < chance);
const perhaps = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> => fc.option(value, { nil: undefined, freq: 2 });

const row: Arbitrary<Row> = fc.record({
	by: fc.constantFrom<Array<Row['by']>>('short', 'alias', 'alias', 'url'),
	alias: fc.nat(ALIASES.length - 1),
	host: fc.constantFrom(0, 0, 0, 1, 2),
	url: fc.nat(URLS.length - 1),
	hasDomain: sometimes(2),
	hasUrl: sometimes(7),
	gives: fc.option(fc.nat(ALIASES.length - 1), { nil: undefined, freq: 4 }),
	title: perhaps(fc.nat(1)),
	description: perhaps(fc.nat(1)),
	campaign: fc.option(fc.nat(1), { nil: undefined, freq: 5 }),
	isSecret: sometimes(1),
});

const drawn: Arbitrary<Drawn> = fc
	.oneof(
		{ weight: 6, arbitrary: fc.array(row, { minLength: 1, maxLength: 6 }) },
		{ weight: 2, arbitrary: fc.array(row, { minLength: 9, maxLength: 12 }) },
		fc.array(row, { minLength: 40, maxLength: 40 }),
	)
	.chain((rows) =>
		fc.record({
			dialect: fc.constantFrom(...DIALECTS),
			deviations: linkDeviations,
			there: fc.uniqueArray(there, {
				maxLength: 8,
				selector: ({ alias, host }) => `${host}/${ALIASES[alias].toLowerCase()}`,
			}),
			others: fc.constantFrom(0, 0, 12),
			rows: fc.constant(rows),
			order: fc.shuffledSubarray(
				rows.map((_, at) => at),
				{ minLength: rows.length, maxLength: rows.length },
			),
		}),
	);

const account = openAccount();

const behavior = (one: Pick<Drawn, 'dialect' | 'deviations'>): Behavior => ({
	...behaviorOf(one.dialect),
	...one.deviations,
});

const ownHost = ({ deviations: { shortLinksElsewhere } }: Pick<Drawn, 'deviations'>) =>
	shortLinksElsewhere ? account.sandbox.url.replace('127.0.0.1', 'localhost') : account.sandbox.url;

function stored(one: Pick<Drawn, 'there' | 'deviations'>): Array<Partial<StoredLink>> {
	return one.there.map(({ alias, host, url }) => ({
		alias: ALIASES[alias],
		domain: HOSTS[host],
		longurl: URLS[url],
		title: 'As it was',
		description: '',
	}));
}

async function fill(one: Drawn): Promise<void> {
	await account.has(one.dialect, {
		links: stored(one),
		others: one.others,
		domains: HOSTS.slice(1),
		campaigns: ['Spring', 'Autumn'].map((name, at) => ({ id: 3 + at, name })),
		deviations: behavior(one),
	});
}

const CAMPAIGNS = ['Spring', 'New One'];

function itemOf(row: Row, at: number, one: Drawn): IDataObject {
	const { title, description, campaign } = row;
	const host = HOSTS[row.host];
	const item: IDataObject = { row_number: at + 2 };
	const alias = ALIASES[row.alias];
	if (row.by === 'short') {
		item.shorturl = `${host || ownHost(one)}/${alias}`;
		if (row.gives !== undefined && isNewable(ALIASES[row.gives])) item.alias = ALIASES[row.gives];
	}
	if (row.by === 'alias') item.alias = alias;
	if (row.by !== 'short' && row.hasDomain && host !== '') item.domain = host;
	if (row.by === 'url' || row.hasUrl) item.url = URLS[row.url];
	if (title !== undefined) item.title = `Title ${title}`;
	if (description !== undefined) item.description = `Note ${description}`;
	if (campaign !== undefined) item.campaign = CAMPAIGNS[campaign];
	if (row.isSecret) item.password = `secret-of-${at}`;
	return item;
}

/** The links of the account in words; an alias that the service has chosen is any. */
function inWords(links: readonly LinkWithAddress[]): string[] {
	const isGiven = (alias: string) => ALIASES.some((one) => one.toLowerCase() === alias.toLowerCase());
	return links
		.filter(({ longurl }) => longurl.startsWith('https://shop.example.com'))
		.map(
			({ alias, domain, longurl, title, description, unseen }) =>
				`${domain}/${isGiven(alias) ? alias : '(any)'} → ${longurl} (${title}, ${description}, ${String(unseen.password)})`,
		)
		.sort();
}

const failedRows = ({ items }: Work) => items.map(({ json }) => isFailed(json));

/** Row by row, what is wrong with the requests of a run. */
async function requestComplaints(work: Work, items: IDataObject[], before: LinkWithAddress[]): Promise<string[]> {
	const complaints: string[] = [];
	const changes = (await account.sandbox.requests()).filter(({ method }) => method !== 'GET');
	const creations = changes.filter(({ path }) => path === '/api/url/add').map(({ body }) => body as IDataObject);
	const counts = new Map<string, number>();
	const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
	for (const { method, path, body } of changes) {
		if (method === 'PUT') count(`PUT ${path}`);
		const { campaign } = body as IDataObject;
		if (campaign !== undefined && typeof campaign !== 'number')
			complaints.push(`${method} ${path} sent the campaign ${JSON.stringify(campaign)}`);
	}
	for (const { custom, domain = '', url } of creations) count(`POST ${String(domain)} ${String(custom ?? url)}`);
	for (const [what, times] of counts) if (times > 1) complaints.push(`${times} × ${what}`);
	const made = new Set((await account.sandbox.links()).map(({ id }) => id));
	for (const { id } of before) made.delete(id);
	for (const id of made) if (counts.has(`PUT /api/url/${id}/update`)) complaints.push(`the new link ${id} was updated`);
	for (const [at, hasFailed] of failedRows(work).entries()) {
		const { password } = items[at];
		if (!hasFailed || password === undefined) continue;
		const sent = changes.filter(({ body }) => (body as IDataObject).password === password);
		if (sent.length > 1) complaints.push(`the password of the failed row ${at} was sent ${sent.length} times`);
	}
	return complaints;
}

/** What an item says of its link is so. */
function itemComplaints({ items }: Work, links: readonly LinkWithAddress[]): string[] {
	return items.flatMap(({ json }, at) => {
		if (isFailed(json)) return [];
		const link = links.find(({ id, shorturl }) =>
			json.id === undefined ? shorturl === json.shorturl : id === json.id,
		);
		if (link === undefined) return [`row ${at} came out as ${JSON.stringify(json)}, which is not there`];
		const names = ['shorturl', 'alias', 'longurl', 'title', 'description'] as const;
		// A service may keep a long URL in another form than it was sent.
		const isSo = (name: (typeof names)[number]) =>
			json[name] === link[name] || (name === 'longurl' && isSimilarAddress(link.longurl, json.longurl));
		const wrong = names.filter((name) => json[name] !== undefined && !isSo(name));
		return wrong.map((name) => `row ${at} says ${name} ${JSON.stringify(json[name])}, it is ${link[name]}`);
	});
}

const actionsOf = ({ items }: Work) => items.map(({ json }) => (isFailed(json) ? 'failed' : json.action)).join();

async function sheetComplaints(one: Drawn): Promise<string[]> {
	const complaints: string[] = [];
	const items = one.rows.map((each, at) => itemOf(each, at, one));
	const play = async (rows: IDataObject[], more: IDataObject = {}) => await account.upsert(rows, more, CONTINUE);
	await fill(one);
	const before = await account.sandbox.links();
	const planned = await play(items, { dryRun: true });
	if ((await account.changes()).length > 0) complaints.push('the dry run has changed something');
	await account.sandbox.clearRequests();
	const first = await play(items);
	const links = await account.sandbox.links();
	complaints.push(...(await requestComplaints(first, items, before)), ...itemComplaints(first, links));
	const { aliasDropped, domainDropped, knownLongUrl, aliasKept, longUrlKept, createReply } = behavior(one);
	const takesAll = !aliasDropped && !domainDropped && knownLongUrl === 'new';
	// By a long URL that is kept in another form, nobody finds the link whose creation says nothing.
	const isFound = createReply !== 'bare' || longUrlKept === 'asSent';
	if (takesAll && isFound && aliasKept === 'asSent' && actionsOf(planned) !== actionsOf(first))
		complaints.push(`planned ${actionsOf(planned)}, done ${actionsOf(first)}`);
	const hasFailed = failedRows(first).includes(true);
	const isShown = items.every(({ password, campaign }) => password === undefined && campaign === undefined);
	if (!hasFailed && (isShown || behavior(one).moreFields)) {
		await account.sandbox.clearRequests();
		const again = await play(items);
		const changes = await account.changes();
		// Where long URLs are kept in another form, links are updated each time, and none is made.
		const isSpelled = longUrlKept === 'asSent' || longUrlKept === 'normalized';
		const isKept = isSpelled && items.every(({ password }) => password === undefined);
		const sent = isKept ? changes : changes.filter((change) => change === 'POST /api/url/add');
		if (sent.length > 0) complaints.push(`the next run sent ${sent.join()}: ${actionsOf(again)}`);
	}
	const compare = async (what: string, order: number[]) => {
		await fill(one);
		const work = await play(order.map((at) => items[at]));
		const others = inWords(await account.sandbox.links());
		if (String(others) !== String(inWords(links)))
			complaints.push(`${what}: ${others.join('; ')}, and not ${inWords(links).join('; ')}`);
		const failed = failedRows(first);
		const differ = order.filter((at, place) => failed[at] !== isFailed(work.items[place]?.json));
		if (differ.length > 0) complaints.push(`${what}: rows ${differ.join()} came out otherwise`);
	};
	if (takesAll) await compare('in another order', one.order);
	return complaints;
}

testNoComplaints('sheets: order, the next run, requests and items', drawn, sheetComplaints, RUNS);

/** How a link is named, and in which operation. */
interface Named {
	dialect: Dialect;
	deviations: Partial<Behavior>;
	there: There[];
	others: number;
	names: Array<{
		by: 'id' | 'shortUrl' | 'alias' | 'host/alias' | 'longUrl';
		alias: number;
		host: number;
		url: number;
	}>;
	count: number;
	operation: 'get' | 'totals' | 'update' | 'delete' | 'assignLink' | 'upsert';
}

const COUNTS = [1, 9, 10, 11, 40];

const named: Arbitrary<Named> = fc.record({
	dialect: fc.constantFrom(...DIALECTS),
	deviations: linkDeviations,
	there: fc.uniqueArray(there, {
		minLength: 1,
		maxLength: 10,
		selector: ({ alias, host }) => `${host}/${ALIASES[alias].toLowerCase()}`,
	}),
	others: fc.constantFrom(0, 12, 45),
	names: fc.array(
		fc.record({
			by: fc.constantFrom<Array<Named['names'][number]['by']>>('id', 'shortUrl', 'alias', 'host/alias', 'longUrl'),
			alias: fc.nat(ALIASES.length - 1),
			host: fc.constantFrom(0, 0, 1, 2),
			url: fc.nat(URLS.length - 1),
		}),
		{ minLength: 1, maxLength: 6 },
	),
	count: fc.constantFrom(...COUNTS),
	operation: fc.constantFrom<Array<Named['operation']>>('get', 'totals', 'update', 'delete', 'assignLink', 'upsert'),
});

type Name = Named['names'][number];

/** The link that a name means, by what the account holds; undefined where there is none, or several. */
function meantBy(name: Name, links: LinkWithAddress[]): LinkWithAddress | undefined {
	const isAt = ({ domain }: LinkWithAddress) => domain === HOSTS[name.host];
	const found = links.filter((link) => {
		const hasAlias = link.alias === ALIASES[name.alias];
		switch (name.by) {
			case 'longUrl':
				return link.longurl === URLS[name.url];
			case 'alias':
				return hasAlias;
			default:
				return hasAlias && isAt(link);
		}
	});
	return found.length === 1 ? found[0] : undefined;
}

async function namingComplaints(one: Named): Promise<string[]> {
	await fill({ ...one, rows: [], order: [] });
	const links = await account.sandbox.links();
	const own = ownHost(one);
	const entered = (name: Name): string => {
		const place = `${HOSTS[name.host] || own}/${ALIASES[name.alias]}`;
		switch (name.by) {
			case 'id':
				return String(meantBy(name, links)?.id ?? 987654);
			case 'shortUrl':
				return place;
			case 'alias':
				return ALIASES[name.alias];
			case 'host/alias':
				return place.replace(/^https?:\/\//, '');
			case 'longUrl':
				return URLS[name.url];
		}
	};
	// In a sheet, a host and an alias are a short URL.
	const mode = (name: Name) => {
		if (name.by !== 'host/alias') return name.by;
		return one.operation === 'upsert' ? 'shortUrl' : 'alias';
	};
	const fresh = one.names.filter((name) => mode(name) === mode(one.names[0]));
	// Rows of one link say the same.
	const rows = Array.from({ length: one.count }, (_, at) => fresh[at % fresh.length]);
	const linkId = by(mode(fresh[0]), '={{ $json.link }}');
	const work = await runNamed(one, rows, entered, linkId);
	if (work === undefined) return [];
	if (work.items.length !== rows.length) return [`${rows.length} rows came out as ${String(work.error?.message)}`];
	const wrong = rows.flatMap((name, at) => {
		const { json } = work.items[at];
		// Pages that show records of one date in another order each time may leave some out, however often they are read.
		if (/the pages of this service leave some out/.test(String(json.error))) return [];
		const wanted = meantBy(name, links)?.id;
		const given = one.operation === 'assignLink' ? json.linkId : json.id;
		// A new link that a dry run shows has no ID.
		const id = isFailed(json) || given === undefined ? undefined : Number(given);
		return id === wanted ? [] : [`${entered(name)} gave ${id ?? String(json.error)}, and not ${wanted}`];
	});
	return [...new Set(wrong)].map((what) => `${one.operation} by ${fresh[0].by}, ${one.count} rows: ${what}`);
}

async function runNamed(
	{ operation }: Named,
	rows: Name[],
	entered: (name: Name) => string,
	linkId: IDataObject,
): Promise<Work | undefined> {
	if (operation === 'upsert') {
		const columns = { shortUrl: 'shorturl', 'host/alias': 'shorturl', alias: 'alias', longUrl: 'url' };
		const column = columns[rows[0].by as 'alias'];
		// A sheet has no column for IDs, and a row that names no link would make one.
		if (column === undefined) return undefined;
		const items = rows.map((name) => ({ [column]: entered(name), title: 'Another' }));
		return await account.work(upsertOf({ dryRun: true }), items, 'at once', CONTINUE);
	}
	const items = rows.map((name) => ({ link: entered(name) }));
	const fields = operation === 'update' ? { linkFields: { description: 'Said' } } : {};
	const options = operation === 'totals' ? { options: { details: 'totals' } } : {};
	const parameters =
		operation === 'assignLink'
			? { resource: 'campaign', operation, campaignId: by('id', '3'), linkId }
			: { resource: 'link', operation: operation === 'totals' ? 'get' : operation, linkId, ...fields, ...options };
	return await account.work(parameters, items, 'at once', CONTINUE);
}

testNoComplaints(
	'any way to name a link means the same link, in every operation and for any number of rows',
	named,
	namingComplaints,
	RUNS,
);

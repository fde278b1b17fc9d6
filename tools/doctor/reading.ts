/** What reading alone tells of a service. */
import { hostOf } from '../../nodes/LinkManagement/links/url';
import { formOf, listIn, type Findings, type Listed } from './findings';
import { isJson, type Json, type Reply, type Visit } from './visit';

const LISTS = {
	links: ['/api/urls', ['urls']],
	campaigns: ['/api/campaigns', ['campaigns']],
	channels: ['/api/channels', ['channels']],
	'QR codes': ['/api/qr', ['qrs']],
	domains: ['/api/domains', ['domains']],
	pixels: ['/api/pixels', ['pixels']],
	'splash pages': ['/api/splash', ['splash']],
	overlays: ['/api/overlay', ['cta', 'overlay']],
} as const;

type ListName = keyof typeof LISTS;

/** The lists of an account, as they came first. */
type Lists = Partial<Record<ListName, Listed>>;

/** An ID that no database gives. */
const NO_ID = 0;
const LARGE = 1000;
const NOTHING_LIKE_IT = 'doctor-nothing-like-that';
const FIGURES = ['result', 'perpage', 'currentpage', 'nextpage', 'maxpage'];
const KNOWN_FIELDS = {
	links: ['id', 'alias', 'shorturl', 'longurl', 'clicks', 'title', 'description', 'date'],
	campaigns: ['id', 'name', 'domain', 'campaign', 'public', 'rotator', 'list'],
};
const MORE_FIELDS = {
	links: ['uniqueclicks', 'domain', 'campaign', 'channel'],
	campaigns: ['views', 'slug', 'date'],
};

/** The service lets nobody in, and why. */
export class Locked extends Error {}

/** What stands in front, and how a missing key is answered. */
export async function readDoor(visit: Visit, findings: Findings): Promise<void> {
	const bare = await visit.askOpenly('/api/account');
	if (bare.isPage && bare.status === 403) findings.see('front', 'page403');
	else if (bare.isPage && bare.status === 200) findings.see('front', 'script');
	else findings.see('front', 'nothing');
	const open = visit.credential.headers ? await visit.askOpenly('/api/account', visit.credential.headers) : bare;
	if (open.isPage)
		throw new Locked('Something in front of the service answers with a page: nothing behind it can be seen');
	if (open.body === undefined)
		throw new Locked(`There is no such API at this address: HTTP ${open.status}, and no JSON`);
	if (!open.isFailure) findings.wonder('The account can be read without a key');
	else findings.see('authStatus', open.status);
	const account = await visit.ask('GET', '/api/account');
	findings.see('noRateLimitHeaders', account.headers['x-ratelimit-limit'] === undefined);
	if (!account.isFailure) {
		findings.see('access', 'full');
		findings.flags.single.push(account.body?.error);
		if (isJson(account.body?.data) && 'planid' in account.body.data) findings.see('moreFields', true);
		return;
	}
	if (account.is === 'noRight' && account.status === 200) {
		findings.lacksRights.push('the account');
		return;
	}
	const links = await visit.ask('GET', '/api/urls?limit=1');
	if (!links.isFailure) {
		findings.see('access', 'account');
		return;
	}
	if (account.status === 403 && account.words !== open.words) findings.see('access', 'plan');
	throw new Locked(
		'The service refuses this key: it is none of its keys, its web server drops the Authorization header, or the plan or the account keeps it out',
	);
}

/** All lists as they come without a limit. */
export async function readLists(visit: Visit, findings: Findings): Promise<Lists> {
	const lists: Lists = {};
	for (const [name, [path, collections]] of Object.entries(LISTS) as Array<[ListName, (typeof LISTS)[ListName]]>) {
		const reply = await visit.ask('GET', path);
		if (reply.is === 'noRight') {
			findings.lacksRights.push(name);
			continue;
		}
		findings.offers[`list of ${name}`] = !reply.isFailure;
		if (reply.isFailure) {
			if (reply.is !== 'noEndpoint') findings.wonder(`The list of ${name} fails with HTTP ${reply.status}`);
			continue;
		}
		const { body = {} } = reply;
		findings.flags.list.push(body.error);
		const list = listIn(body, collections);
		lists[name] = list;
		readForms(list, name, findings);
	}
	readLacking(findings);
	const absent = await visit.ask('GET', '/api/doctor-no-such-endpoint');
	const form = { 404: { page: 'page', words: 'status404' }, 405: { page: 'page405', words: 'status405' } } as const;
	if (absent.status === 404 || absent.status === 405) {
		findings.see('missingAnswer', form[absent.status][absent.isPage ? 'page' : 'words']);
	} else findings.wonder(`An endpoint that is not there is answered with HTTP ${absent.status}`);
	return lists;
}

function readForms({ records, name, holder, isTop, isObject }: Listed, kind: ListName, findings: Findings): void {
	findings.see('recordsAt', isTop ? 'top' : 'data');
	if (name !== undefined) findings.see('emptyCollection', 'array');
	if (name !== undefined && records.length === 0) findings.seen.emptyCollection = 'array';
	if (name === undefined) findings.seen.emptyCollection = 'missing';
	if (records.length > 0) findings.see('recordsAs', isObject ? 'object' : 'array');
	if (!FIGURES.some((figure) => figure in holder)) findings.see('figures', 'missing');
	else if ('result' in holder) findings.see('figures', typeof holder.result === 'string' ? 'text' : 'numbers');
	else if ('nextpage' in holder) findings.see('figures', 'nextPage');
	else findings.wonder(`The list of ${kind} has some of its figures alone`);
	if (kind === 'overlays' && name !== undefined) findings.see('overlayCollection', name === 'cta' ? 'cta' : 'overlay');
	if (kind === 'domains') findings.see('sharedDomains', records.filter(({ id }) => id === null).length);
	const [first] = records.filter(({ id }) => id !== null);
	if (first !== undefined && kind !== 'pixels')
		findings.see('numbersAsText', typeof first.id === 'string' ? 'lists' : 'no');
	if (first !== undefined && (kind === 'links' || kind === 'campaigns')) readFields(first, kind, findings);
}

function readFields(record: Json, kind: keyof typeof KNOWN_FIELDS, findings: Findings): void {
	const more = Object.keys(record).filter((field) => !KNOWN_FIELDS[kind].includes(field));
	const hasMore = MORE_FIELDS[kind].some((field) => more.includes(field));
	findings.see('moreFields', hasMore);
	const strange = more.filter((field) => !MORE_FIELDS[kind].includes(field));
	if (strange.length > 0) findings.wonder(`Fields of ${kind}: ${strange.join(', ')}`);
}

/** Which of the lists are not there. */
function readLacking({ offers, seen }: Findings): void {
	const lacks = (...names: ListName[]) => names.every((name) => offers[`list of ${name}`] === false);
	if (lacks('channels', 'QR codes', 'domains', 'pixels', 'splash pages', 'overlays'))
		seen.missing = lacks('campaigns') ? 'lists' : 'half';
	else if (lacks('pixels')) seen.missing = 'pixels';
}

/** Sizes of pages; as far as the account has more links than a page. */
export async function readSizes(visit: Visit, findings: Findings): Promise<Json[]> {
	const list = async (query: string) => listIn(await visit.read(`/api/urls?${query}`), ['urls']).records;
	const [one, many] = [await list('limit=1'), await list(`limit=${LARGE}`)];
	const isCut = (await list(`limit=${LARGE}&page=2`)).length > 0;
	if (isCut) findings.see('pageCap', many.length);
	else if (many.length > 100) findings.see('pageCap', null);
	if (many.length > 1) findings.see('pageFloor', one.length);
	return many;
}

/** How a record that is not there is told. */
export async function readMisses(visit: Visit, findings: Findings): Promise<void> {
	const replies: Reply[] = [];
	for (let turn = 0; turn < 3; turn++) replies.push(await visit.ask('GET', `/api/url/${NO_ID}`));
	const [{ status, body }] = replies;
	if (!replies[0].isFailure || body === undefined) {
		findings.wonder(`A link that is not there is answered with HTTP ${status}`);
		return;
	}
	findings.see('notFoundStatus', status);
	findings.see('messageIn', 'message' in body ? 'message' : 'msg');
	findings.flags.failure.push(...replies.map((reply) => reply.body?.error));
	const failureOf = (flag: unknown) => (typeof flag === 'boolean' ? 'boolean' : flag === 1 ? 'number' : 'text');
	findings.see('failure', formOf(findings.flags.failure, failureOf));
}

/** How success is told; links that are there are asked for three times. */
export async function readSuccess(visit: Visit, { flags, seen }: Findings, id: number | undefined): Promise<void> {
	const path = id === undefined ? '/api/account' : `/api/url/${id}`;
	for (let turn = 0; turn < 3; turn++) {
		const reply = await visit.ask('GET', path);
		if (!reply.isFailure) flags.single.push(reply.body?.error);
	}
	const one = formOf(flags.single.slice(-3), (flag) => (flag === false ? 'boolean' : flag === '0' ? 'text' : 'zero'));
	if (one === undefined) return;
	const list = flags.list.at(-1);
	seen.success = one === 'zero' && list === '0' ? 'number' : one;
}

/** Searches by short URL, and by words. */
export async function readSearches(visit: Visit, findings: Findings, links: Json[], domains: Json[]): Promise<void> {
	const own = new URL(visit.credential.baseUrl).host;
	const branded = new Set(domains.flatMap(({ domain }) => hostOf(domain) ?? []));
	const hosts = links.flatMap(({ shorturl }) => hostOf(shorturl) ?? []);
	if (hosts.includes(own)) findings.see('shortLinksElsewhere', false);
	else if (hosts.some((host) => !branded.has(host))) findings.see('shortLinksElsewhere', true);

	const search = async (address: string) => await visit.ask('GET', `/api/urls?short=${encodeURIComponent(address)}`);
	const host = hosts[0] ?? own;
	const miss = await search(`https://${host}/${NOTHING_LIKE_IT}`);
	if (miss.isFailure) findings.see('shortMiss', 'error');
	else if (links.length > 0) {
		const { records } = listIn(miss.body ?? {}, ['urls']);
		findings.see('shortMiss', records.length === 0 ? 'emptyList' : 'wholeList');
	}
	if (links.length < 2) return;
	const [link] = links;
	const form = hitIn(await search(String(link.shorturl)), link);
	if (form === undefined) findings.wonder('A link is not found by its own short URL');
	findings.see('shortHit', form);
	const elsewhere = hitIn(await search(`https://doctor.invalid/below/${String(link.alias)}`), link);
	const isTelling = findings.seen.shortHit !== 'wholeList' || findings.seen.shortMiss !== 'wholeList';
	if (isTelling) findings.see('shortRead', elsewhere !== undefined && elsewhere === form ? 'alias' : 'address');
	const found = listIn(await visit.read(`/api/urls?q=${NOTHING_LIKE_IT}`), ['urls']);
	findings.see('searchIgnored', found.records.length > 0);
	await readOrders(visit, findings);
}

function hitIn(reply: Reply, link: Json): 'details' | 'list' | 'wholeList' | undefined {
	if (reply.isFailure) return undefined;
	const { body = {} } = reply;
	if (isJson(body.details)) return 'details';
	const { records } = listIn(body, ['urls']);
	if (records.length > 1) return 'wholeList';
	return records.length === 1 && Number(records[0].id) === Number(link.id) ? 'list' : undefined;
}

/** Told by accounts alone whose clicks and dates are sorted differently. */
async function readOrders(visit: Visit, findings: Findings): Promise<void> {
	const ordered = async (order: string) =>
		listIn(await visit.read(`/api/urls?limit=50&order=${order}`), ['urls']).records;
	const [byDate, byClick] = [await ordered('date'), await ordered('click')];
	const falls = (values: unknown[]) => values.every((value, at) => at === 0 || lessOrSame(value, values[at - 1]));
	const [dates, clicks] = [byDate.map(({ date }) => date), byClick.map((record) => Number(record.clicks))];
	const isByDate = falls(dates);
	if (!isByDate) findings.see('orders', 'none');
	else if (new Set(dates).size > 1 && !falls(byDate.map((record) => Number(record.clicks)))) {
		findings.see('orders', falls(clicks) ? 'both' : 'date');
	}
}

function lessOrSame(value: unknown, before: unknown): boolean {
	return typeof value === 'number' ? value <= Number(before) : String(value) <= String(before);
}

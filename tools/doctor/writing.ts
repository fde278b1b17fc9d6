/** What records of its own tell of a service. Each kind is made where it can be deleted again, and is deleted at the end. */
import { idIn, listIn, sentIdIn, type Findings } from './findings';
import { NO_ID, readLacking, readLink, type Lists } from './reading';
import { isJson, type Json, type Reply, type Visit } from './visit';

const FUTURE = '2099-12-31 00:00:00';
const PAST = '2020-01-01 00:00:00';
const LONG_ALIAS = 51;
const SERVER_ERROR = 500;

const KINDS = { url: 'links', campaign: 'campaigns', channel: 'channels', qr: 'QR codes' } as const;

type Kind = keyof typeof KINDS;

/** The records that this visit has made. */
class Own {
	private readonly made: Array<[Kind, number]> = [];
	/** Tells this visit's records from any others. */
	private readonly mark = Math.random().toString(36).slice(2, 8);
	private names = 0;

	constructor(
		private readonly visit: Visit,
		private readonly findings: Findings,
	) {}

	name(): string {
		return `doctor-${this.mark}-${++this.names}`;
	}

	url(): string {
		return `https://example.com/${this.name()}`;
	}

	/** Finds out which kinds can be deleted, by deleting what no service has. */
	async prepare(): Promise<void> {
		for (const kind of Object.keys(KINDS) as Kind[]) {
			const reply = await this.visit.ask('DELETE', `/api/${kind}/${NO_ID}/delete`);
			if (reply.is !== 'noRight') this.findings.offers[`deleting ${KINDS[kind]}`] = reply.is !== 'noEndpoint';
		}
	}

	can(kind: Kind): boolean {
		return this.findings.offers[`deleting ${KINDS[kind]}`];
	}

	/** Makes a record, and keeps its ID for the end. */
	async make(kind: Kind, body: Json): Promise<Reply> {
		const reply = await this.visit.ask('POST', `/api/${kind}/add`, body);
		const id = idIn(reply.body);
		if (!reply.isFailure && id !== undefined) this.keep(kind, id);
		return reply;
	}

	has(kind: Kind, id: number): boolean {
		return this.made.some(([of, other]) => of === kind && other === id);
	}

	keep(kind: Kind, id: number): number {
		if (!this.has(kind, id)) this.made.push([kind, id]);
		return id;
	}

	/** Deletes what was made. @returns how many records are left */
	async clear(): Promise<number> {
		let left = 0;
		for (const [kind, id] of this.made.splice(0).reverse()) {
			const reply = await this.visit.ask('DELETE', `/api/${kind}/${id}/delete`);
			if (reply.isFailure) left++;
		}
		return left;
	}
}

/** Makes records, looks at what comes of them, and deletes them. */
export async function readByWriting(visit: Visit, findings: Findings, lists: Lists): Promise<void> {
	const own = new Own(visit, findings);
	try {
		await own.prepare();
		readLacking(findings);
		if (own.can('url')) await new OfLinks(visit, findings, own, lists).read();
		if (own.can('campaign')) await readCampaigns(findings, own);
		if (own.can('channel')) await readChannels(visit, findings, own);
		if (own.can('qr')) await readQrCodes(visit, findings, own);
	} finally {
		const left = await own.clear();
		if (left > 0) findings.wonder(`${left} records whose names begin with doctor- could not be deleted: delete them`);
	}
}

/** A creation that the service had nothing against but room. @returns whether there is room */
function hasRoom(reply: Reply, findings: Findings): boolean {
	if (!reply.isFailure) {
		findings.see('planFull', 'room');
		findings.see('createdStatus', reply.status);
		if (idIn(reply.body) !== undefined) {
			findings.see('createdIdIn', reply.body?.id === undefined ? 'data' : 'id');
			if (typeof sentIdIn(reply.body) === 'string') findings.seen.numbersAsText = 'everywhere';
			else findings.see('numbersAsText', 'no');
		}
		return true;
	}
	if (reply.status >= SERVER_ERROR && reply.isPage) findings.see('planFull', 'page');
	else if (reply.body !== undefined) findings.see('planFull', 'envelope');
	return false;
}

/** What the service says to a value that it does not take. */
function readRefusal({ status, isEmpty, body }: Reply, findings: Findings): void {
	if (!isEmpty && body === undefined) return;
	findings.see('errorStatus', status);
	findings.see('validationError', isEmpty ? 'empty' : 'envelope');
}

class OfLinks {
	constructor(
		private readonly visit: Visit,
		private readonly findings: Findings,
		private readonly own: Own,
		private readonly lists: Lists,
	) {}

	/** A branded domain of the account's own. */
	private get domain(): string | undefined {
		const { domain } = this.lists.domains?.records.find(({ id }) => id !== null) ?? {};
		return typeof domain === 'string' ? domain : undefined;
	}

	async read(): Promise<void> {
		const { own, findings } = this;
		const [url, custom] = [own.url(), own.name()];
		const first = await own.make('url', { url, custom });
		if (!hasRoom(first, findings)) return;
		const id = await this.readReply(first, url);
		if (id === undefined) return;
		const shorturl = String(first.body?.shorturl ?? '');
		if (shorturl !== '') findings.see('aliasDropped', !shorturl.toLowerCase().endsWith(`/${custom}`));
		readRefusal(await own.make('url', { url: 'doctor-nonsense' }), findings);
		await readLink(this.visit, findings, id);
		await this.readKnown(url, id, shorturl);
		await this.readTargets();
		await this.readDomains();
		await this.readAliases(custom);
		await this.readOthers();
		await this.readUpdate();
	}

	/** What the answer to a creation holds, and whether anything was made. @returns the link's ID */
	private async readReply(reply: Reply, url: string): Promise<number | undefined> {
		const { findings } = this;
		const id = idIn(reply.body) ?? (await this.find(url));
		const { shorturl } = reply.body ?? {};
		if (id === undefined) findings.see('createReply', 'nothingMade');
		else if (shorturl === undefined) findings.see('createReply', 'bare');
		else findings.see('createReply', idIn(reply.body) === undefined ? 'shorturl' : 'full');
		return id;
	}

	/** Finds a further link of which the service has given no ID, and keeps its ID for the end. */
	private async find(url: string): Promise<number | undefined> {
		for (const query of [`q=${encodeURIComponent(url.slice(url.lastIndexOf('/') + 1))}&`, '']) {
			for (let page = 1; page <= 20; page++) {
				const { records } = listIn(await this.visit.read(`/api/urls?${query}limit=100&page=${page}`), ['urls']);
				const ids = records.filter(({ longurl }) => longurl === url).map(({ id }) => Number(id));
				const id = ids.find((one) => Number.isInteger(one) && !this.own.has('url', one));
				if (id !== undefined) return this.own.keep('url', id);
				if (records.length === 0) break;
			}
		}
		return undefined;
	}

	/** Makes a link, and gives its ID even where the answer does not. */
	private async make(fields: Json): Promise<{ reply: Reply; id: number | undefined }> {
		const url = this.own.url();
		const reply = await this.own.make('url', { url, ...fields });
		return { reply, id: reply.isFailure ? undefined : (idIn(reply.body) ?? (await this.find(url))) };
	}

	private async readKnown(url: string, id: number, shorturl: string): Promise<void> {
		const again = await this.own.make('url', { url, custom: this.own.name() });
		if (again.isFailure) return;
		const [other, address] = [idIn(again.body), again.body?.shorturl];
		if (other === undefined && address === undefined) return;
		const isSame = other === undefined ? address === shorturl : other === id;
		if (other === undefined && !isSame) await this.find(url);
		this.findings.see('knownLongUrl', isSame ? 'returned' : 'new');
	}

	private async readTargets(): Promise<void> {
		const { id } = await this.make({ geotarget: [{ location: 'Germany', link: 'https://example.com/doctor' }] });
		if (id === undefined) return;
		const { details } = await this.visit.read(`/api/url/${id}`);
		const { location } = isJson(details) ? details : {};
		const targets = isJson(location) ? Object.values(location) : [];
		this.findings.see('targetsDropped', targets.length === 0);
		if (targets.length > 0) this.findings.see('statesInLocation', targets.some(isJson));
	}

	private async readAliases(taken: string): Promise<void> {
		const { findings, own, domain } = this;
		if (findings.seen.aliasDropped !== false) return;
		const long = await this.make({ custom: own.name().padEnd(LONG_ALIAS, 'x') });
		findings.see('aliasLength', long.reply.isFailure ? '3to50' : 'any');
		const capital = own.name().toUpperCase();
		const short = String((await this.make({ custom: capital })).reply.body?.shorturl ?? '');
		if (short !== '') findings.see('aliasLowered', !short.endsWith(capital));
		if (domain === undefined || findings.seen.domainDropped !== false) return;
		const { reply } = await this.make({ custom: taken, domain });
		const address = String(reply.body?.shorturl ?? '');
		if (reply.isFailure) findings.see('aliasUnique', 'account');
		else if (address.startsWith(domain)) findings.see('aliasUnique', 'domain');
	}

	private async readDomains(): Promise<void> {
		const { findings, domain } = this;
		if (domain !== undefined) {
			const { reply } = await this.make({ domain });
			const { shorturl } = reply.body ?? {};
			if (!reply.isFailure && typeof shorturl === 'string') findings.see('domainDropped', !shorturl.startsWith(domain));
		}
		const { reply } = await this.make({ domain: 'https://doctor.invalid' });
		if (reply.isFailure) findings.see('unknownDomain', 'refused');
		else if (findings.seen.domainDropped === false) findings.see('unknownDomain', 'replaced');
		if (findings.seen.unknownDomain === 'refused') findings.see('domainDropped', false);
	}

	private async readOthers(): Promise<void> {
		const { findings, lists } = this;
		findings.see('expiryAhead', (await this.make({ expiry: PAST })).reply.isFailure);
		const overlay = lists.overlays?.records[0]?.id;
		if (overlay === undefined) return;
		const { reply } = await this.make({ type: String(overlay) });
		findings.see('overlayTarget', reply.isFailure ? 'prefixed' : 'either');
	}

	private async readUpdate(): Promise<void> {
		const { id } = await this.make({ expiry: FUTURE, description: 'doctor' });
		if (id === undefined) return;
		const reply = await this.visit.ask('PUT', `/api/url/${id}/update`, { url: this.own.url() });
		this.findings.offers['updating links'] = reply.is !== 'noEndpoint';
		if (reply.isFailure) return;
		const field = (['shorturl', 'short'] as const).find((name) => reply.body?.[name] !== undefined);
		this.findings.see('linkUpdateReply', field);
		const { details } = await this.visit.read(`/api/url/${id}`);
		const { expiry } = isJson(details) ? details : {};
		this.findings.see('linkUpdate', expiry === null || expiry === '' ? 'resets' : 'keeps');
		await this.readEmpty();
	}

	/** What becomes of a field that an update sends empty. */
	private async readEmpty(): Promise<void> {
		const { id } = await this.make({ description: 'doctor' });
		if (id === undefined) return;
		const reply = await this.visit.ask('PUT', `/api/url/${id}/update`, { url: this.own.url(), description: '' });
		if (reply.isFailure) return;
		const { details } = await this.visit.read(`/api/url/${id}`);
		if (isJson(details)) this.findings.see('emptyValue', details.description === 'doctor' ? 'ignored' : 'clears');
	}
}

async function readCampaigns(findings: Findings, own: Own): Promise<void> {
	const name = own.name();
	const reply = await own.make('campaign', { name });
	if (!hasRoom(reply, findings)) return;
	const { domain, campaign } = reply.body ?? {};
	if (campaign !== undefined || domain !== undefined) {
		findings.see('campaignNameIn', campaign === undefined ? 'domain' : 'campaign');
		findings.see('capitalNames', (campaign ?? domain) === name.charAt(0).toUpperCase() + name.slice(1));
	} else findings.wonder('The answer to the creation of a campaign is without its name');
	findings.see('uniqueNames', (await own.make('campaign', { name })).isFailure);
}

async function readChannels(visit: Visit, findings: Findings, own: Own): Promise<void> {
	const reply = await own.make('channel', { name: own.name() });
	if (!hasRoom(reply, findings)) return;
	const id = idIn(reply.body);
	if (id === undefined) return;
	const update = await visit.ask('PUT', `/api/channel/${id}/update`, { description: 'doctor' });
	if (!update.isFailure) findings.see('channelUpdateReply', update.body?.name === undefined ? 'message' : 'channel');
	const items = await visit.ask('GET', `/api/channel/${id}`);
	if (items.isFailure) return;
	const { name } = listIn(items.body ?? {}, ['items']);
	findings.seen.emptyCollection = name === undefined ? 'missing' : 'array';
}

async function readQrCodes(visit: Visit, findings: Findings, own: Own): Promise<void> {
	const data = own.url();
	const reply = await own.make('qr', { type: 'link', data, name: own.name() });
	if (!hasRoom(reply, findings)) return;
	const wrong = await own.make('qr', { type: 'link', data: { doctor: 'no address' }, name: own.name() });
	if (wrong.isFailure) findings.see('wrongQrData', wrong.isPage ? 'page' : 'envelope');
	const more = await own.make('qr', { type: 'whatsapp', data: { phone: '+4930123456' }, name: own.name() });
	findings.see('qrTypes', more.isFailure ? 'document' : 'more');
	const id = idIn(reply.body);
	if (id !== undefined) {
		const { details: shown } = await visit.read(`/api/qr/${id}`);
		if (isJson(shown)) findings.see('qrDateInData', shown.date === undefined && shown.data !== undefined);
	}
	const text = idIn((await own.make('qr', { type: 'text', data: 'doctor', name: own.name() })).body);
	if (text !== undefined)
		findings.see('qrStatistics', isJson((await visit.read(`/api/qr/${text}`)).data) ? 'all' : 'links');
	const { link } = reply.body ?? {};
	if (typeof link === 'string') findings.see('qrLink', await readPicture(visit, link, data));
}

/** Where the link of a code leads, at first and later. */
async function readPicture(visit: Visit, link: string, data: string): Promise<'content' | 'picture' | 'storedPicture'> {
	const { baseUrl, headers } = visit.credential;
	const own = link.startsWith(`${baseUrl}/`) ? headers : {};
	const first = await visit.askOpenly(link, own);
	if (first.headers.location === data || !/^image\//.test(String(first.headers['content-type']))) return 'content';
	const later = await visit.askOpenly(link, own);
	return later.headers.location === undefined ? 'picture' : 'storedPicture';
}

import {
	formatMoment,
	type Collection,
	type ItemType,
	type Store,
	type StoredCampaign,
	type StoredChannel,
	type StoredLink,
	type StoredQr,
} from './records';

/** How the service answers where its specification leaves room. */
export interface Behaviour {
	/** HTTP status of an error envelope about the key. */
	authStatus: number;
	/** HTTP status of any other error envelope. */
	errorStatus: number;
	/** The largest page size it grants. */
	pageCap: number;
	/** The page size without `limit`. */
	defaultPageSize: number;
	/** What the last page holds in `nextpage`: null, its own number, or a page that is not there. */
	lastNextPage: 'null' | 'same' | 'plusOne';
	/** The answer to GET /api/urls?short= when nothing matches. */
	shortMiss: 'error' | 'emptyList';
	/** The answer to POST /api/url/add: id and shorturl, shorturl alone, or the bare envelope. */
	createReply: 'full' | 'shorturl' | 'bare';
	/** The statistics of a link that was never clicked: 0, or an object without entries. */
	emptyStatistics: 'zero' | 'object';
}

export const DEFAULT_BEHAVIOUR: Behaviour = {
	authStatus: 401,
	errorStatus: 200,
	pageCap: 100,
	defaultPageSize: 15,
	lastNextPage: 'null',
	shortMiss: 'error',
	createReply: 'full',
	emptyStatistics: 'zero',
};

/** A request that passed the door: its parameters and its body. */
export interface Call {
	params: Record<string, unknown>;
	query: Record<string, unknown>;
	body: Record<string, unknown>;
}

/** One page of a list, as far as the page hooks need it. */
export interface ShownPage {
	collection: string;
	page: number;
	ids: number[];
}

/** A failure that the service reports in an error envelope. */
export class ServiceError extends Error {}

const NETWORKS = ['facebook', 'twitter', 'linkedin'] as const;
const ITEM_COLLECTIONS = { links: 'links', qr: 'qrs', bio: 'bios' } as const;

/** The service's operations, by the contract's operationId, over a store of records. */
export class Service {
	/** The list page that the last call answered with. */
	shown: ShownPage | undefined;

	private readonly account = {
		id: 1,
		email: 'owner@example.com',
		username: 'owner',
		avatar: 'https://www.example.com/avatar.png',
		status: 'pro',
		expires: '2030-01-01 00:00:00',
		registered: '2023-05-04 10:20:30',
	};

	private found: { key: string; links: StoredLink[] } | undefined;

	/**
	 * @param store the records
	 * @param base the service's address, to which short links are appended; no slash at its end
	 * @param behaviour read anew by each call
	 * @param serviceNow the service's clock, in milliseconds
	 */
	constructor(
		private readonly store: Store,
		private readonly base: string,
		private readonly behaviour: Behaviour,
		private readonly serviceNow: () => number,
	) {}

	/** Does an operation's work. @throws ServiceError for what the service refuses. */
	call(operationId: string, call: Call): Record<string, unknown> {
		this.shown = undefined;
		const operation = this.operations[operationId];
		if (!operation) throw new Error(`The sandbox has no operation ${operationId}`);
		return operation(call);
	}

	/** The address of a short link. */
	shortUrl(link: StoredLink): string {
		return `${link.domain || this.base}/${link.alias}`;
	}

	/** Whether the service has a behaviour for this operation of the contract. */
	has(operationId: string): boolean {
		return operationId in this.operations;
	}

	private readonly operations: Record<string, (call: Call) => Record<string, unknown>> = {
		accountGet: () => ({ error: 0, data: this.account }),
		accountUpdate: ({ body }) => {
			if (body.email !== undefined) {
				if (!/^[^@\s]+@[^@\s]+$/.test(text(body.email))) throw new ServiceError('Please enter a valid email.');
				this.account.email = text(body.email);
			}
			if (body.password !== undefined && text(body.password).length < 5) {
				throw new ServiceError('Password must be at least 5 characters.');
			}
			return done('Account has been successfully updated.');
		},

		domainGetAll: (call) => this.list('domains', this.store.domains, 'id', call, (domain) => ({ ...domain })),
		domainCreate: ({ body }) => {
			const domain = withoutSlash(text(body.domain));
			if (this.domainNamed(domain)) throw new ServiceError('The domain has been already used.');
			if (/\.unpointed\./.test(domain)) throw new ServiceError('The domain is not pointed to our servers.');
			const { id } = this.store.create(
				'domains',
				{
					domain,
					redirectroot: optionalText(body.redirectroot) ?? null,
					redirect404: optionalText(body.redirect404) ?? null,
				},
				'api',
			);
			return { error: 0, id };
		},
		domainUpdate: ({ params, body }) => {
			const domain = known(this.store.domains.get(Number(params.id)), 'Domain');
			if (body.redirectroot !== undefined) domain.redirectroot = text(body.redirectroot);
			if (body.redirect404 !== undefined) domain.redirect404 = text(body.redirect404);
			return done('Domain has been updated successfully.');
		},
		domainDelete: ({ params }) => this.delete('domains', params.id, 'Domain'),

		overlayGetAll: (call) => this.list('cta', this.store.overlays, 'id', call, (overlay) => ({ ...overlay })),
		splashPageGetAll: (call) => this.list('splash', this.store.splash, 'id', call, (page) => ({ ...page })),

		campaignGetAll: (call) =>
			this.list('campaigns', this.store.campaigns, 'id', call, (campaign) => this.campaignRecord(campaign, campaign.listedUnderDomain)),
		campaignCreate: ({ body }) => {
			const slug = optionalText(body.slug) ?? null;
			this.refuseTakenSlug(slug, undefined);
			const campaign = this.store.create(
				'campaigns',
				{ name: optionalText(body.name) ?? '', slug, public: body.public === true },
				'api',
			);
			return { error: 0, ...this.campaignRecord(campaign, true) };
		},
		campaignAssignLink: ({ params }) => {
			const campaign = known(this.store.campaigns.get(Number(params.campaignid)), 'Campaign');
			known(this.store.links.get(Number(params.linkid)), 'Link').campaign = campaign.id;
			return done('Link successfully added to the campaign.');
		},
		campaignUpdate: ({ params, body }) => {
			const campaign = known(this.store.campaigns.get(Number(params.id)), 'Campaign');
			const slug = optionalText(body.slug);
			if (slug !== undefined) {
				this.refuseTakenSlug(slug, campaign.id);
				campaign.slug = slug;
			}
			campaign.name = text(body.name);
			if (body.public !== undefined) campaign.public = body.public === true;
			return { error: 0, ...this.campaignRecord(campaign, true) };
		},
		campaignDelete: ({ params }) => {
			const reply = this.delete('campaigns', params.id, 'Campaign');
			for (const link of this.store.links.all()) {
				if (link.campaign === Number(params.id)) link.campaign = null;
			}
			return reply;
		},

		channelGetAll: (call) => this.list('channels', this.store.channels, 'id', call, (channel) => this.channelRecord(channel)),
		channelGetItems: (call) => {
			const channel = known(this.store.channels.get(Number(call.params.id)), 'Channel');
			const items = channel.items.filter(({ type, id }) => this.itemExists(type, id)).reverse();
			return this.page('items', items.length, (offset, size) => items.slice(offset, offset + size), call, ({ type, id }) =>
				this.itemRecord(type, id),
			);
		},
		channelCreate: ({ body }) => {
			const channel = this.store.create(
				'channels',
				{
					name: text(body.name),
					description: optionalText(body.description) ?? '',
					color: optionalText(body.color) ?? '#000000',
					starred: body.starred === true,
				},
				'api',
			);
			return { error: 0, ...this.channelRecord(channel) };
		},
		channelAssignItem: ({ params }) => {
			const channel = known(this.store.channels.get(Number(params.channelid)), 'Channel');
			const type = text(params.type);
			if (type !== 'links' && type !== 'qr' && type !== 'bio') throw new ServiceError('Invalid item type.');
			const id = Number(params.itemid);
			if (!this.itemExists(type, id)) throw unknown('Item');
			addToChannel(channel, type, id);
			return done('Item successfully added to the channel.');
		},
		channelUpdate: ({ params, body }) => {
			const channel = known(this.store.channels.get(Number(params.id)), 'Channel');
			channel.name = optionalText(body.name) ?? channel.name;
			channel.description = optionalText(body.description) ?? channel.description;
			channel.color = optionalText(body.color) ?? channel.color;
			if (body.starred !== undefined) channel.starred = body.starred === true;
			return done('Channel has been updated successfully.');
		},
		channelDelete: ({ params }) => this.delete('channels', params.id, 'Channel'),

		qrCodeGetAll: (call) => this.list('qrs', this.store.qrs, 'date', call, (qr) => this.qrRecord(qr)),
		qrCodeGet: ({ params }) => {
			const qr = known(this.store.qrs.get(Number(params.id)), 'QR code');
			return {
				error: 0,
				details: this.qrRecord(qr),
				data: {
					clicks: qr.scans,
					uniqueClicks: qr.uniqueScans,
					...statistics(qr.scans, {}),
				},
			};
		},
		qrCodeCreate: ({ body }) => {
			this.refuseWrongQrData(text(body.type), body.data);
			const qr = this.store.create(
				'qrs',
				{ type: text(body.type), data: body.data, name: optionalText(body.name) ?? '' },
				'api',
			);
			return { error: 0, id: qr.id, link: this.qrRecord(qr).link };
		},
		qrCodeUpdate: ({ params, body }) => {
			const qr = known(this.store.qrs.get(Number(params.id)), 'QR code');
			const type = optionalText(body.type) ?? qr.type;
			this.refuseWrongQrData(type, body.data);
			qr.type = type;
			qr.data = body.data;
			return done('QR has been updated successfully.');
		},
		qrCodeDelete: ({ params }) => this.delete('qrs', params.id, 'QR code'),

		linkGetAll: (call) => {
			const { short, q } = call.query;
			if (short !== undefined) {
				const link = this.linkByShortUrl(text(short));
				if (link) return this.linkReply(link);
				if (this.behaviour.shortMiss === 'error') throw new ServiceError('Link does not exist.');
				return this.page<StoredLink>('urls', 0, () => [], { ...call, query: {} }, (link) => this.linkRecord(link));
			}
			const order = call.query.order === 'click' ? 'click' : 'date';
			if (q === undefined || q === '') {
				return this.list('urls', this.store.links, order, call, (link) => this.linkRecord(link));
			}
			const found = this.search(text(q), order);
			return this.page('urls', found.length, (offset, size) => found.slice(offset, offset + size), call, (link) => this.linkRecord(link));
		},
		linkGet: ({ params }) => this.linkReply(known(this.store.links.get(Number(params.id)), 'Link')),
		linkCreate: ({ body }) => this.createLink(body),
	};

	private createLink(body: Record<string, unknown>): Record<string, unknown> {
		const url = text(body.url);
		if (!/^https?:\/\/[^\s/]+/i.test(url)) throw new ServiceError('Please enter a valid URL.');
		const alias = optionalText(body.custom);
		if (alias !== undefined && !/^[^\s/?#]+$/.test(alias)) throw new ServiceError('Invalid custom alias.');
		const domain = withoutSlash(optionalText(body.domain) ?? '');
		if (domain !== '' && domain !== this.base && !this.domainNamed(domain)) throw new ServiceError('Invalid domain name.');
		const ownDomain = domain === this.base ? '' : domain;
		if (alias !== undefined && this.store.linkAt(ownDomain, alias)) {
			throw new ServiceError('That alias is taken. Please choose another one.');
		}
		const type = optionalText(body.type);
		if (type !== undefined && !['direct', 'frame', 'splash'].includes(type)) {
			const id = Number(type);
			if (!this.store.splash.get(id) && !this.store.overlays.get(id)) throw new ServiceError('Invalid redirection type.');
		}
		const channel = body.channel === undefined ? undefined : known(this.store.channels.get(Number(body.channel)), 'Channel');
		const campaign = body.campaign === undefined ? undefined : known(this.store.campaigns.get(Number(body.campaign)), 'Campaign');
		if (body.deeplink !== undefined && body.devicetarget === undefined) {
			throw new ServiceError('Device targeting must be set for deep links.');
		}
		const link = this.store.create(
			'links',
			{
				longurl: url,
				...(alias === undefined ? {} : { alias }),
				domain: ownDomain,
				title: optionalText(body.metatitle) ?? new URL(url).hostname,
				description: optionalText(body.description) ?? '',
				expiry: optionalText(body.expiry) ?? null,
				location: addressesByName(body.geotarget, 'location'),
				device: addressesByName(body.devicetarget, 'device'),
				campaign: campaign?.id ?? null,
				status: optionalText(body.status) ?? 'private',
			},
			'api',
		);
		if (channel) addToChannel(channel, 'links', link.id);
		const shorturl = this.shortUrl(link);
		if (this.behaviour.createReply === 'bare') return { error: 0 };
		return this.behaviour.createReply === 'shorturl' ? { error: 0, shorturl } : { error: 0, id: link.id, shorturl };
	}

	private linkByShortUrl(shortUrl: string): StoredLink | undefined {
		const address = withoutSlash(shortUrl);
		const cut = address.lastIndexOf('/');
		const domain = address.slice(0, cut);
		return this.store.linkAt(domain === this.base ? '' : domain, address.slice(cut + 1));
	}

	private search(words: string, order: 'date' | 'click'): StoredLink[] {
		const key = `${this.store.links.version} ${order} ${words}`;
		if (this.found?.key !== key) {
			const wanted = words.toLowerCase();
			const links = this.store.links
				.descending(order, 0, this.store.links.size)
				.filter((link) => [link.alias, link.title, link.longurl].some((field) => field.toLowerCase().includes(wanted)));
			this.found = { key, links };
		}
		return this.found.links;
	}

	private list<T extends { id: number }>(
		name: string,
		collection: Collection<T>,
		order: string,
		call: Call,
		record: (entry: T) => Record<string, unknown>,
	): Record<string, unknown> {
		return this.page(name, collection.size, (offset, size) => collection.descending(order, offset, size), call, record);
	}

	private page<T>(
		name: string,
		result: number,
		slice: (offset: number, size: number) => T[],
		call: Call,
		record: (entry: T) => Record<string, unknown>,
	): Record<string, unknown> {
		const { pageCap, defaultPageSize, lastNextPage } = this.behaviour;
		const perpage = Math.max(1, Math.min(Number(call.query.limit ?? defaultPageSize), pageCap));
		const currentpage = Math.max(1, Number(call.query.page ?? 1));
		const maxpage = Math.max(1, Math.ceil(result / perpage));
		const atEnd = { null: null, same: currentpage, plusOne: currentpage + 1 }[lastNextPage];
		const records = slice((currentpage - 1) * perpage, perpage).map(record);
		this.shown = { collection: name, page: currentpage, ids: records.map(({ id }) => Number(id)) };
		return {
			error: '0',
			data: {
				result,
				perpage,
				currentpage,
				nextpage: currentpage < maxpage ? currentpage + 1 : atEnd,
				maxpage,
				[name]: records,
			},
		};
	}

	private delete(name: 'domains' | 'campaigns' | 'channels' | 'qrs', id: unknown, label: string): Record<string, unknown> {
		if (!this.store.delete(name, Number(id), 'api')) throw unknown(label);
		return done(`${label} has been deleted successfully.`);
	}

	private domainNamed(domain: string): boolean {
		return this.store.domains.all().some((entry) => withoutSlash(entry.domain) === domain);
	}

	private refuseTakenSlug(slug: string | null, ownId: number | undefined): void {
		if (slug === null) return;
		const taken = this.store.campaigns.all().some((campaign) => campaign.slug === slug && campaign.id !== ownId);
		if (taken) throw new ServiceError('This slug is currently not available. Please choose another one.');
	}

	/** Which content each type takes is not shown; the three that hold one value take text. */
	private refuseWrongQrData(type: string, data: unknown): void {
		if (['text', 'link', 'phone'].includes(type) && typeof data !== 'string') {
			throw new ServiceError('The content of this QR code must be text.');
		}
		if (data === '') throw new ServiceError('Please enter the content of the QR code.');
	}

	private campaignRecord(campaign: StoredCampaign, underDomain: boolean): Record<string, unknown> {
		return {
			id: campaign.id,
			[underDomain ? 'domain' : 'name']: campaign.name,
			public: campaign.public,
			rotator: campaign.slug === null ? false : `${this.base}/r/${campaign.slug}`,
			list: `${this.base}/u/${this.account.username}/list-${campaign.id}`,
		};
	}

	private channelRecord({ id, name, description, color, starred }: StoredChannel): Record<string, unknown> {
		return { id, name, description, color, starred };
	}

	private itemExists(type: ItemType, id: number): boolean {
		return this.store.collection(ITEM_COLLECTIONS[type]).get(id) !== undefined;
	}

	private itemRecord(type: ItemType, id: number): Record<string, unknown> {
		const record = known(this.store.collection(ITEM_COLLECTIONS[type]).get(id), 'Item');
		const link =
			'alias' in record ? this.shortUrl(record) : 'code' in record ? `${this.base}/qr/${record.code}` : `${this.base}/bio-${id}`;
		return {
			type,
			id,
			title: 'title' in record ? record.title : record.name,
			preview: `${this.base}/preview/${type}/${id}`,
			link,
			date: record.date.slice(0, 10),
		};
	}

	private qrRecord({ id, code, scans, name, date }: StoredQr): Record<string, unknown> {
		return { id, link: `${this.base}/qr/${code}`, scans, name, date };
	}

	private linkRecord(link: StoredLink): Record<string, unknown> {
		const { id, alias, longurl, clicks, title, description, date } = link;
		return { id, alias, shorturl: this.shortUrl(link), longurl, clicks, title, description, date };
	}

	private linkReply(link: StoredLink): Record<string, unknown> {
		const { id, longurl, title, description, location, device, expiry, date } = link;
		return {
			error: 0,
			id,
			details: { id, shorturl: this.shortUrl(link), longurl, title, description, location, device, expiry, date },
			data: {
				clicks: link.clicks,
				uniqueClicks: link.uniqueClicks,
				...statistics(link.clicks, this.behaviour.emptyStatistics === 'zero' ? 0 : {}),
			},
		};
	}

	/** A visitor of a short link. @returns where to send the visitor, or undefined when there is no such link. */
	visitLink(alias: string): string | undefined {
		const link = this.store.linkAt('', alias);
		if (!link || (link.expiry !== null && link.expiry <= formatMoment(this.serviceNow()))) return undefined;
		this.store.click(link.id, 1, 1, 'visitor');
		return link.longurl;
	}

	/** A visitor who scanned a QR code. @returns its content, or undefined when there is no such code. */
	visitQr(code: string): unknown {
		const qr = this.store.qrAt(code);
		if (!qr) return undefined;
		this.store.scan(qr.id, 1, 1, 'visitor');
		return qr.data;
	}
}

function done(message: string): Record<string, unknown> {
	return { error: 0, message };
}

function unknown(label: string): ServiceError {
	return new ServiceError(`${label} does not exist.`);
}

function known<T>(record: T | undefined, label: string): T {
	if (record === undefined) throw unknown(label);
	return record;
}

function text(value: unknown): string {
	return typeof value === 'string' ? value : String(value ?? '');
}

function optionalText(value: unknown): string | undefined {
	return value === undefined || value === null || value === '' ? undefined : text(value);
}

function withoutSlash(address: string): string {
	return address.replace(/\/+$/, '');
}

function addToChannel(channel: StoredChannel, type: ItemType, id: number): void {
	if (!channel.items.some((item) => item.type === type && item.id === id)) channel.items.push({ type, id });
}

/** Targets as the details show them: by name in lower case. */
function addressesByName(targets: unknown, nameField: string): Record<string, string> {
	if (!Array.isArray(targets)) return {};
	const entries = (targets as Array<Record<string, unknown>>).map((target): [string, string] => [
		text(target[nameField]).toLowerCase(),
		text(target.link),
	]);
	return Object.fromEntries(entries);
}

/** Splits a count by name, as the service does: counts as text, but whole numbers for the social networks. */
function statistics(count: number, empty: unknown): Record<string, unknown> {
	const half = Math.ceil(count / 2);
	const split = (first: string, second: string): unknown => {
		if (count === 0) return empty;
		return count - half > 0 ? { [first]: String(half), [second]: String(count - half) } : { [first]: String(half) };
	};
	return {
		topCountries: split('Germany', 'France'),
		topReferrers: split('Direct, email and other', 'https://www.example.org'),
		topBrowsers: split('Chrome', 'Firefox'),
		topOs: split('Android', 'iOS'),
		socialCount: Object.fromEntries(NETWORKS.map((network, index) => [network, Math.floor(count / (10 * (index + 1)))])),
	};
}

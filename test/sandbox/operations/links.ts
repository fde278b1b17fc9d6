import type { Behavior } from '../dialect';
import {
	deleting,
	done,
	found,
	optionalText,
	ServiceError,
	text,
	unknown,
	withoutSlash,
	type Call,
	type Operating,
	type Operations,
} from '../operation';
import { blankLink, formatMoment, type StoredLink } from '../records';
import { statistics } from '../statistics';
import { addToChannel, channelOf, leaveChannels } from './channels';
import { domainNamed } from './domains';

type Json = Record<string, unknown>;

/** Fields of a link's creation that no answer shows. */
const UNSEEN = [
	'type',
	'password',
	'languagetarget',
	'metadescription',
	'metaimage',
	'pixels',
	'deeplink',
	'parameters',
] as const;

export function linkOperations(operating: Operating): Operations {
	const { store, base, behavior, pages, ownAddress, shortUrl } = operating;
	/** The last search, kept until a link changes, for its next page. */
	let last = { key: '', links: [] as StoredLink[] };

	const searched = (words: string, order: 'date' | 'click'): StoredLink[] => {
		const { links } = store;
		const key = `${links.version} ${order} ${words}`;
		if (last.key === key) return last.links;
		const matches = (field: string) => field.toLowerCase().includes(words.toLowerCase());
		const all = links.descending(order, 0, links.size);
		const isFound = ({ alias, title, longurl }: StoredLink) => [title, longurl, alias].some(matches);
		last = { key, links: all.filter(isFound) };
		return last.links;
	};

	const listed = (link: StoredLink): Json => {
		const { id, alias, longurl, clicks, title, description, date } = link;
		const record = { id, alias, shorturl: shortUrl(link), longurl, clicks, title, description, date };
		if (!behavior.moreFields) return record;
		const { uniqueClicks: uniqueclicks, campaign } = link;
		return { ...record, uniqueclicks, domain: link.domain || ownAddress(), campaign, channel: channelOf(store, id) };
	};

	const detailed = (link: StoredLink): Json => {
		const { id, longurl, title, description, expiry, date } = link;
		const location = behavior.statesInLocation ? byState(link.location) : link.location;
		const device = behavior.nullDevice && Object.keys(link.device).length === 0 ? null : link.device;
		return {
			error: 0,
			id,
			details: { id, shorturl: shortUrl(link), longurl, title, description, location, device, expiry, date },
			data: {
				clicks: link.clicks,
				uniqueClicks: link.uniqueClicks,
				...statistics(link.clicks, 0),
			},
		};
	};

	const atShortUrl = (address: string): StoredLink | undefined => {
		const cut = address.lastIndexOf('/');
		if (behavior.shortRead === 'alias') return store.links.find(({ alias }) => alias === address.slice(cut + 1));
		const domain = address.slice(0, cut);
		const link = store.linkAt(domain === ownAddress() ? '' : domain, address.slice(cut + 1));
		// An alias may hold a slash, or a space that was encoded.
		const isSame = (one: StoredLink) => encodeURI(shortUrl(one)) === address || shortUrl(one) === address;
		return link ?? (/%|\/.*\/.*\/.*\//.test(address) ? store.links.find(isSame) : undefined);
	};

	const listAll = (call: Call): Json => {
		const { orders, searchIgnored } = behavior;
		const order = call.query.order === 'click' && orders === 'both' ? 'click' : 'date';
		const words = searchIgnored ? undefined : optionalText(call.query.q);
		if (words !== undefined) return pages.all('urls', searched(words, order), call, listed);
		if (orders === 'none') return pages.all('urls', store.links.all(), call, listed);
		return pages.list('urls', store.links, order, call, listed);
	};

	/** The alias that a request asks for, as the service writes it. */
	const aliasIn = ({ custom }: Json): string | undefined => {
		const alias = optionalText(custom);
		return alias === undefined ? undefined : KEPT_ALIASES[behavior.aliasKept](alias) || undefined;
	};

	const longUrlOf = (body: Json): string => KEPT_URLS[behavior.longUrlKept](text(body.url));

	/** The domain that a new link stands on; empty for the service's own. */
	const domainFor = (asked: unknown): string => {
		const domain = withoutSlash(optionalText(asked) ?? '');
		if (domain === '' || domain === base || domain === ownAddress() || behavior.domainDropped) return '';
		if (domainNamed(store, domain)) return domain;
		if (behavior.unknownDomain === 'replaced') return '';
		throw new ServiceError('Invalid domain name.', 'value');
	};

	/** The alias that a link gets which asks for one. */
	const keptAlias = (domain: string, body: Json): string | undefined => {
		const { aliasDropped, aliasDroppedAt: at } = behavior;
		const isMeant = at === 'anywhere' || (at === 'ownHost') === (domain === '');
		return aliasDropped && isMeant ? undefined : aliasIn(body);
	};

	const refuseWrongFields = (body: Json): void => {
		if (!/^https?:\/\/[^\s/]+/i.test(text(body.url))) throw new ServiceError('Please enter a valid URL.', 'value');
		const alias = optionalText(body.custom);
		if (alias !== undefined && !/^[^\s/?#]+$/.test(alias)) throw new ServiceError('Invalid custom alias.', 'value');
		if (alias !== undefined && behavior.aliasLength === '3to50' && (alias.length < 3 || alias.length > 50)) {
			throw new ServiceError('The custom alias must have 3 to 50 characters.', 'value');
		}
		const type = optionalText(body.type);
		if (type !== undefined && !isType(type, operating)) throw new ServiceError('Invalid redirection type.', 'value');
		if (body.channel !== undefined) found(store, 'channels', body.channel);
		if (body.campaign !== undefined) found(store, 'campaigns', body.campaign);
		if (body.deeplink !== undefined && body.deeplink !== '' && body.devicetarget === undefined) {
			throw new ServiceError('Device targeting must be set for deep links.', 'value');
		}
	};

	const refusePastExpiry = (body: Json, own?: StoredLink): void => {
		const expiry = optionalText(body.expiry);
		if (!behavior.expiryAhead || expiry === undefined || expiry === own?.expiry) return;
		if (expiry.slice(0, 10) > formatMoment(Date.now()).slice(0, 10)) return;
		throw new ServiceError('The expiry date must lie after today.', 'value');
	};

	const refuseTakenAlias = (domain: string, alias: string, own?: StoredLink): void => {
		const isOfOthers = behavior.aliasOfOthers && /^theirs/i.test(alias) && alias !== own?.alias;
		const holder =
			behavior.aliasUnique === 'domain'
				? store.linkAt(domain, alias)
				: store.links.find((link) => link.alias === alias && link !== own);
		if (isOfOthers || (holder && holder !== own))
			throw new ServiceError('That alias is taken. Please choose another one.');
	};

	const created = (link: StoredLink): Json => {
		const shorturl = shortUrl(link);
		if (behavior.createReply === 'bare') return { error: 0 };
		return behavior.createReply === 'shorturl' ? { error: 0, shorturl } : { error: 0, id: link.id, shorturl };
	};

	return {
		linkGetAll: (call) => {
			const short = call.query.short;
			if (short === undefined) return listAll(call);
			const link = atShortUrl(withoutSlash(text(short)));
			const form = link ? behavior.shortHit : behavior.shortMiss;
			if (form === 'wholeList') return listAll(call);
			if (form === 'error') throw unknown('Link');
			if (link && form === 'details') return detailed(link);
			const links = link ? [link] : [];
			return pages.all('urls', links, { ...call, query: {} }, listed);
		},
		linkGet: ({ params }) => detailed(found(store, 'links', params.id)),
		linkCreate: ({ body }) => {
			refuseWrongFields(body);
			refusePastExpiry(body);
			if (behavior.createReply === 'nothingMade') return done('The link could not be made.');
			const url = longUrlOf(body);
			const there =
				behavior.knownLongUrl === 'returned' ? store.links.find(({ longurl }) => longurl === url) : undefined;
			if (there) return created(there);
			const domain = domainFor(body.domain);
			const alias = keptAlias(domain, body);
			if (alias !== undefined) refuseTakenAlias(domain, alias);
			const asked = behavior.targetsDropped ? withoutTargets(body) : body;
			const link = store.create(
				'links',
				{
					longurl: url,
					...(alias === undefined ? {} : { alias }),
					domain,
					title: new URL(text(body.url)).hostname,
					...saidOf(asked),
					unseen: unseenOf(asked),
				},
				'api',
			);
			const channel = store.channels.get(Number(body.channel));
			if (channel) addToChannel(channel, 'links', link.id);
			return created(link);
		},
		linkUpdate: ({ params, body }) => {
			const link = found(store, 'links', params.id);
			refuseWrongFields(body);
			refusePastExpiry(body, link);
			const alias = keptAlias(link.domain, body) ?? link.alias;
			refuseTakenAlias(link.domain, alias, link);
			const left =
				behavior.linkUpdate === 'resets' ? { ...blankLink(), title: new URL(text(body.url)).hostname } : link;
			const unseen = { ...left.unseen, ...unseenOf(body) };
			store.updateLink(link, { ...left, longurl: longUrlOf(body), alias, ...saidOf(body), unseen });
			const channel = store.channels.get(Number(body.channel));
			if (channel || behavior.linkUpdate === 'resets') leaveChannels(store, 'links', link.id);
			if (channel) addToChannel(channel, 'links', link.id);
			return { error: 0, id: link.id, [behavior.linkUpdateReply]: shortUrl(link) };
		},
		linkDelete: deleting(store, 'links', ''),
	};
}

/** Ways to keep a long URL. */
const KEPT_ALIASES: Record<Behavior['aliasKept'], (alias: string) => string> = {
	asSent: (alias) => alias,
	lowered: (alias) => alias.toLowerCase(),
	stripped: (alias) => alias.replace(/[^a-z0-9]/gi, ''),
};

const KEPT_URLS: Record<Behavior['longUrlKept'], (url: string) => string> = {
	asSent: (url) => url,
	normalized: (url) =>
		url.replace(/%[0-9a-f]{2}/gi, (octet) => {
			const character = String.fromCharCode(parseInt(octet.slice(1), 16));
			return /[a-z0-9._~-]/i.test(character) ? character : octet.toUpperCase();
		}),
	encoded: (url) => url.replace(/[[\]|]/g, encodeURIComponent),
	escaped: (url) => url.replaceAll('&', '&amp;'),
	plus: (url) => url.replaceAll('%20', '+'),
	slashCut: (url) => url.replace(/\/$/, ''),
	fragmentCut: (url) => url.replace(/#.*/, ''),
	tagged: (url) => url.replace(/^[^#]*/, (base) => `${base}${base.includes('?') ? '&' : '?'}tag=own-21`),
};

/** Whether the service knows this redirection: by name, a splash page by its ID, or an overlay. */
function isType(type: string, { store, behavior }: Operating): boolean {
	if (['direct', 'frame', 'splash'].includes(type) || store.splash.get(Number(type))) return true;
	const overlay = /^overlay-(\d+)$/.exec(type)?.[1] ?? (behavior.overlayTarget === 'either' ? type : '');
	return store.overlays.get(Number(overlay)) !== undefined;
}

/** What a request says of a link, beyond its address, that answers show. */
function saidOf(body: Json): Partial<StoredLink> {
	const { metatitle, description, expiry, geotarget, devicetarget, campaign, status } = body;
	return {
		...(metatitle === undefined ? {} : { title: text(metatitle) }),
		...(description === undefined ? {} : { description: text(description) }),
		...(expiry === undefined ? {} : { expiry: optionalText(expiry) ?? null }),
		...(geotarget === undefined ? {} : { location: addressesByName(geotarget, 'location') }),
		...(devicetarget === undefined ? {} : { device: addressesByName(devicetarget, 'device') }),
		...(campaign === undefined ? {} : { campaign: Number(campaign) }),
		...(status === undefined ? {} : { status: text(status) }),
	};
}

function unseenOf(body: Json): Json {
	return Object.fromEntries(UNSEEN.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]));
}

function withoutTargets({ geotarget: _geo, devicetarget: _device, languagetarget: _language, ...body }: Json): Json {
	return body;
}

/** Targets as the details show them: by name in lower case. */
function addressesByName(targets: unknown, nameField: string): Record<string, string> {
	const entries = Array.isArray(targets) ? (targets as Json[]) : [];
	return Object.fromEntries(entries.map((target) => [text(target[nameField]).toLowerCase(), text(target.link)]));
}

/** Addresses for a whole country stand under one name for all its states. */
function byState(location: StoredLink['location']): StoredLink['location'] {
	return Object.fromEntries(
		Object.entries(location).map(([country, address]) => [
			country,
			typeof address === 'string' ? { all: address } : address,
		]),
	);
}

/** Everyday jobs, and how each is held against what the service has afterwards. */
import type { IDataObject } from 'n8n-workflow';

import { by, search } from '../engine/host';
import { TriggerHost } from '../engine/pollHost';
import { EXPIRY, type Account } from './account';
import type { Need, Obstacle } from './obstacles';

export interface Job {
	name: string;
	needs: readonly Need[];
	/** Does the job. @throws what a user is shown, or what is wrong with what came of it */
	run(account: Account): Promise<void>;
}

/** What came of a job is not what was asked for. */
export class Wrong extends Error {}

function same(what: string, found: unknown, wanted: unknown): void {
	const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)];
	if (left !== right) throw new Wrong(`${what}: ${left} in place of ${right}`);
}

const sorted = (ids: unknown[]) => [...ids].sort((a, b) => Number(a) - Number(b));

/** The record with this name, as the service writes names. */
const named = <T extends { name: string }>(records: T[], name: string): T | undefined =>
	records.find((record) => record.name.toLowerCase() === name.toLowerCase());

const LISTS = [
	['link', 'links'],
	['campaign', 'campaigns'],
	['channel', 'channels'],
	['domain', 'domains'],
	['qrCode', 'qrs'],
	['pixel', 'pixels'],
	['splashPage', 'splash'],
	['overlay', 'overlays'],
] as const;

/** As many items as there are records, each once. */
const lists = LISTS.map(([resource, collection]): Job => ({
	name: `the whole list: ${resource}:getAll`,
	needs: [collection],
	async run(account) {
		const items = await account.items({ resource, operation: 'getAll', returnAll: true });
		// Domains that are lent to all accounts have no ID.
		const ids = items.map(({ id }) => id).filter((id) => id !== null);
		const records = await account.sandbox.records(collection);
		same('IDs', sorted(ids), sorted(records.map(({ id }) => id)));
	},
}));

const get = (mode: string, value: string) => ({ resource: 'link', operation: 'get', linkId: by(mode, value) });

/** Pasted in the four ways in which a link is told. */
const lookUps = (['shortUrl', 'alias', 'longUrl', 'id'] as const).map((mode): Job => ({
	name: `a link is looked up by its ${mode}`,
	needs: [],
	async run(account) {
		const link = (await account.link('known-second'))!;
		const value = { shortUrl: link.shorturl, alias: link.alias, longUrl: link.longurl, id: String(link.id) }[mode];
		const [item] = await account.items(get(mode, value));
		same('the link', [item.id, item.longurl], [link.id, link.longurl]);
	},
}));

const misses = (['shortUrl', 'alias', 'longUrl', 'id'] as const).map((mode): Job => ({
	name: `no link has this ${mode}`,
	needs: [],
	async run(account) {
		const link = (await account.link('known-second'))!;
		const value = {
			shortUrl: `${new URL(link.shorturl).origin}/not-there`,
			alias: 'not-there',
			longUrl: 'https://example.com/not/there',
			id: '999999',
		}[mode];
		const { error, items } = await account.run(get(mode, value));
		same('items', items, []);
		const words = mode === 'id' ? /not exist|no link|not there/i : /no (short )?link/i;
		expectEnd(error, account.obstacle() ?? words);
	},
}));

/** @throws Wrong unless this is the error in which it had to end */
function expectEnd(error: { message: string } | undefined, words: RegExp): void {
	if (error === undefined) throw new Wrong('nothing was wrong with it');
	if (!words.test(error.message)) throw new Wrong(`it ended in "${error.message}"`);
}

const otherAddress: Job = {
	name: 'a short URL of another host is not taken for one of the account',
	needs: [],
	async run(account) {
		const { error, items } = await account.run(get('shortUrl', 'https://elsewhere.example/below/known-first'));
		same('items', items, []);
		expectEnd(error, account.obstacle() ?? /no (short )?link/i);
	},
};

const changes: Job[] = [
	{
		name: 'an update changes what it names and nothing else',
		needs: ['change'],
		async run(account) {
			const before = (await account.link('known-third'))!;
			const url = 'https://example.com/changed';
			const linkId = by('alias', 'known-third');
			await account.items({ resource: 'link', operation: 'update', linkId, linkFields: { url } });
			const after = (await account.link('known-third'))!;
			same('the link', [after.id, after.longurl, after.expiry], [before.id, url, EXPIRY]);
			same('its targets', after.location, before.location);
			same('its description', after.description, before.description);
		},
	},
	{
		name: 'a link is deleted by its short URL, and no other',
		needs: ['change'],
		async run(account) {
			const before = await account.sandbox.links();
			const { id, shorturl } = (await account.link('known-fourth'))!;
			const [item] = await account.items({ resource: 'link', operation: 'delete', linkId: by('shortUrl', shorturl) });
			same('deleted', [item.deleted, item.id], [true, id]);
			const left = await account.sandbox.links();
			same(
				'links',
				sorted(left.map((link) => link.id)),
				sorted(before.map((link) => link.id).filter((old) => old !== id)),
			);
		},
	},
];

const creations: Job[] = [
	{
		name: 'a link is made, with an alias of its own',
		needs: ['chosenAlias'],
		async run(account) {
			const url = 'https://example.com/made';
			const [item] = await account.items({
				resource: 'link',
				operation: 'create',
				url,
				linkFields: { custom: 'made' },
			});
			const link = await account.link('made');
			same('the link', [item.shorturl, item.alias, item.longurl], [link?.shorturl, 'made', url]);
		},
	},
	{
		name: 'an alias that is taken is an error, and nothing is made',
		needs: [],
		async run(account) {
			const before = (await account.sandbox.links()).length;
			const url = 'https://example.com/late';
			const { error } = await account.run({
				resource: 'link',
				operation: 'create',
				url,
				linkFields: { custom: 'known-first' },
			});
			expectEnd(error, account.obstacle('chosenAlias') ?? /taken/);
			const made = account.behaviour.aliasDropped || account.behaviour.createReply !== 'full' ? undefined : before;
			if (made !== undefined) same('links', (await account.sandbox.links()).length, made);
		},
	},
	{
		name: 'an alias that is taken gives the link that has it',
		needs: [],
		async run(account) {
			const [item] = await account.items({
				resource: 'link',
				operation: 'create',
				url: 'https://example.com/known/first',
				linkFields: { custom: 'known-first' },
				options: { ifAliasExists: 'returnExisting' },
			});
			// Another link in place of the one that was asked for is told as one that was there.
			if (account.behaviour.aliasDropped) return;
			const link = await account.link('known-first');
			same('the link', item.shorturl, link?.shorturl);
			// A service that gives the link of a long URL of itself does not say so.
			// Nor can anybody tell where a page in place of an answer leaves open whether the link was made just now.
			const isTold = account.behaviour.knownLongUrl === 'new' && account.behaviour.planFull !== 'page';
			if (isTold) same('existing', item.existing, true);
		},
	},
	{
		name: 'a link is made in a campaign that is named',
		needs: ['campaigns', 'createLink'],
		async run(account) {
			const url = 'https://example.com/of-the-fair';
			const linkFields = { campaign: by('name', 'Spring fair') };
			await account.items({ resource: 'link', operation: 'create', url, linkFields });
			const link = (await account.sandbox.links()).find(({ longurl }) => longurl === url);
			const campaign = named(await account.sandbox.records('campaigns'), 'Spring fair');
			same('the campaign', link?.campaign, campaign?.id);
		},
	},
	{
		name: 'a link is made in a campaign that is made for it',
		needs: ['campaigns', 'createLink'],
		async run(account) {
			const urls = ['https://example.com/one', 'https://example.com/two'];
			const linkFields = { campaign: by('name', 'new fair') };
			const options = { ifNameMissing: 'create' };
			const parameters = { resource: 'link', operation: 'create', url: '={{ $json.url }}', linkFields, options };
			await account.items(
				parameters,
				urls.map((url) => ({ url })),
			);
			const made = (await account.sandbox.records('campaigns')).filter(({ name }) => /^new fair$/i.test(name));
			same('campaigns', made.length, 1);
			const links = (await account.sandbox.links()).filter(({ longurl }) => urls.includes(longurl));
			same(
				'their campaigns',
				links.map(({ campaign }) => campaign),
				[made[0].id, made[0].id],
			);
		},
	},
	{
		name: 'a link is assigned to a campaign and a channel that are named',
		needs: ['campaigns', 'channels'],
		async run(account) {
			const linkId = by('alias', 'known-first');
			const campaignId = by('name', 'Spring fair');
			await account.items({ resource: 'campaign', operation: 'assignLink', campaignId, linkId });
			const channelId = by('name', 'Newsletter');
			await account.items({ resource: 'channel', operation: 'assignItem', channelId, itemType: 'links', linkId });
			const link = (await account.link('known-first'))!;
			const campaign = named(await account.sandbox.records('campaigns'), 'Spring fair');
			const channel = named(await account.sandbox.records('channels'), 'Newsletter');
			same('the campaign', link.campaign, campaign?.id);
			same('the channel', channel?.items, [{ type: 'links', id: link.id }]);
		},
	},
	{
		name: 'a QR code is made, read and deleted',
		needs: ['create', 'qrCodes'],
		async run(account) {
			const data = 'https://example.com/poster';
			const qrCodeFields = { name: 'Poster of the fair' };
			const made = await account.items({ resource: 'qrCode', operation: 'create', type: 'link', data, qrCodeFields });
			const qr = named(await account.sandbox.qrs(), 'Poster of the fair');
			same('the QR code', made[0].id, qr?.id);
			const qrCodeId = by('id', String(qr?.id));
			const [{ id, name }] = await account.items({ resource: 'qrCode', operation: 'get', qrCodeId });
			same('what is read', [id, name], [qr?.id, qr?.name]);
			await account.items({ resource: 'qrCode', operation: 'delete', qrCodeId });
			same('what is left', named(await account.sandbox.qrs(), 'Poster of the fair'), undefined);
		},
	},
];

/** What a row of the sheet comes out as. */
function expectRow(row: string, item: IDataObject | undefined, obstacle: Obstacle, action: string): void {
	if (obstacle === undefined) same(row, item?.error ?? item?.action, action);
	else if (typeof item?.error !== 'string' || !obstacle.test(item.error)) {
		throw new Wrong(`${row} came out as ${JSON.stringify(item)}`);
	}
}

const sheet: Job = {
	name: 'a sheet and the account are in step',
	needs: [],
	async run(account) {
		const rows = [
			{ alias: 'known-first', url: 'https://example.com/known/first' },
			{ alias: 'known-third', url: 'https://example.com/moved' },
			{ alias: 'of-the-sheet', url: 'https://example.com/of/the/sheet' },
		];
		const others = async () =>
			(await account.sandbox.links()).filter(({ alias }) => !rows.some((row) => row.alias === alias));
		const before = JSON.stringify(await others());
		const columns = { mappingMode: 'autoMapInputData', value: null };
		const parameters = { resource: 'link', operation: 'upsert', columns };
		const { items, error } = await account.run(parameters, rows, { onError: 'continueRegularOutput' });
		if (error !== undefined) throw error;
		const [unchanged, updated, created] = items.map(({ json }) => json);
		expectRow('the row as it is', unchanged, account.obstacle(), 'unchanged');
		expectRow('the row that moved', updated, account.obstacle('change'), 'updated');
		expectRow('the new row', created, account.obstacle('chosenAlias'), 'created');
		if (account.obstacle('change', 'chosenAlias') !== undefined) return;
		for (const { alias, url } of rows) same(alias, (await account.link(alias))?.longurl, url);
		same('the date on which it ends', (await account.link('known-third'))?.expiry, EXPIRY);
		same('the other links', JSON.stringify(await others()), before);
		await account.sandbox.clearRequests();
		const again = await account.items(parameters, rows);
		same(
			'the second run',
			again.map(({ action }) => action),
			['unchanged', 'unchanged', 'unchanged'],
		);
		const sent = (await account.sandbox.requests()).filter(({ method }) => method !== 'GET');
		same('what it changed', sent.length, 0);
	},
};

/** The values of a dropdown that is scrolled to its end. */
async function scrolled(account: Account, method: string, filter?: string): Promise<number[]> {
	const ids: number[] = [];
	let token: string | undefined;
	do {
		const part = await search(method, account.credential, filter, token);
		ids.push(...part.results.map(({ value }) => Number(value)));
		token = part.paginationToken as string | undefined;
	} while (token !== undefined);
	return ids;
}

const DROPDOWNS = [
	['searchLinks', 'links'],
	['searchCampaigns', 'campaigns'],
	['searchQrCodes', 'qrs'],
] as const;

const dropdowns = DROPDOWNS.map(([method, collection]): Job => ({
	name: `the dropdown ${method}`,
	needs: [collection],
	async run(account) {
		const ids = await scrolled(account, method);
		const records = await account.sandbox.records(collection);
		same('entries', sorted(ids), sorted(records.map(({ id }) => id)));
	},
}));

const searched: Job = {
	name: 'the dropdown of links, searched',
	needs: ['links'],
	async run(account) {
		const ids = await scrolled(account, 'searchLinks', 'known-second');
		const { id } = (await account.link('known-second'))!;
		// Where the service can't search, nobody knows what it would have found.
		if (account.behaviour.searchIgnored) same('the link among the entries', ids.includes(id), true);
		else same('entries', ids, [id]);
	},
};

/** Activated, then polled after each step; what it reports, in the order of the steps. */
async function watched(account: Account, event: string, steps: Array<() => Promise<unknown>>): Promise<IDataObject[]> {
	const host = new TriggerHost({ credential: account.credential, parameters: { event } });
	await host.activate();
	const reported: IDataObject[] = [];
	for (const step of steps) {
		await step();
		reported.push(...(await host.poll()));
	}
	return reported;
}

const nothing = async () => undefined;

const triggers: Job[] = [
	{
		name: 'the trigger tells of new links',
		needs: [],
		async run(account) {
			const made: number[] = [];
			const make = async (count: number) => {
				made.push(...(await account.sandbox.createRecords({ links: count })).links.map(({ id }) => id));
			};
			const items = await watched(account, 'linkCreated', [
				nothing,
				async () => await make(1),
				async () => await make(2),
			]);
			same('new links', sorted(items.map(({ id }) => id)), made);
		},
	},
	{
		name: 'the trigger tells of clicks',
		needs: [],
		async run(account) {
			const { id, clicks } = (await account.link('known-first'))!;
			const click = (count: number) => async () => await account.sandbox.simulate({ clicks: [{ id, count }] });
			const items = await watched(account, 'linkClicked', [nothing, click(3), click(1)]);
			const told = items.map(({ id: link, previousClicks, newClicks }) => [link, previousClicks, newClicks]);
			same('clicks', told, [
				[id, clicks, 3],
				[id, clicks + 3, 1],
			]);
		},
	},
	{
		name: 'the trigger tells of new QR codes',
		needs: ['qrs'],
		async run(account) {
			let made: unknown;
			const make = async () => {
				made = (await account.sandbox.createRecords({ qrs: 1 })).qrs[0].id;
			};
			const items = await watched(account, 'qrCodeCreated', [nothing, make]);
			same(
				'new QR codes',
				items.map(({ id }) => id),
				[made],
			);
		},
	},
];

const account: Job = {
	name: 'the account is read',
	needs: ['account'],
	async run(of) {
		const [item] = await of.items({ resource: 'account', operation: 'get' });
		same('the account', item.email, 'owner@example.com');
	},
};

export const JOBS: readonly Job[] = [
	account,
	...lists,
	...lookUps,
	...misses,
	otherAddress,
	...dropdowns,
	searched,
	...creations,
	...changes,
	sheet,
	...triggers,
];

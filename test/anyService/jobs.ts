/** Everyday jobs, and how each is held against what the service has afterwards. */
import type { IDataObject } from 'n8n-workflow';

import { isFailed } from '../failed';
import { CONTINUE, upsertOf } from '../engine/account';
import { by } from '../engine/host';
import { TriggerHost } from '../engine/pollHost';
import { EXPIRY } from '../sandbox';
import { ODD_LINKS, type Account } from './account';
import type { Need, Obstacle } from './obstacles';

export interface Job {
	name: string;
	needs: readonly Need[];
	/** Does the job. @throws what a user is shown, or what is wrong with what came of it */
	run(account: Account): Promise<void>;
}

/** In the order in which they are done, one after another in one account. */
export const JOBS: Job[] = [];

function job(name: string, needs: Need[], run: Job['run']): void {
	JOBS.push({ name, needs, run });
}

/** What came of a job is not what was asked for. */
export class Wrong extends Error {}

function same(what: string, found: unknown, wanted: unknown): void {
	const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)];
	if (left !== right) throw new Wrong(`${what}: ${left} in place of ${right}`);
}

/** The same records, in whatever order. */
function sameIds(what: string, found: unknown[], wanted: unknown[]): void {
	const [left, right] = [found, wanted].map((ids) => [...ids].sort((a, b) => Number(a) - Number(b)));
	same(what, left, right);
}

const idsOf = (records: Array<{ id?: unknown }>) => records.map(({ id }) => id);

/** @throws Wrong unless this is the error in which it had to end */
function expectEnd(error: { message: string } | undefined, words: RegExp): void {
	if (error === undefined) throw new Wrong('nothing was wrong with it');
	if (!words.test(error.message)) throw new Wrong(`it ended in "${error.message}"`);
}

/** The record with this name, as the service writes names. */
const named = <T extends { name: string }>(records: T[], name: string): T | undefined =>
	records.find((record) => record.name.toLowerCase() === name.toLowerCase());

const link = (operation: string, more: IDataObject) => ({ resource: 'link', operation, ...more });

job('the account is read', ['account'], async (account) => {
	const [item] = await account.items({ resource: 'account', operation: 'get' });
	same('the account', item.email, 'owner@example.com');
});

for (const [resource, collection] of [
	['link', 'links'],
	['campaign', 'campaigns'],
	['channel', 'channels'],
	['domain', 'domains'],
	['qrCode', 'qrs'],
	['pixel', 'pixels'],
	['splashPage', 'splash'],
	['overlay', 'overlays'],
] as const) {
	job(`the whole list: ${resource}:getAll`, [collection], async (account) => {
		const items = await account.items({ resource, operation: 'getAll', returnAll: true });
		// Domains that are lent to all accounts have no ID.
		const ids = idsOf(items).filter((id) => id !== null);
		sameIds('IDs', ids, idsOf(await account.sandbox.records(collection)));
	});
}

/** The four ways in which a link is told. */
const MODES = ['shortUrl', 'alias', 'longUrl', 'id'] as const;

for (const mode of MODES) {
	job(`a link is looked up by its ${mode}`, [], async (account) => {
		const { id, shorturl, alias, longurl } = (await account.link('known-second'))!;
		const value = { shortUrl: shorturl, alias, longUrl: longurl, id: String(id) }[mode];
		const [item] = await account.items(link('get', { linkId: by(mode, value) }));
		same('the link', [item.id, item.longurl], [id, longurl]);
	});
}

for (const { alias: odd } of ODD_LINKS) {
	job(`the link "${odd}" is looked up by its short URL, its alias and its long URL`, [], async (account) => {
		const { id, shorturl, alias, longurl } = (await account.link(odd))!;
		for (const [mode, value] of Object.entries({ shortUrl: shorturl, alias, longUrl: longurl })) {
			const [item] = await account.items(link('get', { linkId: by(mode, value) }));
			same(`the link by its ${mode}`, [item.id, item.longurl], [id, longurl]);
		}
	});
}

/** A long URL without what the service has added. */
const untagged = (longUrl = '') => longUrl.replace(/[?&]tag=own-21/, '');

/** @throws Wrong unless nothing is found */
async function expectNone(account: Account, mode: string, value: string, words: RegExp): Promise<void> {
	const { error, items } = await account.run(link('get', { linkId: by(mode, value) }));
	same('items', items, []);
	expectEnd(error, account.obstacle() ?? words);
}

for (const mode of MODES) {
	job(`no link has this ${mode}`, [], async (account) => {
		const { shorturl } = (await account.link('known-second'))!;
		const value = {
			shortUrl: `${new URL(shorturl).origin}/not-there`,
			alias: 'not-there',
			longUrl: 'https://example.com/not/there',
			id: '999999',
		}[mode];
		await expectNone(account, mode, value, mode === 'id' ? /no short link with the ID 999999/ : /no (short )?link/i);
	});
}

job('a short URL of another host is not taken for one of the account', [], async (account) => {
	await expectNone(account, 'shortUrl', 'https://elsewhere.example/below/known-first', /no (short )?link/i);
});

job('a link is made, with an alias of its own', ['chosenAlias'], async (account) => {
	const url = 'https://example.com/made';
	const [item] = await account.items(link('create', { url, linkFields: { custom: 'made' } }));
	const made = await account.link('made');
	same('the link', [item.shorturl, item.alias, item.longurl], [made?.shorturl, 'made', url]);
});

job('an alias that is taken is an error, and nothing is made', [], async (account) => {
	const before = (await account.sandbox.links()).length;
	const url = 'https://example.com/late';
	const { error } = await account.run(link('create', { url, linkFields: { custom: 'known-first' } }));
	expectEnd(error, account.obstacle('chosenAlias') ?? /taken/);
	if (account.behavior.aliasDropped || account.behavior.createReply !== 'full') return;
	same('links', (await account.sandbox.links()).length, before);
});

job('a link that is there is returned where nothing may be updated', [], async (account) => {
	const rows = [{ 'Long URL': 'https://example.com/known/first', Alias: 'known-first', Title: 'Another' }];
	const [item] = await account.items(link('upsert', { options: { updateWhen: 'never' } }), rows);
	same('the action', item.action, 'unchanged');
	same('the link', item.shorturl, (await account.link('known-first'))?.shorturl);
});

job('a link is made in a campaign that is named', ['campaigns', 'createLink'], async (account) => {
	const url = 'https://example.com/of-the-fair';
	await account.items(link('create', { url, linkFields: { campaign: by('name', 'Spring fair') } }));
	const made = (await account.sandbox.links()).find(({ longurl }) => untagged(longurl) === url);
	same('the campaign', made?.campaign, named(await account.sandbox.records('campaigns'), 'Spring fair')?.id);
});

const ASSIGNED = 'a link is assigned to a campaign and a channel that are named';
job(ASSIGNED, ['campaigns', 'channels'], async (account) => {
	const linkId = by('alias', 'known-first');
	const campaignId = by('name', 'Spring fair');
	await account.items({ resource: 'campaign', operation: 'assignLink', campaignId, linkId });
	const channelId = by('name', 'Newsletter');
	await account.items({ resource: 'channel', operation: 'assignItem', channelId, itemType: 'links', linkId });
	const { id, campaign } = (await account.link('known-first'))!;
	same('the campaign', campaign, named(await account.sandbox.records('campaigns'), 'Spring fair')?.id);
	const channel = named(await account.sandbox.records('channels'), 'Newsletter');
	same('the channel', channel?.items, [{ type: 'links', id }]);
});

job('a QR code is made, read and deleted', ['create', 'qrCodes'], async (account) => {
	const data = 'https://example.com/poster';
	const qrCodeFields = { name: 'Poster of the fair' };
	const poster = async () => named(await account.sandbox.qrs(), 'Poster of the fair');
	const made = await account.items({ resource: 'qrCode', operation: 'create', type: 'link', data, qrCodeFields });
	const qr = await poster();
	same('the QR code', made[0].id, qr?.id);
	const qrCodeId = by('id', String(qr?.id));
	const [{ id, name }] = await account.items({ resource: 'qrCode', operation: 'get', qrCodeId });
	same('what is read', [id, name], [qr?.id, qr?.name]);
	await account.items({ resource: 'qrCode', operation: 'delete', qrCodeId });
	same('what is left', await poster(), undefined);
});

job('an update changes what it names and nothing else', ['change'], async (account) => {
	const before = (await account.link('known-third'))!;
	const url = 'https://example.com/changed';
	await account.items(link('update', { linkId: by('alias', 'known-third'), linkFields: { url } }));
	const after = (await account.link('known-third'))!;
	same('the link', [after.id, untagged(after.longurl), after.expiry], [before.id, url, EXPIRY]);
	same('its targets', after.location, before.location);
	same('its description', after.description, before.description);
});

job('a link is deleted by its short URL, and no other', ['change'], async (account) => {
	const before = await account.sandbox.links();
	const { id, shorturl } = (await account.link('known-fourth'))!;
	const [item] = await account.items(link('delete', { linkId: by('shortUrl', shorturl) }));
	same('deleted', [item.deleted, item.id], [true, id]);
	const others = idsOf(before).filter((old) => old !== id);
	sameIds('links', idsOf(await account.sandbox.links()), others);
});

/** What a row of the sheet comes out as. */
function expectRow(row: string, item: IDataObject | undefined, obstacle: Obstacle, action: string): void {
	if (obstacle === undefined) same(row, item?.error ?? item?.action, action);
	else if (typeof item?.error !== 'string' || !obstacle.test(item.error)) {
		throw new Wrong(`${row} came out as ${JSON.stringify(item)}`);
	}
}

job('a sheet and the account are in sync', [], async (account) => {
	const rows = [
		{ alias: 'known-first', url: 'https://example.com/known/first' },
		{ alias: 'known-third', url: 'https://example.com/moved' },
		{ alias: 'of-the-sheet', url: 'https://example.com/of/the/sheet' },
	];
	const others = async () =>
		(await account.sandbox.links()).filter(({ alias }) => !rows.some((row) => row.alias === alias));
	const before = await others();
	const { items, error } = await account.run(upsertOf(), rows, CONTINUE);
	if (error !== undefined) throw error;
	const [unchanged, updated, created] = items.map(({ json }) => json);
	expectRow('the row as it is', unchanged, account.obstacle(), 'unchanged');
	expectRow('the row that moved', updated, account.obstacle('change'), 'updated');
	expectRow('the new row', created, account.obstacle('chosenAlias'), 'created');
	if (account.obstacle('change', 'chosenAlias') !== undefined) return;
	for (const { alias, url } of rows) same(alias, untagged((await account.link(alias))?.longurl), url);
	same('the date on which it ends', (await account.link('known-third'))?.expiry, EXPIRY);
	same('the other links', await others(), before);
	// What the service changes, each run changes back.
	if (account.behavior.longUrlKept === 'tagged') return;
	await account.sandbox.clearRequests();
	const again = (await account.items(upsertOf(), rows)).map(({ action }) => action);
	same('the second run', again, ['unchanged', 'unchanged', 'unchanged']);
	const sent = (await account.sandbox.requests()).filter(({ method }) => method !== 'GET');
	same('what it changed', sent.length, 0);
});

job('no row has more than one link, night after night', [], async (account) => {
	const rows = ['one', 'two', 'three', 'theirs'].map((alias) => ({ alias, url: `https://example.com/night/${alias}` }));
	const made = async () =>
		(await account.sandbox.links()).filter(({ longurl }) => rows.some(({ url }) => url === untagged(longurl))).length;
	for (const [night, process] of [account, account, account.restarted()].entries()) {
		await process.run(upsertOf(), rows, CONTINUE);
		// Each night the first row may show that the service still drops aliases.
		const most = rows.length + (account.behavior.aliasDropped ? night : 0);
		if ((await made()) > most)
			throw new Wrong(`${await made()} links after ${night + 1} nights, and ${rows.length} rows`);
	}
});

job(
	'a sheet of aliases and addresses as people write them has one link a row, night after night',
	[],
	async (account) => {
		const rows = [
			...ODD_LINKS.map(({ alias, longurl: url, ...more }) => ({ alias, url, ...more })),
			{ alias: 'NewCapital', url: 'https://example.com/odd/new?x=%2F&y=[1]' },
			{ url: 'https://example.com/odd/plain/' },
		];
		const links = async () =>
			(await account.sandbox.links()).filter(({ longurl }) => longurl.startsWith('https://example.com/odd'));
		const there = await links();
		const { aliasDropped, longUrlKept } = account.behavior;
		const aNight = Number(aliasDropped) + Number(longUrlKept === 'tagged');
		for (const [night, process] of [account, account, account.restarted()].entries()) {
			const { items, error } = await process.run(upsertOf(), rows, CONTINUE);
			if (error !== undefined) throw error;
			const now = await links();
			if (now.length > rows.length + aNight * night)
				throw new Wrong(`${now.length} links after ${night + 1} nights, and ${rows.length} rows`);
			for (const [at, { id, alias }] of there.entries()) {
				const { json } = items[ODD_LINKS.findIndex((odd) => odd.alias === alias)];
				if (!isFailed(json)) same(`the link of row ${at}`, json.id, id);
				else if (!account.obstacle('change')?.test(String(json.error))) throw new Wrong(String(json.error));
			}
		}
	},
);

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

job('the trigger tells of new links', [], async (account) => {
	const made: number[] = [];
	const make = (count: number) => async () => {
		made.push(...(await account.sandbox.createRecords({ links: count })).links.map(({ id }) => id));
	};
	sameIds('new links', idsOf(await watched(account, 'linkCreated', [nothing, make(1), make(2)])), made);
});

job('the trigger tells of clicks', [], async (account) => {
	const { id, clicks } = (await account.link('known-first'))!;
	const click = (count: number) => async () => await account.sandbox.simulate({ clicks: [{ id, count }] });
	const items = await watched(account, 'linkClicked', [nothing, click(3), click(1)]);
	const told = items.map(({ id: clicked, previousClicks, newClicks }) => [clicked, previousClicks, newClicks]);
	same('clicks', told, [
		[id, clicks, 3],
		[id, clicks + 3, 1],
	]);
});

job('the trigger tells of new QR codes', ['qrs'], async (account) => {
	let made: unknown;
	const make = async () => {
		made = (await account.sandbox.createRecords({ qrs: 1 })).qrs[0].id;
	};
	same('new QR codes', idsOf(await watched(account, 'qrCodeCreated', [nothing, make])), [made]);
});

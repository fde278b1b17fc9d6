/** Everyday jobs of the node, each as often as somebody wants: a second time, it changes nothing that is done. */
import type { IDataObject } from 'n8n-workflow';

import { upsertOf } from '../engine/account';
import { by } from '../engine/host';
import { addressOf, ODD_LINKS, type Account } from './account';
import type { Endpoint, Need } from './obstacles';

export interface Job {
	name: string;
	needs: readonly Need[];
	rows(account: Account): Promise<IDataObject[]> | IDataObject[];
	parameters: IDataObject;
	/** The records of a row, among all that the account holds, by what their texts hold; default: of no record. */
	of?(row: IDataObject): string;
	/** Each row has to fail, wherever nothing stands in its way before. */
	fails?: RegExp;
	/** Rows of it may fail so everywhere. */
	mayFail?: RegExp;
	/** What is wrong with the items of rows that went well. */
	wrong?(items: IDataObject[], account: Account): Promise<string | undefined> | string | undefined;
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);

const ofUrl = ({ url }: IDataObject) => `"${String(url)}"`;
const ofName = ({ name }: IDataObject) => `"${String(name)}"`;

/** Every tenth is changed. */
const sheet = (rows: number[], more: (row: number) => IDataObject = () => ({})) =>
	rows.map((row) => ({ url: addressOf(row), description: row % 10 === 0 ? 'New' : 'Old', ...more(row) }));

const withAlias = (row: number) => ({ alias: `row-${row}` });

const link = (operation: string, more: IDataObject) => ({ resource: 'link', operation, ...more });

type Rows = Job['rows'];

/** Create or Update of a sheet. */
const upserting = (name: string, rows: Rows, options: IDataObject = {}, needs: Need[] = []): Job => ({
	name,
	needs: ['change', 'createLink', ...needs],
	parameters: upsertOf(options),
	rows,
	of: ofUrl,
});

const byShortUrl = (count: number) => async (account: Account) =>
	await Promise.all(
		sheet(numbers(8, count)).map(async (row, at) => {
			return { ...row, 'Short URL': (await account.link(`row-${8 + at}`)).shorturl };
		}),
	);

const sheets: Job[] = [
	upserting('a sheet by long URL', () => sheet(numbers(0, 26))),
	upserting('two rows by long URL', () => sheet([3, 25])),
	upserting('a sheet by alias', () => sheet(numbers(0, 26), withAlias)),
	upserting('four rows by alias', () => sheet([3, 10, 25, 26], withAlias)),
	upserting('a sheet of odd aliases and addresses', () =>
		ODD_LINKS.map(({ alias, longurl: url }) => ({ alias, url, description: 'Old' })),
	),
	...[3, 14].map((count) => upserting(`${count} rows by short URL`, byShortUrl(count))),
	{
		...upserting(
			'a sheet with campaigns, some of them missing',
			() => sheet(numbers(18, 5), (row) => ({ ...withAlias(row), campaign: row % 2 ? 'Fair' : 'New fair' })),
			{},
			['campaigns'],
		),
		mayFail: /no campaign named "New fair"/,
	},
	upserting(
		'a sheet whose empty cells clear',
		() => numbers(2, 3).map((row) => ({ url: addressOf(row), description: '' })),
		{ emptyCells: 'clear' },
	),
	...[3, 12].map((count) =>
		upserting(`${count} links with Update When → Never`, () => sheet(numbers(18, count), withAlias), {
			updateWhen: 'never',
		}),
	),
];

const code = { resource: 'qrCode', operation: 'create', type: 'text', data: '={{ $json.name }}' };

const creations: Job[] = [
	{
		name: 'QR codes, each once',
		needs: ['create', 'qrCodes', 'qrs'],
		parameters: { ...code, qrCodeFields: { name: '={{ $json.name }}' }, options: { ifNameExists: 'returnExisting' } },
		rows: () => ['Code one', 'Code two', 'Code three', 'Code four', 'Code three'].map((name) => ({ name })),
		of: ofName,
	},
	{
		name: 'an alias that is taken',
		needs: ['createLink'],
		parameters: link('create', { url: addressOf(200), linkFields: { custom: 'row-1' } }),
		rows: () => [{}],
		fails: /taken/,
	},
];

/** Each way of choosing a link, with what a row enters for it, and what nobody has. */
const WAYS: Array<[mode: string, value: (account: Account, row: number) => unknown, absent: string]> = [
	['id', async (account, row) => String((await account.link(`row-${row}`)).id), '999999'],
	['alias', (_account, row) => `row-${row}`, 'not-there'],
	['shortUrl', async (account, row) => (await account.link(`row-${row}`)).shorturl, 'https://elsewhere.example/row-1'],
	['longUrl', (_account, row) => addressOf(row), 'https://example.com/not/there'],
];

const chosen = (count: number) =>
	WAYS.flatMap(([mode, value]): Job[] => {
		const rows = async (account: Account) =>
			await Promise.all(
				numbers(2, count).map(async (row) => ({ url: addressOf(row), value: (await value(account, row)) as string })),
			);
		const linkId = by(mode, '={{ $json.value }}');
		const common = { rows, of: ofUrl };
		const toCampaign = { campaignId: by('name', 'Fair'), linkId };
		const toChannel = { channelId: by('name', 'Press'), itemType: 'links', linkId };
		const name = (what: string) => `${count} links ${what} by ${mode}`;
		return [
			{
				...common,
				name: name('updated'),
				needs: ['change'],
				parameters: link('update', { linkId, linkFields: { description: 'New' } }),
			},
			{ ...common, name: name('deleted'), needs: ['change'], parameters: link('delete', { linkId }) },
			{
				...common,
				name: name('read'),
				needs: [],
				parameters: link('get', { linkId }),
				wrong: (items) =>
					items.every(({ longurl }, at) => longurl === addressOf(2 + at)) ? undefined : JSON.stringify(items),
			},
			{
				...common,
				name: name('assigned'),
				needs: ['campaigns'],
				parameters: { resource: 'campaign', operation: 'assignLink', ...toCampaign },
			},
			{
				...common,
				name: name('added'),
				needs: ['channels'],
				parameters: { resource: 'channel', operation: 'assignItem', ...toChannel },
			},
		];
	});

const absent = WAYS.map(([mode, , value]): Job => ({
	name: `no link has this ${mode}`,
	needs: [],
	parameters: link('get', { linkId: by(mode, value) }),
	rows: () => [{}],
	fails: /no (short )?link/i,
}));

const odd = ['alias', 'shortUrl', 'longUrl'].map((mode): Job => ({
	name: `odd links read by ${mode}`,
	needs: [],
	parameters: link('get', { linkId: by(mode, `={{ $json.${mode} }}`) }),
	rows: async (account) =>
		await Promise.all(
			ODD_LINKS.map(async ({ alias, longurl }) => {
				const { id, shorturl } = await account.link(alias);
				return { id, alias, longUrl: longurl, shortUrl: shorturl };
			}),
		),
	wrong: async (items, account) => {
		const ids = await Promise.all(ODD_LINKS.map(async ({ alias }) => (await account.link(alias)).id));
		return items.every(({ id }, at) => id === ids[at]) ? undefined : JSON.stringify(items);
	},
}));

/** A record of another kind than links, by its ID. @param shows what its text holds */
const other = (
	operation: 'update' | 'delete',
	[resource, collection, idName, shows]: readonly [
		string,
		'qrs' | 'domains' | 'pixels',
		string,
		(record: never) => string,
	],
	more: IDataObject,
): Job => ({
	name: `${resource}:${operation}`,
	needs: [collection, ...(collection === 'qrs' ? (['qrCodes'] as const) : [])],
	parameters: { resource, operation, [idName]: by('id', '={{ $json.id }}'), ...more },
	rows: async (account) => {
		const records = (await account.sandbox.records(collection)).slice(-2);
		return records.map((record) => ({ id: record.id, shows: shows(record as never) }));
	},
	of: ({ shows: text }) => `"${String(text)}"`,
});

const CODE = ['qrCode', 'qrs', 'qrCodeId', ({ name }: { name: string }) => name] as const;
const DOMAIN = ['domain', 'domains', 'domainId', ({ domain }: { domain: string }) => domain] as const;
const PIXEL = ['pixel', 'pixels', 'pixelId', ({ name }: { name: string }) => name] as const;

const named = (resource: 'campaign' | 'channel', name: string, operation: string, more: IDataObject): Job => ({
	name: `${resource}:${operation} by name`,
	needs: [`${resource}s`],
	parameters: { resource, operation, [`${resource}Id`]: by('name', '={{ $json.name }}'), ...more },
	rows: () => [{ name }],
	of: ofName,
});

const others: Job[] = [
	other('update', CODE, { type: 'text', data: 'New' }),
	other('delete', CODE, {}),
	other('update', DOMAIN, { domainFields: { redirect404: 'https://example.com/not-found' } }),
	other('delete', DOMAIN, {}),
	other('update', PIXEL, { tag: 'NEW-1' }),
	other('delete', PIXEL, {}),
	named('campaign', 'Fair', 'update', { name: 'Fair', campaignFields: { slug: 'the-fair' } }),
	named('campaign', 'Fair', 'delete', {}),
	named('channel', 'Press', 'update', { channelFields: { description: 'New' } }),
	named('channel', 'Press', 'delete', {}),
];

const LISTS: Array<[resource: string, collection: Endpoint]> = [
	['link', 'links'],
	['qrCode', 'qrs'],
	['campaign', 'campaigns'],
	['channel', 'channels'],
	['domain', 'domains'],
	['pixel', 'pixels'],
	['splashPage', 'splash'],
	['overlay', 'overlays'],
];

const reads: Job[] = [
	...LISTS.map(([resource, collection]): Job => ({
		name: `Return All of ${collection}`,
		needs: [collection],
		parameters: { resource, operation: 'getAll', returnAll: true },
		rows: () => [{}],
		async wrong(items, account) {
			// Domains that are lent to all accounts have no ID.
			const ids = items.map(({ id }) => Number(id)).filter((id) => id > 0);
			const held = (await account.sandbox.records(collection)).map(({ id }) => id);
			const isWhole = ids.length === held.length && held.every((id) => ids.includes(id));
			return isWhole ? undefined : `${ids.length} of ${held.length} records`;
		},
	})),
	{
		name: 'the account',
		needs: ['account'],
		parameters: { resource: 'account', operation: 'get' },
		rows: () => [{}],
		wrong: ([account]) => (account.email === 'owner@example.com' ? undefined : JSON.stringify(account)),
	},
];

export const JOBS: Job[] = [
	...sheets,
	...creations,
	...chosen(2),
	...chosen(12),
	...absent,
	...odd,
	...others,
	...reads,
];

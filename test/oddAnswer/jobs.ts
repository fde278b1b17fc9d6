/** Everyday jobs of the node, each as often as somebody wants: a second time, it changes nothing that is done. */
import type { IDataObject } from 'n8n-workflow';

import { isFailed } from '../failed';
import { upsertOf } from '../engine/account';
import { by, type Outcome } from '../engine/host';
import { addressOf, type Account, type Holding } from './account';

export interface Job {
	name: string;
	rows(account: Account): Promise<IDataObject[]> | IDataObject[];
	parameters: IDataObject;
	/** The records of a row, among all that the account holds, by what their texts hold; all records where there is one row for them. */
	of(row: IDataObject): string;
	/** What is wrong with what came out, besides what is to be true of every job. */
	wrong?(outcome: Outcome, account: Account): Promise<string | undefined>;
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);

const ofUrl = ({ url }: IDataObject) => `"${String(url)}"`;
const ofName = ({ name }: IDataObject) => `"${String(name)}"`;

/** Every tenth is changed. */
const sheet = (rows: number[], more: (row: number) => IDataObject = () => ({})) =>
	rows.map((row) => ({ url: addressOf(row), description: row % 10 === 0 ? 'New' : 'Old', ...more(row) }));

const withAlias = (row: number) => ({ alias: `row-${row}` });

const link = (operation: string, more: IDataObject) => ({ resource: 'link', operation, ...more });

const upserts: Job[] = [
	{ name: 'a sheet by long URL', parameters: upsertOf(), rows: () => sheet(numbers(0, 26)), of: ofUrl },
	{ name: 'two rows by long URL', parameters: upsertOf(), rows: () => sheet([3, 25]), of: ofUrl },
	{ name: 'a sheet by alias', parameters: upsertOf(), rows: () => sheet(numbers(0, 26), withAlias), of: ofUrl },
	{ name: 'four rows by alias', parameters: upsertOf(), rows: () => sheet([3, 10, 25, 26], withAlias), of: ofUrl },
	...[3, 14].map((count) => ({
		name: `${count} rows by short URL`,
		parameters: upsertOf(),
		rows: async (account: Account) =>
			await Promise.all(
				sheet(numbers(8, count)).map(async (row, at) => ({ ...row, 'Short URL': await account.shortUrlOf(8 + at) })),
			),
		of: ofUrl,
	})),
	{
		name: 'a sheet with campaigns, some of them missing',
		parameters: upsertOf(),
		rows: () => sheet(numbers(18, 5), (row) => ({ ...withAlias(row), campaign: row % 2 ? 'Fair' : 'New fair' })),
		of: ofUrl,
	},
	{
		name: 'a sheet whose empty cells clear',
		parameters: upsertOf({ emptyCells: 'clear' }),
		rows: () => numbers(2, 3).map((row) => ({ url: addressOf(row), description: '' })),
		of: ofUrl,
	},
];

const returns: Job[] = [3, 12].map((count) => ({
	name: `${count} links with Update When → Never`,
	parameters: upsertOf({ updateWhen: 'never' }),
	rows: () => sheet(numbers(18, count), withAlias),
	of: ofUrl,
}));

const codes: Job = {
	name: 'QR codes, each once',
	parameters: {
		resource: 'qrCode',
		operation: 'create',
		type: 'text',
		data: '={{ $json.name }}',
		qrCodeFields: { name: '={{ $json.name }}' },
		options: { ifNameExists: 'returnExisting' },
	},
	rows: () => ['Code one', 'Code two', 'Code three', 'Code four', 'Code three'].map((name) => ({ name })),
	of: ofName,
};

/** Each way of choosing a link, with what a row enters for it. */
const WAYS: Array<[mode: string, value: (account: Account, row: number) => unknown]> = [
	['id', async (account, row) => String(await account.idOf(row))],
	['alias', (_account, row) => `row-${row}`],
	['shortUrl', async (account, row) => await account.shortUrlOf(row)],
	['longUrl', (_account, row) => addressOf(row)],
];

const chosen = (count: number) =>
	WAYS.flatMap(([mode, value]): Job[] => {
		const rows = async (account: Account) =>
			await Promise.all(
				numbers(2, count).map(async (row) => ({ url: addressOf(row), value: (await value(account, row)) as string })),
			);
		const linkId = by(mode, '={{ $json.value }}');
		const common = { rows, of: ofUrl };
		const campaignId = by('name', 'Fair');
		const channelId = by('name', 'Press');
		const assign = { resource: 'campaign', operation: 'assignLink', campaignId, linkId };
		const add = { resource: 'channel', operation: 'assignItem', channelId, itemType: 'links', linkId };
		const name = (what: string) => `${count} links ${what} by ${mode}`;
		return [
			{ ...common, name: name('updated'), parameters: link('update', { linkId, linkFields: { description: 'New' } }) },
			{ ...common, name: name('deleted'), parameters: link('delete', { linkId }) },
			{ ...common, name: name('read'), parameters: link('get', { linkId }) },
			{ ...common, name: name('assigned'), parameters: assign },
			{ ...common, name: name('added'), parameters: add },
		];
	});

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
	parameters: { resource, operation, [idName]: by('id', '={{ $json.id }}'), ...more },
	rows: async (account) => {
		const records = (await account.sandbox.records(collection)).slice(0, 2);
		return records.map((record) => ({ id: record.id, shows: shows(record as never) }));
	},
	of: ({ shows: text }) => `"${String(text)}"`,
});

const CODE = ['qrCode', 'qrs', 'qrCodeId', ({ name }: { name: string }) => name] as const;
const DOMAIN = ['domain', 'domains', 'domainId', ({ domain }: { domain: string }) => domain] as const;
const PIXEL = ['pixel', 'pixels', 'pixelId', ({ name }: { name: string }) => name] as const;

const named = (resource: 'campaign' | 'channel', name: string, operation: string, more: IDataObject): Job => ({
	name: `${resource}:${operation} by name`,
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

const LISTS = [
	['link', 'links'],
	['qrCode', 'qrs'],
	['campaign', 'campaigns'],
	['channel', 'channels'],
	['domain', 'domains'],
	['pixel', 'pixels'],
	['splashPage', 'splash'],
	['overlay', 'overlays'],
] as const;

const lists: Job[] = LISTS.map(([resource, collection]) => ({
	name: `Return All of ${collection}`,
	parameters: { resource, operation: 'getAll', returnAll: true },
	rows: () => [{}],
	of: () => 'nothing',
	async wrong({ items }, account) {
		if (items.some(({ json }) => isFailed(json))) return undefined;
		const ids = items.map(({ json }) => Number(json.id)).filter((id) => id > 0);
		const held = (await account.sandbox.records(collection)).map(({ id }) => id);
		const isWhole = ids.length === held.length && held.every((id) => ids.includes(id));
		return isWhole ? undefined : `${ids.length} of ${held.length} came out as a success`;
	},
}));

export const JOBS: Job[] = [...upserts, ...returns, codes, ...chosen(2), ...chosen(12), ...others, ...lists];

/** The records of a row among all. */
export function recordsOf(holding: Holding, text: string): string {
	return JSON.stringify([...holding].filter(([record]) => record.includes(text)).sort());
}

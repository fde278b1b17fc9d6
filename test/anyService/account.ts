/** An account for everyday jobs, as it stands before and after them, whatever IDs and aliases the service has chosen. */
import type { IDataObject } from 'n8n-workflow';

import { run, type Credential, type Outcome } from '../engine/host';
import type { Sandbox } from '../sandbox';
import type { Service } from './services';

const DATE = '2025-06-01 12:00:00';
const OWN_LINKS = 20;

export const addressOf = (row: number) => `https://example.com/page/${row}`;

/** Links with aliases that no service would give today, and with addresses that services write in more than one way. */
export const ODD_LINKS = [
	{ alias: 'Odd-/Slash', longurl: 'https://example.com/odd/slash/' },
	{ alias: 'odd- space', longurl: 'https://example.com/odd?next=%2Fa%26b%23c' },
	{ alias: 'Odd-Capital', longurl: 'https://example.com/odd#part' },
];

/** What an account holds: each record as text, with how many there are of it. */
export type Holding = Map<string, number>;

let keys = 0;

/** A text in whatever form a service keeps it. */
const folded = (text: string) =>
	decodeURIComponent(text.replaceAll('&amp;', '&').replaceAll('+', ' ').split('#', 1)[0])
		.replace(/\/$/, '')
		.toLowerCase();

export class Account {
	private processes = 0;
	private keys: string[] = [];
	private service!: Service;

	constructor(readonly sandbox: Sandbox) {}

	/** Begins anew, with records of each kind and keys that nothing was learned of. */
	async begin(service: Service): Promise<void> {
		this.service = service;
		this.processes = 0;
		this.keys = Array.from({ length: 3 }, () => `any-service-key-${++keys}`);
		await this.sandbox.reset({
			deviations: { pageCap: 12, ...service.deviations },
			apiKeys: this.keys,
			validate: false,
			limit: { requests: null },
			records: { links: 20, qrs: 30, campaigns: 30, channels: 30, domains: 14, pixels: 14, splash: 14, overlays: 14 },
		});
		const own = Array.from({ length: OWN_LINKS }, (_, row) => ({ alias: `row-${row}`, longurl: addressOf(row) }));
		await this.sandbox.createRecords({
			links: [...own, ...ODD_LINKS].map((link) => ({ ...link, description: 'Old', date: DATE })),
			qrs: ['one', 'two'].map((name) => ({ name: `Code ${name}`, type: 'text', data: name, date: DATE })),
			campaigns: [{ name: 'Fair' }],
			channels: [{ name: 'Press' }],
		});
	}

	/** From now on n8n knows nothing of what was done before. */
	restart(): void {
		this.processes++;
	}

	get credential(): Credential {
		const header = this.service.header ? { header: true, headerName: 'Cookie', headerValue: 'passage=granted' } : {};
		return { baseUrl: this.sandbox.url, apiKey: this.keys[this.processes], ...header };
	}

	async run(parameters: IDataObject, rows: IDataObject[]): Promise<Outcome> {
		return await run(parameters, { credential: this.credential, rows, node: { onError: 'continueRegularOutput' } });
	}

	/** One of its links, by its alias, as the service says its address. */
	async link(alias: string): Promise<{ id: number; shorturl: string }> {
		const found = (await this.sandbox.links()).find((link) => link.alias === alias);
		return found ?? { id: 999_999, shorturl: 'https://gone.example/x' };
	}

	/** All that it holds, in one form, however the service keeps it. */
	async holding(): Promise<Holding> {
		const { sandbox } = this;
		const campaigns = await sandbox.records('campaigns');
		const channels = await sandbox.records('channels');
		const campaignOf = (id: number | null) => campaigns.find((campaign) => campaign.id === id)?.name ?? null;
		const channelsOf = (type: string, id: number) =>
			channels
				.filter(({ items }) => items.some((item) => item.type === type && item.id === id))
				.map(({ name }) => name);
		const all = [
			...(await sandbox.links()).map(({ id, alias, longurl, campaign, unseen, ...link }) => {
				// An alias that nobody asked for is another one each time.
				const asked = alias.includes('-') ? alias.toLowerCase() : '';
				const { title, description, expiry, status, location } = link;
				const places = [campaignOf(campaign), channelsOf('links', id)];
				return ['link', folded(longurl), asked, title, description, expiry, places, status, location, unseen];
			}),
			...(await sandbox.qrs()).map(({ id, name, type, data }) => ['qr', name, type, data, channelsOf('qr', id)]),
			...campaigns.map(({ name, slug }) => ['campaign', name, slug]),
			...channels.map(({ name, description, starred }) => ['channel', name, description, starred]),
			...(await sandbox.records('domains')).map(({ domain, redirect404 }) => ['domain', domain, redirect404]),
			...(await sandbox.records('pixels')).map(({ name, tag }) => ['pixel', name, tag]),
		];
		const holding: Holding = new Map();
		for (const record of all) {
			const text = JSON.stringify(record);
			holding.set(text, (holding.get(text) ?? 0) + 1);
		}
		return holding;
	}
}

/** The records of a row among all, by what their texts hold. */
export function recordsOf(holding: Holding, text: string): string {
	return JSON.stringify([...holding].filter(([record]) => record.includes(text)).sort());
}

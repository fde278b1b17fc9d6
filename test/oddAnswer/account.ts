/** An account for everyday jobs, as it stands before and after them, whatever IDs and aliases the service has chosen. */
import type { IDataObject } from 'n8n-workflow';

import { run, type Credential, type Outcome } from '../engine/host';
import type { Behavior, Dialect, Sandbox } from '../sandbox';

/** How the service at hand answers where all is well. */
export interface Service {
	dialect: Dialect;
	deviations: Partial<Behavior>;
}

/** Some pages of each list. */
const PAGE = 12;
const OWN_LINKS = 20;

/**
 * Services whose pages have figures, some of them or none, and lists whose newest records come first or last; with ties, or one page too
 * many.
 */
export const SERVICES: Service[] = (['document', 'field'] as const).flatMap((dialect) =>
	(['numbers', 'text', 'nextPage', 'missing'] as const).flatMap((figures) =>
		(['both', 'none'] as const).flatMap((orders) =>
			[{}, { pageTooMany: true }, ...(/numbers|text/.test(figures) ? [{ ties: 3 }] : [])].map((more) => ({
				dialect,
				deviations: { figures, orders, pageCap: PAGE, ...more },
			})),
		),
	),
);

export const addressOf = (row: number) => `https://example.com/page/${row}`;

/** What an account holds: each record as text, with how many there are of it. */
export type Holding = Map<string, number>;

let keys = 0;

export class Account {
	private processes = 0;
	private keys: string[] = [];

	constructor(readonly sandbox: Sandbox) {}

	/** Begins anew, with records of each kind and keys that nothing was learned of. */
	async begin({ dialect, deviations }: Service): Promise<void> {
		this.processes = 0;
		this.keys = Array.from({ length: 3 }, () => `odd-answer-key-${++keys}`);
		await this.sandbox.reset({
			dialect,
			deviations,
			apiKeys: this.keys,
			validate: false,
			limit: { requests: null },
			records: { links: 20, qrs: 30, campaigns: 30, channels: 30, domains: 14, pixels: 14, splash: 14, overlays: 14 },
		});
		await this.sandbox.createRecords({
			links: Array.from({ length: OWN_LINKS }, (_, row) => ({
				alias: `row-${row}`,
				longurl: addressOf(row),
				description: 'Old',
				date: '2025-06-01 12:00:00',
			})),
			qrs: ['one', 'two'].map((name) => ({
				name: `Code ${name}`,
				type: 'text',
				data: name,
				date: '2025-06-01 12:00:00',
			})),
			campaigns: [{ name: 'Fair' }],
			channels: [{ name: 'Press' }],
		});
	}

	/** From now on n8n knows nothing of what was done before. */
	restart(): void {
		this.processes++;
	}

	get credential(): Credential {
		return { baseUrl: this.sandbox.url, apiKey: this.keys[this.processes] };
	}

	async run(parameters: IDataObject, rows: IDataObject[]): Promise<Outcome> {
		return await run(parameters, { credential: this.credential, rows, node: { onError: 'continueRegularOutput' } });
	}

	/** The short URL of one of its links. */
	async shortUrlOf(row: number): Promise<string> {
		return (
			(await this.sandbox.links()).find(({ alias }) => alias === `row-${row}`)?.shorturl ?? 'https://gone.example/x'
		);
	}

	async idOf(row: number): Promise<number> {
		return (await this.sandbox.links()).find(({ alias }) => alias === `row-${row}`)?.id ?? 999_999;
	}

	/** All that it holds. */
	async holding(): Promise<Holding> {
		const { sandbox } = this;
		const campaigns = await sandbox.records('campaigns');
		const channels = await sandbox.records('channels');
		const links = await sandbox.links();
		const campaignOf = (id: number | null) => campaigns.find((campaign) => campaign.id === id)?.name ?? null;
		const channelsOf = (type: string, id: number) =>
			channels
				.filter(({ items }) => items.some((item) => item.type === type && item.id === id))
				.map(({ name }) => name);
		const all = [
			...links.map(({ id, alias, longurl, title, description, expiry, campaign, status, location, unseen }) => {
				// An alias that nobody asked for is another one each time.
				const asked = alias.includes('-') ? alias : '';
				const places = [campaignOf(campaign), channelsOf('links', id)];
				return ['link', longurl, asked, title, description, expiry, places, status, location, unseen];
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

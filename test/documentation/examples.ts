/**
 * The pages' examples: what a user enters for each operation and each event. What comes out is not written down here, the
 * engine and the sandbox say it; see `examples.test.ts`.
 */
import type { IDataObject } from 'n8n-workflow';

import { by } from '../engine/host';
import type { Sandbox } from '../sandbox';

/** What an operation is shown with. Of a list, the first item is shown. */
export interface OperationExample {
	/** resource:operation */
	operation: string;
	parameters: IDataObject;
}

/** What an event is shown with. */
export interface EventExample {
	parameters: IDataObject & { event: string };
	/** What happens between two polls, as the page says it: "after …". */
	after: string;
	happens(sandbox: Sandbox): Promise<unknown>;
}

const NONE = { links: 0, qrs: 0, campaigns: 0, channels: 0, domains: 0, splash: 0, overlays: 0, bios: 0, pixels: 0 };

/** Puts the account into the state that every example starts from, at a service of this dialect. */
export async function prepareAccount(sandbox: Sandbox, dialect: 'document' | 'field' = 'document'): Promise<void> {
	await sandbox.reset({ dialect, limit: { requests: null }, records: NONE });
	await sandbox.createRecords({
		links: [
			{
				id: 12,
				alias: 'spring',
				longurl: 'https://example.com/spring',
				title: 'Spring',
				description: 'Sale',
				date: '2026-03-01 08:00:00',
			},
		],
		qrs: [
			{
				id: 21,
				code: 'poster',
				name: 'Poster',
				type: 'link',
				data: 'https://example.com/spring',
				date: '2026-03-02 09:00:00',
			},
		],
		campaigns: [{ id: 31, name: 'Launch', slug: 'launch', public: true, listedUnderDomain: false }],
		channels: [
			{
				id: 41,
				name: 'Press',
				description: 'For journalists',
				color: '#1A2B3C',
				starred: true,
				items: [{ type: 'links', id: 12 }],
			},
		],
		domains: [{ id: 51, domain: 'https://go.example.com', redirectroot: 'https://example.com', redirect404: null }],
		splash: [{ id: 61, name: 'Wait a moment', date: '2026-01-01 00:00:00' }],
		pixels: [{ id: 91, type: 'gtmpixel', name: 'All pages', tag: 'GTM-ABC123', date: '2026-01-05 00:00:00' }],
		overlays: [{ id: 71, type: 'poll', name: 'Vote', date: '2026-01-02 00:00:00' }],
	});
	await sandbox.configure({ deviations: { qrLink: 'picture' } });
	await sandbox.simulate({ clicks: [{ id: 12, count: 97, unique: 80 }], scans: [{ id: 21, count: 98, unique: 60 }] });
}

export const OPERATIONS: OperationExample[] = [
	{
		operation: 'link:create',
		parameters: { url: 'https://example.com/summer', linkFields: { custom: 'summer', campaign: by('id', '31') } },
	},
	{
		operation: 'link:upsert',
		parameters: {
			columns: {
				mappingMode: 'defineBelow',
				value: { url: 'https://example.com/spring-sale', custom: 'spring' },
			},
		},
	},
	{ operation: 'link:delete', parameters: { linkId: by('id', '12') } },
	{ operation: 'link:get', parameters: { linkId: by('id', '12') } },
	{ operation: 'link:getAll', parameters: { returnAll: false, limit: 5, filters: { q: 'spring', order: 'click' } } },
	{
		operation: 'link:update',
		parameters: { linkId: by('id', '12'), linkFields: { url: 'https://example.com/summer-sale' } },
	},
	{
		operation: 'qrCode:create',
		parameters: {
			type: 'link',
			data: 'https://example.com/flyer',
			qrCodeFields: { name: 'Flyer', foreground: '#1A2B3C' },
		},
	},
	{ operation: 'qrCode:delete', parameters: { qrCodeId: by('id', '21') } },
	{ operation: 'qrCode:download', parameters: { qrCodeId: by('id', '21') } },
	{ operation: 'qrCode:get', parameters: { qrCodeId: by('id', '21') } },
	{ operation: 'qrCode:getAll', parameters: { returnAll: true } },
	{
		operation: 'qrCode:update',
		parameters: { qrCodeId: by('id', '21'), dataFormat: 'text', data: 'https://example.com/summer' },
	},
	{ operation: 'campaign:assignLink', parameters: { campaignId: by('id', '31'), linkId: by('id', '12') } },
	{ operation: 'campaign:create', parameters: { name: 'Winter', campaignFields: { slug: 'winter', public: true } } },
	{ operation: 'campaign:delete', parameters: { campaignId: by('id', '31') } },
	{ operation: 'campaign:getAll', parameters: { returnAll: true } },
	{ operation: 'campaign:update', parameters: { campaignId: by('id', '31'), name: 'Big Launch' } },
	{
		operation: 'channel:assignItem',
		parameters: { channelId: by('id', '41'), itemType: 'qr', qrCodeId: by('id', '21') },
	},
	{ operation: 'channel:create', parameters: { name: 'News', channelFields: { color: '#1A2B3C', starred: true } } },
	{ operation: 'channel:delete', parameters: { channelId: by('id', '41') } },
	{ operation: 'channel:getItems', parameters: { channelId: by('id', '41'), returnAll: true } },
	{ operation: 'channel:getAll', parameters: { returnAll: false, limit: 5 } },
	{ operation: 'channel:update', parameters: { channelId: by('id', '41'), channelFields: { name: 'Media' } } },
	{
		operation: 'domain:create',
		parameters: { domain: 'https://new.example.com', domainFields: { redirectroot: 'https://example.com' } },
	},
	{ operation: 'domain:delete', parameters: { domainId: by('id', '51') } },
	{ operation: 'domain:getAll', parameters: { returnAll: true } },
	{
		operation: 'domain:update',
		parameters: { domainId: by('id', '51'), domainFields: { redirect404: 'https://example.com/lost' } },
	},
	{ operation: 'pixel:create', parameters: { pixelType: 'fbpixel', name: 'Shop', tag: '1234567890' } },
	{ operation: 'pixel:delete', parameters: { pixelId: by('id', '91') } },
	{ operation: 'pixel:getAll', parameters: { returnAll: true } },
	{ operation: 'pixel:update', parameters: { pixelId: by('id', '91'), tag: 'GTM-XYZ789' } },
	{ operation: 'overlay:getAll', parameters: { returnAll: true } },
	{ operation: 'splashPage:getAll', parameters: { returnAll: true } },
	{ operation: 'account:get', parameters: {} },
	{ operation: 'account:update', parameters: { accountFields: { email: 'new@example.com' } } },
];

const LATER = '2026-05-04 10:00:00';

export const EVENTS: EventExample[] = [
	{
		parameters: { event: 'linkClicked', options: { minimumIncrease: 5 } },
		after: 'six more clicks',
		happens: async (sandbox) => await sandbox.simulate({ clicks: [{ id: 12, count: 6 }] }),
	},
	{
		parameters: { event: 'linkCreated' },
		after: 'a colleague made a link',
		happens: async (sandbox) =>
			await sandbox.createRecords({
				links: [{ id: 13, alias: 'summer', longurl: 'https://example.com/summer', title: 'Summer', date: LATER }],
			}),
	},
	{
		parameters: { event: 'linkClickThreshold', threshold: 100, thresholdMode: 'once' },
		after: 'the clicks went from 97 to 103',
		happens: async (sandbox) => await sandbox.simulate({ clicks: [{ id: 12, count: 6 }] }),
	},
	{
		parameters: { event: 'qrCodeCreated' },
		after: 'a colleague made a QR code',
		happens: async (sandbox) =>
			await sandbox.createRecords({ qrs: [{ id: 22, code: 'flyer', name: 'Flyer', date: LATER }] }),
	},
	{
		parameters: { event: 'qrCodeScanThreshold', threshold: 100, thresholdMode: 'every' },
		after: 'the scans went from 98 to 101',
		happens: async (sandbox) => await sandbox.simulate({ scans: [{ id: 21, count: 3 }] }),
	},
	{
		parameters: { event: 'qrCodeScanned', watch: 'selected', qrCodeIds: [21] },
		after: 'three more scans',
		happens: async (sandbox) => await sandbox.simulate({ scans: [{ id: 21, count: 3 }] }),
	},
];

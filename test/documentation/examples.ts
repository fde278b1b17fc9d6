/**
 * The pages' examples: what a user enters for each operation and each event. What comes out is not written down here, the
 * engine and the sandbox say it; see `examples.test.ts`.
 */
import type { IDataObject } from 'n8n-workflow';

import { by, itemsOf } from '../engine/host';
import type { Dialect, Sandbox } from '../sandbox';

/** What an operation is shown with. Of a list, the first item is shown. */
export interface OperationExample {
	/** resource:operation */
	operation: string;
	parameters: IDataObject;
}

/** What an event is shown with. */
interface EventExample {
	parameters: IDataObject & { event: string };
	/** What happens between two polls, as the page says it: "after …". */
	after: string;
	happens(sandbox: Sandbox): Promise<unknown>;
}

const NONE = { links: 0, qrs: 0, campaigns: 0, channels: 0, domains: 0, splash: 0, overlays: 0, bios: 0, pixels: 0 };

/** Puts the account into the state that every example starts from, at a service of this dialect. */
export async function prepareAccount(sandbox: Sandbox, dialect: Dialect = 'document'): Promise<void> {
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

const LINK = { linkId: by('id', '12') };
const QR_CODE = { qrCodeId: by('id', '21') };
const CAMPAIGN = { campaignId: by('id', '31') };
const CHANNEL = { channelId: by('id', '41') };
const DOMAIN = { domainId: by('id', '51') };
const PIXEL = { pixelId: by('id', '91') };
const ROW = { url: 'https://example.com/spring-sale', custom: 'spring' };

/** By resource:operation. */
export const PARAMETERS: Record<string, IDataObject> = {
	'link:create': { url: 'https://example.com/summer', linkFields: { custom: 'summer', campaign: by('id', '31') } },
	'link:upsert': { columns: { mappingMode: 'defineBelow', value: ROW } },
	'link:delete': LINK,
	'link:get': LINK,
	'link:getAll': { returnAll: false, limit: 5, filters: { q: 'spring', order: 'click' } },
	'link:update': { ...LINK, linkFields: { url: 'https://example.com/summer-sale' } },
	'qrCode:create': {
		type: 'link',
		data: 'https://example.com/flyer',
		qrCodeFields: { name: 'Flyer', foreground: '#1A2B3C' },
	},
	'qrCode:delete': QR_CODE,
	'qrCode:download': QR_CODE,
	'qrCode:get': QR_CODE,
	'qrCode:getAll': { returnAll: true },
	'qrCode:update': { ...QR_CODE, type: 'link', data: 'https://example.com/summer' },
	'campaign:assignLink': { ...CAMPAIGN, ...LINK },
	'campaign:create': { name: 'Winter', campaignFields: { slug: 'winter', public: true } },
	'campaign:delete': CAMPAIGN,
	'campaign:getAll': { returnAll: true },
	'campaign:update': { ...CAMPAIGN, name: 'Big Launch' },
	'channel:assignItem': { ...CHANNEL, itemType: 'qr', ...QR_CODE },
	'channel:create': { name: 'News', channelFields: { color: '#1A2B3C', starred: true } },
	'channel:delete': CHANNEL,
	'channel:getItems': { ...CHANNEL, returnAll: true },
	'channel:getAll': { returnAll: false, limit: 5 },
	'channel:update': { ...CHANNEL, channelFields: { name: 'Media' } },
	'domain:create': { domain: 'https://new.example.com', domainFields: { redirectroot: 'https://example.com' } },
	'domain:delete': DOMAIN,
	'domain:getAll': { returnAll: true },
	'domain:update': { ...DOMAIN, domainFields: { redirect404: 'https://example.com/lost' } },
	'pixel:create': { pixelType: 'fbpixel', name: 'Shop', tag: '1234567890' },
	'pixel:delete': PIXEL,
	'pixel:getAll': { returnAll: true },
	'pixel:update': { ...PIXEL, tag: 'GTM-XYZ789' },
	'overlay:getAll': { returnAll: true },
	'splashPage:getAll': { returnAll: true },
	'account:get': {},
	'account:update': { accountFields: { email: 'new@example.com' } },
};

export const OPERATIONS = Object.entries(PARAMETERS).map(([operation, parameters]): OperationExample => ({
	operation,
	parameters,
}));

/** What the example of an operation gives, in an account as every example finds it. */
export async function outputOf(sandbox: Sandbox, name: string, dialect: Dialect = 'document'): Promise<IDataObject[]> {
	const [resource, operation] = name.split(':');
	await prepareAccount(sandbox, dialect);
	const credential = { baseUrl: sandbox.url, apiKey: sandbox.apiKey };
	const items = await itemsOf({ resource, operation, ...PARAMETERS[name] }, { credential });
	expect((await sandbox.violations()).map(({ errors }) => errors)).toEqual([]);
	return items;
}

const LATER = '2026-05-04 10:00:00';

export const EVENTS: EventExample[] = [
	{
		parameters: { event: 'linkClicked' },
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

import type { IDataObject, INodeParameters, INodePropertyOptions } from 'n8n-workflow';
import { DIALECT, either } from '../dialect';
import { type Sandbox, startSandbox } from '../sandbox';
import { LINK_MANAGEMENT, NODE_TYPE, workflowOf } from './host';
import { type SharedSession, sharedN8n } from './host/shared';

let n8n: SharedSession;
let sandbox: Sandbox;

const LINKS = 1000;
const CAMPAIGN = { id: 11, name: 'Spring' };
const CHANNEL = { id: 21, name: 'Newsletter' };
const DOMAIN = { id: 31, domain: 'https://go.example.com' };
const LINK = { id: 41, alias: 'winter-sale', longurl: 'https://shop.example.com/winter' };
const QR = { id: 51, name: 'Poster' };
const SPLASH = { id: 61, name: 'Please wait' };
const OVERLAY = { id: 71, name: 'Contact form' };
const PIXEL = { id: 81, type: 'gtmpixel', name: 'All pages' };
/** Records that the test of their deletion deletes. */
const DELETED = { campaign: 12, channel: 22, domain: 32, link: 42, qr: 52, pixel: 82 };

beforeAll(async () => {
	n8n = await sharedN8n();
	sandbox = await startSandbox({
		dialect: DIALECT,
		deviations: { pageCap: 100, qrLink: 'storedPicture' },
		records: { links: LINKS, qrs: 5, campaigns: 3, channels: 3, domains: 2, splash: 2, overlays: 2 },
		limit: { requests: null },
	});
	await sandbox.createRecords({
		campaigns: [CAMPAIGN, { id: DELETED.campaign }],
		channels: [CHANNEL, { id: DELETED.channel }],
		domains: [DOMAIN, { id: DELETED.domain }],
		links: [LINK, { id: DELETED.link }],
		pixels: [PIXEL, { id: DELETED.pixel }],
		qrs: [QR, { id: DELETED.qr }],
		splash: [SPLASH],
		overlays: [OVERLAY],
	});
	await n8n.createCredential({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
});

afterAll(async () => {
	await sandbox.stop();
});

const byId = (value: number): INodeParameters => ({ __rl: true, mode: 'id', value: String(value) });

const SUCCESS = { success: true, message: expect.any(String) };
const allOf = (records: Array<Record<string, unknown>>): unknown =>
	expect.arrayContaining(records.map((record) => expect.objectContaining(record)));

/** Each operation once: what is set in the node, and the items that come out. */
const OPERATIONS: Record<string, { parameters: INodeParameters; items: unknown }> = {
	'account get': { parameters: {}, items: [expect.objectContaining({ email: expect.stringContaining('@') })] },
	'account update': { parameters: { accountFields: { email: 'new@example.com' } }, items: [SUCCESS] },
	'campaign create': {
		parameters: { name: 'Summer', campaignFields: { slug: 'summer', public: true } },
		items: [expect.objectContaining({ id: expect.any(Number), name: 'Summer', public: true })],
	},
	'campaign getAll': { parameters: { returnAll: true }, items: allOf([CAMPAIGN]) },
	'campaign assignLink': {
		parameters: { campaignId: byId(CAMPAIGN.id), linkId: byId(LINK.id) },
		items: [{ ...SUCCESS, campaignId: CAMPAIGN.id, linkId: LINK.id }],
	},
	'campaign update': {
		parameters: { campaignId: byId(CAMPAIGN.id), name: 'Spring again', campaignFields: { public: false } },
		items: [expect.objectContaining({ id: CAMPAIGN.id, name: 'Spring again' })],
	},
	'campaign delete': {
		parameters: { campaignId: byId(DELETED.campaign) },
		items: [{ deleted: true, message: expect.any(String), id: DELETED.campaign }],
	},
	'channel create': {
		parameters: { name: 'Posters', channelFields: { description: 'On walls', color: '#00ff00', starred: true } },
		items: [
			expect.objectContaining({
				id: expect.any(Number),
				name: 'Posters',
				description: 'On walls',
				color: '#00ff00',
				starred: true,
			}),
		],
	},
	'channel getAll': { parameters: { returnAll: true }, items: allOf([CHANNEL]) },
	'channel assignItem': {
		parameters: { channelId: byId(CHANNEL.id), itemType: 'links', linkId: byId(LINK.id) },
		items: [{ ...SUCCESS, channelId: CHANNEL.id, linkId: LINK.id }],
	},
	'channel getItems': {
		parameters: { channelId: byId(CHANNEL.id), returnAll: true },
		items: [expect.objectContaining({ type: 'links', id: LINK.id })],
	},
	'channel update': {
		parameters: { channelId: byId(CHANNEL.id), channelFields: { color: '#0000ff' } },
		items: either<unknown[]>({
			document: [{ ...SUCCESS, id: CHANNEL.id }],
			field: [expect.objectContaining({ success: true, id: CHANNEL.id, color: '#0000ff' })],
		}),
	},
	'channel delete': {
		parameters: { channelId: byId(DELETED.channel) },
		items: [{ deleted: true, message: expect.any(String), id: DELETED.channel }],
	},
	'domain create': {
		parameters: { domain: 'https://s.example.org', domainFields: { redirectroot: 'https://example.org' } },
		items: [{ id: expect.any(Number) }],
	},
	'domain getAll': { parameters: { returnAll: true }, items: allOf([DOMAIN]) },
	'domain update': {
		parameters: { domainId: byId(DOMAIN.id), domainFields: { redirect404: 'https://example.com/lost' } },
		items: [{ ...SUCCESS, id: DOMAIN.id }],
	},
	'domain delete': {
		parameters: { domainId: byId(DELETED.domain) },
		items: [{ deleted: true, message: expect.any(String), id: DELETED.domain }],
	},
	'link create': {
		parameters: {
			url: 'https://shop.example.com/spring',
			linkFields: { custom: 'spring-sale', status: 'public' },
		},
		items: [expect.objectContaining({ id: expect.any(Number), shorturl: expect.stringMatching(/\/spring-sale$/) })],
	},
	'link upsert': {
		parameters: {
			columns: {
				mappingMode: 'defineBelow',
				value: { url: 'https://shop.example.com/upserted', custom: 'upserted' },
				matchingColumns: [],
				schema: [],
			},
		},
		items: [expect.objectContaining({ action: 'created', shorturl: expect.stringMatching(/\/upserted$/) })],
	},
	'link update': {
		parameters: { linkId: byId(LINK.id), linkFields: { description: 'Until March' } },
		items: [expect.objectContaining({ success: true, id: LINK.id, shorturl: expect.stringMatching(/\/winter-sale$/) })],
	},
	'link delete': {
		parameters: { linkId: byId(DELETED.link) },
		items: [{ deleted: true, message: expect.any(String), id: DELETED.link }],
	},
	'link get': {
		parameters: { linkId: byId(LINK.id) },
		items: [
			expect.objectContaining({
				id: LINK.id,
				longurl: LINK.longurl,
				clicks: expect.any(Number),
				topCountries: expect.any(Object),
			}),
		],
	},
	'link getAll': {
		parameters: { returnAll: false, limit: 7, filters: { order: 'click' } },
		items: Array.from({ length: 7 }, () =>
			expect.objectContaining({ id: expect.any(Number), shorturl: expect.any(String) }),
		),
	},
	'overlay getAll': { parameters: { returnAll: true }, items: allOf([OVERLAY]) },
	'pixel create': {
		parameters: { pixelType: 'fbpixel', name: 'Shop', tag: '12345' },
		items: [{ id: expect.any(Number) }],
	},
	'pixel getAll': { parameters: { returnAll: true }, items: allOf([PIXEL]) },
	'pixel update': {
		parameters: { pixelId: byId(PIXEL.id), tag: 'GTM-2' },
		items: [{ ...SUCCESS, id: PIXEL.id }],
	},
	'pixel delete': {
		parameters: { pixelId: byId(DELETED.pixel) },
		items: [{ deleted: true, message: expect.any(String), id: DELETED.pixel }],
	},
	'qrCode create': {
		parameters: {
			type: 'link',
			data: 'https://shop.example.com/spring',
			qrCodeFields: { name: 'Flyer', foreground: '#102030' },
		},
		items: [{ id: expect.any(Number), link: expect.stringMatching(/^http/) }],
	},
	'qrCode getAll': { parameters: { returnAll: true }, items: allOf([QR]) },
	'qrCode get': {
		parameters: { qrCodeId: byId(QR.id) },
		items: [
			expect.objectContaining({ id: QR.id, name: QR.name, scans: expect.any(Number), topBrowsers: expect.any(Object) }),
		],
	},
	'qrCode download': {
		parameters: { qrCodeId: byId(QR.id), binaryPropertyName: 'data' },
		items: [expect.objectContaining({ id: QR.id, name: QR.name })],
	},
	'qrCode update': {
		parameters: {
			qrCodeId: byId(QR.id),
			dataFormat: 'text',
			data: 'https://shop.example.com/autumn',
			qrCodeFields: { background: 'rgb(255,255,255)' },
		},
		items: [{ ...SUCCESS, id: QR.id }],
	},
	'qrCode delete': {
		parameters: { qrCodeId: byId(DELETED.qr) },
		items: [{ deleted: true, message: expect.any(String), id: DELETED.qr }],
	},
	'splashPage getAll': { parameters: { returnAll: true }, items: allOf([SPLASH]) },
};

describe('each operation', () => {
	it('is tried here', async () => {
		const properties = (await n8n.nodeTypes()).get(NODE_TYPE)?.properties ?? [];
		const offered = properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ displayOptions, options }) =>
				(displayOptions?.show?.resource ?? []).flatMap((resource) =>
					(options as INodePropertyOptions[]).map(({ value }) => `${String(resource)} ${String(value)}`),
				),
			)
			// n8n adds this to every node that has a credential.
			.filter((name) => !name.endsWith('__CUSTOM_API_CALL__'));
		expect(offered.sort()).toEqual(Object.keys(OPERATIONS).sort());
	});

	it.each(Object.entries(OPERATIONS))('%s', async (name, { parameters, items }) => {
		const [resource, operation] = name.split(' ');
		const execution = await n8n.runWorkflow(workflowOf({ resource, operation, ...parameters }));
		expect(execution.error).toBeUndefined();
		const output = execution.items(LINK_MANAGEMENT);
		expect(output.map(({ json }) => json)).toEqual(items);
		for (const { json, pairedItem } of output) {
			expect(pairedItem).toEqual({ item: 0 });
			expect(Object.keys(json)).not.toEqual(
				expect.arrayContaining([expect.stringMatching(/^(error|nextpage|perpage|maxpage|currentpage)$/)]),
			);
		}
	});

	it('keeps the contract', async () => {
		expect(await sandbox.violations()).toEqual([]);
	});
});

describe('a list', () => {
	it('of 1,000 links comes whole, in order, each link once, in as few requests as the service allows', async () => {
		const { lastRequestAt } = await sandbox.stats();
		const execution = await n8n.runWorkflow(workflowOf({ resource: 'link', operation: 'getAll', returnAll: true }));
		const stored = await sandbox.links();
		const ids = execution.json(LINK_MANAGEMENT).map(({ id }) => id);
		expect(ids).toHaveLength(stored.length);
		expect(new Set(ids)).toEqual(new Set(stored.map(({ id }) => id)));
		const requests = (await sandbox.requests()).filter(({ at }) => at > (lastRequestAt ?? 0));
		// The service grants 100 records a page.
		expect(requests).toHaveLength(Math.ceil(stored.length / 100));
		expect(requests.map(({ query }) => Number(query.page ?? 1))).toEqual(requests.map((_request, index) => index + 1));
	});
});

describe('60 rows with three bad ones', () => {
	const rows: IDataObject[] = Array.from({ length: 60 }, (_row, index) => ({
		url: `https://shop.example.com/rows/${index}`,
		alias: `row-${index}`,
	}));
	rows[16] = { url: 'shop.example.com/rows/16', alias: 'row-16' };
	rows[33] = { url: 'https://shop.example.com/rows/33', alias: 'row-33', campaign: 999_999 };
	rows[51] = { url: 'https://shop.example.com/rows/51', alias: LINK.alias };
	const bad = [16, 33, 51];
	const parameters = {
		resource: 'link',
		operation: 'create',
		url: '={{ $json.url }}',
		linkFields: {
			custom: '={{ $json.alias }}',
			campaign: { __rl: true, mode: 'id', value: '={{ $json.campaign }}' },
		},
	};

	it('put the bad ones out of the error output, each with its row, and do the others', async () => {
		const execution = await n8n.runWorkflow(workflowOf(parameters, rows, { onError: 'continueErrorOutput' }));
		expect(execution.status).toBe('success');
		const good = execution.items(LINK_MANAGEMENT, 0);
		expect(good.map(({ pairedItem }) => pairedItem)).toEqual(
			rows.flatMap((_row, item) => (bad.includes(item) ? [] : [{ item }])),
		);
		expect(good.every(({ json }) => typeof json.shorturl === 'string')).toBe(true);
		const failed = execution.items(LINK_MANAGEMENT, 1);
		expect(failed.map(({ pairedItem }) => pairedItem)).toEqual(bad.map((item) => ({ item })));
		expect(failed.map(({ json }) => json)).toEqual(bad.map((item) => ({ ...rows[item], error: expect.any(String) })));
		const aliases = (await sandbox.links()).map(({ alias }) => alias).filter((alias) => /^row-\d+$/.test(alias));
		expect(aliases.sort()).toEqual(rows.flatMap(({ alias }, item) => (bad.includes(item) ? [] : [alias])).sort());
	});

	it('create exactly one link a row under Retry On Fail', async () => {
		const twenty: IDataObject[] = Array.from({ length: 20 }, (_row, index) => ({
			url: `https://shop.example.com/retry/${index}`,
		}));
		const before = (await sandbox.stats()).requests;
		const execution = await n8n.runWorkflow(
			workflowOf({ resource: 'link', operation: 'create', url: '={{ $json.url }}' }, twenty, {
				retryOnFail: true,
				maxTries: 3,
				waitBetweenTries: 0,
			}),
		);
		expect(execution.items(LINK_MANAGEMENT)).toHaveLength(20);
		expect((await sandbox.stats()).requests - before).toBe(20);
	});
});

describe('a wrong key', () => {
	it("shows the service's message, points to the credential, and stands nowhere", async () => {
		const session = await sharedN8n();
		await session.createCredential({ baseUrl: sandbox.url, apiKey: 'a-secret-that-is-wrong' });
		const execution = await session.runWorkflow(workflowOf({ resource: 'account', operation: 'get' }));
		expect(execution.status).toBe('error');
		expect(`${execution.error?.message} ${execution.error?.description}`).toMatch(/credential/i);
		expect(JSON.stringify(execution.data)).not.toContain('a-secret-that-is-wrong');
		expect(n8n.logs).not.toContain('a-secret-that-is-wrong');
	});
});
